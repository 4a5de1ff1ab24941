package mbox

import (
	"bytes"
	"io"
	"strings"
	"testing"

	gombox "github.com/emersion/go-mbox"

	"absolink/mime"
)

// mailbox returns a mailbox of at least 16 MB, made of all available messages. With ABSOLINK_CORPUS
// it is 24 MB of real mail.
func mailbox(b *testing.B, v Variant) string {
	box, _ := build(b, layout{variant: v, ends: []string{"\n"}, blanks: []int{1}})
	return strings.Repeat(box, 1+16<<20/len(box))
}

func benchmarkRead(b *testing.B, v Variant, open func(string) io.Reader) {
	box := mailbox(b, v)
	b.SetBytes(int64(len(box)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(open(box), Options{Variant: v})
		for {
			m, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			m.Release()
		}
	}
}

func file(s string) io.Reader { return strings.NewReader(s) }
func pipe(s string) io.Reader { return stream{strings.NewReader(s)} }

func BenchmarkRead(b *testing.B)        { benchmarkRead(b, RD, file) }
func BenchmarkReadPipe(b *testing.B)    { benchmarkRead(b, RD, pipe) }
func BenchmarkReadCounted(b *testing.B) { benchmarkRead(b, CL2, file) }

// The lower limit: copying, and one search for the first bytes of a separator.
func BenchmarkIndex(b *testing.B) {
	box := mailbox(b, RD)
	buf := make([]byte, windowSize)
	pattern := []byte("\nFrom ")
	b.SetBytes(int64(len(box)))
	b.ReportAllocs()
	for b.Loop() {
		for r := strings.NewReader(box); ; {
			n, err := r.Read(buf)
			if err == io.EOF {
				break
			}
			for rest := buf[:n]; ; {
				i := bytes.Index(rest, pattern)
				if i < 0 {
					break
				}
				rest = rest[i+1:]
			}
		}
	}
}

func BenchmarkGoMbox(b *testing.B) {
	box := mailbox(b, RD)
	b.SetBytes(int64(len(box)))
	b.ReportAllocs()
	for b.Loop() {
		r := gombox.NewReader(strings.NewReader(box))
		for {
			m, err := r.NextMessage()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	msgs := list(NewReader(strings.NewReader(mailbox(b, RD)), Options{}))
	size := int64(0)
	for _, m := range msgs {
		size += m.Size()
	}
	edits := []mime.Edit{{Span: mime.Span{Start: 0, End: 0}, New: []byte("X: y\n")}}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range msgs {
			m.Verify(edits) // a message that does not begin with a field is refused
		}
	}
}
