package extract

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"absolink/extract/internal/charset"
)

// The charset of a document is, first of all, that of its byte order mark, then
// what the transport says, then what the document declares in the way of its
// format; one that declares none is UTF-8 where its format says so or all of it
// is UTF-8, windows-1252 else. (Browsers guess by
// the language of the text as well; nothing that matters here depends on it but
// the queries of a few pages.)
//
// All charsets of the Encoding Standard but UTF-16, ISO-2022-JP and the
// replacement encoding keep the bytes that markup is made of, and are scanned as
// they are; values are decoded one by one. The other ones are decoded as a whole
// first, with a map back.

// charsets are those that a Doc has met, by label as written. Their decoders
// have a state, so that they are not shared between documents read at once.
type charsets map[string]*charset.Encoding

// get returns the charset with a label, nil if there is none.
func (c *charsets) get(label []byte) *charset.Encoding {
	if cs, ok := (*c)[string(label)]; ok {
		return cs
	}
	if len(label) > longestKept {
		return charset.Get(string(label))
	}
	if *c == nil || len(*c) >= maxInterned {
		*c = make(charsets)
	}
	cs := charset.Get(string(label))
	(*c)[string(label)] = cs
	return cs
}

var (
	labelUTF8    = []byte("utf-8")
	labelUTF16LE = []byte("utf-16le")
	labelUTF16BE = []byte("utf-16be")
	labelLatin   = []byte("windows-1252")
	bomUTF8      = []byte("\xef\xbb\xbf")
)

// findCharset returns the charset of d, nil if neither a byte order mark, the transport,
// the document nor its format says it: it is then for charset to say.
func (d *Doc) findCharset() *charset.Encoding {
	if label := byteOrderMark(d.Data); label != nil {
		return d.sets.get(label)
	}
	if d.Charset != "" {
		if cs := d.transport(); cs != nil {
			return cs
		}
		d.problem(0, "unknown-charset")
	}
	if cs := d.declaration(); cs != nil {
		return cs
	}
	if d.format.utf8() {
		return d.sets.get(labelUTF8)
	}
	return nil
}

// charset returns the charset of d. One that nobody names is what the bytes look like.
// They are all looked at only where it matters, for most documents after they were read:
// they are at hand then.
func (d *Doc) charset() *charset.Encoding {
	if d.named == nil {
		label, data := labelLatin, d.refs.data // d.Data may be that of the next document
		if n := asciiLength(data); n < len(data) && utf8.Valid(data[n:]) {
			label = labelUTF8
		}
		d.named = d.sets.get(label)
	}
	return d.named
}

// utf8 reports whether documents of the format that declare no charset are
// UTF-8 by their specification. (Those of the others are what they look like.)
func (f Format) utf8() bool {
	switch f {
	case XHTML, XML, SVG, Feed, Sitemap, OPML, CSS, Manifest, Calendar, Heading:
		return true
	}
	return false
}

// declaration returns the charset that the document itself declares, in the way of
// its format, nil if it does not.
func (d *Doc) declaration() *charset.Encoding {
	switch d.format {
	case HTML, Bookmarks:
		return d.htmlCharset()
	case XHTML, XML, SVG, Feed, Sitemap, OPML:
		return d.xmlCharset()
	case CSS:
		return d.sheetCharset()
	}
	return nil
}

// transport returns the charset that d.Charset names, nil if it is unknown.
func (d *Doc) transport() *charset.Encoding {
	var buf [longestName]byte
	label := buf[:0]
	if len(d.Charset) > len(buf) {
		label = make([]byte, 0, len(d.Charset))
	}
	label = append(label, d.Charset...)
	if cs := d.sets.get(label); cs != nil {
		return cs
	}
	return charset.Mail(d.Charset)
}

// byteOrderMark returns the label of the charset whose mark data begins with.
func byteOrderMark(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, bomUTF8):
		return labelUTF8
	case len(data) >= 2 && data[0] == 0xff && data[1] == 0xfe:
		return labelUTF16LE
	case len(data) >= 2 && data[0] == 0xfe && data[1] == 0xff:
		return labelUTF16BE
	}
	return nil
}

// decode finds the charset of d and returns the bytes to scan: d.Data itself, or
// what it decodes to. mark is the outermost place of such a document, else nil.
func (d *Doc) decode() (data []byte, mark *place) {
	d.whole.Reset()
	d.shifts = d.shifts[:0]
	d.named = d.findCharset()
	switch cs := d.named; {
	case cs == nil:
	case cs.Form == charset.Opaque:
		d.problem(0, "unsupported-charset")
	case wideForm(cs) != narrow:
		d.decodeWide(wideForm(cs))
		return d.whole.Data, &place{sheet: true, wide: wideForm(cs)}
	case cs.Form == charset.Shifting:
		d.decodeShifts()
		return d.whole.Data, nil
	}
	return d.Data, nil
}

// wideForm returns how the characters of a charset become bytes.
func wideForm(cs *charset.Encoding) wide {
	switch cs.Form {
	case charset.UTF16LE:
		return utf16LE
	case charset.UTF16BE:
		return utf16BE
	}
	return narrow
}

var replacement = []byte("\ufffd")

// char appends the character at data[i], a byte that is not ASCII, to dst, and returns
// the offset after it; ok is false where U+FFFD stands for what is none. data begins as
// f.data does, and nothing of ASCII that follows it goes on with a character.
func (f *finder) char(dst, data []byte, i int) (out []byte, next int, ok bool) {
	return f.charset().Append(dst, data, i, len(data) == len(f.data))
}

// appendCharset appends the bytes between two offsets to f.text, decoded from
// the charset only, and reports whether some were not of it.
func (f *finder) appendCharset(start, end int) (broken bool) {
	data := f.data[:end]
	f.text.mapped = true
	for i := start; i < end; {
		if n := asciiLength(data[i:]); n > 0 {
			f.text.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		text, next, ok := f.char(buf[:0], data, i)
		broken = broken || !ok
		f.text.AppendToken(Span{i, next}, text)
		i = next
	}
	return broken
}

// asciiLength returns how many bytes at the start of b are ASCII.
func asciiLength(b []byte) int {
	n := 0
	for ; len(b)-n >= 32; n += 32 {
		w := b[n : n+32]
		if (word(w)|word(w[8:])|word(w[16:])|word(w[24:]))&highs != 0 {
			break
		}
	}
	for ; len(b)-n >= 8 && word(b[n:])&highs == 0; n += 8 {
	}
	for ; n < len(b) && b[n] < 0x80; n++ {
	}
	return n
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func isASCII(b []byte) bool { return asciiLength(b) == len(b) }
