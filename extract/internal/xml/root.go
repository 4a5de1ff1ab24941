package xml

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// Root is the first element of a document that may be XML. It decides the format.
type Root struct {
	Declared  bool // there is an XML declaration
	Local     string
	Space     place.Vocabulary // place.OtherSpace if the name of the namespace contains references
	Spaced    bool             // the element is in a namespace
	RSS       bool             // it declares a namespace of RSS 1.0
	Mentioned bool             // text follows the tag, as in "<rss> is a format", and no XML declaration precedes it
}

// RootOf reads the start of a document up to its first start tag. Only white space, comments,
// instructions and the document type declaration may precede it. Without such a tag, RootOf returns
// a zero Root, but sets Declared.
func RootOf(head []byte) (r Root) {
	head = bytes.TrimLeft(head, blanks)
	r.Declared = bytes.HasPrefix(head, []byte("<?xml"))
	var s markup.Scanner
	s.Reset(head)
	for end := 0; ; end = s.End {
		kind := s.NextXML()
		if kind == markup.EOF || !isBlank(head[end:s.Start]) {
			return r
		}
		switch kind {
		case markup.StartTag:
			r.read(&s, head)
			rest := bytes.TrimLeft(head[s.End:], blanks)
			r.Mentioned = !r.Declared && len(rest) > 0 && rest[0] != '<'
			return r
		case markup.EndTag, markup.CDATA:
			return r
		}
	}
}

// blanks are the bytes that may precede a document.
const blanks = "\t\n\f\r "

func isBlank(b []byte) bool { return len(bytes.TrimLeft(b, blanks)) == 0 }

// read notes the start tag that s scanned.
func (r *Root) read(s *markup.Scanner, head []byte) {
	prefix, local := split(head[s.NameStart:s.NameEnd])
	r.Local = string(local)
	r.Space = place.Usual(prefix)
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

// In reports whether the root is in the namespace v. sure reports whether the document is known to
// be XML; then a root without a namespace counts too.
func (r *Root) In(v place.Vocabulary, sure bool) bool {
	return r.Space == v || r.Space == place.NoSpace && sure
}
