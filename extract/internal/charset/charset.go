// Package charset reads and writes the charsets of the Encoding Standard.
//
// A [Finder] finds the charset of a document. An [Encoding] reads text one character at a time, so
// that the bytes of each character are known. An invalid sequence has the same length as in
// browsers: with one byte more, a quote would be lost. Documents in UTF-16 and ISO-2022-JP cannot
// be scanned directly; [Switches] decodes these documents as a whole.
//
// The tables come from golang.org/x/text, and in a browser from its TextDecoder. This package adds
// the differences between them and the indexes of the standard. It also finds the end of a sequence
// itself, because x/text does not follow the standard there.
//
// Mail has more encodings than the standard, and more names for each: see [Mail].
//
// Files in reading order: charset.go, tables.go (the differences), decode.go (one character),
// shift.go (ISO-2022-JP), wide.go (UTF-16), listed.go (encodings that are only read), whole.go
// (documents decoded as a whole), query.go (encoding), labels.go (encodings by their labels),
// stored.go and browser_js.go (their tables), names.go and mail.go (by the names in mail),
// finder.go (known encodings), prescan.go (meta elements), find.go (the charset of a document).
package charset

//go:generate go run generate.go
//go:generate go run generate.go -sample testdata/sample.tsv
//go:generate go run generatenames.go

import "golang.org/x/text/transform"

// Form is the method for reading text in a charset.
type Form uint8

const (
	ASCII    Form = iota // the bytes of markup, such as <, always mean these ASCII characters
	UTF8                 // UTF-8, which is also ASCII-compatible
	UTF16LE              // two bytes are a unit, the lower byte first
	UTF16BE              // two bytes are a unit, the higher byte first
	Shifting             // ISO-2022-JP: escape sequences set the meaning of the bytes
	Opaque               // the replacement encoding: its text cannot be read
	Listed               // an encoding of mail that is decoded as a whole and never written
	Unknown              // an unknown charset: ASCII is read, all other bytes are U+FFFD
)

// Encoding is an encoding of the standard, or an encoding that only mail has. It keeps a state and
// is not safe for concurrent use. The nil Encoding reads UTF-8.
type Encoding struct {
	Name  string // in lower case; the name of IANA's registry if the standard has none
	Form  Form
	Label string // the unknown name of an Unknown encoding, as it is written

	family           family
	single           *[256]rune // the upper half of a charset with one byte per character
	decoder, encoder transform.Transformer
	decodes          []run    // differences from decoder, in order of the bytes
	encodes          []run    // differences from encoder, in order of the characters
	moreSets         bool     // ISO-2022-JP of mail, with escape sequences for more character sets
	isASCII          bool     // the name means US-ASCII in a message, so no byte may be above 127
	buf              [16]byte // scratch
}

// family is the structure of the byte sequences of a charset.
type family uint8

const (
	pairs    family = iota // Big5 and EUC-KR
	shiftJIS               // with single bytes of katakana
	eucJP                  // with three-byte sequences that begin with 8F
	gb                     // GBK and gb18030, with sequences of four bytes
)

// difference has the differences of one charset from golang.org/x/text.
type difference struct {
	name           string
	decode, encode []run
}

// run is n consecutive characters from r on, whose encoded bytes are also consecutive. bytes has
// the bytes of r as a big-endian number, or 0 if the characters cannot be encoded.
type run struct {
	bytes uint32
	r     rune
	n     uint32
}
