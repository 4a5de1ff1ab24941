package rewrite_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/mbox"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/interrupt"
)

// With the form AsWritten a link leads from the page that Locate gives, and is verified there.
func TestLocateAsWritten(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/")
	locate := func(*document.Document) (*move.Page, error) { return site.At("http://new.test/e/f/p") }
	r := &rewrite.Rewriter{Site: site, Locate: locate}
	p := planAt(t, r, `<a href="x"><a href="../e/f/y"><a href="http://old.test/z">`, "http://old.test/d/page")
	want := `<a href="../../d/x"><a href="y"><a href="http://new.test/z">`
	if got := result(t, r, p); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An edit that would make a line of the body a boundary line stays, and the other edits are made.
func TestBoundaryStays(t *testing.T) {
	const text = "Content-Type: multipart/mixed; boundary=\"http://new.test/x\"\n\n--http://new.test/x\n" +
		"Content-Type: text/plain\n\n%s\n--http://old.test/x\n\n--http://new.test/x--\n"
	r := rewrite.Rewriter{Site: addRule(t, new(move.Site), "http://old.test/", "http://new.test/")}
	var out bytes.Buffer
	res, err := r.Message(&out, strings.NewReader(fmt.Sprintf(text, "http://old.test/y")), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(text, "http://new.test/y"); out.String() != want || res.References != 1 || res.Kept != 0 {
		t.Errorf("wrote %q with %+v, want %q", out.String(), res, want)
	}
}

// Nothing of a document changes in a charset that is never written, not even a BASE that would be
// dropped. The links are verified as they are written.
func TestReadOnlyBase(t *testing.T) {
	for _, drop := range []extract.BaseElement{extract.KeepBase, extract.DropBase, extract.AbsolutizeBase} {
		r := &rewrite.Rewriter{Resolver: extract.Resolver{BaseElement: drop}}
		text := utf7 + `<base href="b/"><a href="x">`
		p := plan(t, r, text)
		unwritten := 0
		for _, problem := range p.Problems {
			if problem.Kind == rewrite.Unwritten {
				unwritten++
			}
		}
		if got := result(t, r, p); got != text || p.References != 0 || unwritten != 1 {
			t.Errorf("BASE %v: got %q with %d references and problems %v", drop, got, p.References, p.Problems)
		}
	}
}

// Links in formats that are never edited are counted by the format.
func TestStaysOfFormats(t *testing.T) {
	for _, c := range []struct {
		format extract.Format
		text   string
		want   string
	}{
		{extract.Linkset, "<http://old.test/x>; rel=item; anchor=\"http://old.test/\"", "linkset:2"},
		{extract.JSONLinkset, `{"linkset":[{"anchor":"http://old.test/","item":[{"href":"http://old.test/x"}]}]}`,
			"linkset:2"},
		{extract.Calendar, "BEGIN:VCALENDAR\r\nURL:http://old.test/x\r\nURL:http://other.test/\r\nEND:VCALENDAR\r\n",
			"calendar:1"},
		{extract.Card, "BEGIN:VCARD\r\nURL:http://old.test/x\r\nEND:VCARD\r\n", "vcard:1"},
	} {
		for r, want := range map[*rewrite.Rewriter]string{
			{Site: textSite(t)}:                 c.want,
			{Site: textSite(t), KeepText: true}: "",
			{}:                                  "",
		} {
			src := source(c.text)
			src.Message = false
			src.Format = c.format
			p, err := r.Plan(src, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := staysOf(p); got != want || p.Edited() {
				t.Errorf("%v: stays %q, want %q", c.format, got, want)
			}
		}
	}
}

// Problems of a message have the lines of the mailbox, with and without a separator before it.
func TestLinesOfMailbox(t *testing.T) {
	const message = "Content-Type: text/html; charset=utf-7\n\n<a href=x>\n"
	for _, c := range []struct {
		box     string
		variant mbox.Variant
		lines   string
	}{
		{"From a@b.test Thu Jan  1 00:00:00 1970\n" + message + "\nFrom a@b.test Thu Jan  1 00:00:00 1970\n" + message,
			mbox.RD, " 4 9"},
		{message + "\nFrom a@b.test Thu Jan  1 00:00:00 1970\n" + message, mbox.RD, " 3 8"},
	} {
		var r rewrite.Rewriter
		var out bytes.Buffer
		res, err := r.Mailbox(&out, strings.NewReader(c.box), c.variant, "http://a.test/")
		if err != nil || out.String() != c.box {
			t.Fatalf("wrote %q, %v", out.String(), err)
		}
		lines := ""
		for _, problem := range res.Problems {
			if problem.Kind == rewrite.Unwritten {
				lines += fmt.Sprint(" ", problem.Line)
			}
		}
		if lines != c.lines {
			t.Errorf("%q: problems in the lines%s, want%s", c.box, lines, c.lines)
		}
	}
}

// A link from a codebase stays only on a disk, and only if the caller does not want it absolute.
func TestCodebaseForms(t *testing.T) {
	const in = `<applet codebase="c/" archive="a.jar"></applet>`
	for _, c := range []struct {
		form     move.Form
		absolute bool
		archive  string
	}{
		{move.Disk, false, "a.jar"}, {move.Disk, true, "http://old.test/d/c/a.jar"},
		{move.Absolute, false, "http://old.test/d/c/a.jar"},
		{move.Relative, false, "http://old.test/d/c/a.jar"},
	} {
		r := placesRewriter(t, 3)
		r.Site.Form = c.form
		r.Site.File = func(uri string) string { return strings.Replace(uri, "http://old.test/", "disk:///", 1) }
		src := source(in)
		p, err := r.Visit(src, &base.Layer{Source: base.URL, Value: "http://old.test/d/page"}, visitAll(c.absolute))
		if err != nil {
			t.Fatal(err)
		}
		if got := result(t, r, p); !strings.Contains(got, `archive="`+c.archive+`"`) {
			t.Errorf("form %v, absolute %v: got %s, want the archive %s", c.form, c.absolute, got, c.archive)
		}
	}
}

// A reference whose Absolute is set becomes absolute in every form but AsWritten. It may be only
// listed, no rule may concern it, and the URI of its document may be unknown.
func TestAbsolute(t *testing.T) {
	const in = `<meta property="og:url" content="/x"><img href="/y"><a href="/z">`
	for _, rule := range [][2]string{{"http://old.test/", "http://new.test/"}, {"http://z.test/", "http://y.test/"}} {
		for _, form := range []move.Form{move.Absolute, move.Relative, move.RootRelative, move.Disk, move.AsWritten} {
			for _, source := range []base.Source{base.URL, base.Option} {
				site := addRule(t, &move.Site{Form: form}, rule[0], rule[1])
				r := &rewrite.Rewriter{Site: site}
				src := &document.Source{At: strings.NewReader(in), Size: int64(len(in)), Data: []byte(in),
					Format: extract.HTML}
				p, err := r.Visit(src, &base.Layer{Source: source, Value: "http://old.test/d/page"}, visitAll(true))
				if err != nil {
					t.Fatal(err)
				}
				want := in
				if form != move.AsWritten {
					want = strings.ReplaceAll(in, `"/`, `"`+site.Map.URI("http://old.test/"))
				}
				if got := result(t, r, p); got != want {
					t.Errorf("rule for %s, form %v, base from %v: got %s, want %s", rule[0], form, source, got, want)
				}
			}
		}
	}
}

// A link with a URI thismessage: stays in every form, even if the page moves.
func TestThisMessageStays(t *testing.T) {
	const in = `<a href="x"><img src="/y">`
	for _, form := range []move.Form{move.Absolute, move.Relative, move.RootRelative, move.AsWritten} {
		site := addRule(t, &move.Site{Form: form}, "http://old.test/", "http://new.test/")
		locate := func(*document.Document) (*move.Page, error) { return site.Page("http://old.test/d/p") }
		r := &rewrite.Rewriter{Site: site, Locate: locate}
		src := source(in)
		src.Message = false
		p, err := r.Plan(src, &base.Layer{Source: base.DefaultBase, Value: "thismessage:/"})
		if err != nil {
			t.Fatal(err)
		}
		if got := result(t, r, p); got != in {
			t.Errorf("form %v: got %s, want %s", form, got, in)
		}
	}
}

// visitAll returns a visit that sets Absolute of each link.
func visitAll(absolute bool) func(*rewrite.Plan, *document.Document, iter.Seq[*rewrite.Link]) error {
	return func(_ *rewrite.Plan, _ *document.Document, links iter.Seq[*rewrite.Link]) error {
		for l := range links {
			l.Absolute = absolute
		}
		return nil
	}
}

// A message that is not in memory fails if any one of its reads fails: while it is planned,
// verified or written.
func TestReadFails(t *testing.T) {
	text := html + "<a href=x><a href=y>\n"
	run := func(at io.ReaderAt) error {
		var r rewrite.Rewriter
		p, err := r.Plan(&document.Source{Message: true, At: at, Size: int64(len(text))}, outer)
		if err != nil {
			return err
		}
		out, err := p.Output()
		if err != nil {
			return err
		}
		if err := r.Verify(p, out); err != nil {
			return err
		}
		return p.Write(io.Discard)
	}
	const many = 1000
	all := &interrupt.Reader{R: strings.NewReader(text), Left: many}
	if err := run(all); err != nil || many-all.Left < 4 {
		t.Fatalf("%d reads, error %v", many-all.Left, err)
	}
	for n := range many - all.Left {
		// Verify takes a part that it cannot read for a part without references.
		err := run(&interrupt.Reader{R: strings.NewReader(text), Left: n})
		if !errors.Is(err, interrupt.ErrRead) && !errors.Is(err, rewrite.ErrReferences) {
			t.Errorf("read %d fails: got error %v", n+1, err)
		}
	}
	src := source(text)
	at := &interrupt.Reader{R: src.At, Left: many}
	src.At = at
	var r rewrite.Rewriter
	p, err := r.Plan(src, outer)
	if err != nil {
		t.Fatal(err)
	}
	at.Left = 0
	if out, err := p.Output(); !errors.Is(err, interrupt.ErrRead) {
		t.Errorf("Output of a source that cannot be read: %v, %v", out, err)
	}
}
