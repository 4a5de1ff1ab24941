package extract

import (
	"bytes"
	"iter"
	"slices"

	"absolink/base"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Links yields the links of the page that was retrieved from url, in document order. They can be
// kept as long as page does not change. url must be absolute; if it is "", only a BASE of the page
// gives a base. A page that [Detect] does not recognise is read as HTML. For everything else, see
// [Doc] and [Resolver].
func Links(page []byte, url string) iter.Seq[Link] {
	d := &Doc{Format: Detect(page, ""), Data: page}
	if d.Format == Unknown {
		d.Format = HTML
	}
	if url != "" {
		d.Layer = &base.Layer{Source: base.URL, Value: url}
	}
	return func(yield func(Link) bool) {
		own, r := *d, Resolver{} // new each time, so that earlier links stay valid
		r.Links(&own)(yield)
	}
}

// Links yields the links of d in document order. Each range over the sequence reads d again. d must
// not change meanwhile, and r must not be used for another document until the range ends. A link is
// valid as long as its [Ref]: until d is read again or Reset.
func (r *Resolver) Links(d *Doc) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		r.start(d)
		defer r.chunks.next() // nothing may overwrite the URI of the last link
		var res result
		l, shape := Link{}, none
		for i := range d.in.Refs.Kept {
			shape = d.ref(&l.Ref, i, shape)
			r.chunks.next()
			r.settle(&res, &d.in.Refs.Kept[i])
			r.fill(&l, &res)
			if !yield(l) {
				return
			}
		}
	}
}

// A chunk holds the URIs of many links. The next link uses the rest of the chunk.
const (
	uriChunk = 4 << 10
	uriRoom  = 256 // bytes that are enough for nearly all URIs

	warningChunk, warningRoom = 64, 4
)

// next empties the URI and the warnings, and gives them memory that no link uses.
func (c *chunks) next() {
	c.uri = rest(c.uri, uriRoom, uriChunk)
	c.warnings = rest(c.warnings, warningRoom, warningChunk)
}

// rest returns the empty slice after s. If it has room for fewer than room elements, rest returns a
// new slice with room for size elements.
func rest[T any](s []T, room, size int) []T {
	if cap(s)-len(s) < room {
		return make([]T, 0, size)
	}
	return s[len(s):]
}

// start reads d, and drops the data of r for other documents.
func (r *Resolver) start(d *Doc) {
	d.find()
	r.doc = d
	r.keepScopes()
	r.unknown = d.in.Unknown()
	r.readOnly = d.in.ReadOnly()
	r.dropping.on = false
	r.lastPart = lastPart{}
	clear(r.detours.images)
	if r.BaseElement == DropBase {
		r.startDrop()
	}
	r.standard = !r.dropping.on && !r.Normalize && !r.Fragments
}

// fill copies the result of a reference to l.
func (r *Resolver) fill(l *Link, res *result) {
	l.Status = res.status
	l.URI = slices.Clip(res.uri)
	l.Base = res.scope.uri
	l.From = res.scope.from
	l.Change = res.change
	l.Drop = res.drop
	l.Err = res.err
	r.warn(res)
	if len(r.chunks.warnings) == 0 {
		l.Warnings = nil
	} else {
		l.Warnings = slices.Clip(r.chunks.warnings)
	}
}

// warn sets r.chunks.warnings to the warnings of a reference.
func (r *Resolver) warn(res *result) {
	r.chunks.warnings = r.chunks.warnings[:0]
	if !res.plain || !res.shape.Plain || r.doc.Cut || r.doc.in.Open {
		r.warnOfPlace(res)
	}
	switch {
	case res.status == IdentifierRef || res.status == Suspect:
	case !res.plain:
		r.chunks.warnings = res.scope.base.AppendWarnings(r.chunks.warnings, res.value, res.uri)
	case res.warning != "":
		r.chunks.warnings = append(r.chunks.warnings, res.warning)
	}
	if res.unwritable {
		r.chunks.warnings = append(r.chunks.warnings, "unwritable")
	}
	if isObject(res.shape) && r.readsOtherwise(res) {
		r.chunks.warnings = append(r.chunks.warnings, "codebase")
	}
}

// baseDoubts are the warnings for the bits of a ref.BaseDoubt, in their order.
var baseDoubts = [...]string{string(BaseInNoScript), string(BaseLate), string(BaseData), string(BaseRepeated)}

// warnOfPlace adds the warnings about the place and the value of a reference.
func (r *Resolver) warnOfPlace(res *result) {
	s := res.shape
	if s.Broken {
		r.chunks.warnings = append(r.chunks.warnings, "invalid-utf8")
	}
	if s.Hyphen {
		r.chunks.warnings = append(r.chunks.warnings, "line-end-hyphen")
	}
	if s.Unclear || (r.doc.Cut || r.doc.in.Open) && res.kept.End == len(r.doc.Data) {
		r.chunks.warnings = append(r.chunks.warnings, "unclear-end")
	}
	for i, name := range baseDoubts {
		if s.Doubt&(1<<i) != 0 {
			r.chunks.warnings = append(r.chunks.warnings, name)
		}
	}
	if r.doc.in.Conflict && !text.IsASCII(r.written(res)) {
		r.chunks.warnings = append(r.chunks.warnings, string(CharsetConflict))
	}
	if r.writes(res.status) && s.Context.CutsComma(res.uri) {
		// the parser would cut the comma off, so it is percent-encoded
		r.chunks.warnings = append(r.chunks.warnings, "srcset-comma")
	}
}

// writes reports whether the URI of a reference with that status may be written.
func (r *Resolver) writes(s Status) bool {
	return s == Resolved || s == AbsoluteRef && r.Normalize
}

// isObject reports whether r is the data attribute of an object element. HTML 4 resolves it against
// the codebase of the element; browsers do not.
func isObject(r *ref.Shape) bool { return r.Element == "object" && r.Attr == "data" }

// readsOtherwise reports whether browsers resolve a reference with a codebase to another URI.
func (r *Resolver) readsOtherwise(res *result) bool {
	layer := res.shape.Layer
	if res.status != Resolved || layer == nil || layer.Source != base.Codebase {
		return false
	}
	uri, err := r.scope(layer.Outer, res.shape.UTF8).base.Append(nil, res.value)
	return err != nil || !bytes.Equal(uri, res.uri)
}
