package extract

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
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

// charset is an encoding of the Encoding Standard.
type charset struct {
	name   string // lower case
	enc    encoding.Encoding
	dec    transform.Transformer
	utf8   bool
	wide   wide
	shifts bool       // ISO-2022-JP
	opaque bool       // the replacement encoding: nothing in it can be read
	single *[256]rune // of a charset with one byte per character: the upper half
	buf    [16]byte   // scratch of decodeChar
	query  func(dst, query []byte, special bool) []byte
}

// charsets are those that a Doc has met, by label as written. Their decoders
// have a state, so that they are not shared between documents read at once.
type charsets map[string]*charset

// get returns the charset with a label, nil if there is none.
func (c *charsets) get(label []byte) *charset {
	if cs, ok := (*c)[string(label)]; ok {
		return cs
	}
	if len(label) > longestKept {
		return newCharset(string(label))
	}
	if *c == nil || len(*c) >= maxInterned {
		*c = make(charsets)
	}
	cs := newCharset(string(label))
	(*c)[string(label)] = cs
	return cs
}

// newCharset returns the charset with a label of the Encoding Standard, nil if there is none.
func newCharset(label string) *charset {
	enc, err := htmlindex.Get(strings.Trim(label, "\t\n\f\r "))
	if err != nil {
		return nil
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return nil
	}
	cs := &charset{name: name, enc: enc, dec: enc.NewDecoder().Transformer}
	switch name {
	case "utf-8":
		cs.utf8 = true
	case "utf-16le":
		cs.wide = utf16LE
	case "utf-16be":
		cs.wide = utf16BE
	case "iso-2022-jp":
		cs.shifts = true
	case "replacement":
		cs.opaque = true
	}
	if !cs.utf8 && cs.wide == narrow && !cs.opaque {
		cs.query = queryEncoder(name, enc)
		cs.single = singleByte(cs)
	}
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
func (d *Doc) findCharset() *charset {
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
func (d *Doc) charset() *charset {
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
	case XHTML, XML, SVG, Feed, Sitemap, OPML, CSS, Manifest, Calendar:
		return true
	}
	return false
}

// declaration returns the charset that the document itself declares, in the way of
// its format, nil if it does not.
func (d *Doc) declaration() *charset {
	switch d.format {
	case HTML, Bookmarks:
		return d.prescan()
	case XHTML, XML, SVG, Feed, Sitemap, OPML:
		return d.xmlCharset()
	case CSS:
		return d.sheetCharset()
	}
	return nil
}

// transport returns the charset that d.Charset names, nil if it is unknown.
func (d *Doc) transport() *charset {
	var buf [longestName]byte
	label := buf[:0]
	if len(d.Charset) > len(buf) {
		label = make([]byte, 0, len(d.Charset))
	}
	label = append(label, d.Charset...)
	if cs := d.sets.get(label); cs != nil {
		return cs
	}
	if like, ok := mailCharsets[strings.ToLower(d.Charset)]; ok {
		return d.sets.get([]byte(like))
	}
	return nil
}

// mailCharsets are labels that the Encoding Standard does not know and mail has,
// of charsets in which a byte of markup can be part of another character: read
// as ASCII with something more, they would be edited in the wrong places. Each has
// the label of the one that it is read as.
var mailCharsets = map[string]string{
	"iso-2022-jp-1":     "iso-2022-jp",
	"iso-2022-jp-3":     "iso-2022-jp",
	"iso-2022-jp-2004":  "iso-2022-jp",
	"iso-2022-jp-ms":    "iso-2022-jp",
	"cp50220":           "iso-2022-jp",
	"cp50221":           "iso-2022-jp",
	"cp50222":           "iso-2022-jp",
	"iso-2022-jp-2":     "replacement",
	"utf-7":             "replacement",
	"utf7":              "replacement",
	"unicode-1-1-utf-7": "replacement",
	"csunicode11utf7":   "replacement",
	"utf-32":            "replacement",
	"utf-32le":          "replacement",
	"utf-32be":          "replacement",
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
	d.named = d.findCharset()
	switch cs := d.named; {
	case cs == nil:
	case cs.opaque:
		d.problem(0, "unsupported-charset")
	case cs.wide != narrow:
		d.decodeWide(cs.wide)
		return d.whole.Data, &place{sheet: true, wide: cs.wide}
	case cs.shifts:
		d.decodeShifts()
		return d.whole.Data, nil
	}
	return d.Data, nil
}

// decodeChar appends the character at data[i] to dst, a byte that is not ASCII,
// and returns the offset after it. ok is false where it is none of the charset's
// and stands as U+FFFD. A nil cs is UTF-8.
func (cs *charset) decodeChar(dst, data []byte, i int) (out []byte, next int, ok bool) {
	if cs == nil {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return utf8.AppendRune(dst, r), i + subpart(data[i:]), false
		}
		return append(dst, data[i:i+n]...), i + n, true
	}
	if cs.single != nil {
		r := cs.single[data[i]]
		return utf8.AppendRune(dst, r), i + 1, r != utf8.RuneError
	}
	for n := 1; n <= 4 && i+n <= len(data); n++ {
		nDst, nSrc := cs.transform(data[i : i+n])
		if nSrc > 0 && bytes.HasPrefix(cs.buf[:nDst], replacement) {
			break
		}
		if nSrc > 0 {
			return append(dst, cs.buf[:nDst]...), i + nSrc, true
		}
	}
	return append(dst, replacement...), i + brokenLength(data[i:]), false
}

