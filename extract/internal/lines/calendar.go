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
// A long line is folded: a line that begins with a blank continues the line before it. A fold may
// even split a character. The reader first unfolds a line, with a map back, and then cuts it into
// pieces. Last it undoes the escapes of a piece, with a map to the unfolded line. In version 2.1 of
// cards, a value may be in quoted-printable, whose soft line breaks also join lines, and the blank
// after a fold belongs to the text.

// contentReader reads content lines.
type contentReader struct {
	t        *reading.Text
	html     HTML
	lexicon  *place.Lexicon
	m        reading.Maker // adds the references of the current line
	line     contentLine
	isOld    bool // version 2.1 of cards or 1.0 of calendars
	foundRef bool // the current line contains references
}

// HTML finds the references of page, which is in UTF-8, and calls add for each of them.
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

// readContents reads all content lines of the text. lexicon has the names of the format.
func readContents(t *reading.Text, lexicon *place.Lexicon, html HTML) {
	c := contentReader{t: t, lexicon: lexicon, html: html}
	for i := t.Start(); i < len(t.Data); {
		i = c.readLine(i)
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

// readLine reads the content line at i, and returns the start of the next one.
func (c *contentReader) readLine(i int) (next int) {
	t := c.t
	before := len(t.Decoded.Data)
	end, next := foldedEnd(t.Data, i)
	v := c.unfold(text.Span{Start: i, End: end}, false)
	ok := c.line.parse(v.Bytes)
	if ok && c.line.quotedPrintable {
		for next < len(t.Data) && t.Data[end-1] == '=' {
			end, next = foldedEnd(t.Data, next)
		}
		t.Decoded.Data = t.Decoded.Data[:before]
		v = c.unfold(text.Span{Start: i, End: end}, true)
		ok = c.line.parse(v.Bytes)
	}
	c.foundRef = false
	if ok {
		c.m = reading.Maker{Text: t, Layer: ref.NoLayer, Value: v, Sheet: true}
		c.addParameters()
		c.addProperty()
	}
	if !c.foundRef {
		t.Decoded.Data = t.Decoded.Data[:before]
	}
	return next
}

// unfold unfolds a line. quoted means that the line is in quoted-printable.
func (c *contentReader) unfold(s text.Span, quoted bool) reading.Value {
	u := unfolder{t: c.t, splitChars: true, keepBlanks: c.isOld, quotedPrintable: quoted}
	return u.decode(s)
}

// addParameters adds the URIs in the parameters of the line.
func (c *contentReader) addParameters() {
	b := c.m.Value.Bytes
	for i := c.line.parameters; i < c.line.value.Start-1; {
		name, list, next := parameterAt(b, i+1)
		i = next
		var buf [place.LongestName]byte
		low := text.AppendLower(buf[:0], name)
		row := c.lexicon.Parameter(low)
		if row == nil {
			continue
		}
		c.m.Row = row
		c.m.Kind = row.Kind
		c.m.Attr = c.t.Doc.Intern(low)
		c.t.Element = c.t.Doc.Intern(c.line.name)
		for at := list.Start; at < list.End; at++ {
			end := elementEnd(b[:list.End], at)
			c.addURI(withoutQuotes(b, text.Span{Start: at, End: end}), caretEscapes, true)
			at = end
		}
	}
}

// addProperty adds the URIs in the value of the line.
func (c *contentReader) addProperty() {
	l := &c.line
	c.setVersion()
	row := c.lexicon.Property(l.name, l.isURI)
	if row == nil || l.isBinary {
		return
	}
	c.m.Row = row
	c.m.Kind = row.Kind
	c.m.Attr = c.t.Doc.Intern(l.name)
	c.t.Element = c.lexicon.Element
	escapes := backslashEscapes
	if l.quotedPrintable {
		escapes = quotedEscapes
	}
	switch {
	case row.Type != place.TypeText:
		c.addURI(l.value, escapes, !l.isURI && (row.Type == place.TypeAbsolute || l.hasType))
	case l.isHTML:
		c.addPage(escapes)
	case !l.isMarkup:
		c.addProse(escapes)
	}
}

// setVersion sets isOld if the line begins a calendar or card, or has its version.
func (c *contentReader) setVersion() {
	value := text.Stripped(c.m.Value.Bytes[c.line.value.Start:])
	switch string(c.line.name) {
	case "begin":
		c.isOld = false
	case "version":
		c.isOld = string(value) == "2.1" || string(value) == "1.0"
	}
}

// addURI adds the URI in a span of the line. If needsScheme is set, it skips a value without a
// scheme.
func (c *contentReader) addURI(s text.Span, escapes string, needsScheme bool) {
	s = text.Trimmed(c.m.Value.Bytes, s)
	t := c.unescape(s, escapes)
	v := t.Data
	if c.isOld && bytes.ContainsAny(v, " \t") {
		v = bytes.Join(bytes.Fields(v), nil)
	}
	if len(v) > 0 && (!needsScheme || hasScheme(v)) {
		c.addRef(s, v)
	}
}

// addProse adds the URIs in the value of the line, which is running text.
func (c *contentReader) addProse(escapes string) {
	t := c.unescape(c.line.value, escapes)
	for u := range search.Find(t.Data, c.t.Doc.Options.BareHosts) {
		v := t.Data[u.Start:u.End:u.End]
		if len(u.URI) != len(v) {
			v = []byte(u.URI)
		}
		r := c.addRef(t.Raw(text.Span{Start: u.Start, End: u.End}), v)
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
	}
}

// addPage adds the references in the value of the line, which is a page. Outlook writes pages in
// X-ALT-DESC.
func (c *contentReader) addPage(escapes string) {
	t := c.unescape(c.line.value, escapes)
	c.html(t.Data, func(r PageRef) {
		c.m.Kind = r.Kind
		c.m.Attr = r.Attr
		c.t.Element = r.Element
		c.t.Rel = r.Rel
		c.addRef(t.Raw(r.Span), bytes.Clone(r.Value)).Identifier = r.Identifier
	})
	c.t.Rel = ""
}

// addRef adds the reference v in a span of the line.
func (c *contentReader) addRef(s text.Span, v []byte) *ref.Ref {
	c.foundRef = true
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

// unescape returns the text in a span of the line without its escapes, with a map back to the line.
func (c *contentReader) unescape(s text.Span, escapes string) (t text.Text) {
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
