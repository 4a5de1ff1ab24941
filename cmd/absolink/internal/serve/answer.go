package serve

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/record"
)

// answer writes the answer to a request. It compresses the body in a coding that the request
// accepts, unless the body is small. The client must read it at a minimum pace.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	coding  coding.Coding
	coder   coder // nil if the answer is not compressed
	status  int   // 0 until the header is written
	sent    int64 // bytes of the body, after compression
	pace    pace
	body    *pacedBody // the body of the request
	head    bool       // the method is HEAD
}

func newAnswer(w http.ResponseWriter, r *http.Request, body *pacedBody) *answer {
	return &answer{ResponseWriter: w, control: http.NewResponseController(w),
		coding: preferredCoding(r.Header.Get("Accept-Encoding")), head: r.Method == http.MethodHead,
		body: body, pace: pace{patience: body.patience}}
}

// Unwrap returns the inner writer, for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// coder compresses an answer. Coders are reused, because a coder takes more memory than most
// answers.
type coder interface {
	io.WriteCloser
	Reset(io.Writer)
}

var coders [coding.Brotli + 1]sync.Pool

// newCoder returns a coder that writes to w.
func newCoder(c coding.Coding, w io.Writer) coder {
	if pooled, ok := coders[c].Get().(coder); ok {
		pooled.Reset(w)
		return pooled
	}
	created, err := c.Writer(w)
	if err != nil {
		panic(err) // the options of Writer are wrong
	}
	return created.(coder)
}

// smallAnswer is the size in bytes below which compression costs more than it saves.
const smallAnswer = 1 << 10

// isSmall reports whether the Content-Length of an answer is less than smallAnswer.
func isSmall(h http.Header) bool {
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && n < smallAnswer
}

// WriteHeader begins the answer. It does not compress an answer that is small or has a
// Content-Encoding. If the body of the request was not read to its end, WriteHeader asks for the
// connection to be closed, because the client may never send the rest of the body.
func (a *answer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	a.setDeadline()
	h := a.Header()
	if !a.body.ended {
		h.Set("Connection", "close")
	}
	if status == http.StatusNoContent || a.head || h.Get("Content-Encoding") != "" || isSmall(h) {
		a.coding = coding.None
	}
	if status != http.StatusNoContent {
		h.Add("Vary", "Accept-Encoding")
	}
	if a.coding != coding.None {
		h.Del("Content-Length")
		h.Set("Content-Encoding", contentCoding(a.coding))
		a.coder = newCoder(a.coding, a.raw())
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.coder != nil {
		return a.coder.Write(b)
	}
	return a.raw().Write(b)
}

// close ends the body of the answer. It puts the coder back for later answers.
func (a *answer) close() {
	if a.coder != nil {
		a.coder.Close()
		a.coder.Reset(io.Discard)
		coders[a.coding].Put(a.coder)
		a.coder = nil
	}
}

// logFields returns the part of a log line that describes the answer.
func (a *answer) logFields(took time.Duration) string {
	return fmt.Sprintf("%d %d %.6f", a.status, a.sent, took.Seconds())
}

func (a *answer) raw() io.Writer { return (*rawAnswer)(a) }

// setDeadline sets the deadline of a write that begins now. It returns the current time.
func (a *answer) setDeadline() (now time.Time) {
	now = time.Now()
	if deadline, changed := a.pace.nextDeadline(now); changed {
		a.control.SetWriteDeadline(deadline)
	}
	return now
}

// rawAnswer writes the body of an answer after compression. A write fails if the client reads too
// slowly, because the wait would block a worker.
type rawAnswer answer

func (a *rawAnswer) Write(b []byte) (int, error) {
	began := (*answer)(a).setDeadline()
	n, err := a.ResponseWriter.Write(b)
	a.pace.add(n, began)
	a.sent += int64(n)
	return n, err
}

// contentCoding returns the name of a coding in HTTP.
func contentCoding(c coding.Coding) string {
	if c == coding.Brotli {
		return "br"
	}
	return c.String()
}

// preferredCoding returns the coding with the highest weight in an Accept-Encoding header. Among
// equal weights it returns the fastest coding. It returns None if the header accepts no coding.
func preferredCoding(header string) coding.Coding {
	best, highest := coding.None, 0.0
	for _, c := range []coding.Coding{coding.Zstd, coding.Gzip, coding.Brotli} {
		if q := quality(header, contentCoding(c)); q > highest {
			best, highest = c, q
		}
	}
	return best
}

// quality returns the weight of a name in an Accept-Encoding or Accept header (RFC 9110 12.4.2).
// The name itself has precedence over wildcards. The weight is 0 if nothing matches.
func quality(header, name string) float64 {
	q, exact := 0.0, false
	for item := range strings.SplitSeq(header, ",") {
		value, params, _ := strings.Cut(item, ";")
		value = strings.ToLower(strings.TrimSpace(value))
		major, _, _ := strings.Cut(name, "/")
		if value != name && (exact || value != "*" && value != "*/*" && value != major+"/*") {
			continue
		}
		exact = value == name
		q = 1
		if _, text, ok := strings.Cut(strings.ReplaceAll(params, " ", ""), "q="); ok {
			text, _, _ = strings.Cut(text, ";")
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				q = n
			}
		}
	}
	return q
}

// problemsHeader is the header field with the number of problems that the command would report. A
// long answer has this field in its trailer.
const problemsHeader = "X-Absolink-Problems"

// answerType is a media type of answers, with the format of records for it.
type answerType struct {
	mediaType   string
	format      record.Format
	contentType string // the media type with its parameters
}

var (
	jsonLines = answerType{"application/jsonl", record.JSONL, "application/jsonl"}
	plainText = answerType{"text/plain", record.Text, "text/plain; charset=utf-8"}
	csv       = answerType{"text/csv", record.CSV, "text/csv; charset=utf-8; header=present"}
	tsv       = answerType{"text/tab-separated-values", record.TSV, "text/tab-separated-values; charset=utf-8"}
)

// answerTypes lists the media types in which a command can answer. The first one is the default.
var answerTypes = map[string][]answerType{
	"extract": {jsonLines, plainText, csv, tsv},
	"base":    {jsonLines},
	"resolve": {jsonLines, plainText, csv, tsv},
}
