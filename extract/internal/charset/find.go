package charset

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The charset of a document comes from the first of these that names one: its byte order mark, the
// transport, and the declaration that its format allows. If none does, the document is UTF-8 if its
// format says so, or if all of it is valid UTF-8. Otherwise it is windows-1252. Browsers also guess
// from the language of the text, but here this would only change the queries of a few pages.
//
// In a message an unknown charset is not replaced by a guess: text that is read wrong would be
// written wrong for good. The same holds for bytes above 127 in US-ASCII, unless the document
// declares another charset.

// Declaration says how documents of a format declare their charset.
type Declaration uint8

const (
	Undeclared Declaration = iota // they do not declare a charset
	InMeta                        // in a meta element of HTML, or in text that looks like an XML declaration
	InXML                         // in an XML declaration; the default is UTF-8
	InRule                        // in an @charset rule of CSS; the default is UTF-8
	FixedUTF8                     // they do not declare a charset, because they are always UTF-8
)

// Find returns the charset of data. It returns nil if neither the byte order mark nor the
// transport, the document or its format names a charset; then call Guess. transport is a label, or
// "". unknown means that this label names no charset. In a message the charset has the form Unknown
// if none of its names is known, or if it is US-ASCII and data is not. Find uses s to scan data.
func (f *Finder) Find(data []byte, transport string, how Declaration, s *markup.Scanner) (e *Encoding, unknown bool) {
	f.Conflict, f.Marked, f.unknown = false, false, nil
	var outer *Encoding
	if transport != "" {
		outer = f.fromTransport(transport)
	}
	if form, n := Mark(data); n > 0 && !(outer != nil && outer.hasUTF32Mark(data)) {
		e = f.lookUp(markLabels[form])
		f.compare(e, outer, data)
		f.Marked = true
		return e, false
	}
	if outer != nil && outer.isASCII && f.Mail && !text.IsASCII(data) {
		e = f.declared(data, how, s)
		if e == nil || e.isASCII {
			return newUnknown(labelASCII), false
		}
		return e, false
	}
	if outer != nil {
		f.compare(outer, f.declared(data, how, s), data)
		return outer, false
	}
	unknown = transport != ""
	e = f.declared(data, how, s)
	switch {
	case e != nil:
	case f.Mail && unknown:
		return newUnknown(transport), true
	case f.Mail && f.unknown != nil:
		return newUnknown(string(f.unknown)), true
	case how >= InXML:
		e = f.lookUp(labelUTF8)
	}
	return e, unknown
}

// declared returns the charset that a document declares, or nil.
func (f *Finder) declared(data []byte, how Declaration, s *markup.Scanner) *Encoding {
	switch how {
	case InMeta:
		return f.fromHTML(data, s)
	case InXML:
		return f.fromXML(data)
	case InRule:
		return f.fromRule(data)
	}
	return nil
}

// compare sets Conflict if data has the names of two different charsets: e, which counts, and
// other. Data in ASCII has no conflict, because both charsets read it in the same way.
func (f *Finder) compare(e, other *Encoding, data []byte) {
	f.Conflict = other != nil && other.Name != e.Name && !text.IsASCII(data)
}

// Guess returns UTF-8 if data is valid UTF-8 and not ASCII, and otherwise windows-1252. It looks at
// all bytes of data. This is fastest while data is still in the cache of the processor.
func (f *Finder) Guess(data []byte) *Encoding {
	if n := text.ASCIILength(data); n < len(data) && utf8.Valid(data[n:]) {
		return f.lookUp(labelUTF8)
	}
	return f.lookUp(labelLatin)
}

// marks are the byte order marks.
var marks = [...]struct {
	form Form
	mark string
}{{UTF8, "\xef\xbb\xbf"}, {UTF16LE, "\xff\xfe"}, {UTF16BE, "\xfe\xff"}}

// markLabels has the labels of the charsets with byte order marks.
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

// fromXML returns the charset of an XML document according to its first bytes and its XML
// declaration (XML 1.0 Appendix F), or nil.
func (f *Finder) fromXML(data []byte) *Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00?\x00")):
		return f.lookUp(labelUTF16LE)
	case bytes.HasPrefix(data, []byte("\x00<\x00?")):
		return f.lookUp(labelUTF16BE)
	}
	return f.fromDocument(declaredEncoding(data))
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

// fromRule returns the charset that an @charset rule names (CSS Syntax Level 3 section 3.2), or
// nil. The rule must be at the very beginning, in exactly this form.
func (f *Finder) fromRule(data []byte) *Encoding {
	label, ok := bytes.CutPrefix(data, []byte(`@charset "`))
	if !ok {
		return nil
	}
	n := bytes.IndexByte(label[:min(len(label), maxRule)], '"')
	if n < 0 || !bytes.HasPrefix(label[n:], []byte(`";`)) {
		return nil
	}
	return f.fromDocument(label[:n])
}
