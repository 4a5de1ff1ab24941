package charset

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

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

// Mail returns the encoding with a label that mail has and the standard lacks; nil for other
// labels. In these charsets a byte of markup can be part of another character: read as ASCII
// with something more, they would be edited in the wrong places.
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

// Finder finds the charsets of documents, one after the other, and keeps those that it has
// met. Their decoders have a state: a Finder is not safe for concurrent use, and neither is
// what it returns. The zero Finder is ready.
type Finder struct {
	Conflict bool // what Find was given last names two charsets, and is not ASCII

	known   map[string]*Encoding // by label as written
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
)

// Trim gives back the memory that an uncommonly large document took.
func (f *Finder) Trim() {
	if cap(f.scratch) > mostScratch {
		f.scratch = nil
	}
}

// get returns the charset with a label, nil if there is none.
func (f *Finder) get(label []byte) *Encoding {
	if e, ok := f.known[string(label)]; ok {
		return e
	}
	e := Get(string(label))
	if len(label) > longestKept {
		return e
	}
	if f.known == nil || len(f.known) >= mostKept {
		f.known = make(map[string]*Encoding)
	}
	f.known[string(label)] = e
	return e
}

// inside returns the charset with a label that stands in the document itself: it could not
// have been read in UTF-16. nil if there is none.
func (f *Finder) inside(label []byte) *Encoding {
	e := f.get(label)
	if e != nil && e.wide() {
		return f.get(labelUTF8)
	}
	return e
}

// transport returns the charset that the transport names, nil if it is unknown.
func (f *Finder) transport(label string) *Encoding {
	var buf [64]byte
	if e := f.get(append(buf[:0], label...)); e != nil {
		return e
	}
	return Mail(label)
}
