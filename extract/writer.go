package extract

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve"
)

// Nearly all references that are edited are plain ones (resolve.Base.Plain) which are the
// whole value of an attribute in quotes, and are resolved. What is written for one is the
// reference with a prefix, in which nothing but a '&' is to be escaped; no Link need be
// made of it. What is left as it is, mostly URLs of the web and fragments, is passed over
// in the same way.

// Edits appends the edits of all links of d that are to be rewritten, in document
// order: those that are Resolved, but for those that are ListOnly, and what the
// fields of r add. They stay as they are when r goes on with another document.
func (r *Resolver) Edits(dst []Edit, d *Doc) []Edit {
	first := len(dst)
	r.start(d)
	easy := !r.drops && !r.Normalize
	w := editWriter{edits: dst, text: r.room}
	for i := range d.in.Refs.Kept {
		k := &d.in.Refs.Kept[i]
		if v := d.in.Refs.Value(k); easy && (isWeb(v) || r.easy(&w, k, v)) {
			continue
		}
		var l Link
		d.ref(&l.Ref, i)
		if r.judge(&l); l.Drop {
			w.edits = r.AppendEdits(w.edits, &l)
		} else if l.Change {
			w.edit(l.Span, l.context().Append(w.room(2*len(l.URI)), l.URI))
		}
	}
	r.room = w.text[len(w.text):]
	if r.drops {
		SortEdits(w.edits[first:])
	}
	return w.edits
}

// easy adds the edit of a kept reference with a value, if it is to be edited. It reports
// false where it cannot tell. What is absolute is to be left alone, and so is a BASE, which
// is none of the easy ones.
func (r *Resolver) easy(w *editWriter, k *ref.Kept, value []byte) bool {
	shape := &r.doc.in.Refs.Shapes[k.Shape]
	if !shape.Easy {
		return false
	}
	v := text.Stripped(value)
	s := r.scope(shape.Layer, shape.UTF8)
	p, ok := s.base.Plain(v)
	switch {
	case !ok:
		return false
	case p.Form == resolve.Absolute:
		return true
	case p.Form == resolve.SameDocument:
		return !r.Fragments
	case !s.free || r.InMessage != nil || suspectPlain(shape, v):
		return false
	}
	text := append(w.room(len(p.Prefix)+2*len(v)+len(p.Suffix)), p.Prefix...)
	if bytes.IndexByte(v, '&') < 0 {
		text = append(text, v...)
	} else {
		text = escape.AppendAttribute(text, v, shape.Context.Quote)
	}
	w.edit(k.Span, append(text, p.Suffix...))
	return true
}

// isWeb reports whether a reference begins as an absolute URL of the web does.
func isWeb(v []byte) bool {
	return len(v) > len("https://") && v[0] == 'h' &&
		(string(v[:len("http://")]) == "http://" || string(v[:len("https://")]) == "https://")
}

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
func (w *editWriter) edit(at text.Span, text []byte) {
	if n := len(w.text) + len(text); n <= cap(w.text) {
		w.text = w.text[:n]
	}
	w.edits = append(w.edits, Edit{at, text[:len(text):len(text)]})
}
