package write

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/mime"
)

// newCommand returns a command for inputs that were retrieved from http://a.test/.
func newCommand(verify bool) *Command {
	return &Command{o: &Options{
		Run:    &run.Options{MaxSize: 1 << 20},
		Links:  &links.Options{Base: "http://a.test/", Limits: mime.Limits{Depth: 100, Leaf: 1 << 20}},
		Verify: verify,
	}}
}

// --verify refuses an output that does not list what the plan says.
func TestVerify(t *testing.T) {
	const page = `<html><a href="x"><img src="http://b.test/y">`
	tests := []struct {
		name   string
		output string
		want   string // part of the refusal, "" if it verifies
	}{
		{"as planned", `<html><a href="http://a.test/x"><img src="http://b.test/y">`, ""},
		{"not edited", page, "verify: reference 1 of the output is not that of the input"},
		{"another URI", `<html><a href="http://a.test/z"><img src="http://b.test/y">`, "verify: reference 1"},
		{"one lost", `<html><a href="http://a.test/x">`, "verify: the output has 1 references, the input 2"},
		{"one more", `<html><a href="http://a.test/x"><img src="http://b.test/y"><a href="http://c.test/">`, "verify: reference 3"},
	}
	w := newCommand(true).NewWorker(nil).(*worker)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := &input.Document{Kind: input.HTML, At: strings.NewReader(page), Size: int64(len(page)), Data: []byte(page), Stored: strings.NewReader(page), StoredSize: int64(len(page))}
			p, err := w.plan(t.Context(), in, &report.Entry{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(t.TempDir() + "/out")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			io.WriteString(f, tt.output)
			err = w.check(t.Context(), in, p, f)
			var refusal *output.Refusal
			if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("check: got %v, want %q", err, tt.want)
			}
		})
	}
}

// An output that does not verify is refused, and the input is copied.
func TestUnverifiedIsCopied(t *testing.T) {
	t.Chdir(t.TempDir())
	const page = `<html><a href="x"><p href="y">`
	if err := errors.Join(os.Mkdir("in", 0o777), os.WriteFile("in/page.html", []byte(page), 0o666)); err != nil {
		t.Fatal(err)
	}
	c := newCommand(true)
	if err := c.o.Run.Inputs.Take([]string{"in"}); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.tree, err = copies.New(&c.o.Run.Inputs, copies.Options{Dir: "out"}); err != nil {
		t.Fatal(err)
	}
	in := &input.Document{File: input.File{Rel: "page.html"}, Kind: input.HTML, At: strings.NewReader(page), Size: int64(len(page)), Data: []byte(page), Stored: strings.NewReader(page), StoredSize: int64(len(page))}
	w, e := c.NewWorker(nil).(*worker), &report.Entry{}
	p, err := w.plan(t.Context(), in, e)
	if err != nil {
		t.Fatal(err)
	}
	in.Data[bytes.LastIndexByte(in.Data, 'p')] = 'a' // one more reference
	if err := w.toTree(t.Context(), in, p, e); err == nil {
		t.Error("toTree: got no error, want a refusal")
	} else {
		e.Settle(err)
	}
	if got, err := os.ReadFile("out/page.html"); err != nil || string(got) != page || e.Outcome != report.Refused {
		t.Errorf("toTree: wrote %q (error %v) and is %s, want the input and refused", got, err, e.Outcome)
	}
}

// A plan is written as the edits say, also in pieces.
func TestPlanWrites(t *testing.T) {
	const page = `<a href="x"><a href="y">.`
	in := &input.Document{Kind: input.HTML, At: strings.NewReader(page), Size: int64(len(page)), Data: []byte(page)}
	p, err := newCommand(false).NewWorker(nil).(*worker).plan(t.Context(), in, &report.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if want := `<a href="http://a.test/x"><a href="http://a.test/y">.`; p.write(t.Context(), &got, in) != nil || got.String() != want {
		t.Errorf("write: got %q, want %q", got.String(), want)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.write(stopped, io.Discard, in); !errors.Is(err, context.Canceled) {
		t.Errorf("write after an interrupt: got error %v, want %v", err, context.Canceled)
	}
}
