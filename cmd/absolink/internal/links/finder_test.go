package links_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
)

// found is what a Finder finds in one file.
type found struct {
	links    []string // "URI WARNINGS" or "STATUS VALUE WARNINGS" of the links that it takes
	problems []string
	entry    report.Entry
	options  *links.Options
}

// find reads the file name by the flags of a line. "root=DIR=URI" and "base=URI" stand for flags of
// another package.
func find(t *testing.T, line, name string) (*found, error) {
	t.Helper()
	f := &found{options: &links.Options{Listing: true}}
	o := f.options
	c := new(cobra.Command)
	o.RegisterLinkFlags(c)
	o.Targets.Register(c)
	var words []string
	for _, word := range strings.Fields(line) {
		if root, ok := strings.CutPrefix(word, "root="); ok {
			o.Bases.Roots = append(o.Bases.Roots, root)
		} else if uri, ok := strings.CutPrefix(word, "base="); ok {
			o.Bases.Retrieval = uri
		} else {
			words = append(words, word)
		}
	}
	if err := c.ParseFlags(words); err != nil {
		return nil, err
	}
	set := new(source.Set)
	if err := errors.Join(set.SetArgs([]string{name}), o.Prepare(set)); err != nil {
		return nil, err
	}
	reader := &input.Reader{Options: input.Options{MaxSize: 1 << 20, Scripts: o.Reading.Options.Scripts}}
	in, err := reader.Open(t.Context(), input.File{Source: name, Path: name, Rel: filepath.Base(name), Named: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	finder := links.NewFinder(o)
	e := &f.entry
	if !finder.Open(in, e) {
		t.Fatalf("Open: got false, %v %s", e.Result.Outcome(), e.Result.Reason())
	}
	for d := range finder.Docs.All() {
		for l := range finder.Links(d, e) {
			if !finder.Accept(d, &l, e) {
				continue
			}
			text := string(l.URI)
			if text == "" {
				text = fmt.Sprintf("%v %s", l.Status, l.Value)
			}
			if finder.FoundURI() != "" {
				text += " = " + finder.FoundURI()
			}
			f.links = append(f.links, strings.TrimSpace(text+" "+strings.Join(l.Warnings, " ")))
		}
	}
	finder.NoteProblems(e, in, finder.Docs.Problems())
	for _, p := range e.Problems.All() {
		f.problems = append(f.problems, p.Text)
	}
	return f, nil
}

// lay writes files into a new directory, which becomes the current one.
func lay(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Flags choose links. A list that begins with ! chooses all others.
func TestChoice(t *testing.T) {
	lay(t, map[string]string{"p.html": `<a href=x rel="Next nofollow a&#160;b&#11;c"><img src=http://b.test/i><a href=mailto:a@b.test>
<nav><a href=#f></a></nav><a href=https://c.a.test/y>`})
	const all = "http://a.test/x http://b.test/i mailto:a@b.test http://a.test/#f https://c.a.test/y"
	for line, want := range map[string]string{
		"":                          all,
		"--kind res":                "http://b.test/i",
		"--kind !res":               "http://a.test/x mailto:a@b.test http://a.test/#f https://c.a.test/y",
		"--element img":             "http://b.test/i",
		"--attribute src":           "http://b.test/i",
		"--scheme https,mailto":     "mailto:a@b.test https://c.a.test/y",
		"--host a.test":             "http://a.test/x http://a.test/#f",
		"--host .a.test":            "http://a.test/x http://a.test/#f https://c.a.test/y",
		"--rel next":                "http://a.test/x",
		"--rel a,b,c":               "",
		"--status same-document":    "http://a.test/#f",
		"--same-host":               "http://a.test/x http://a.test/#f",
		"--match ^http://b":         "http://b.test/i",
		"--match b.test --match /x": "http://a.test/x http://b.test/i mailto:a@b.test",
		"--no-match a.test":         "http://b.test/i mailto:a@b.test",
		"--select nav":              "http://a.test/#f",
		"--element a --scheme http": "http://a.test/x http://a.test/#f",
	} {
		f, err := find(t, "base=http://a.test/ "+line, "p.html")
		if err != nil {
			t.Errorf("%s: got error %v", line, err)
		} else if got := strings.Join(f.links, " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	for line, want := range map[string]string{"--element video": "--element", "--match zzz": "--match",
		"--element a": ""} {
		f, err := find(t, "base=http://a.test/ "+line, "p.html")
		if err != nil {
			t.Fatal(err)
		}
		got := f.options.Unmatched()
		if (len(got) > 0) != (want != "") || !strings.Contains(strings.Join(got, ""), want) {
			t.Errorf("Unmatched of %s: got %q, want %q", line, got, want)
		}
	}
}

// Options that make no sense are refused.
func TestCheckRefuses(t *testing.T) {
	lay(t, map[string]string{"p.html": "<p>", "d/index.html/x": ""})
	for line, want := range map[string]string{"base=x": "--base", "root=d": "--root", "--kind x": "kind",
		"--match (": "match", "--select a[": "select", "--check-files": "--check-files needs --root",
		"--robot-name a/b": "--robot-name", "root=d=http://a.test/ --index a/b": "--index",
		"root=d=http://a.test/ --index index.html": "is a directory", "root=d=http://a.test/": ""} {
		_, err := find(t, line, "p.html")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", line, err, want)
		}
	}
	var usage *flag.Error
	o := links.Options{}
	for charset, want := range map[string]string{"utf8": "", "windows-1252": "", "utf-88": "did you mean utf-8?",
		"zzz": "is no name of the Encoding Standard", "iso-2022-kr": "replacement encoding"} {
		o.Reading.Charset = charset
		err := o.Prepare(new(source.Set))
		if want == "" && err != nil || want != "" && (!errors.As(err, &usage) || !strings.Contains(err.Error(), want)) {
			t.Errorf("the charset %s: got error %v, want %q", charset, err, want)
		}
	}
}

// A link to a file or place that is not there has a warning.
func TestTargets(t *testing.T) {
	lay(t, map[string]string{"s/q.html": "<p id=a>", "s/d/index.html": "<p>",
		"s/p.html": "<a href=q.html><a href=Q.html><a href=gone.html><a href=q.html#a><a href=q.html#b>" +
			"<a href=#top><a href=#none><a href=d/><a href=http://b.test/>"})
	want := []string{"http://a.test/q.html", "http://a.test/Q.html = http://a.test/q.html moved?",
		"http://a.test/gone.html missing", "http://a.test/q.html#a", "http://a.test/q.html#b missing-fragment",
		"http://a.test/p.html#top", "http://a.test/p.html#none missing-fragment", "http://a.test/d/", "http://b.test/"}
	f, err := find(t, "root=s=http://a.test/ --check-files", "s/p.html")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.links, want) {
		t.Errorf("got %q, want %q", f.links, want)
	}
	if l := &f.entry.Links; l.MissingTargets != 3 || l.MissingFragments != 2 || len(f.problems) != 4 {
		t.Errorf("got %d missing targets, %d of them places, and the problems %q; want 3 and 2",
			l.MissingTargets, l.MissingFragments,
			f.problems)
	}
	f, err = find(t, "root=s=http://a.test/ --check-files --check-fragments never", "s/p.html")
	if err != nil {
		t.Fatal(err)
	}
	if f.entry.Links.MissingTargets != 1 || f.entry.Links.MissingFragments != 0 {
		t.Errorf("without fragments: got %d missing targets, want 1", f.entry.Links.MissingTargets)
	}
	f, err = find(t, "root=s=http://a.test/ --check-files --index home.html", "s/p.html")
	if err != nil {
		t.Fatal(err)
	}
	if f.links[7] != "http://a.test/d/ missing" {
		t.Errorf("with another name of index files: got %q, want it missing", f.links[7])
	}
}
