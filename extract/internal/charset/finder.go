package charset

import (
	"slices"
	"strings"
)

// Finder finds the charsets of documents, one after the other, and keeps those that it has
// met. Their decoders have a state: a Finder is not safe for concurrent use, and neither is
// what it returns. The zero Finder is ready.
type Finder struct {
	// the next documents are parts of messages: names of mail count too, and a charset that is not
	// known is not guessed
	Mail     bool
	Conflict bool // what Find was given last names two charsets, and is not ASCII

	known   map[string]*Encoding // by label as written
	mail    map[string]*Encoding // likewise, by names of mail
	strange []byte               // the first label in the document at hand that names no charset; nil if there is none
	scratch []byte               // decoded values of a tag that may declare a charset
}

// What a Finder keeps is bounded, for the sake of hostile documents.
const (
	mostKept    = 4096    // labels
	longestKept = 256     // bytes of one
	mostScratch = 4 << 20 // bytes
)

var (
	labelUTF8    = []byte("utf-8")
	labelUTF16LE = []byte("utf-16le")
	labelUTF16BE = []byte("utf-16be")
	labelLatin   = []byte("windows-1252")

	labelASCII = "us-ascii"

	labelReplacement = []byte("replacement")
)

// Trim gives back the memory that an uncommonly large document took.
func (f *Finder) Trim() {
	if cap(f.scratch) > mostScratch {
		f.scratch = nil
	}
}

// get returns the charset with a label of the standard, nil if there is none.
func (f *Finder) get(label []byte) *Encoding { return kept(&f.known, label, Get) }

// named returns the charset with a label, or in a message with a name of mail; nil if there
// is none.
func (f *Finder) named(label []byte) *Encoding {
	if f.Mail {
		return kept(&f.mail, label, Mail)
	}
	return f.get(label)
}

// kept returns the charset that find has for a label, and keeps it in known.
func kept(known *map[string]*Encoding, label []byte, find func(string) *Encoding) *Encoding {
	if e, ok := (*known)[string(label)]; ok {
		return e
	}
	e := find(string(label))
	if len(label) > longestKept {
		return e
	}
	if *known == nil || len(*known) >= mostKept {
		*known = make(map[string]*Encoding)
	}
	(*known)[string(label)] = e
	return e
}

// inside returns the charset with a label that stands in the document itself: it could not
// have been read in UTF-16 or UTF-32. nil if there is none.
func (f *Finder) inside(label []byte) *Encoding {
	e := f.named(label)
	switch {
	case e == nil && len(label) > 0 && f.strange == nil:
		f.strange = label
	case e != nil && e.unlikeASCII():
		return f.get(labelUTF8)
	}
	return e
}

// transport returns the charset that the transport names, nil if it is unknown.
func (f *Finder) transport(label string) *Encoding {
	var buf [64]byte
	b := append(buf[:0], label...)
	e := f.named(b)
	if e != nil || f.Mail || !slices.Contains(pageNames, strings.ToLower(label)) {
		return e
	}
	e = kept(&f.mail, b, Mail)
	if e.Form == Listed {
		return f.get(labelReplacement)
	}
	return e
}

// pageNames are names of mail that count for pages too. In these charsets a byte of markup can
// be part of another character: read as ASCII with something more, pages would be edited in
// the wrong places.
var pageNames = []string{
	"iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-2004",
	"iso-2022-jp-ms", "cp50220", "cp50221", "cp50222",
	"utf-7", "utf7", "unicode-1-1-utf-7", "csunicode11utf7", "utf-32", "utf-32le", "utf-32be",
}
