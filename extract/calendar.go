package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
	"absolink/resolve/prose"
)

// Calendars (RFC 5545) and cards (RFC 6350 and its ancestors) are content lines:
//
//	group.name;parameter=value,"value":value
//
// A long line is folded: a line that begins with a blank goes on the one before it,
// even within a character. A line is unfolded first, with a map back, and cut into
// its pieces then; the escapes of a piece are undone last, with a map onto the
// unfolded line. In cards of version 2.1 a value may be in quoted-printable, whose
// soft line breaks join lines too, and a fold is before a blank of the text.

// contents reads content lines.
type contents struct {
	f     *finder
	words *place.Lexicon
	m     maker // of the line being read
	line  contentLine
	old   bool // version 2.1 of cards, 1.0 of calendars: folds keep their blank
	found bool // the line holds references
}

// calendar reads the text as a calendar.
func (f *finder) calendar() { f.contents(place.Calendar()) }

// card reads the text as cards.
func (f *finder) card() { f.contents(place.Card()) }

func (f *finder) contents(words *place.Lexicon) {
	f.rel = ""
	c := contents{f: f, words: words}
	for i := f.contentStart(); i < len(f.data); {
		i = c.read(i)
	}
}

// foldedEnd returns the end of the content line at i, and the start of the next one.
func foldedEnd(data []byte, i int) (end, next int) {
	for {
		end, next = lineEnd(data, i)
		if next == len(data) || data[next] != ' ' && data[next] != '\t' {
			return end, next
		}
		i = next
	}
}

// read reads the content line at i and returns where the next one begins.
func (c *contents) read(i int) (next int) {
	f := c.f
	kept := len(f.text.Data)
	end, next := foldedEnd(f.data, i)
	v := c.unfolded(text.Span{Start: i, End: end}, false)
	ok := c.line.cut(v.bytes)
	if ok && c.line.quoted {
		for next < len(f.data) && f.data[end-1] == '=' {
			end, next = foldedEnd(f.data, next)
		}
		f.text.Data = f.text.Data[:kept]
		v = c.unfolded(text.Span{Start: i, End: end}, true)
		ok = c.line.cut(v.bytes)
	}
	c.found = false
	if ok {
		c.m = maker{f: f, layer: ref.NoLayer, v: v, sheet: true}
		c.parameters()
		c.property()
	}
	if !c.found {
		f.text.Data = f.text.Data[:kept]
	}
	return next
}

// unfolded decodes a line, the soft line breaks of quoted-printable included.
func (c *contents) unfolded(s text.Span, quoted bool) decoded {
	f, data := c.f, c.f.data[:s.End]
	v := f.begin(s)
	for i := s.Start; i < s.End; {
		switch b := data[i]; {
		case isLineEnd(b):
			i = c.fold(data, i)
		case quoted && b == '=' && i+1 < s.End && isLineEnd(data[i+1]):
			_, i = lineEnd(data, i)
		case b < utf8.RuneSelf:
			n := foldable(data, i)
			f.text.AppendSame(i, data[i:n])
			i = n
		default:
			var ok bool
			i, ok = c.char(data, i)
			v.broken = v.broken || !ok
		}
	}
	return f.taken(v)
}

func isLineEnd(b byte) bool { return b == '\r' || b == '\n' }

// foldable returns where the ASCII text at i, of one byte at least, may be broken.
func foldable(data []byte, i int) int {
	for i++; i < len(data) && data[i] < utf8.RuneSelf && data[i] != '=' && !isLineEnd(data[i]); i++ {
	}
	return i
}

// fold returns the offset behind the fold at i.
func (c *contents) fold(data []byte, i int) int {
	_, next := lineEnd(data, i)
	if !c.old && next < len(data) && (data[next] == ' ' || data[next] == '\t') {
		next++
	}
	return next
}

