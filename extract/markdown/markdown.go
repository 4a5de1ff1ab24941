// Package markdown lets package extract read Markdown. Import it for its effect, as image/png is
// imported:
//
//	import _ "absolink/extract/markdown"
//
// Without it, package extract treats Markdown as plain text, and the program does not contain
// goldmark, the parser of Markdown.
//
// goldmark gives the structure of a document: its links, images, definitions and pieces of HTML.
// This package finds each destination in the bytes of the document by the rules of CommonMark
// 0.31.2 Section 6.3, and compares it with the destination that goldmark found. If they differ, the
// reference is listed, but never rewritten. URLs in text are found by the rules of GitHub Flavored
// Markdown 0.29 Section 6.9. A Finder of package page reads the pieces of HTML, all at once.
//
// A document is not read if goldmark would need too much time or memory for it: see bounds.go.
//
// Files in reading order: bounds.go (limits of size and time), steps.go (counted time),
// destination.go, bare.go (URLs in text), github.go (tables and footnotes), parse.go (with
// goldmark), finder.go, matter.go (front matter), html.go, anchors.go (headings), markdown.go (all
// of it together).
package markdown

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	own "absolink/extract/internal/text"
)

func init() {
	page.Markdown = find
	page.MarkdownAnchors = anchors
}

// find adds the references in p.Text to p.Doc, in the order of their offsets.
func find(p *page.Finder) {
	f := newFinder(p)
	first := p.Doc.Refs.Len()
	if !f.parse() {
		p.Problem(f.start, reading.TooComplex)
		return
	}
	f.addHTML()
	f.addMarkdown()
	f.noteStructure()
	p.Doc.Refs.SetBars(first, func(at own.Span) uint8 { return bars(f.readableOf(at)) })
	p.Doc.Refs.Sort(first)
	slices.SortFunc(p.Doc.Texts, func(a, b reading.LinkText) int { return a.At - b.At })
}

// parse parses the document behind its front matter. It returns false if the document is beyond its
// bounds.
func (f *finder) parse() bool {
	return len(f.source) <= largest && f.skipMatter() && !isBeyondBounds(f.source) &&
		f.found.parse(f.source, !f.Doc.Options.CommonMark)
}

// bars returns the number of bars in b, without those behind a backslash. More than 255 count as
// 255.
func bars(b []byte) (n uint8) {
	for i, c := range b {
		if c == '|' && (i == 0 || b[i-1] != '\\') && n < math.MaxUint8 {
			n++
		}
	}
	return n
}

// addMarkdown adds the references that are not in HTML.
func (f *finder) addMarkdown() {
	byImages, byLinks := f.usedDefinitions()
	for i := range f.found.links {
		l := &f.found.links[i]
		m := f.newMaker("link", place.KindNav)
		if l.image {
			m = f.newMaker("image", place.KindRes)
		}
		f.addDestination(&m, &l.destination)
		if f.Doc.Options.LinkText {
			f.noteText(l.Start, f.textOf(l))
		}
	}
	for i := range f.found.definitions {
		d := &f.found.definitions[i]
		m := f.newMaker("definition", place.KindNav)
		switch {
		case byImages[d.Start] && !byLinks[d.Start]:
			m.Kind = place.KindRes
		case byImages[d.Start] && f.Doc.Options.OwnImages:
			f.EachProblem(f.start+d.Start, reading.SharedDefinition)
		}
		f.addDestination(&m, d)
	}
	for i := range f.found.autolinks {
		a := &f.found.autolinks[i]
		f.addAutolink(a)
		if f.Doc.Options.LinkText {
			f.noteText(a.Start, string(f.text(text.NewSegment(a.Start, a.End))))
		}
	}
}

// noteText notes the text of the link whose destination begins at an offset of the Markdown.
func (f *finder) noteText(at int, text string) {
	if len(text) > longestText {
		return
	}
	f.Doc.Texts = append(f.Doc.Texts, reading.LinkText{At: f.documentOffset(at), Text: text})
}

