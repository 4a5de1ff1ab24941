package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/template"
	"absolink/extract/internal/text"
	"absolink/resolve"
)

// Of some absolute URLs only the start is known, because a template or a script will append more.
// When a site moves, an edit replaces only the part of the start that changes.

// Known returns the length of the known prefix of an absolute URL in Value. open is true if the URL
// does not end there: a template or a script puts more after these bytes. whole is true if Value is
// certainly the whole URL. If whole is false, an edit must replace only the part that changes.
func (r Ref) Known() (n int, open, whole bool) {
	s := r.shape
	if s == nil {
		return len(r.Value), false, true
	}
	v := text.Stripped(r.Value)
	if at := templateIn(v, s); at >= 0 {
		return bytes.Index(r.Value, v) + at, true, false
	}
	return len(r.Value), s.Joined, !s.Prefix
}

// templateIn returns the offset of the first template piece in v, or -1. v is the value of a
// reference without white space around it.
func templateIn(v []byte, s *ref.Shape) int {
	if s.Template == ref.InXSLT {
		return max(bytes.IndexAny(v, "{}"), 0)
	}
	if piece, ok := template.First(v); ok {
		return piece.Start
	}
	if s.Template == ref.NearPiece {
		return 0 // the value comes from the code of the template
	}
	return -1
}

// Resolve returns the URI to which value would be resolved at the place of l, or nil. Call it
// before r is used for another document.
func (r *Resolver) Resolve(l *Link, value []byte) []byte {
	uri, err := r.scope(l.Layer, l.shape.UTF8).base.Append(nil, text.Stripped(value))
	if err != nil {
		return nil
	}
	return uri
}

// AppendPart appends the edit that replaces l.Value[from:to] by uri, escaped for the place. If uri
// is empty, the edit removes these bytes and writes nothing. ok is false if the document spells l
// in a way in which these bytes cannot be separated from the rest. Call it before r is used for
// another document.
func (r *Resolver) AppendPart(dst []Edit, l *Link, from, to int, uri []byte) (edits []Edit, ok bool) {
	context := *l.context()
	raw := r.doc.Data[l.Start:l.End]
	part, ok := r.rawPart(&context, l, from, to)
	if !ok {
		return dst, false
	}
	if context.Bare == escape.BareWhole {
		context.Bare = escape.BarePart
	}
	if context.Roman&escape.RomanBefore > 0 {
		context.Roman = escape.RomanBefore | escape.RomanAfter // the replaced bytes have no escape sequence
	} else {
		context.Roman = 0
	}
	var written []byte
	if len(uri) > 0 { // as a whole value, no bytes would need delimiters in Markdown
		written = context.Append(nil, uri)
	}
	if len(written) > 0 && context.InLiteral() && bytes.Contains(raw[:part.End], []byte(`\/`)) {
		written = bytes.ReplaceAll(written, []byte("/"), []byte(`\/`)) // as PHP writes JSON
	}
	return append(dst, Edit{Span{Start: l.Start + part.Start, End: l.Start + part.End}, written}), true
}

// lastPart is the place of the last part of a link for AppendPart. The next part of the link is
// usually behind it, and is searched from there.
type lastPart struct {
	link  Span      // the link
	wide  text.Text // the link in UTF-8, if the document is in UTF-16
	value int       // offset of the part in the value of the link
	raw   int       // offset of the part in the link as the document spells it, or in wide
}

// rawPart returns the span that stands for l.Value[from:to] in the link as the document spells it.
// ok is false if it is unknown where this span begins or ends, as after characters that are not
// ASCII in ISO-2022-JP.
func (r *Resolver) rawPart(p *escape.Context, l *Link, from, to int) (part text.Span, ok bool) {
	raw := r.doc.Data[l.Start:l.End]
	e := r.doc.in.Charset()
	isWide := e != nil && (e.Form == charset.UTF16LE || e.Form == charset.UTF16BE)
	last := &r.lastPart
	if last.link != l.Span || last.value > from {
		*last = lastPart{link: l.Span}
		if isWide {
			new(charset.Switches).Decode(&last.wide, raw, e)
		}
	}
	if isWide {
		raw, e = last.wide.Data, nil
	}
	before := spelledLength(p, e, raw[last.raw:], l.Value[last.value:from])
	if before < 0 {
		return part, false
	}
	last.raw += before
	last.value = from
	n := spelledLength(p, e, raw[last.raw:], l.Value[from:to])
	return last.wide.Raw(text.Span{Start: last.raw, End: last.raw + n}), n >= 0
}

// spelledLength returns the length of start as it is spelled at the beginning of raw in the charset
// e, which keeps ASCII. It returns -1 if this length is unknown.
func spelledLength(p *escape.Context, e *charset.Encoding, raw, start []byte) int {
	references := referenceLevels(p)
	i := 0
	for j := 0; j < len(start); {
		rest := raw[i:]
		n, k := 0, 1
		switch {
		case len(rest) == 0:
		case rest[0] >= utf8.RuneSelf:
			n, k = unitLength(rest, start[j:], func(dst []byte) ([]byte, int) {
				dst, n, ok := e.Append(dst, rest, 0, false)
				if !ok {
					return nil, 0
				}
				return dst, n
			})
		case rest[0] == '&' && references > 0:
			n, k = unitLength(rest, start[j:],
				func(dst []byte) ([]byte, int) { return markup.AppendReference(dst, rest, 0, true) })
			if references > 1 && start[j] == '&' {
				n = 0 // this may begin a reference of the level inside
			}
		case start[j] == '\\' && p.Token != escape.NoToken:
			// the token has an escape here, and so may the level around it
		case rest[0] == '\\' && p.InLiteral():
			n, k = unitLength(rest, start[j:], func(dst []byte) ([]byte, int) { return json.AppendFirst(dst, rest) })
			if references > 0 && n == 2 && bytes.IndexByte([]byte("&ux"), rest[1]) >= 0 {
				n = 0 // a reference may be a part of this escape
			}
		case rest[0] == '%' && p.Token == escape.Percent && len(rest) > 2:
			n, k = unitLength(rest, start[j:],
				func(dst []byte) ([]byte, int) { return append(dst, resolve.Unescape(string(rest[:3]))...), 3 })
		case rest[0] == start[j]:
			n = 1
		}
		if n == 0 {
			return -1
		}
		i += n
		j += k
	}
	return i
}

// referenceLevels returns the number of levels at which character references count at a place: two
// in a srcdoc.
func referenceLevels(p *escape.Context) (n int) {
	for ; p != nil; p = p.Outer {
		if !p.Sheet && !p.CDATA {
			n++
		}
	}
	return n
}

// unitLength returns the length of the bytes that read decodes at the beginning of rest, and the
// length of the result. The lengths are 0 if start does not begin with the result.
func unitLength(rest, start []byte, read func([]byte) ([]byte, int)) (n, decoded int) {
	var buf [8]byte
	got, n := read(buf[:0])
	if !bytes.HasPrefix(start, got) {
		return 0, 0
	}
	return n, len(got)
}
