package charset

import (
	"slices"
	"strings"
)

// Finder finds the charsets of documents, one after the other, and keeps the charsets. Their
// decoders have a state, so a Finder and the encodings that it returns are not safe for concurrent
// use. The zero Finder is ready.
type Finder struct {
	// the next documents are parts of messages: names of mail count too, and an unknown charset is
	// not guessed
	Mail     bool
	Conflict bool // the last document given to Find names two charsets and is not ASCII

	known   map[string]*Encoding // by label as written
	mail    map[string]*Encoding // by names of mail, as written
	unknown []byte               // the first unknown label in the current document, or nil
	scratch []byte               // decoded values of a tag that may declare a charset
}

// A Finder keeps a limited amount of data, because documents can be hostile.
const (
	mostKept    = 4096    // labels
	longestKept = 256     // bytes of a label
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

// Trim releases the memory that an unusually large document took.
func (f *Finder) Trim() {
	if cap(f.scratch) > mostScratch {
		f.scratch = nil
	}
}

// get returns the charset with a label of the standard, or nil.
func (f *Finder) get(label []byte) *Encoding { return kept(&f.known, label, Get) }

// named returns the charset with a label, or nil. In a message the names of mail count too.
func (f *Finder) named(label []byte) *Encoding {
	if f.Mail {
		return kept(&f.mail, label, Mail)
	}
	return f.get(label)
}

// kept returns the charset for a label from known. If it is missing, kept calls find and stores the
// result.
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

// inside returns the charset with a label in the document itself, or nil. A label of UTF-16 or
// UTF-32 means UTF-8, because it could not have been read otherwise.
func (f *Finder) inside(label []byte) *Encoding {
	e := f.named(label)
	switch {
	case e == nil && len(label) > 0 && f.unknown == nil:
		f.unknown = label
	case e != nil && e.unlikeASCII():
		return f.get(labelUTF8)
	}
	return e
}

// transport returns the charset that the transport names, or nil if it is unknown.
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

// pageNames are names of mail that also count for pages. In these charsets a markup byte can be
// part of another character. Without this list such a page would be read as an extension of ASCII
// and edited in the wrong places.
var pageNames = []string{
	"iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-2004",
	"iso-2022-jp-ms", "cp50220", "cp50221", "cp50222",
	"utf-7", "utf7", "unicode-1-1-utf-7", "csunicode11utf7", "utf-32", "utf-32le", "utf-32be",
}
