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
// Markdown 0.29 Section 6.9. The HTML finder reads all pieces of HTML at once.
//
// A document is not read if goldmark would need too much time or memory for it: see bounds.go.
//
// Files in reading order: bounds.go (limits of size and time), steps.go (counted time),
// destination.go, bare.go (URLs in text), github.go (tables and footnotes), parse.go (with
// goldmark), finder.go, matter.go (front matter), html.go, anchors.go (headings), markdown.go (all
// of it together).
package markdown

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
	f := finder{Finder: p, start: p.Text.Start()}
	f.source = withLineFeeds(p.Data[f.start:])
	first := p.Doc.Refs.Len()
	if len(f.source) <= largest {
		f.skipMatter()
	}
	if isBeyondBounds(f.source) || !f.found.parse(f.source, !p.Doc.Options.CommonMark) {
		p.Problem(f.start, reading.TooComplex)
		return
	}
	f.readHTML()
	f.add()
	f.noteStructure()
	p.Doc.Refs.Sort(first)
	slices.SortFunc(p.Doc.Texts, func(a, b reading.LinkText) int { return a.At - b.At })
}

// add adds the references that are not in HTML.
func (f *finder) add() {
	inImages, inLinks := f.uses()
	for i := range f.found.links {
		l := &f.found.links[i]
		m := f.maker("link", place.KindNav)
		if l.image {
			m = f.maker("image", place.KindRes)
		}
		f.destination(&m, &l.destination)
		if f.Doc.Options.LinkText {
			f.noteText(l.Start, f.textOf(l))
		}
	}
	for i := range f.found.definitions {
		d := &f.found.definitions[i]
		m := f.maker("definition", place.KindNav)
		if inImages[d.Start] && !inLinks[d.Start] {
			m.Kind = place.KindRes
		}
		f.destination(&m, d)
	}
	for i := range f.found.autolinks {
		a := &f.found.autolinks[i]
		f.autolink(a)
		if f.Doc.Options.LinkText {
			f.noteText(a.Start, string(f.source[a.Start:a.End]))
		}
	}
}

// noteText notes the text of the link whose destination is at the offset at.
func (f *finder) noteText(at int, text string) {
	if len(text) > longestText {
		return
	}
	f.Doc.Texts = append(f.Doc.Texts, reading.LinkText{At: f.documentOffset(at), Text: text})
}

// textOf returns the text of a link without markup. It returns "" if it is too long.
func (f *finder) textOf(l *link) string {
	start := l.text.Start + len("[")
	if l.image {
		start += len("!")
	}
	if start > l.text.Stop || l.text.Stop-start > longestText {
		return "" // images nest: a long text would be parsed for each of those around it
	}
	raw := lineStart().ReplaceAll(f.source[start:l.text.Stop], []byte(" "))
	return strings.TrimSpace(plainText(raw, f.found.context, true))
}

// longestText is the number of bytes of the longest text of a link that is noted.
const longestText = 2048

// lineStart matches a line end with the marks of containers at the beginning of the next line.
var lineStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\r?\n[ \t>]*`) })

// noteStructure notes the offsets that edits must leave where they are in the text: where blocks
// begin, and the bracket after the text of each link.
func (f *finder) noteStructure() {
	for _, at := range f.found.starts {
		f.Doc.RawEnds = append(f.Doc.RawEnds, f.documentOffset(at))
	}
	for i := range f.found.links {
		f.Doc.RawEnds = append(f.Doc.RawEnds, f.documentOffset(f.found.links[i].text.Stop))
	}
}

// uses returns the offsets of the destinations of definitions that images use, and that links use.
func (f *finder) uses() (inImages, inLinks map[int]bool) {
	inImages = make(map[int]bool)
	inLinks = make(map[int]bool)
	for _, u := range f.found.uses {
		if u.image {
			inImages[u.at] = true
		} else {
			inLinks[u.at] = true
		}
	}
	return inImages, inLinks
}

// maker returns the maker of the references of an element.
func (f *finder) maker(element string, kind place.Kind) reading.Maker {
	f.Element, f.Rel = element, ""
	return reading.Maker{Text: &f.Text, Row: place.Destination, Kind: kind, Layer: f.Current, Sheet: true}
}

// destination adds the reference of a link, an image or a definition.
func (f *finder) destination(m *reading.Maker, d *destination) {
	at := own.Span{Start: f.start + d.Start, End: f.start + d.End}
	m.Value = f.value(at.Start, at.End)
	list := escape.Destination
	if d.pointed {
		list = escape.Pointed
	}
	r := m.Add(m.Value.Whole(), list)
	r.Context.LineStart = f.beginsLine(at.Start, d.pointed)
	if !d.sure {
		f.leave(r, at.Start)
	}
}

// beginsLine reports whether only blanks and the marks of containers stand before a destination on
// its line. The first character of the destination then must not begin a block.
func (f *finder) beginsLine(at int, pointed bool) bool {
	if pointed {
		at--
	}
	for at > f.start {
		at--
		switch c := f.source[at-f.start]; c {
		case '\n':
			return true
		case ' ', '\t', '>':
		default:
			return false
		}
	}
	return true
}

// leave makes r a reference that is only listed, because it is not sure where it begins and ends.
func (f *finder) leave(r *ref.Ref, at int) {
	r.ListOnly, r.Unsafe = true, true
	f.Problem(at, reading.DisputedMarkdown)
}

// autolink adds the reference of an autolink, or of a URL in text.
func (f *finder) autolink(a *autolink) {
	m := f.maker("autolink", place.KindNav)
	at := own.Span{Start: f.start + a.Start, End: f.start + a.End}
	m.Value = f.Text.Text(at.Start, at.End)
	if a.prefix != "" {
		v := f.Begin(at)
		f.Decoded.AppendToken(own.Span{Start: at.Start, End: at.Start}, []byte(a.prefix))
		v.Broken = f.AppendCharset(at.Start, at.End)
		m.Value = f.Taken(v)
	}
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
	if hasReference(f.source[a.Start:a.End]) {
		f.leave(r, at.Start) // CommonMark decodes it, and programs do not agree on that
	}
}
