package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
)

// Body is the decoded body of a request. A small body is in memory, and a larger one in a nameless
// temporary file. The caller must close the Body.
type Body struct {
	input.Given
	held *bytes.Buffer // from buffers; nil if the body is in a file
	file *os.File
}

// maxHeldBody is the size in bytes of the largest body that stays in memory. It is small, because
// many requests may run at the same time.
const maxHeldBody = 256 << 10

// Close frees the memory and the file.
func (b *Body) Close() error {
	if b.held != nil {
		release(b.held)
		b.held = nil
	}
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}

// buffers holds free buffers, for bodies and for the first lines of answers. No buffer has more
// than maxHeldBody bytes.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// release puts a buffer back into buffers.
func release(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

// Reader returns a reader of the whole body.
func (b *Body) Reader() io.Reader { return io.NewSectionReader(b.At, 0, b.Size) }

// receive reads and decodes the body of r. If the request is wrong, the error is a *[Problem].
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (*Body, error) {
	c, ok := codingNamed(r.Header.Get("Content-Encoding"))
	if !ok {
		w.Header().Set("Accept-Encoding", "gzip, zstd, br")
		return nil, &Problem{Status: http.StatusUnsupportedMediaType,
			Detail: "the Content-Encoding is not known; send gzip, zstd, br or none"}
	}
	if r.ContentLength > s.o.MaxSize {
		return nil, s.tooLarge()
	}
	sent := r.Body.(*pacedBody)
	decoded, err := c.Reader(sent)
	if err != nil {
		return nil, s.receiveProblem(err, sent)
	}
	defer decoded.Close()
	b, err := storeBody(decoded, s.o.MaxSize)
	if err != nil {
		return nil, s.receiveProblem(err, sent)
	}
	sent.Read(make([]byte, 1)) // the decoder may have stopped just before io.EOF, which sets sent.ended
	b.Type = statedType(r.Header.Get("Content-Type"))
	return b, nil
}

// statedType returns the Content-Type t. It returns "" for the Content-Type that curl sends by
// default, because that type says nothing about the data.
func statedType(t string) string {
	if name, _, _ := strings.Cut(t, ";"); strings.EqualFold(strings.TrimSpace(name),
		"application/x-www-form-urlencoded") {
		return ""
	}
	return t
}

// errLarge says that a body exceeds the limit.
var errLarge = errors.New("too large")

// storeBody reads src into a Body. If src has more than maxSize bytes, the error is errLarge.
func storeBody(src io.Reader, maxSize int64) (*Body, error) {
	held := buffers.Get().(*bytes.Buffer)
	n, err := io.CopyN(held, src, min(maxHeldBody, maxSize)+1)
	if err == io.EOF {
		return &Body{Given: input.Given{At: bytes.NewReader(held.Bytes()), Size: n}, held: held}, nil
	}
	defer release(held)
	switch {
	case err != nil:
		return nil, err
	case n > maxSize:
		return nil, errLarge
	}
	f, err := files.Nameless()
	if err != nil {
		return nil, err
	}
	n, err = io.Copy(f, io.LimitReader(io.MultiReader(held, src), maxSize+1))
	if err == nil && n > maxSize {
		err = errLarge
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Body{Given: input.Given{At: f, Size: n}, file: f}, nil
}

// tooLarge returns the problem of a body that is larger than Options.MaxSize.
func (s *Server) tooLarge() *Problem {
	return &Problem{Status: http.StatusRequestEntityTooLarge, Flag: "max-size",
		Detail: fmt.Sprintf("the decoded body has more than the %d bytes that --max-size allows",
			s.o.MaxSize)}
}

// receiveProblem returns the error for a body that could not be read or decoded completely. err is
// the error of the decoder.
func (s *Server) receiveProblem(err error, sent *pacedBody) error {
	var coded *coding.Error
	switch {
	case errors.Is(err, errLarge):
		return s.tooLarge()
	case sent.slow():
		return &Problem{Status: http.StatusRequestTimeout, Detail: "the body comes too slowly"}
	case sent.err != nil:
		return context.Canceled // the client has gone
	case errors.As(err, &coded):
		return &Problem{Status: http.StatusBadRequest, Detail: "Content-Encoding: " + err.Error(), Offset: &sent.bytes}
	}
	return err
}

// codingNamed returns the content coding with a name. It returns false if the name is not known.
func codingNamed(name string) (coding.Coding, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "identity":
		return coding.None, true
	case "gzip", "x-gzip":
		return coding.Gzip, true
	case "zstd":
		return coding.Zstd, true
	case "br":
		return coding.Brotli, true
	}
	return coding.None, false
}
