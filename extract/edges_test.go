package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
)

// Apply refuses edits that overlap or are not sorted. Insertions may share an offset.
func TestApplyPanics(t *testing.T) {
	at := func(start, end int) Edit { return Edit{Span: Span{start, end}, New: []byte("x")} }
	for _, c := range []struct {
		edits  []Edit
		want   string
		panics bool
	}{
		{[]Edit{at(1, 2), at(2, 3)}, "axx", false},
		{[]Edit{at(1, 1), at(1, 1), at(1, 2)}, "axxxc", false},
		{[]Edit{at(0, 2), at(1, 3)}, "", true},
		{[]Edit{at(2, 3), at(0, 1)}, "", true},
		{[]Edit{at(2, 1)}, "", true},
		{[]Edit{at(0, 1), at(3, 2)}, "", true},
	} {
		got := ""
		panics := func() (value any) {
			defer func() { value = recover() }()
			got = string(Apply(nil, []byte("abc"), c.edits))
			return nil
		}()
		want := map[bool]any{true: "extract: edits overlap or are not sorted"}[c.panics]
		if panics != want || got != c.want {
			t.Errorf("Apply of %v = %q, panics %v, want %q, %v", c.edits, got, panics, c.want, want)
		}
	}
}

// A URL in a script names a directory if it ends with a slash. So do codebase and xml:base.
func TestDirectoryNames(t *testing.T) {
	for _, c := range []struct {
		element, attr, value string
		kind                 Kind
		want                 bool
	}{
		{"script", "", "a/", KindScript, true}, {"script", "", "a", KindScript, false},
		{"script", "", "a/", KindService, false}, {"a", "", "a/", KindScript, false},
		{"script", "src", "a/", KindScript, false}, {"applet", "codebase", "a", KindRes, true},
		{"p", "xml:base", "a", KindRes, true}, {"a", "href", "a/", KindRes, false},
	} {
		r := Ref{Element: c.element, Attr: c.attr, Kind: c.kind, Value: []byte(c.value)}
		if got := r.NamesDirectory(); got != c.want {
			t.Errorf("NamesDirectory of %+v = %v, want %v", c, got, c.want)
		}
	}
}

// The start of a pattern or a template is a URL by itself; other values are URLs as a whole.
func TestPrefix(t *testing.T) {
	const page = `<script type=speculationrules>{"prefetch":[{"where":{"href_matches":["/d/*","*","/e"]}}]}</script>` +
		`<script type="application/ld+json">{"@context":"http://schema.org","urlTemplate":"http://a.test/{x}"}</script>` +
		`<a href="/f/*">`
	d := &Doc{Format: HTML, Data: []byte(page), Options: Options{Lazy: true}}
	got := ""
	for r := range d.Refs() {
		got += fmt.Sprintf(" %s:%d", r.Value, r.Prefix())
	}
	if want := " /d/*:3 *:0 /e:2 http://schema.org:17 http://a.test/{x}:14 /f/*:4"; got != want {
		t.Errorf("got%s, want%s", got, want)
	}
}

// Warnings of a link stay as they are while later links are read.
func TestWarningsStay(t *testing.T) {
	const page = `<a href="//a.test/"><a href="http://b.test:81/"><a href="http://c.test/"><a href="javascript:x">` +
		`<a href="http://u:p@d.test/"><a href="//e.test/">`
	want := []string{"host-change", "port reserved-port", "", "script", "password", "host-change"}
	var all []Link
	for l := range Links([]byte(page), "http://h.test/") {
		all = append(all, l)
	}
	if len(all) != len(want) {
		t.Fatalf("%d links, want %d", len(all), len(want))
	}
	for i, l := range all {
		if got := strings.Join(l.Warnings, " "); got != want[i] {
			t.Errorf("%s: warnings %q, want %q", l.Value, got, want[i])
		}
	}
}

// Normalize changes absolute URLs that have another normal form, but none that a program completes,
// no scripts, and none that are only listed.
func TestNormalizeChanges(t *testing.T) {
	const page = `<a href="HTTP://A.test/x"><a href="http://a.test/x"><a href="HTTP://A.test/{{x}}"><a href="JAVASCRIPT:x">` +
		`<a href="HTTP://a.test"><a href="<?= 'HTTP://A.test/y' ?>">`
	for _, normalize := range []bool{false, true} {
		d := &Doc{Format: HTML, Data: []byte(page)}
		r := Resolver{Normalize: normalize}
		got := ""
		for l := range r.Links(d) {
			if l.Change {
				got += fmt.Sprintf(" %s>%s", l.Value, l.URI)
			}
		}
		want := ""
		if normalize {
			want = " HTTP://A.test/x>http://a.test/x HTTP://a.test>http://a.test/"
		}
		if got != want {
			t.Errorf("Normalize %v: changes%s, want%s", normalize, got, want)
		}
		out := string(Apply(nil, d.Data, r.Edits(nil, d)))
		if normalize == (out == page) || !strings.Contains(out, "HTTP://A.test/{{x}}") {
			t.Errorf("Normalize %v: %s", normalize, out)
		}
	}
}

