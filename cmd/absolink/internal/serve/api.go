package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

// route registers the handlers of all requests.
func (s *Server) route() {
	for _, command := range []string{"extract", "base", "resolve"} {
		s.mux.HandleFunc("/v1/"+command,
			onlyMethod(http.MethodPost, func(w http.ResponseWriter, r *http.Request) { s.handleList(w, r, command) }))
	}
	s.mux.HandleFunc("/v1/rewrite", onlyMethod(http.MethodPost, s.handleRewrite))
	s.mux.HandleFunc("/v1/openapi.json", onlyMethod(http.MethodGet, s.handleDescription))
	s.mux.HandleFunc("/metrics", onlyMethod(http.MethodGet, s.metrics.handle))
	s.mux.HandleFunc("/healthz", onlyMethod(http.MethodGet, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
	}))
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, &Problem{Status: http.StatusNotFound,
			Detail: "nothing is at this path; /v1/openapi.json lists the requests"})
	})
	if s.o.Pages != nil {
		s.o.Pages(s, s.mux)
	}
}

// onlyMethod returns f restricted to one method. GET includes HEAD.
func onlyMethod(method string, f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method || method == http.MethodGet && r.Method == http.MethodHead {
			f(w, r)
			return
		}
		w.Header().Set("Allow", method)
		writeProblem(w, &Problem{Status: http.StatusMethodNotAllowed, Detail: "use " + method})
	}
}

// preferredType returns the answer type of a command that an Accept header prefers. It returns the
// default if the header accepts no answer type of the command.
func preferredType(command, accept string) answerType {
	best, highest := answerTypes[command][0], 0.0
	for _, t := range answerTypes[command] {
		if q := quality(accept, t.mediaType); q > highest {
			best, highest = t, q
		}
	}
	return best
}

// handleList answers with the output lines of a command.
func (s *Server) handleList(w http.ResponseWriter, r *http.Request, command string) {
	preferred := preferredType(command, r.Header.Get("Accept"))
	w.Header().Set("Vary", "Accept")
	if a, ok := w.(*answer); ok {
		a.pace.patience = min(a.pace.patience, workerPatience) // the worker waits for the client
	}
	out := newHeldLines(w, preferred.contentType)
	defer release(out.held)
	result, err := s.Do(w, r, command, preferred.format, out)
	switch {
	case err != nil && out.begun:
		panic(http.ErrAbortHandler) // a truncated answer must not look complete
	case err != nil:
		s.fail(w, r, err)
	case result.hasInternalError():
		writeProblem(w, &Problem{Status: http.StatusInternalServerError, Detail: result.Entry.Result.Reason()})
	case result.unread() && !out.begun && result.Totals.Links.ByStatus.Sum() == 0:
		writeProblem(w, &Problem{Status: http.StatusUnprocessableEntity, Detail: cmp.Or(result.Reason, "not read")})
	default:
		out.end(result)
	}
}

// Do reads the body of r, waits for a worker, and does the work of a command with the flags of the
// query. The error is a *[Problem] if the body or the syntax of the query is wrong. Other errors
// come from [Prepare] and [Server.Work].
func (s *Server) Do(w http.ResponseWriter, r *http.Request,
	command string, f record.Format, out io.Writer) (*Result, error) {
	call, err := s.calls.callFor(command, f, r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	b, err := s.receive(w, r)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return s.Work(r.Context(), call, b, out)
}

// Work does the work of a call on a body, as soon as a worker is free. It counts the links of the
// body. The errors are those of [Call] and [Server.WithWorker].
func (s *Server) Work(ctx context.Context, call Call, b *Body, out io.Writer) (result *Result, err error) {
	err = s.WithWorker(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		result, err = call.Do(ctx, b, &cancellingWriter{out, cancel})
		return err
	})
	if err == nil {
		s.Count(result)
	}
	return result, err
}

// Count adds the links of a body to the metrics.
func (s *Server) Count(result *Result) { s.metrics.countReferences(&result.Totals.Links.ByStatus) }

