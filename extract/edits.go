package extract

import "slices"

// Edits appends the edits of all links of d that must be rewritten, in the order that [Apply]
// requires. These links are Resolved and not ListOnly; the fields of r can add others. The caller
// owns the edits and their bytes.
func (r *Resolver) Edits(dst []Edit, d *Doc) []Edit {
	first := len(dst)
	r.start(d)
	skipWeb := !r.dropping.on && !r.Normalize // URLs of the web stay unchanged
	w := editWriter{edits: dst, text: r.chunks.edits}
	var res result
	for i := range d.in.Refs.Kept {
		k := &d.in.Refs.Kept[i]
		if skipWeb && isWeb(d.in.Refs.Value(k)) {
			continue
		}
		r.settle(&res, k)
		if res.drop {
			w.edits = d.appendDrop(w.edits, k.Start)
		} else if res.change {
			uri := unslashed(res.shape, res.value, res.uri)
			w.edit(Span(k.Span), res.shape.Context.Append(w.room(2*len(res.uri)), uri))
		}
	}
	r.chunks.edits = w.text[len(w.text):]
	if r.dropping.on {
		slices.SortStableFunc(w.edits[first:], Edit.Compare)
	}
	return w.edits
}

// AppendEdits appends the edits of l. It appends nothing if l.Change is false. Otherwise it appends
// one edit that writes l.URI, or the edits that remove the href of a BASE. Call it before r is used
// for another document. The caller owns the edits.
func (r *Resolver) AppendEdits(dst []Edit, l *Link) []Edit {
	switch {
	case !l.Change:
		return dst
	case l.Drop:
		return r.doc.appendDrop(dst, l.Start)
	}
	return append(dst, l.Edit(l.URI))
}

// isWeb reports whether a reference begins like an absolute URL of the web.
func isWeb(v []byte) bool {
	return len(v) > len("https://") && v[0] == 'h' &&
		(string(v[:len("http://")]) == "http://" || string(v[:len("https://")]) == "https://")
}

// editWriter collects edits. It allocates the text of many edits at once.
type editWriter struct {
	edits []Edit
	text  []byte
}

// editChunk is the number of bytes that are allocated at once for the text of edits.
const editChunk = 8 << 10

// room returns an empty slice to which the text of an edit can be appended. It has room for n
// bytes, and for the quotes and escapes that most places need.
func (w *editWriter) room(n int) []byte {
	const more = 64
	if cap(w.text)-len(w.text) < n+more {
		w.text = make([]byte, 0, max(editChunk, n+more))
	}
	return w.text[len(w.text):]
}

// edit adds an edit. Its text was appended to the slice that room returned.
func (w *editWriter) edit(at Span, text []byte) {
	if n := len(w.text) + len(text); n <= cap(w.text) {
		w.text = w.text[:n]
	}
	w.edits = append(w.edits, Edit{at, text[:len(text):len(text)]})
}