// char appends the character at i, which is not ASCII and may be folded (RFC 5545
// section 3.1), and returns the offset after it. ok is false where it is none.
func (c *contents) char(data []byte, i int) (next int, ok bool) {
	var raw [4]byte
	var ends [4]int
	n := 0
	for j := i; j < len(data) && n < len(raw); {
		if isLineEnd(data[j]) {
			j = c.fold(data, j)
			continue
		}
		raw[n] = data[j]
		j++
		ends[n] = j
		n++
	}
	var buf [8]byte
	char, used, ok := c.f.charset().Append(buf[:0], raw[:n], 0, false)
	c.f.text.AppendToken(text.Span{Start: i, End: ends[used-1]}, char)
	return ends[used-1], ok
}

// parameters adds the URIs in the parameters of the line.
func (c *contents) parameters() {
	b := c.m.v.bytes
	for i := c.line.parameters; i < c.line.value.Start-1; {
		name, list, next := parameter(b, i+1)
		i = next
		var buf [place.LongestName]byte
		low := text.AppendLower(buf[:0], name)
		row := c.words.Parameter(low)
		if row == nil {
			continue
		}
		c.m.row, c.m.kind, c.m.attr = row, row.Kind, c.f.doc.intern(low)
		c.f.element = c.f.doc.intern(c.line.name)
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
	c.m.row, c.m.kind, c.m.attr = row, row.Kind, c.f.doc.intern(l.name)
	c.f.element = c.words.Element
	escapes := backslashEscapes
	if l.quoted {
		escapes = quotedEscapes
	}
	switch {
	case row.Type != place.TypeText:
		c.uri(l.value, escapes, !l.isURI && (row.Type == place.TypeAbsolute || l.typed))
	case !l.markup:
		c.prose(escapes)
	}
}

// version notes the version of what the line stands in.
func (c *contents) version() {
	switch value := text.Stripped(c.m.v.bytes[c.line.value.Start:]); string(c.line.name) {
	case "begin":
		c.old = false
	case "version":
		c.old = string(value) == "2.1" || string(value) == "1.0"
	}
}

// uri adds the URI in a span of the line. With must it must have a scheme.
func (c *contents) uri(s text.Span, escapes string, must bool) {
	s = text.Trimmed(c.m.v.bytes, s)
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
	for u := range prose.Find(t.Data, c.m.f.doc.Options.BareHosts) {
		v := t.Data[u.Start:u.End:u.End]
		if len(u.URI) != len(v) {
			v = []byte(u.URI)
		}
		r := c.add(t.Raw(text.Span{Start: u.Start, End: u.End}), v)
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
	}
}

// add records the reference v that the span of the line holds.
func (c *contents) add(s text.Span, v []byte) *ref.Ref {
	c.found = true
	r := c.m.add(s, escape.Prose)
	if r.Value = v; !utf8.Valid(v) {
		r.Value, r.Broken = bytes.ToValidUTF8(v, replacement), true
	}
	return r
}

// hasScheme reports whether v begins as an absolute URI, with a scheme of two
// characters or more (RFC 3986 section 3.1).
func hasScheme(v []byte) bool {
	n := bytes.IndexByte(v, ':')
	if n < 2 || v[0]|0x20 < 'a' || 'z' < v[0]|0x20 {
		return false
	}
	for _, b := range v[:n] {
		if !ascii.IsAlnum(b) && b != '+' && b != '-' && b != '.' {
			return false
		}
	}
	return true
}

// unescaped undoes the escapes in a span of the line, with the map back onto the line.
func (c *contents) unescaped(s text.Span, escapes string) (t text.Text) {
	b := c.m.v.bytes[:s.End]
	for i := s.Start; i < s.End; {
		n := bytes.IndexAny(b[i:], escapes)
		if n < 0 {
			n = s.End - i
		}
		t.AppendSame(i, b[i:i+n])
		if i += n; i < s.End {
			i = appendEscape(&t, b, i)
		}
	}
	return t
}
