package charset

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The charset of a document is, first of all, that of its byte order mark, then
// what the transport says, then what the document declares in the way of its
// format; one that declares none is UTF-8 where its format says so or all of it
// is UTF-8, windows-1252 else. (Browsers guess by
// the language of the text as well; nothing that matters here depends on it but
// the queries of a few pages.)
//
// In a message a charset that is named, and not known, is not replaced by a guess: what is
// read wrong would be written wrong for good. The same holds for bytes above 127 in US-ASCII,
// unless the document declares another charset.

// Declaration says how documents of a format declare their charset.
type Declaration uint8

const (
	Undeclared Declaration = iota // in no way
	InMeta                        // in a meta element of HTML, or what looks like an XML declaration
	InXML                         // in an XML declaration, else they are UTF-8
	InRule                        // in an @charset rule of CSS, else they are UTF-8
	FixedUTF8                     // in no way, since they are UTF-8
)

// Find returns the charset of data, nil if neither a byte order mark, the transport, the
// document nor its format says it: it is then for Guess to say. transport is a label, "" if
// it says nothing; unknown means that it is that of no charset. In a message the charset is one
// of the form Unknown if all names of it are those of no charset, or if it is US-ASCII and data is
// not. s is scanned with.
func (f *Finder) Find(data []byte, transport string, how Declaration, s *markup.Scanner) (e *Encoding, unknown bool) {
	f.Conflict, f.strange = false, nil
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
	case f.Mail && f.strange != nil:
		return newUnknown(string(f.strange)), true
	case how >= InXML:
		e = f.get(labelUTF8)
	}
	return e, unknown
}

// byFormat returns the charset that a document declares, nil if it declares none.
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

// compare sets Conflict if another charset than e, which counts, is named for data, unless
// both read it alike: it is ASCII.
func (f *Finder) compare(e, other *Encoding, data []byte) {
	f.Conflict = other != nil && other.Name != e.Name && !text.IsASCII(data)
}

// Guess returns the charset that data looks like. It looks at all of it, which costs least
// where data was read just before.
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

// Mark returns the length of the byte order mark that data begins with, 0 if there is
// none, and the form of its charset.
func Mark(data []byte) (form Form, n int) {
	for _, m := range marks {
		if len(data) >= len(m.mark) && string(data[:len(m.mark)]) == m.mark {
			return m.form, len(m.mark)
		}
	}
	return 0, 0
}

// xml returns the charset of an XML document by its first bytes and its XML
// declaration (XML 1.0 Appendix F), nil if nothing is said.
func (f *Finder) xml(data []byte) *Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00?\x00")):
		return f.get(labelUTF16LE)
	case bytes.HasPrefix(data, []byte("\x00<\x00?")):
		return f.get(labelUTF16BE)
	}
	return f.inside(declaredEncoding(data))
}

// declaredEncoding returns the label in the XML declaration that data begins with,
// nil if there is none.
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

// maxRule is how many bytes of a style sheet are searched for the end of its @charset.
const maxRule = 1024

// rule returns the charset that an @charset rule names (CSS Syntax Level 3 section 3.2),
// nil if there is none. The rule must stand at the very beginning, in exactly this form.
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