// WithWorker calls f as soon as a worker is free. The context of f ends after Options.WorkTime. The
// error comes from f, or it is [ErrFull] or ctx.Err().
func (s *Server) WithWorker(ctx context.Context, f func(ctx context.Context) error) error {
	if err := s.queue.enter(ctx); err != nil {
		return err
	}
	defer s.queue.leave()
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.o.WorkTime, workTime))
	defer cancel()
	return f(ctx)
}

// cancellingWriter calls cancel if a write fails.
type cancellingWriter struct {
	io.Writer
	cancel func()
}

func (c *cancellingWriter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if err != nil {
		c.cancel()
	}
	return n, err
}

// fail answers a request whose work ended with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var problem *Problem
	var usage *flag.Error
	switch {
	case errors.As(err, &problem):
		writeProblem(w, problem)
	case errors.As(err, &usage):
		writeProblem(w, flagProblem(usage))
	case errors.Is(err, ErrFull):
		writeProblem(w, &Problem{Status: http.StatusServiceUnavailable, Detail: err.Error()})
	case r.Context().Err() != nil, errors.Is(err, context.Canceled):
		panic(http.ErrAbortHandler) // the client has gone
	case errors.Is(err, context.DeadlineExceeded):
		writeProblem(w,
			&Problem{Status: http.StatusServiceUnavailable, Detail: "the document takes longer than 2 minutes"})
	default:
		writeProblem(w, &Problem{Status: http.StatusInternalServerError, Detail: err.Error()})
	}
}

// heldLines writes the lines of an answer. It holds back the first maxHeldLines bytes: if the work
// fails before there are more lines, the answer can still be a Problem. Most answers are shorter,
// and are sent in one piece.
type heldLines struct {
	w     http.ResponseWriter
	media string        // media type of the answer
	held  *bytes.Buffer // the first lines; from buffers
	begun bool          // the held lines were sent
}

// maxHeldLines is the number of bytes that are held back.
const maxHeldLines = 64 << 10

func newHeldLines(w http.ResponseWriter, media string) *heldLines {
	return &heldLines{w: w, media: media, held: buffers.Get().(*bytes.Buffer)}
}

func (h *heldLines) Write(b []byte) (int, error) {
	if !h.begun && h.held.Len()+len(b) <= maxHeldLines {
		return h.held.Write(b)
	}
	if !h.begun {
		h.w.Header().Set("Trailer", problemsHeader)
		if err := h.begin(); err != nil {
			return 0, err
		}
	}
	return h.w.Write(b)
}

// begin sends the lines that were held back.
func (h *heldLines) begin() error {
	h.begun = true
	h.w.Header().Set("Content-Type", h.media)
	_, err := h.w.Write(h.held.Bytes())
	return err
}

// end sets problemsHeader, and sends the lines if they are still held back.
func (h *heldLines) end(result *Result) {
	problems := result.Totals.Problems
	if result.unread() {
		problems++
	}
	h.w.Header().Set(problemsHeader, strconv.Itoa(problems))
	if !h.begun {
		h.w.Header().Set("Content-Length", strconv.Itoa(h.held.Len()))
		h.begin()
	}
}

// handleRewrite answers with the rewritten body.
func (s *Server) handleRewrite(w http.ResponseWriter, r *http.Request) {
	out := new(files.Spool)
	defer out.Close()
	result, err := s.Do(w, r, "rewrite", record.Text, out)
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case result.hasInternalError():
		writeProblem(w, &Problem{Status: http.StatusInternalServerError, Detail: result.Entry.Result.Reason()})
		return
	case result.unwritten():
		writeProblem(w, &Problem{Status: http.StatusUnprocessableEntity, Detail: result.Reason})
		return
	}
	h := w.Header()
	h.Set("X-Absolink-Edits", strconv.Itoa(result.Totals.Edits.Links))
	h.Set(problemsHeader, strconv.Itoa(result.Totals.Problems))
	if result.Totals.Messages.N > 0 {
		h.Set("X-Absolink-Skipped", strconv.Itoa(result.Skipped))
	}
	setDownload(h, cmp.Or(statedType(r.Header.Get("Content-Type")), "application/octet-stream"))
	h.Set("Content-Length", strconv.FormatInt(out.Size(), 10))
	out.WriteTo(w)
}

// setDownload sets header fields. Browsers then download the answer instead of showing it.
func setDownload(h http.Header, media string) {
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", "attachment")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
}
