package mime

import (
	"absolink/base"
	"absolink/extract"
)

// Doc returns the leaf as a document with its charset and its layers, the
// outermost in outer. Its Format is HTML for the media types of HTML and left
// to the caller else.
func (l *Leaf) Doc(outer *base.Layer) *extract.Doc {
	e := l.Entity
	d := &extract.Doc{Data: l.Data, Charset: e.Param("charset"), Layer: e.Layer(outer), Part: e.Section}
	if e.HTML() {
		d.Format = extract.HTML
	}
	return d
}