// brokenLength returns the length of the sequence at the start of b, which is
// none of a charset of several bytes: an ASCII byte does not belong to it.
func brokenLength(b []byte) int {
	if len(b) > 1 && b[1] >= 0x80 {
		return 2
	}
	return 1
}

// transform decodes the character at the start of src into cs.buf. Both results
// are 0 where src is too short for one.
func (cs *charset) transform(src []byte) (nDst, nSrc int) {
	cs.dec.Reset()
	nDst, nSrc, _ = cs.dec.Transform(cs.buf[:], src, false)
	return nDst, nSrc
}

// singleByte returns the characters of a charset that has one for each byte, else nil.
func singleByte(cs *charset) *[256]rune {
	table := new([256]rune)
	for c := 0x80; c < 0x100; c++ {
		nDst, nSrc := cs.transform([]byte{byte(c)})
		if nSrc == 0 {
			return nil
		}
		table[c], _ = utf8.DecodeRune(cs.buf[:nDst])
		if table[c] == utf8.RuneError && isControl(cs.name, rune(c)) {
			table[c] = rune(c)
		}
	}
	return table
}

// isControl reports whether the byte of the value of r is that control character
// in a charset where x/text has none: the Encoding Standard leaves no hole in
// the first quarter of the upper half of the windows charsets.
func isControl(name string, r rune) bool {
	return 0x80 <= r && r <= 0x9f && strings.HasPrefix(name, "windows-")
}

var replacement = []byte("\ufffd")

// subpart returns the length of the maximal subpart of the ill-formed UTF-8
// sequence at the start of b (Unicode 15, table 3-7), which becomes one U+FFFD.
func subpart(b []byte) int {
	low, high := byte(0x80), byte(0xbf)
	need := 0
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf:
		need = 1
	case 0xe0 <= c && c <= 0xef:
		need = 2
		low, high = first(c == 0xe0, 0xa0, low), first(c == 0xed, 0x9f, high)
	case 0xf0 <= c && c <= 0xf4:
		need = 3
		low, high = first(c == 0xf0, 0x90, low), first(c == 0xf4, 0x8f, high)
	}
	n := 1
	for ; n <= need && n < len(b) && low <= b[n] && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}

func first(is bool, a, b byte) byte {
	if is {
		return a
	}
	return b
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
		text, next, ok := f.charset().decodeChar(buf[:0], data, i)
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

func ascii(b []byte) bool { return asciiLength(b) == len(b) }