// textOf returns the text of a link without markup. It returns "" if the text is too long.
func (f *finder) textOf(l *link) string {
	start := l.text.Start + len("[")
	if l.image {
		start += len("!")
	}
	if start > l.text.Stop || l.text.Stop-start > longestText {
		return "" // images nest, and each of them would parse the text again
	}
	raw := lineBreak().ReplaceAll(f.text(text.NewSegment(start, l.text.Stop)), []byte(" "))
	return strings.TrimSpace(plainText(raw, f.found.context, false))
}

// longestText is the size limit in bytes for the text of a link.
const longestText = 2048

// lineBreak matches a line end, with the indentation and the marks of quotes on the next line.
var lineBreak = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\r?\n[ \t>]*`) })

// noteStructure adds offsets to Document.RawEnds: the beginning of each block, and the ']' after
// the text of each link. After an edit, the same text must follow them.
func (f *finder) noteStructure() {
	for _, at := range f.found.starts {
		f.Doc.RawEnds = append(f.Doc.RawEnds, f.documentOffset(at))
	}
	for i := range f.found.links {
		f.Doc.RawEnds = append(f.Doc.RawEnds, f.documentOffset(f.found.links[i].text.Stop))
	}
}

// usedDefinitions returns the definitions that images use, and those that links use. The keys are
// the offsets of the destinations of the definitions.
func (f *finder) usedDefinitions() (byImages, byLinks map[int]bool) {
	byImages = make(map[int]bool)
	byLinks = make(map[int]bool)
	for _, u := range f.found.uses {
		if u.image {
			byImages[u.at] = true
		} else {
			byLinks[u.at] = true
		}
	}
	return byImages, byLinks
}

// newMaker begins an element. It returns a Maker for the reference of the element, without the
// Value.
func (f *finder) newMaker(element string, kind place.Kind) reading.Maker {
	f.Element, f.Rel = element, ""
	return reading.Maker{Text: &f.Text, Row: place.Destination, Kind: kind, Layer: f.Current, Sheet: true}
}

// addDestination adds the reference of a link, an image or a definition.
func (f *finder) addDestination(m *reading.Maker, d *destination) {
	at := own.Span{Start: f.start + d.Start, End: f.start + d.End}
	m.Value = f.value(at.Start, at.End)
	list := escape.Destination
	if d.pointed {
		list = escape.Pointed
	}
	r := m.Add(m.Value.Whole(), list)
	r.Context.LineStart = f.beginsLine(at.Start, d.pointed)
	if !d.sure {
		f.setDisputed(r, at.Start)
	}
}

// beginsLine reports whether only blanks and the marks of quotes stand before a destination on its
// line. The first character of the destination must then not begin a block. at is an offset of
// f.Data.
func (f *finder) beginsLine(at int, pointed bool) bool {
	before := f.source[:at-f.start]
	if pointed {
		before = bytes.TrimSuffix(before, []byte("<"))
	}
	before = bytes.TrimRight(before, " \t>")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// setDisputed makes r a reference that is only listed, because parsers do not agree where it begins
// and ends. at is its offset in f.Data.
func (f *finder) setDisputed(r *ref.Ref, at int) {
	r.ListOnly, r.Unsafe = true, true
	f.EachProblem(at, reading.DisputedMarkdown)
}

// addAutolink adds the reference of an autolink, or of a URL in text.
func (f *finder) addAutolink(a *autolink) {
	m := f.newMaker("autolink", place.KindNav)
	at := own.Span{Start: f.start + a.Start, End: f.start + a.End}
	m.Value = f.autolinkValue(at, a.prefix)
	list := escape.Autolink
	if a.bare {
		m.Row = place.BareURL
		list = escape.BareURL
	}
	r := m.Add(m.Value.Whole(), list)
	r.Text = a.bare
	if a.email {
		r.ListOnly = true
	}
	raw := f.source[a.Start:a.End]
	if hasReference(raw) || bytes.Contains(raw, []byte(`\|`)) || a.bare && bytes.ContainsAny(raw, "\\`") {
		// programs do not agree whether a reference is decoded, whether "\|" is a bar, and whether
		// an escape or code ends a URL in text
		f.setDisputed(r, at.Start)
	}
}