// A root element of HTML in a file with another name of XML makes it HTML, unless a declaration
// says that it is XML.
func TestNamedXML(t *testing.T) {
	for head, want := range map[string]Format{
		`<?xml version="1.0"?><html><p>`: XHTML, `<?xml version="1.0"?><html xmlns="x:y"><p>`: XML, `<html><p>`: HTML, `<?xml version="1.0"?><x>`: Feed, `<x>`: Feed,
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`: XHTML, `<!doctype html><p>`: HTML,
		`<html xmlns="http://www.w3.org/1999/xhtml">`: XHTML, `<opml>`: OPML, "\x00": Unknown,
	} {
		if got := namedXML([]byte(head), Feed); got != want {
			t.Errorf("namedXML(%q) = %v, want %v", head, got, want)
		}
	}
}

func TestIsPDF(t *testing.T) {
	for head, want := range map[string]bool{
		"%PDF-1.4\n": true, "%PDF-1.7\r\n": true, "%PDF-1.4": false, "%PDF-1.4    \n": true, "%PDF-1.4     \n": false,
		"%PDF-1.44\n": false, "%PDF-\n": false, "PDF-1.4\n": false, "%PDF-1 4\n": true, "": false,
	} {
		if got := isPDF([]byte(head)); got != want {
			t.Errorf("isPDF(%q) = %v, want %v", head, got, want)
		}
	}
}

// A document in an unknown format has one problem, at its start.
func TestUnknownFormatPlace(t *testing.T) {
	d := &Doc{Data: []byte("\n\nx"), Layer: &base.Layer{Source: base.URL, Value: "http://a.test/"}}
	n := 0
	for range d.Refs() {
		n++
	}
	if got := d.Problems(); n != 0 || len(got) != 1 || got[0].Kind != UnknownFormat || got[0].Offset != 0 {
		t.Errorf("%d references and the problems %+v", n, got)
	}
}

// If a BASE is dropped, a part of a picture in the page itself stays, and has the URI of the page.
func TestPicturesWithoutBase(t *testing.T) {
	const page = `<base href="/d/"><svg><use href="#a"/></svg><img usemap="#m" src="x"><a href="#x"><a href="">`
	for _, drop := range []BaseElement{KeepBase, DropBase} {
		d := &Doc{Format: HTML, Data: []byte(page), Layer: &base.Layer{Source: base.URL, Value: "http://h.test/p"}}
		r := Resolver{BaseElement: drop}
		got := ""
		for l := range r.Links(d) {
			got += fmt.Sprintf(" %s>%s:%v", l.Value, strings.TrimPrefix(string(l.URI), "http://h.test"), l.Change)
		}
		want := map[BaseElement]string{
			KeepBase: " /d/>/d/:false #a>/d/#a:false #m>/d/#m:false x>/d/x:true #x>/d/#x:false >/d/:false",
			DropBase: " /d/>/d/:true #a>/p#a:false #m>/p#m:false x>/d/x:true #x>/d/#x:true >/d/:true",
		}[drop]
		if got != want {
			t.Errorf("BASE %v:\n%s, want\n%s", drop, got, want)
		}
	}
}

// A Resolver forgets the layers of images with the document, even if the next one has the memory.
func TestImagesOfNextDocument(t *testing.T) {
	var d Doc
	r := Resolver{ImageBase: "http://i.test/"}
	for _, dir := range []string{"e/", "f/", "g/"} {
		d.Reset()
		d.Format = HTML
		d.Data = []byte("<base href=" + dir + "><img src=a>")
		d.Layer = &base.Layer{Source: base.URL, Value: "http://h.test/"}
		last := ""
		for l := range r.Links(&d) {
			last = string(l.URI)
		}
		if want := "http://i.test/" + dir + "a"; last != want {
			t.Errorf("the image below %s is %s, want %s", dir, last, want)
		}
	}
}

// Decoded words are appended as a whole, or not at all.
func TestAppendDecoded(t *testing.T) {
	for _, c := range []struct {
		label, raw, want string
		ok               bool
	}{
		{"iso-8859-1", "\xe9", "é", true}, {"utf-8", "é", "é", true}, {"utf-8", "\xe9", "", false},
		{"x-none", "a", "", false}, {"us-ascii", "a", "a", true},
	} {
		var x Text
		x.AppendSame(0, []byte("a"))
		ok := x.AppendDecoded(Span{1, 9}, []byte(c.raw), c.label)
		x.AppendSame(9, []byte("b"))
		if ok != c.ok || string(x.Data) != "a"+c.want+"b" {
			t.Errorf("AppendDecoded of %q in %s: %v, %q", c.raw, c.label, ok, x.Data)
		}
		if ok && x.Raw(Span{1, 1 + len(c.want)}) != (Span{1, 9}) {
			t.Errorf("the span of %q in %s is %v", c.raw, c.label, x.Raw(Span{1, 1 + len(c.want)}))
		}
	}
}

func TestBaseElementNames(t *testing.T) {
	if got := fmt.Sprint(KeepBase, DropBase, AbsolutizeBase); got != "keep drop absolutize" {
		t.Errorf("the names are %q", got)
	}
}

// A host alone ends a URL to which a script may append a path.
func TestBareHost(t *testing.T) {
	for v, want := range map[string]bool{
		"http://h": true, "//h": true, "http://": false, "//": false, "h": false, "": false, "//h/": false,
		"//h?": false, "//h#": false,
	} {
		if got := bareHost([]byte(v)); got != want {
			t.Errorf("bareHost(%q) = %v, want %v", v, got, want)
		}
	}
}

// An empty action of a form means the page itself, with and without a BASE. So it stays.
func TestFormsWithoutBase(t *testing.T) {
	const page = `<base href="/d/"><form action=""></form><form action="x"></form>`
	d := &Doc{Format: HTML, Data: []byte(page), Layer: &base.Layer{Source: base.URL, Value: "http://h.test/p"}}
	r := Resolver{BaseElement: DropBase}
	want := `<base ><form action=""></form><form action="http://h.test/d/x"></form>`
	if got := string(Apply(nil, d.Data, r.Edits(nil, d))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
