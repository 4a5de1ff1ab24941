package cut_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cut"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/mbox"
)

// With Blind a divisible file is cut at multiples of Size.
func TestBlind(t *testing.T) {
	box := strings.Repeat(message(30), 2)
	if len(box) != 166 {
		t.Fatalf("the mailbox has %d bytes", len(box))
	}
	const parts = "f\t0\t100\nf\t100\t66\n"
	for _, tt := range []struct {
		name    string
		content string
		size    int
		variant mbox.Variant
		want    string
	}{
		{"a mailbox", box, 100, mbox.RD, parts},
		{"a mailbox with lengths", box, 100, mbox.CL, "f\n"},
		{"a mailbox with other lengths", box, 100, mbox.CL2, "f\n"},
		{"a mailbox of one part", box, 166, mbox.RD, "f\n"},
		{"a mailbox of one byte more", box, 165, mbox.RD, "f\t0\t165\nf\t165\t1\n"},
		{"parts of the same size", box, 83, mbox.RD, "f\t0\t83\nf\t83\t83\n"},
		{"a compressed mailbox", zipped(box), 10, mbox.RD, "f\n"},
		{"a page", "<html>" + box, 100, mbox.RD, "f\n"},
		{"an archive", record(10) + record(10), 200, mbox.RD, "f\t0\t200\nf\t200\t50\n"},
	} {
		c := &cut.Cutter{Size: flag.Size(tt.size), MaxSize: 1 << 20, Mbox: tt.variant, Blind: true}
		if got := work(t, c, "f", tt.content); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Each archive in a WACZ has units of its own.
func TestArchives(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"datapackage.json", "archive/a.warc", "archive/b.warc.gz", "archive/c.warc"} {
		method := zip.Store
		if strings.HasSuffix(name, "c.warc") {
			method = zip.Deflate // its records have no offsets in the file
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, ".json"):
			io.WriteString(w, `{"profile":"data-package","resources":[]}`)
		case strings.HasSuffix(name, ".gz"):
			io.WriteString(w, zipped(record(1)))
		default:
			io.WriteString(w, record(1)+record(2))
		}
	}
	z.Close()
	got := work(t, &cut.Cutter{Size: 1, MaxSize: 1 << 20}, "x.wacz", b.String())
	var paths []string
	for line := range strings.Lines(got) {
		path, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		paths = append(paths, strings.TrimPrefix(path, "x.wacz/archive/"))
	}
	if text := strings.Join(paths, " "); !strings.HasPrefix(text, "a.warc a.warc b.warc.gz c.warc") {
		t.Errorf("the units are %q, want two of a.warc, one of b.warc.gz, and those of c.warc", got)
	}
}

// broken is a file that cannot be read after text.
type broken struct {
	text string
	err  error
}

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, b.text[min(at, int64(len(b.text))):])
	if n == len(p) {
		return n, nil
	}
	return n, b.err
}

// A file that cannot be read to its end fails, and so does an interrupted one.
func TestFails(t *testing.T) {
	boom := errors.New("boom")
	box := strings.Repeat(message(30), 200)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		at   io.ReaderAt
		want error
	}{
		{"broken", t.Context(), broken{box[:100], boom}, boom},
		{"interrupted", canceled, strings.NewReader(box), context.Canceled},
	} {
		in := &input.Document{File: input.File{Source: "box"}, Decision: input.Decision{Kind: input.Mbox},
			Content: input.Content{At: tt.at, Size: int64(len(box))}}
		e := new(report.Entry)
		(&cut.Cutter{Size: 1, MaxSize: 1 << 20}).Work(tt.ctx, in, io.Discard, e)
		if e.Result.Outcome() != report.Failed || !strings.Contains(e.Result.Reason(), tt.want.Error()) {
			t.Errorf("%s: got %v %q, want failed %v", tt.name, e.Result.Outcome(), e.Result.Reason(), tt.want)
		}
	}
}
