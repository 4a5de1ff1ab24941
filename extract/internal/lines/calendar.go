package lines

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	search "absolink/extract/internal/prose"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Calendars (RFC 5545) and cards (RFC 6350 and its predecessors) consist of content lines:
//
//	group.name;parameter=value,"value":value
//
// A long line is folded: a line that begins with a blank continues the line before it, even within
// a character. The reader first unfolds a line, with a map back, and then cuts it into pieces. It
// undoes the escapes of a piece last, with a map to the unfolded line. In cards of version 2.1 a
// value may be in quoted-printable, whose soft line breaks also join lines. There a fold comes
// before a blank of the text.

// contents reads content lines.
type contents struct {
	t     *reading.Text
	html  HTML
	words *place.Lexicon
	m     reading.Maker // of the current line
	line  contentLine
	old   bool // version 2.1 of cards or 1.0 of calendars: folds keep their blank
	found bool // the line contains references
}

// HTML calls add for each reference of a page, which is in UTF-8.
type HTML func(page []byte, add func(PageRef))

// PageRef is a reference of a page. Its Value is valid until add returns.
type PageRef struct {
	text.Span          // in the page
	Value              []byte
	Kind               place.Kind
	Element, Attr, Rel string
	Identifier         bool
}

// Calendar reads the text as a calendar, and pages in it with html. It skips lines that are not
// content lines and never fails.
func Calendar(t *reading.Text, html HTML) { readContents(t, place.Calendar(), html) }

// Card reads the text as cards, and pages in it with html. It skips lines that are not content
// lines and never fails.
func Card(t *reading.Text, html HTML) { readContents(t, place.Card(), html) }

func readContents(t *reading.Text, words *place.Lexicon, html HTML) {
	c := contents{t: t, words: words, html: html}
	for i := t.Start(); i < len(t.Data); {
		i = c.read(i)
	}
}

// foldedEnd returns the end of the content line at i and the start of the next one.
func foldedEnd(data []byte, i int) (end, next int) {
	for {
		end, next = lineEnd(data, i)
		if next == len(data) || data[next] != ' ' && data[next] != '\t' {
			return end, next
		}
		i = next
	}
}

// read reads the content line at i and returns the start of the next one.
func (c *contents) read(i int) (next int) {
	t := c.t
	kept := len(t.Decoded.Data)
	end, next := foldedEnd(t.Data, i)
	v := c.unfolded(text.Span{Start: i, End: end}, false)
	ok := c.line.cut(v.Bytes)
	if ok && c.line.quoted {
		for next < len(t.Data) && t.Data[end-1] == '=' {
			end, next = foldedEnd(t.Data, next)
		}
		t.Decoded.Data = t.Decoded.Data[:kept]
		v = c.unfolded(text.Span{Start: i, End: end}, true)
		ok = c.line.cut(v.Bytes)
	}
	c.found = false
	if ok {
		c.m = reading.Maker{Text: t, Layer: ref.NoLayer, Value: v, Sheet: true}
		c.parameters()
		c.property()
	}
	if !c.found {
		t.Decoded.Data = t.Decoded.Data[:kept]
	}
	return next
}

// unfolded decodes a line. quoted means that the line is in quoted-printable.
func (c *contents) unfolded(s text.Span, quoted bool) reading.Value {
	u := unfolder{t: c.t, chars: true, blanks: c.old, quoted: quoted}
	return u.value(s)
}

// parameters adds the URIs in the parameters of the line.
func (c *contents) parameters() {
	b := c.m.Value.Bytes
	for i := c.line.parameters; i < c.line.value.Start-1; {
		name, list, next := parameter(b, i+1)
		i = next
		var buf [place.LongestName]byte
		low := text.AppendLower(buf[:0], name)
		row := c.words.Parameter(low)
		if row == nil {
			continue
		}
		c.m.Row = row
		c.m.Kind = row.Kind
		c.m.Attr = c.t.Doc.Intern(low)
		c.t.Element = c.t.Doc.Intern(c.line.name)
		for at := list.Start; at < list.End; at++ {
			end := elementOf(b[:list.End], at)
			c.uri(withoutQuotes(b, text.Span{Start: at, End: end}), caretEscapes, true)
			at = end
		}
	}
}

