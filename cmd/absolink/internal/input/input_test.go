package input_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/input"
)

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "site/b.html", "b")
	write(t, "site/a/x.eml", "x")
	write(t, "site/a.html", "a")
	write(t, "outside/y.html", "yy")
	os.Symlink("../outside/y.html", "site/link.html")
	os.Symlink("../outside", "site/linkdir")
	os.Symlink("gone", "site/dangling")
	os.Symlink("a/x.eml", "site/inner.eml")
	os.Symlink(filepath.Join(dir, "site/inner.eml"), "site/a/absolute.eml")
	os.Symlink("site", "tree")
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	outside := " (a link to " + real + "/outside/y.html, which lies outside of "
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"none is standard input", nil, []string{"-"}},
		{"standard input", []string{"-"}, []string{"-"}},
		{"a file", []string{"./site/a.html"}, []string{"./site/a.html=a.html"}},
		{"a missing file goes on", []string{"none", "site/b.html"}, []string{"none!", "site/b.html=b.html"}},
		{"through a file", []string{"site/a.html/x"}, []string{"site/a.html/x!"}},
		{"a tree", []string{"./site/"}, []string{
			"./site/a/absolute.eml (a link to ./site/a/x.eml) to a/x.eml",
			"./site/a/x.eml=a/x.eml", "./site/a.html=a.html", "./site/b.html=b.html",
			"./site/dangling!", "./site/inner.eml (a link to ./site/a/x.eml) to a/x.eml", "./site/link.html" +
				outside + "./site/)",
			"./site/linkdir (a link to a directory is not followed)"}},
		{"a link to a tree", []string{"tree/a"},
			[]string{"tree/a/absolute.eml (a link to tree/a/x.eml) to x.eml", "tree/a/x.eml=x.eml"}},
		{"a named link to a tree", []string{"tree"}, []string{
			"tree/a/absolute.eml (a link to tree/a/x.eml) to a/x.eml",
			"tree/a/x.eml=a/x.eml", "tree/a.html=a.html", "tree/b.html=b.html",
			"tree/dangling!", "tree/inner.eml (a link to tree/a/x.eml) to a/x.eml", "tree/link.html" +
				outside + "tree)",
			"tree/linkdir (a link to a directory is not followed)"}},
		{"a named link to a file", []string{"site/link.html"}, []string{"site/link.html=link.html"}},
		{"by way of ..", []string{"tree/../outside"}, []string{"tree/../outside/y.html=y.html"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := walked(tt.args, false)
			if !slices.Equal(got, tt.want) {
				t.Errorf("Walk(%q):\ngot  %q\nwant %q", tt.args, got, tt.want)
			}
		})
	}
}

// walked describes the files that Walk yields.
func walked(args []string, follow bool) (got []string) {
	for f, err := range input.Walk(args, follow) {
		switch {
		case err != nil:
			got = append(got, f.Source+"!")
		case !f.IsInput():
			got = append(got, strings.TrimSuffix(f.Source+" ("+f.Skip.Why+") to "+f.Skip.Target, " to "))
		case f.Path != "":
			got = append(got, f.Source+"="+f.Rel)
		default:
			got = append(got, f.Source)
		}
	}
	return got
}

// Links out of a directory are followed only if follow is set. Other links are never followed.
func TestWalkFollows(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "in/a", "a")
	write(t, "b", "b")
	os.Symlink("a", "in/c")
	os.Symlink("../b", "in/d")
	if got, want := walked([]string{"in"}, true), []string{"in/a=a",
		"in/c (a link to in/a) to a", "in/d=d"}; !slices.Equal(got, want) {
		t.Errorf("Walk:\ngot  %q\nwant %q", got, want)
	}
}

