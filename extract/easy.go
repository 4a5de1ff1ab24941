package extract

import (
	"bytes"
	"strings"

	"absolink/resolve"
)

// Nearly all references that are edited are plain ones (resolve.Base.Plain) which are the
// whole value of an attribute in quotes, and are resolved. What is written for one is the
// reference with a prefix, in which nothing but a '&' is to be escaped; no Link need be
// made of it. What is left as it is, mostly URLs of the web and fragments, is passed over
// in the same way.

// isEasy reports whether references of a shape are edited like that where they are plain
// and relative. There is nothing to warn of in their places.
func (r *Ref) isEasy() bool {
	p := &r.place
	attribute := p.outer == nil && !p.xml && !p.sheet && !p.comment && p.roman == 0
	whole := p.list == single && p.token == noToken && p.bare == quoted && p.open == 0
	return attribute && whole && !r.Identifier && !r.ListOnly && !r.isObject()
}

// easy adds the edit of a kept reference with a value, if it is to be edited. It reports
// false where it cannot tell. What is absolute is to be left alone, and so is a BASE, which
// is none of the easy ones.
func (r *Resolver) easy(w *editWriter, k *kept, value []byte) bool {
	shape := &r.doc.refs.shapes[k.shape]
	if !shape.easy {
		return false
	}
	v := stripped(value)
	s := r.scope(shape.Layer, shape.utf8)
	p, ok := s.base.Plain(v)
	switch {
	case !ok:
		return false
	case p.Form == resolve.Absolute:
		return true
	case p.Form == resolve.SameDocument:
		return !r.Fragments
	case !s.free || r.InMessage != nil || shape.suspectPlain(v):
		return false
	}
	text := append(w.room(len(p.Prefix)+2*len(v)+len(p.Suffix)), p.Prefix...)
	if bytes.IndexByte(v, '&') < 0 {
		text = append(text, v...)
	} else {
		text = appendEscaped(text, v, shape.place.quote)
	}
	w.edit(k.Span, append(text, p.Suffix...))
	return true
}

// isWeb reports whether a reference begins as an absolute URL of the web does.
func isWeb(v []byte) bool {
	return len(v) > len("https://") && v[0] == 'h' &&
		(string(v[:len("http://")]) == "http://" || string(v[:len("https://")]) == "https://")
}

// isFree reports whether each byte of uri stands for itself in an attribute in quotes.
func isFree(uri string) bool { return !strings.ContainsAny(uri, "\"'&<>`") }

// editWriter collects edits. The text of many of them is allocated at once.
type editWriter struct {
	edits []Edit
	text  []byte
}

// editChunk is how many bytes are allocated for the text of edits at once.
const editChunk = 8 << 10

// room returns an empty slice that text is to be appended to, with room for that many
// bytes and what the place of a reference may add.
func (w *editWriter) room(n int) []byte {
	const more = 64
	if cap(w.text)-len(w.text) < n+more {
		w.text = make([]byte, 0, max(editChunk, n+more))
	}
	return w.text[len(w.text):]
}

// edit adds an edit whose text was appended to room.
func (w *editWriter) edit(at Span, text []byte) {
	if n := len(w.text) + len(text); n <= cap(w.text) {
		w.text = w.text[:n]
	}
	w.edits = append(w.edits, Edit{at, text[:len(text):len(text)]})
}
