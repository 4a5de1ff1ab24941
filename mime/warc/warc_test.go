package warc

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
)

// outline reads an archive and writes a line for each record. The line has number and line only if
// the whole archive is read.
func outline(t testing.TB, r io.Reader, o Options) string {
	t.Helper()
	var b strings.Builder
	at := int64(-1)
	rd := readers.Get().(*Reader)
	defer readers.Put(rd)
	for rd.Reset(r, o); ; {
		rec, err := rd.Next()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		if at >= 0 && rec.Offset != at || rec.End < rec.Offset {
			t.Errorf("record %d is [%d, %d), the one before ended at %d", rec.Number, rec.Offset, rec.End, at)
		}
		at = rec.End
		b.WriteString(line(t, rec, o.Start == 0 && o.End == 0))
		rec.Release()
	}
}

// line describes a record.
func line(t testing.TB, rec *Record, numbered bool) string {
	t.Helper()
	var b strings.Builder
	if numbered {
		fmt.Fprintf(&b, "#%d line %d ", rec.Number, rec.Line)
	}
	fmt.Fprintf(&b, "[%d,%d) %s %q %s block %v %08x skipped %d",
		rec.Offset, rec.End, rec.Version, rec.Type, rec.TargetURI,
		rec.Block, crc32.ChecksumIEEE(rec.Data), rec.Skipped)
	if m := rec.Message(httpmsg.Options{}); m != nil {
		if body, err := m.Body(); err == nil {
			fmt.Fprintf(&b, " %d %v %d bytes %v %v", m.Status,
				body.Doc(nil).Format, len(body.Data), m.Defects, body.Defects)
		} else {
			fmt.Fprintf(&b, " %v", err)
		}
	}
	fmt.Fprintf(&b, " %v\n", rec.Defects)
	return b.String()
}

// ranges reads ranges of a size one after the other, and compares their records with the records of
// the whole.
func ranges(t testing.TB, name string, data []byte, size int) {
	t.Helper()
	want := outline(t, bytes.NewReader(data), Options{End: int64(len(data)) + 1})
	var got strings.Builder
	for at := 0; at < len(data); at += size {
		got.WriteString(outline(t, bytes.NewReader(data), Options{Start: int64(at), End: int64(at + size)}))
	}
	if got.String() != want {
		t.Errorf("%s in ranges of %d bytes:\n%swant\n%s", name, size, got.String(), want)
	}
	rest := strings.NewReader("WARC/" + string(data)) // the archive begins at the position of the file
	rest.Seek(int64(len("WARC/")), io.SeekStart)
	at := size * (len(data) / size / 2)
	o := Options{Start: int64(at), End: int64(at + size)}
	part := outline(t, bytes.NewReader(data), o)
	if got := outline(t, onlyReader{bytes.NewReader(data)}, o); got != part {
		t.Errorf("%s in a range of a pipe from %d to %d:\n%swant\n%s", name, at, at+size, got, part)
	}
	if got := outline(t, rest, o); got != part {
		t.Errorf("%s in a range of the rest of a file from %d to %d:\n%swant\n%s", name, at, at+size, got, part)
	}
}
