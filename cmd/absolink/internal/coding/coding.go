// Package coding decodes and encodes the content codings of files: gzip (RFC 1952), zstd (RFC 8878)
// and brotli (RFC 7932). It decodes bzip2, but does not encode it.
package coding

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Coding is the coding of a file. The zero value means that the file is not encoded.
type Coding uint8

// The codings.
const (
	None Coding = iota
	Gzip
	Zstd
	Brotli
	Bzip2 // only read
)

var codingNames = [...]string{None: "", Gzip: "gzip", Zstd: "zstd", Brotli: "brotli", Bzip2: "bzip2"}

func (c Coding) String() string { return codingNames[c] }

// maxWindow is the largest window in bytes of a zstd stream, the same as in the program zstd.
const maxWindow = 128 << 20

// Detect returns the coding of a file, which it finds in the first bytes of the file. Brotli has no
// magic number, and is found by the extension of name.
func Detect(head []byte, name string) Coding {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return Gzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")), isSkippable(head):
		return Zstd
	case isBzip2(head):
		return Bzip2
	case strings.EqualFold(path.Ext(name), ".br"):
		return Brotli
	}
	return None
}

// isBzip2 reports whether head begins with the header of a bzip2 stream, followed by the header of
// a block or by the end of an empty stream.
func isBzip2(head []byte) bool {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	if len(head) < len("BZh9")+len(block) || !bytes.HasPrefix(head, []byte("BZh")) || head[3] < '1' || head[3] > '9' {
		return false
	}
	first := string(head[4 : 4+len(block)])
	return first == block || first == end
}

// isSkippable reports whether head begins with a skippable frame of zstd (RFC 8878 Section 3.1.2).
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte("\x2a\x4d\x18"))
}

// Name returns name without the extension of the coding c.
func (c Coding) Name(name string) string {
	ext := path.Ext(name)
	for _, e := range [...][]string{Gzip: {".gz", ".gzip"},
		Zstd: {".zst", ".zstd"}, Brotli: {".br"}, Bzip2: {".bz2", ".bzip2"}}[c] {
		if strings.EqualFold(ext, e) {
			return strings.TrimSuffix(name, ext)
		}
	}
	return name
}

// Reader returns a reader of the decoded content of r. The caller must close it. Its errors are
// *Error, unless they come from r.
func (c Coding) Reader(r io.Reader) (io.ReadCloser, error) {
	var in io.ReadCloser
	var err error
	switch c {
	case Gzip:
		in, err = gzip.NewReader(r)
	case Zstd:
		var d *zstd.Decoder
		d, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			in = d.IOReadCloser()
		}
	case Brotli:
		in = io.NopCloser(brotli.NewReader(r))
	case Bzip2:
		in = io.NopCloser(bzip2.NewReader(r))
	default:
		return io.NopCloser(r), nil
	}
	if err != nil {
		return nil, c.wrap(err)
	}
	return &reader{in, c}, nil
}

// Writer returns a writer that encodes to w, with the default settings of the program for the
// coding. Close completes the output, and does not close w. Writer panics for Bzip2.
func (c Coding) Writer(w io.Writer) (io.WriteCloser, error) {
	switch c {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	case Brotli:
		return brotli.NewWriter(w), nil
	case Bzip2:
		panic("coding: bzip2 is not written")
	}
	return nopWriteCloser{w}, nil
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// reader returns the errors of a decoder as *Error.
type reader struct {
	io.ReadCloser
	c Coding
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = r.c.wrap(err)
	}
	return n, err
}

// Error says that encoded content is cut short or damaged.
type Error struct {
	Coding Coding
	Err    error
}

func (e *Error) Error() string {
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		return fmt.Sprintf("%v: the data end too early", e.Coding)
	}
	return fmt.Sprintf("%v: the data are damaged: %v", e.Coding, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// wrap returns an error of a decoder as an *Error.
func (c Coding) wrap(err error) error {
	if err == io.EOF { // a truncated header
		err = io.ErrUnexpectedEOF
	}
	return &Error{c, err}
}
