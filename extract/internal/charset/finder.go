package charset

import (
	"slices"
	"strings"
)

// Finder finds the charsets of documents, one after the other, and keeps the charsets. Their
// decoders have a state, so a Finder and the encodings that it returns are not safe for concurrent
// use. The zero Finder is ready.
type Finder struct {
	// Mail means that the next documents are parts of messages: names of mail count too, and an
	// unknown charset is not guessed.
	Mail     bool
	Conflict bool // the last document given to Find names two charsets and is not ASCII
	Marked   bool // the charset of that document is the one of its byte order mark

	byLabel    map[string]*Encoding // by label of the standard, as written
	byMailName map[string]*Encoding // by name of mail, as written
	unknown    []byte               // the first unknown label in the current document, or nil
	scratch    []byte               // decoded values of a tag that may declare a charset
}

// A Finder limits its memory, because documents can be hostile.
const (
	maxCached  = 4096    // labels
	maxLabel   = 256     // bytes of a label
	maxScratch = 4 << 20 // bytes
)

var (
	labelUTF8    = []byte("utf-8")
	labelUTF16LE = []byte("utf-16le")
	labelUTF16BE = []byte("utf-16be")
	labelLatin   = []byte("windows-1252")

	labelASCII = "us-ascii"

	labelReplacement = []byte("replacement")
)

// Trim releases the memory that an unusually large document took.
func (f *Finder) Trim() {
	if cap(f.scratch) > maxScratch {
		f.scratch = nil
	}
}

// lookUp returns the charset with a label of the standard, or nil.
func (f *Finder) lookUp(label []byte) *Encoding { return cached(&f.byLabel, label, Get) }

// lookUpName returns the charset with a label, or nil. In a message the names of mail count too.
func (f *Finder) lookUpName(label []byte) *Encoding {
	if f.Mail {
		return cached(&f.byMailName, label, Mail)
	}
	return f.lookUp(label)
}

// cached returns the charset for a label from known. If known does not have the label, cached calls
// find and stores the result.
func cached(known *map[string]*Encoding, label []byte, find func(string) *Encoding) *Encoding {
	if e, ok := (*known)[string(label)]; ok {
		return e
	}
	e := find(string(label))
	if len(label) > maxLabel {
		return e
	}
	if *known == nil || len(*known) >= maxCached {
		*known = make(map[string]*Encoding)
	}
	(*known)[string(label)] = e
	return e
}

// fromDocument returns the charset for a label in the document itself, or nil. A label of UTF-16 or
// UTF-32 means UTF-8, because in UTF-16 or UTF-32 the label could not have been read. The first
// unknown label is kept in f.unknown.
func (f *Finder) fromDocument(label []byte) *Encoding {
	e := f.lookUpName(label)
	switch {
	case e == nil && len(label) > 0 && f.unknown == nil:
		f.unknown = label
	case e != nil && e.UnlikeASCII():
		return f.lookUp(labelUTF8)
	}
	return e
}

// fromTransport returns the charset that the transport names, or nil if it is unknown.
func (f *Finder) fromTransport(label string) *Encoding {
	var buf [64]byte
	b := append(buf[:0], label...)
	e := f.lookUpName(b)
	if e != nil || f.Mail || !slices.Contains(pageNames, strings.ToLower(label)) {
		return e
	}
	e = cached(&f.byMailName, b, Mail)
	if e.Form == Listed {
		return f.lookUp(labelReplacement)
	}
	return e
}

// pageNames are names of mail that also count for pages. In these charsets a markup byte can be
// part of another character. Without this list such a page would be read as an extension of ASCII
// and edited in the wrong places.
var pageNames = []string{
	"iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-2004",
	"iso-2022-jp-ms", "cp50220", "cp50221", "cp50222",
	"utf-7", "utf7", "unicode-1-1-utf-7", "csunicode11utf7", "utf-32", "utf-32le", "utf-32be",
}
