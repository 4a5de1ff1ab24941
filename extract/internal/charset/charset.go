// Package charset reads and writes the charsets of the Encoding Standard.
//
// A [Finder] says what the charset of a document is. An [Encoding] reads text one
// character at a time, so that each keeps its place in the bytes. Errors take the bytes
// that they take in browsers: one byte more would swallow a quote. What cannot be scanned
// as it is, UTF-16 and ISO-2022-JP, is decoded as a whole by [Switches].
//
// The tables are those of golang.org/x/text, and differences where these depart from the
// indexes of the standard. Where a sequence ends is decided here: x/text goes its own ways.
//
// In mail there are more encodings than in the standard, and more names of each: see [Mail].
//
// Files in reading order: charset.go, tables.go (the differences), decode.go (one
// character), shift.go (ISO-2022-JP), wide.go (UTF-16), listed.go (encodings that are only
// read), whole.go (documents decoded as a whole), query.go (what is written), labels.go
// (encodings by their labels), names.go and mail.go (by the names in mail), finder.go (those
// that were met), prescan.go (meta elements), find.go (what the charset of a document is).
package charset

//go:generate go run generate.go
//go:generate go run generate.go -sample testdata/sample.tsv
//go:generate go run generatenames.go

import "golang.org/x/text/transform"

// Form says how text in a charset is looked at.
type Form uint8

const (
	ASCII    Form = iota // a byte of ASCII in markup is that character
	UTF8                 // the same
	UTF16LE              // two bytes are a unit
	UTF16BE              // the same
	Shifting             // ISO-2022-JP: escape sequences say what the bytes are
	Opaque               // the replacement encoding: nothing in it can be read
	Listed               // an encoding of mail that is decoded as a whole and never written
	Unknown              // not known: ASCII is read, all other bytes are U+FFFD
)

// Encoding is an encoding of the standard, or one that only mail has. It keeps a state and is
// not safe for concurrent use. The nil Encoding reads UTF-8.
type Encoding struct {
	Name  string // lower case; by IANA's registry if the standard does not have it
	Form  Form
	Label string // of an Unknown encoding: the name that nobody knows, as it is written

	family   family
	single   *[256]rune // of a charset with one byte for a character: the upper half
	dec, enc transform.Transformer
	decodes  []run    // what dec has otherwise, in order of the bytes
	encodes  []run    // what enc has otherwise, in order of the characters
	sets     bool     // ISO-2022-JP of mail, with escape sequences of more character sets
	ascii    bool     // named as US-ASCII in a message, which has no bytes above 127
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
