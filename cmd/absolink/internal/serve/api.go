package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

// route registers all requests.
func (s *Server) route() {
	for _, command := range []string{"extract", "base", "resolve"} {
		s.mux.HandleFunc("/v1/"+command,
			only(http.MethodPost, func(w http.ResponseWriter, r *http.Request) { s.list(w, r, command) }))
	}
	s.mux.HandleFunc("/v1/rewrite", only(http.MethodPost, s.rewrite))
	s.mux.HandleFunc("/v1/openapi.json", only(http.MethodGet, s.describe))
	s.mux.HandleFunc("/metrics", only(http.MethodGet, s.figures.write))
	s.mux.HandleFunc("/healthz", only(http.MethodGet, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
	}))
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, &Problem{Status: http.StatusNotFound,
			Detail: "there is nothing here; /v1/openapi.json describes what there is"})
	})
	if s.o.Pages != nil {
		s.o.Pages(s, s.mux)
	}
}

// only restricts a handler to one method. GET includes HEAD.
func only(method string, f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method || method == http.MethodGet && r.Method == http.MethodHead {
			f(w, r)
			return
		}
		w.Header().Set("Allow", method)
		refuse(w, &Problem{Status: http.StatusMethodNotAllowed, Detail: "use " + method})
	}
}

// list answers with the output lines of a command.
func (s *Server) list(w http.ResponseWriter, r *http.Request, command string) {
	f := forms[command][0]
	accept, most := r.Header.Get("Accept"), 0.0
	for _, known := range forms[command] {
		if q := quality(accept, known.media); q > most {
			f, most = known, q
		}
	}
	w.Header().Set("Vary", "Accept")
	if a, ok := w.(*answer); ok {
		a.pace.patience = min(a.pace.patience, atWork)
	}
	out := newHeldLines(w, f.header)
	defer release(out.held)
	result, err := s.Do(w, r, command, f.format, out)
	switch {
	case err != nil && out.begun:
		panic(http.ErrAbortHandler) // a truncated answer must not look complete
	case err != nil:
		s.fail(w, r, err)
	case strings.HasPrefix(result.Entry.Result.Reason(), "internal error"):
		refuse(w, &Problem{Status: http.StatusInternalServerError, Detail: result.Entry.Result.Reason()})
	case result.unread() && !out.begun && result.Totals.Links.ByStatus.Sum() == 0:
		refuse(w, &Problem{Status: http.StatusUnprocessableEntity, Detail: cmp.Or(result.Reason, "not read")})
	default:
		out.end(result)
	}
}

// Do reads the body of r, waits for a worker, and does the work of a command with the flags of the
// query. The error is a *[Problem] if the request is wrong. [Server.Work] and Prepare return other
// errors.
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

// Work does the work of a call on a body, as soon as a worker is free.
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
func (s *Server) Count(result *Result) { s.figures.count(&result.Totals.Links.ByStatus) }

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

// fail answers a request that could not be carried out.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var problem *Problem
	var usage *flag.Error
	switch {
	case errors.As(err, &problem):
		refuse(w, problem)
	case errors.As(err, &usage):
		refuse(w, badOption(usage))
	case errors.Is(err, ErrFull):
		refuse(w, &Problem{Status: http.StatusServiceUnavailable, Detail: err.Error()})
	case r.Context().Err() != nil, errors.Is(err, context.Canceled):
		panic(http.ErrAbortHandler) // the client has gone
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, &Problem{Status: http.StatusServiceUnavailable, Detail: "the document takes longer than 2 minutes"})
	default:
		refuse(w, &Problem{Status: http.StatusInternalServerError, Detail: err.Error()})
	}
}

// heldLines writes the lines of an answer. It holds back the first maxHeldLines bytes: if the
// request fails before more lines come, it can still be answered with a Problem. Most answers are
// not longer than that, and are sent in one piece.
type heldLines struct {
	w     http.ResponseWriter
	media string        // media type of the answer
	held  *bytes.Buffer // from buffers
	begun bool          // lines were sent
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

// begin writes the lines that were held back.
func (h *heldLines) begin() error {
	h.begun = true
	h.w.Header().Set("Content-Type", h.media)
	_, err := h.w.Write(h.held.Bytes())
	return err
}

// end sets the header with the number of problems, and writes the lines that are still held back.
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

// rewrite answers with the rewritten document.
func (s *Server) rewrite(w http.ResponseWriter, r *http.Request) {
	out := new(files.Spool)
	defer out.Close()
	result, err := s.Do(w, r, "rewrite", record.Text, out)
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case strings.HasPrefix(result.Entry.Result.Reason(), "internal error"):
		refuse(w, &Problem{Status: http.StatusInternalServerError, Detail: result.Entry.Result.Reason()})
		return
	case result.unwritten():
		refuse(w, &Problem{Status: http.StatusUnprocessableEntity, Detail: result.Reason})
		return
	}
	h := w.Header()
	h.Set("X-Absolink-Edits", strconv.Itoa(result.Totals.Edits.Links))
	h.Set(problemsHeader, strconv.Itoa(result.Totals.Problems))
	if result.Totals.Messages.N > 0 {
		h.Set("X-Absolink-Skipped", strconv.Itoa(result.Skipped))
	}
	setDownload(h, cmp.Or(mediaType(r.Header.Get("Content-Type")), "application/octet-stream"))
	h.Set("Content-Length", strconv.FormatInt(out.Size(), 10))
	out.WriteTo(w)
}

// setDownload sets header fields. Browsers then download the answer instead of showing it.
func setDownload(h http.Header, media string) {
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", "attachment")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
}
