package charset

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"absolink/extract/internal/text"
)

// Mail returns the encoding with a name of mail, or nil. Labels of the standard keep their meaning.
// Other names are compared without regard to case and to characters that are not letters or digits:
// "EUC_KR" names EUC-KR, and so does a private "x-euckr". HZ and ISO-2022-KR, which have the
// replacement encoding in the standard, have encodings of the form [Listed].
func Mail(label string) *Encoding {
	name := squeeze(label)
	e := Get(label)
	if e == nil || e.Form == Opaque {
		e = mailNamed(name)
	}
	if e != nil {
		e.isASCII = slices.Contains(asciiNames, name)
		return e
	}
	private := strings.TrimLeft(label, "\t\n\f\r \"'<")
	if len(private) < 2 || private[0]|0x20 != 'x' || private[1] != '-' && private[1] != '_' {
		return nil
	}
	return mailNamed(squeeze(private[2:]))
}

// asciiNames are the names of US-ASCII in IANA's registry and in Python, squeezed. The standard
// reads them as windows-1252.
var asciiNames = []string{
	"usascii", "ascii", "us", "646", "ansix341968", "ansix341986", "iso646us", "iso646irv1991",
	"isoir6", "csascii", "cp367", "ibm367",
}

// squeeze returns the letters and digits of a name, in lower case. It returns "" if the name
// contains a character outside of ASCII.
func squeeze(name string) string {
	b := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b = append(b, c)
		case c >= 0x80:
			return ""
		}
	}
	return string(b)
}

// mailNamed returns the encoding with a squeezed name, or nil.
func mailNamed(name string) *Encoding {
	i, ok := slices.BinarySearchFunc(mailNames[:], name,
		func(n mailName, name string) int { return strings.Compare(n.name, name) })
	if !ok {
		return nil
	}
	switch e := mailNames[i].encoding; e {
	case "iso-2022-jp-1":
		sets := Get("iso-2022-jp")
		sets.moreSets = true
		return sets
	case "utf-7", "utf-32", "utf-32be", "utf-32le":
		return &Encoding{Name: e, Form: Listed}
	case "hz-gb-2312", "iso-2022-kr":
		listed := &Encoding{Name: e, Form: Listed}
		listed.setTables()
		return listed
	default:
		if page := codePages()[e]; page != nil {
			return newCodePage(e, page)
		}
		return Get(e)
	}
}

// codePages are encodings with one byte per character that the standard does not have.
var codePages = sync.OnceValue(func() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{
		"ibm437": charmap.CodePage437, "ibm850": charmap.CodePage850, "ibm852": charmap.CodePage852,
		"ibm855": charmap.CodePage855, "ibm00858": charmap.CodePage858, "ibm860": charmap.CodePage860,
		"ibm862": charmap.CodePage862, "ibm863": charmap.CodePage863, "ibm865": charmap.CodePage865,
	}
})

// newCodePage returns the encoding of a code page.
func newCodePage(name string, page encoding.Encoding) *Encoding {
	e := &Encoding{Name: name}
	e.decoder = page.NewDecoder().Transformer
	e.encoder = page.NewEncoder().Transformer
	e.single = e.singleBytes()
	return e
}

// newUnknown returns the encoding of text in an unknown charset. Its name comes from RFC 1428.
func newUnknown(label string) *Encoding {
	e := &Encoding{Name: "unknown-8bit", Form: Unknown, Label: label, single: new([256]rune)}
	for i := range e.single {
		e.single[i] = '\ufffd'
	}
	return e
}

// Unsure reports whether the characters of b are uncertain. This is so if the charset is unknown
// and a byte is not ASCII or belongs to a sequence that switches character sets (ECMA-35).
func (e *Encoding) Unsure(b []byte) bool {
	return e.Form == Unknown &&
		slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 || c == esc || c == shiftOut || c == shiftIn })
}

// InUTF8 converts b from the charset with a label to UTF-8. ok is false if the charset is unknown
// and b is not ASCII, or if b is not valid. In a charset that is decoded as a whole, invalid bytes
// become U+FFFD, and ok is true.
func InUTF8(b []byte, label string) (out []byte, ok bool) {
	e := Mail(label)
	listed := e != nil && e.Form == Listed // UTF-7 and HZ write other characters in ASCII
	switch {
	case text.IsASCII(b) && bytes.IndexByte(b, 0x1B) < 0 && !listed:
		return b, true // ASCII bytes are ASCII in all other charsets, except UTF-16, which headers cannot contain
	case e == nil || e.Form == Opaque:
		return nil, false
	case e.Form == UTF8:
		return b, utf8.Valid(b)
	}
	var t text.Text
	var s Switches
	if s.Decode(&t, b, e) {
		return t.Data, true
	}
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			out = append(out, b[i])
			i++
			continue
		}
		var valid bool
		out, i, valid = e.Append(out, b, i, true)
		if !valid {
			return nil, false
		}
	}
	return out, true
}
