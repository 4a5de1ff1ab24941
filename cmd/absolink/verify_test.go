package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
)

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
	x := &rewriting{verify: true}
	x.base, x.maxSize, x.maxDepth = "http://a.test/", 1<<20, 100
	x.r = &runner{program: &program{}, o: &x.options}
	w := x.r.newWorker()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := &input.Document{Kind: input.HTML, At: strings.NewReader(page), Size: int64(len(page)), Data: []byte(page), Stored: strings.NewReader(page), StoredSize: int64(len(page))}
			p, err := x.plan(t.Context(), w, in, &report.Entry{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(t.TempDir() + "/out")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			io.WriteString(f, tt.output)
			err = x.check(context.Background(), w, in, p, f)
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
	const page = `<html><a href="x">`
	save(t, "in/page.html", []byte(page))
	x := &rewriting{verify: true}
	x.maxSize, x.maxDepth = 1<<20, 100
	x.r = &runner{program: &program{}, o: &x.options}
	var err error
	if x.tree, err = output.NewTree("out", []string{"in"}); err != nil {
		t.Fatal(err)
	}
	if err := x.tree.Begin(); err != nil {
		t.Fatal(err)
	}
	in := &input.Document{File: input.File{Rel: "page.html"}, Kind: input.HTML, At: strings.NewReader(page), Size: int64(len(page)), Data: []byte(page), Stored: strings.NewReader(page), StoredSize: int64(len(page))}
	p := &plan{edits: []mime.Edit{{Span: mime.Span{Start: 15, End: 16}, New: []byte("lost")}}}
	e := &report.Entry{}
	if err := x.toTree(t.Context(), x.r.newWorker(), in, p, e); err == nil {
		t.Error("toTree: got no error, want a refusal")
	} else {
		settle(e, err)
	}
	if got, err := os.ReadFile("out/page.html"); err != nil || string(got) != page || e.Outcome != report.Refused {
		t.Errorf("toTree: wrote %q (error %v) and is %s, want the input and refused", got, err, e.Outcome)
	}
}

// A plan is written as the edits say, also in pieces.
func TestPlanWrites(t *testing.T) {
	in := &input.Document{At: strings.NewReader("0123456789"), Size: 10, Stored: strings.NewReader("0123456789"), StoredSize: 10}
	p := &plan{edits: []mime.Edit{{Span: mime.Span{Start: 0, End: 1}, New: []byte("a")}, {Span: mime.Span{Start: 5, End: 5}, New: []byte("b")}}}
	var got bytes.Buffer
	if err := p.write(t.Context(), &got, in); err != nil || got.String() != "a1234b56789" {
		t.Errorf("write: got %q and error %v, want %q", got.String(), err, "a1234b56789")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.write(stopped, io.Discard, in); !errors.Is(err, context.Canceled) {
		t.Errorf("write after an interrupt: got error %v, want %v", err, context.Canceled)
	}
}

// A full disk behind standard output is said once, with exit code 1.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{{"extract"}, {"extract", "--format", "csv"}, {"rewrite"}, {"rewrite", "--verify"}, {"base"}, {"resolve", "g"}, {"version"}} {
		var stderr bytes.Buffer
		args = append(args, map[bool][]string{true: nil, false: {"--base", "http://a.test/"}}[args[0] == "version"]...)
		code := run(args, strings.NewReader("<html><a href=x>"), full{}, &stderr)
		if got := stderr.String(); code != exitDefects || strings.Count(got, "\n") != 1 || !strings.Contains(got, "no space left") {
			t.Errorf("%q: got exit code %d and %q, want %d and one line that says why", args, code, got, exitDefects)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