func TestWalkOfMaildirs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"box/cur/1:2,S", "box/new/2", "box/tmp/3",
		"box/dovecot-uidlist", "box/other/4.eml", "box/cur/deep/5",
		"box/.Sent/cur/6", "box/.Sent/new/7", "box/.Sent/tmp/8", "half/cur/9.eml"} {
		write(t, name, "x")
	}
	var got []string
	for f, err := range input.Walk([]string{"."}, false) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Rel+" of "+f.Maildir+f.Skip.Why)
	}
	want := []string{"box/.Sent/cur/6 of box/.Sent", "box/.Sent/new/7 of box/.Sent", "box/cur/1:2,S of box",
		"box/dovecot-uidlist of in a Maildir, but not one of its messages", "box/new/2 of box", "half/cur/9.eml of "}
	if !slices.Equal(got, want) {
		t.Errorf("Walk:\ngot  %q\nwant %q", got, want)
	}
}

func TestWalkPassesLeftOversBy(t *testing.T) {
	t.Chdir(t.TempDir())
	names := []string{
		".a.eml.absolink-", ".a.eml.absolink-0123abcd-4611686018427387904-61df9a9f", ".a.eml4611686018427387904",
		".hidden", ".a.eml.absolink-0123abcd-4611686018427387904-00000000",
		"a.eml", "a.eml.absolink-0123abcd-4611686018427387904",
	}
	for _, name := range names {
		write(t, name, "x")
	}
	var got []string
	for f, err := range input.Walk([]string{"."}, false) {
		if err != nil {
			t.Fatal(err)
		}
		if !f.IsInput() {
			got = append(got, f.Rel)
		}
	}
	if want := []string{".a.eml.absolink-0123abcd-4611686018427387904-61df9a9f"}; !slices.Equal(got, want) {
		t.Errorf("Walk passes %q by, want %q", got, want)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	os.MkdirAll(filepath.Dir(name), 0o777)
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestOpenStream(t *testing.T) {
	large := strings.Repeat("<p>a", 4<<20+1) // more than stays in memory
	page := large[:1<<20]
	tests := []struct {
		name  string
		in    io.Reader
		max   int64
		want  string
		held  bool
		large bool
	}{
		{"spooled and read back", strings.NewReader(large), 1 << 30, large, true, false},
		{"spooled and too large", strings.NewReader(large), 1 << 20, large, false, true},
		{"empty", strings.NewReader(""), 1 << 20, "", true, false},
		{"one byte at a time", iotest.OneByteReader(strings.NewReader("<p>x")), 1 << 20, "<p>x", true, false},
		{"as large as allowed", strings.NewReader(page), int64(len(page)), page, true, false},
		{"larger than allowed", strings.NewReader(page), int64(len(page)) - 1, page, false, true},
	}
	var r input.Reader
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.Options = input.Options{Stdin: tt.in, MaxSize: tt.max, Kind: input.HTML}
			d, err := r.Open(t.Context(), input.File{Source: input.Stdin})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			wantText(t, io.NewSectionReader(d.At, 0, d.Size), tt.want)
			if held := d.Data != nil || d.Size == 0; held != tt.held || d.TooLarge != tt.large {
				t.Errorf("Open: held %v and too large %v, want %v and %v", held, d.TooLarge, tt.held, tt.large)
			}
		})
	}
}

func TestOpenIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	go func() { out.Write([]byte("From: ")); cancel() }()
	r := input.Reader{Options: input.Options{Stdin: in, MaxSize: 1 << 20}}
	if _, err := r.Open(ctx, input.File{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: got error %v, want %v", err, context.Canceled)
	}
}

// If another program cuts a mailbox short during the reading, the result is an error, not the end.
func TestCutShortMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	write(t, path, strings.Repeat("From a Thu Jan  1 00:00:00 1970\nSubject: x\n\nx\n\n", 9))
	r := &input.Reader{Options: input.Options{Kind: input.Mbox}}
	d, err := r.Open(t.Context(), input.File{Path: path, Bytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	content, err := d.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(content)
	if len(b) != 100 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Mailbox: read %d bytes, %v; want 100 bytes and %v", len(b), err, io.ErrUnexpectedEOF)
	}
	n, err := io.Copy(io.Discard, io.NewSectionReader(d.Stored, 0, d.StoredSize))
	if n != 100 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Stored: copied %d bytes, %v; want 100 bytes and %v", n, err, io.ErrUnexpectedEOF)
	}
}
