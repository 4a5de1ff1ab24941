package charset

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The charset of a document is decided in this order: its byte order mark, the transport, its own
// declaration in the way of its format. A document without any of these is UTF-8 if its format says
// so or if all of it is valid UTF-8. Otherwise it is windows-1252. Browsers also guess from the
// language of the text, but here this would only affect the queries of a few pages.
//
// In a message an unknown charset is not replaced by a guess: text that is read wrong would be
// written wrong for good. The same holds for bytes above 127 in US-ASCII, unless the document
// declares another charset.

// Declaration is the method by which documents of a format declare their charset.
type Declaration uint8

const (
	Undeclared Declaration = iota // they declare none
	InMeta                        // in a meta element of HTML, or in text that looks like an XML declaration
	InXML                         // in an XML declaration; the default is UTF-8
	InRule                        // in an @charset rule of CSS; the default is UTF-8
	FixedUTF8                     // they declare none, since they are always UTF-8
)

// Find returns the charset of data. It returns nil if the byte order mark, the transport, the
// document and its format do not decide it; then call Guess. transport is a label, or "". unknown
// means that this label names no charset. In a message the charset has the form Unknown if none of
// its names is known, or if it is US-ASCII and data is not. Find uses s to scan data.
func (f *Finder) Find(data []byte, transport string, how Declaration, s *markup.Scanner) (e *Encoding, unknown bool) {
	f.Conflict, f.unknown = false, nil
	var outer *Encoding
	if transport != "" {
		outer = f.transport(transport)
	}
	if form, n := Mark(data); n > 0 && !(outer != nil && outer.marked(data)) {
		e = f.get(markLabels[form])
		f.compare(e, outer, data)
		return e, false
	}
	if outer != nil && outer.ascii && f.Mail && !text.IsASCII(data) {
		e = f.byFormat(data, how, s)
		if e == nil || e.ascii {
			return newUnknown(labelASCII), false
		}
		return e, false
	}
	if outer != nil {
		f.compare(outer, f.byFormat(data, how, s), data)
		return outer, false
	}
	unknown = transport != ""
	e = f.byFormat(data, how, s)
	switch {
	case e != nil:
	case f.Mail && unknown:
		return newUnknown(transport), true
	case f.Mail && f.unknown != nil:
		return newUnknown(string(f.unknown)), true
	case how >= InXML:
		e = f.get(labelUTF8)
	}
	return e, unknown
}

// byFormat returns the charset that a document declares, or nil.
func (f *Finder) byFormat(data []byte, how Declaration, s *markup.Scanner) *Encoding {
	switch how {
	case InMeta:
		return f.html(data, s)
	case InXML:
		return f.xml(data)
	case InRule:
		return f.rule(data)
	}
	return nil
}

// compare sets Conflict if data has two names of different charsets: e, which counts, and other.
// ASCII data never conflicts, since both charsets read it alike.
func (f *Finder) compare(e, other *Encoding, data []byte) {
	f.Conflict = other != nil && other.Name != e.Name && !text.IsASCII(data)
}

// Guess returns the charset that data looks like. It reads all of data, which is cheapest shortly
// after data was read.
func (f *Finder) Guess(data []byte) *Encoding {
	if n := text.ASCIILength(data); n < len(data) && utf8.Valid(data[n:]) {
		return f.get(labelUTF8)
	}
	return f.get(labelLatin)
}

// marks are the byte order marks.
var marks = [...]struct {
	form Form
	mark string
}{{UTF8, "\xef\xbb\xbf"}, {UTF16LE, "\xff\xfe"}, {UTF16BE, "\xfe\xff"}}

var markLabels = [...][]byte{UTF8: labelUTF8, UTF16LE: labelUTF16LE, UTF16BE: labelUTF16BE}

// Mark returns the length of the byte order mark at the start of data, or 0, and the form of its
// charset.
func Mark(data []byte) (form Form, n int) {
	for _, m := range marks {
		if len(data) >= len(m.mark) && string(data[:len(m.mark)]) == m.mark {
			return m.form, len(m.mark)
		}
	}
	return 0, 0
}

// xml returns the charset of an XML document according to its first bytes and its XML declaration
// (XML 1.0 Appendix F), or nil.
func (f *Finder) xml(data []byte) *Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00?\x00")):
		return f.get(labelUTF16LE)
	case bytes.HasPrefix(data, []byte("\x00<\x00?")):
		return f.get(labelUTF16BE)
	}
	return f.inside(declaredEncoding(data))
}

// declaredEncoding returns the label in the XML declaration at the start of data, or nil.
func declaredEncoding(data []byte) []byte {
	const start = "<?xml"
	rest, ok := bytes.CutPrefix(data, []byte(start))
	n := bytes.Index(rest, []byte("?>"))
	if !ok || n < 0 {
		return nil
	}
	var label []byte
	markup.PseudoAttributes(data[:len(start)+n], len(start), func(a markup.Attr) {
		if string(data[a.NameStart:a.NameEnd]) == "encoding" {
			label = data[a.Start:a.End]
		}
	})
	return label
}

// maxRule is the number of bytes of a style sheet that are searched for the end of its @charset.
const maxRule = 1024

// rule returns the charset that an @charset rule names (CSS Syntax Level 3 section 3.2), or nil.
// The rule must be at the very beginning, in exactly this form.
func (f *Finder) rule(data []byte) *Encoding {
	label, ok := bytes.CutPrefix(data, []byte(`@charset "`))
	if !ok {
		return nil
	}
	n := bytes.IndexByte(label[:min(len(label), maxRule)], '"')
	if n < 0 || !bytes.HasPrefix(label[n:], []byte(`";`)) {
		return nil
	}
	return f.inside(label[:n])
}