// property adds the URIs in the value of the line.
func (c *contents) property() {
	l := &c.line
	c.version()
	row := c.words.Property(l.name, l.isURI)
	if row == nil || l.binary {
		return
	}
	c.m.Row = row
	c.m.Kind = row.Kind
	c.m.Attr = c.t.Doc.Intern(l.name)
	c.t.Element = c.words.Element
	escapes := backslashEscapes
	if l.quoted {
		escapes = quotedEscapes
	}
	switch {
	case row.Type != place.TypeText:
		c.uri(l.value, escapes, !l.isURI && (row.Type == place.TypeAbsolute || l.typed))
	case l.html:
		c.page(escapes)
	case !l.markup:
		c.prose(escapes)
	}
}

// version notes the version of the current calendar or card.
func (c *contents) version() {
	value := text.Stripped(c.m.Value.Bytes[c.line.value.Start:])
	switch string(c.line.name) {
	case "begin":
		c.old = false
	case "version":
		c.old = string(value) == "2.1" || string(value) == "1.0"
	}
}

// uri adds the URI in a span of the line. If must is set, a value without a scheme is skipped.
func (c *contents) uri(s text.Span, escapes string, must bool) {
	s = text.Trimmed(c.m.Value.Bytes, s)
	t := c.unescaped(s, escapes)
	v := t.Data
	if c.old && bytes.ContainsAny(v, " \t") {
		v = bytes.Join(bytes.Fields(v), nil)
	}
	if len(v) > 0 && (!must || hasScheme(v)) {
		c.add(s, v)
	}
}

// prose adds the URIs in the value of the line, which is running text.
func (c *contents) prose(escapes string) {
	t := c.unescaped(c.line.value, escapes)
	for u := range search.Find(t.Data, c.t.Doc.Options.BareHosts) {
		v := t.Data[u.Start:u.End:u.End]
		if len(u.URI) != len(v) {
			v = []byte(u.URI)
		}
		r := c.add(t.Raw(text.Span{Start: u.Start, End: u.End}), v)
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
	}
}

// page adds the references in the value of the line, which is a page. Outlook writes pages in
// X-ALT-DESC.
func (c *contents) page(escapes string) {
	t := c.unescaped(c.line.value, escapes)
	c.html(t.Data, func(in PageRef) {
		c.m.Kind = in.Kind
		c.m.Attr = in.Attr
		c.t.Element = in.Element
		c.t.Rel = in.Rel
		c.add(t.Raw(in.Span), bytes.Clone(in.Value)).Identifier = in.Identifier
	})
	c.t.Rel = ""
}

// add records the reference v in a span of the line.
func (c *contents) add(s text.Span, v []byte) *ref.Ref {
	c.found = true
	r := c.m.Add(s, escape.Prose)
	r.Value = v
	if !utf8.Valid(v) {
		r.Value = bytes.ToValidUTF8(v, reading.Replacement)
		r.Broken = true
	}
	return r
}

// hasScheme reports whether v begins with the scheme of an absolute URI (RFC 3986 section 3.1). The
// scheme must have at least two characters.
func hasScheme(v []byte) bool {
	n := bytes.IndexByte(v, ':')
	if n < 2 || v[0]|0x20 < 'a' || 'z' < v[0]|0x20 {
		return false
	}
	for _, b := range v[:n] {
		if !ascii.Alnum.Has(b) && b != '+' && b != '-' && b != '.' {
			return false
		}
	}
	return true
}

// unescaped undoes the escapes in a span of the line, with a map back to the line.
func (c *contents) unescaped(s text.Span, escapes string) (t text.Text) {
	b := c.m.Value.Bytes[:s.End]
	for i := s.Start; i < s.End; {
		n := bytes.IndexAny(b[i:], escapes)
		if n < 0 {
			n = s.End - i
		}
		t.AppendSame(i, b[i:i+n])
		i += n
		if i < s.End {
			i = appendEscape(&t, b, i)
		}
	}
	return t
}
