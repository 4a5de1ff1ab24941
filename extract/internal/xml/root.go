package xml

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// Root is the first element of what may be XML, and so decides its format.
type Root struct {
	Declared bool // there is an XML declaration
	Local    string
	Space    place.Vocabulary // place.OtherSpace where the name of the namespace is written with references
	Spaced   bool             // it is in a namespace
	RSS      bool             // it declares a namespace of RSS 1.0
}

// RootOf reads the start of a document up to its first start tag. It returns the zero Root,
// but for Declared, if there is none.
func RootOf(head []byte) (r Root) {
	head = bytes.TrimLeft(head, "\t\n\f\r ")
	r.Declared = bytes.HasPrefix(head, []byte("<?xml"))
	var s markup.Scanner
	s.Reset(head)
	for {
		switch s.NextXML() {
		case markup.EOF:
			return r
		case markup.StartTag:
			r.read(&s, head)
			return r
		}
	}
}

// read notes the start tag that s scanned.
func (r *Root) read(s *markup.Scanner, head []byte) {
	prefix, local := split(head[s.NameStart:s.NameEnd])
	r.Local, r.Space = string(local), place.Usual(prefix)
	for _, a := range s.Attrs {
		own, other := split(head[a.NameStart:a.NameEnd])
		if string(own) != "xmlns" && string(other) != "xmlns" {
			continue
		}
		v, known := place.VocabularyOf(head[a.Start:a.End])
		if !known {
			v = place.OtherSpace
		}
		r.RSS = r.RSS || v == place.RSSSpace
		if string(own) == "xmlns" && bytes.Equal(other, prefix) || prefix == nil && own == nil {
			r.Space, r.Spaced = v, true
		}
	}
}

// In reports whether the root is in the namespace v. With sure, which says that the document
// is XML for other reasons, a root without a namespace counts too.
func (r *Root) In(v place.Vocabulary, sure bool) bool {
	return r.Space == v || r.Space == place.NoSpace && sure
}
