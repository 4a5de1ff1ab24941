package warc

import (
	"io"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
)

// The types of a record and of its block, and the beginning of the block, tell if the block is an
// HTTP message. A response may lack its status line.
func TestKindOfBlock(t *testing.T) {
	const fields = "Content-Type: text/html\r\n\r\n<a href=x>"
	for _, tt := range []struct {
		kind, media   string
		status, plain bool // a block with a status line is a message; one without
	}{
		{"response", "", true, true},
		{"response", "application/http", true, true},
		{"response", " Application/HTTP ; msgtype=response", true, true},
		{"response", "application/http-response", true, true},
		{"response", "text/html", true, false},
		{"response", "application/httpx", true, false},
		{"resource", "", false, false},
		{"resource", "application/http", true, true},
		{"resource", "application/http-response", false, false},
		{"resource", "text/html", false, false},
		{"conversion", "", false, false},
		{"revisit", "", true, false},
		{"revisit", "application/http", true, true},
		{"revisit", "application/http-response", true, false},
	} {
		for block, want := range map[string]bool{"HTTP/1.1 200 OK\r\n" + fields: tt.status, fields: tt.plain} {
			header := ""
			if tt.media != "" {
				header = "Content-Type: " + tt.media + "\n"
			}
			r, err := firstOf(strings.NewReader(rec(tt.kind, header, block)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := r.Message(httpmsg.Options{})
			if got := m != nil && m.Content.End-m.Content.Start != len(block); got != want {
				t.Errorf("a %s of type %q that begins with %.10q: got a message with a header: %v, want %v",
					tt.kind, tt.media, block, got, want)
			}
			r.Release()
		}
	}
}

// A header without an end has only the fields before the next record.
func TestFieldsOfCutHeader(t *testing.T) {
	next := numbered(2, "<a href=2>")
	for _, cut := range []string{"WARC/1.1\r\n", "WARC/1.1\r\nWARC-Type: resource\r\nX-A: 1\r\n",
		"WARC/1.1\r\nWARC-Type: resource\r\nX-A: 1\r\nWARC-Tar"} {
		for kind, data := range map[string]string{"plain": cut + next, "gzip": gz(cut + next)} {
			r := NewReader(strings.NewReader(data), Options{})
			first, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, name := range []string{"WARC-Target-URI", "Content-Type", "Content-Length"} {
				if _, n := first.Get(name); n > 0 {
					names = append(names, name)
				}
			}
			if len(names) > 0 || first.TargetURI != "" || string(first.Data) != cut || len(first.Defects) == 0 {
				t.Errorf("%s: %q before a record: got the fields %q, the bytes %q and the defects %+v",
					kind, cut, names, first.Data, first.Defects)
			}
			second, err := r.Next()
			if err != nil || second.TargetURI != "http://a/2" {
				t.Errorf("%s: %q before a record: then got %+v, %v", kind, cut, second, err)
			}
		}
	}
}

// The bytes of a range are enough to see the line of an ARC record in it. Only a line that is
// longer than the range needs the bytes after it.
func TestPeekLine(t *testing.T) {
	page := arcRecord("http://a/2", "text/html", arcPage("<a href=x>"))
	line := strings.IndexByte(page, '\n') + 1
	file := arcHead + page + strings.Repeat(page, 100)
	start := int64(len(arcHead))
	for length := 1; length <= len(page); length++ {
		end := start + int64(length)
		last := int64(0)
		in := readerAt(func(p []byte, off int64) (int, error) {
			last = max(last, off+int64(len(p)))
			return strings.NewReader(file).ReadAt(p, off)
		})
		r := NewReader(io.NewSectionReader(in, 0, int64(len(file))), Options{Start: start, End: end, Indexed: true})
		if b := r.peekLine(start); !strings.HasPrefix(string(b), page[:line]) || length >= line && last > end {
			t.Errorf("a range of %d bytes: got %.100q, and read up to %d, want the line, and %d",
				length, b, last-start, length)
		}
	}
}

// readerAt is a function as an io.ReaderAt.
type readerAt func(p []byte, off int64) (int, error)

func (f readerAt) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }
