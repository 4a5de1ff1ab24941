// Package charset reads and writes the charsets of the Encoding Standard, one character
// at a time, so that each keeps its place in the bytes. Errors take the bytes that
// they take in browsers: one byte more would swallow a quote.
//
// The tables are those of golang.org/x/text, and differences where these depart from the
// indexes of the standard. Where a sequence ends is decided here: x/text goes its own ways.
package charset

//go:generate go run generate.go
//go:generate go run generate.go -sample testdata/sample.tsv

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// Form says how text in a charset is looked at.
type Form uint8

const (
	ASCII    Form = iota // a byte of ASCII in markup is that character
	UTF8                 // the same
	UTF16LE              // two bytes are a unit
	UTF16BE              // the same
	Shifting             // ISO-2022-JP: escape sequences say what the bytes are
	Opaque               // the replacement encoding: nothing in it can be read
)

// Encoding is an encoding of the standard. It keeps a state and is not safe for concurrent
// use. The nil Encoding reads UTF-8.
type Encoding struct {
	Name string // lower case
	Form Form

	family   family
	single   *[256]rune // of a charset with one byte for a character: the upper half
	dec, enc transform.Transformer
	decodes  []run    // what dec has otherwise, in order of the bytes
	encodes  []run    // what enc has otherwise, in order of the characters
	sets     bool     // ISO-2022-JP of mail, with escape sequences of more character sets
	buf      [16]byte // scratch
}

// family says how bytes become sequences.
type family uint8

const (
	pairs    family = iota // Big5 and EUC-KR
	shiftJIS               // with single bytes of katakana
	eucJP                  // with three bytes behind 8F
	gb                     // GBK and gb18030, with four bytes
)

// difference is what one charset has otherwise than golang.org/x/text.
type difference struct {
	name           string
	decode, encode []run
}

// run is n characters from r on, which are bytes one after the other as well: a big-endian
// number without zeros before it, 0 = the character has none.
type run struct {
	bytes uint32
	r     rune
	n     uint32
}

// Get returns the encoding with a label of the standard, nil if there is none.
func Get(label string) *Encoding {
	enc, err := htmlindex.Get(strings.Trim(label, "\t\n\f\r "))
	if err != nil {
		return nil
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return nil
	}
	e := &Encoding{Name: name, Form: forms[name]}
	switch e.Form {
	case ASCII, Shifting:
		e.setTables()
	}
	return e
}

// Mail returns the encoding with a label that the standard does not know and mail has, of
// charsets in which a byte of markup can be part of another character: read as ASCII with
// something more, they would be edited in the wrong places. nil if it is none of them.
func Mail(label string) *Encoding {
	switch strings.ToLower(label) {
	case "iso-2022-jp-1", "iso-2022-jp-3", "iso-2022-jp-2004", "iso-2022-jp-ms", "cp50220", "cp50221", "cp50222":
		e := Get("iso-2022-jp")
		e.sets = true
		return e
	case "iso-2022-jp-2", "utf-7", "utf7", "unicode-1-1-utf-7", "csunicode11utf7", "utf-32", "utf-32le", "utf-32be":
		return Get("replacement")
	}
	return nil
}

var forms = map[string]Form{
	"utf-8": UTF8, "utf-16le": UTF16LE, "utf-16be": UTF16BE, "iso-2022-jp": Shifting, "replacement": Opaque,
}

// setTables sets what characters are looked up with. ISO-2022-JP has those of EUC-JP, and
// GBK is read as gb18030 is.
func (e *Encoding) setTables() {
	reads, writes := e.Name, e.Name
	switch e.Name {
	case "gbk", "gb18030":
		e.family, reads = gb, "gb18030"
	case "shift_jis":
		e.family = shiftJIS
	case "euc-jp", "iso-2022-jp":
		e.family, reads, writes = eucJP, "euc-jp", "euc-jp"
	}
	from, _ := htmlindex.Get(reads)
	to, _ := htmlindex.Get(writes)
	e.dec, e.enc = from.NewDecoder().Transformer, to.NewEncoder().Transformer
	for i := range differences {
		d := &differences[i]
		if d.name == reads {
			e.decodes = d.decode
		}
		if d.name == e.Name {
			e.encodes = d.encode
		}
	}
	switch e.Name {
	case "big5", "euc-jp", "euc-kr", "gb18030", "gbk", "iso-2022-jp", "shift_jis":
	default:
		e.single = e.singles()
	}
}

// singles returns the characters of the upper half of the bytes. Where x/text has a hole
// in its first quarter the standard has the control character of the same number.
func (e *Encoding) singles() *[256]rune {
	all := new([256]rune)
	for c := 0x80; c < 0x100; c++ {
		all[c] = utf8.RuneError
		if b, ok := e.lookup([]byte{byte(c)}); ok {
			all[c], _ = utf8.DecodeRune(b)
		} else if c < 0xa0 {
			all[c] = rune(c)
		}
	}
	return all
}
