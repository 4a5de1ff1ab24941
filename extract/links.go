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
// kept, as long as page does not change. url must be absolute; with "" only a BASE of the page
// gives a base. A page that [Detect] does not recognise is read as HTML. For everything else,
// see [Doc] and [Resolver].
func Links(page []byte, url string) iter.Seq[Link] {
	d := &Doc{Format: Detect(page, ""), Data: page}
	if d.Format == Unknown {
		d.Format = HTML
	}
	if url != "" {
		d.Layer = &base.Layer{Source: base.URL, Value: url}
	}
	return func(yield func(Link) bool) {
		own, r := *d, Resolver{} // each time anew, so that the links of before stay
		r.Links(&own)(yield)
	}
}

// Links yields the links of d in document order. d is read anew each time the sequence is
// ranged over, and must not change meanwhile; r must not be used for another document
// until it ends. Links can be kept as long as their [Ref], which is until d is read again or
// Reset.
func (r *Resolver) Links(d *Doc) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		r.start(d)
		var o result
		l, shape := Link{}, none
		for i := range d.in.Refs.Kept {
			shape = d.ref(&l.Ref, i, shape)
			r.makeRoom()
			r.settle(&o, &d.in.Refs.Kept[i])
			r.fill(&l, &o)
			if !yield(l) {
				return
			}
		}
	}
}

// A chunk holds the URIs of many links. The next link gets what the last one has left of it.
const (
	uriChunk = 4 << 10
	uriRoom  = 256 // bytes that nearly all URIs have room in

	warningChunk, warningRoom = 64, 4
)

// makeRoom makes r.uri and r.warnings empty, with memory that no link has.
func (r *Resolver) makeRoom() {
	r.uri = r.uri[len(r.uri):]
	if cap(r.uri) < uriRoom {
		r.uri = make([]byte, 0, uriChunk)
	}
	if n := len(r.warnings); n > 0 {
		r.warnings = r.warnings[n:]
		if cap(r.warnings) < warningRoom {
			r.warnings = make([]string, 0, warningChunk)
		}
	}
}

// start reads d, and forgets what r keeps of another document.
func (r *Resolver) start(d *Doc) {
	d.find()
	r.doc = d
	r.keepScopes()
	r.unknown = d.in.Unknown()
	r.readOnly = d.in.ReadOnly()
	r.drops = false
	if r.BaseElement == DropBase {
		r.startDrop()
	}
	r.standard = !r.drops && !r.Normalize && !r.Fragments
}

// fill fills in what became of the reference in l.
func (r *Resolver) fill(l *Link, o *result) {
	l.Status = o.status
	l.URI = slices.Clip(o.uri)
	l.Base = o.scope.uri
	l.From = o.scope.from
	l.Change = o.change
	l.Drop = o.drop
	l.Err = o.err
	r.warn(o)
	if len(r.warnings) == 0 {
		l.Warnings = nil
	} else {
		l.Warnings = slices.Clip(r.warnings)
	}
}

// warn sets r.warnings to those of a reference.
func (r *Resolver) warn(o *result) {
	r.warnings = r.warnings[:0]
	if !o.plain || !o.shape.Plain || r.doc.Cut || r.doc.in.Open {
		r.warnOfPlace(o)
	}
	switch {
	case o.status == IdentifierRef || o.status == Suspect:
	case !o.plain:
		r.warnings = o.scope.base.AppendWarnings(r.warnings, o.value, o.uri)
	case o.warning != "":
		r.warnings = append(r.warnings, o.warning)
	}
	if o.unwritable {
		r.warnings = append(r.warnings, "unwritable")
	}
	if isObject(o.shape) && r.readsOtherwise(o) {
		r.warnings = append(r.warnings, "codebase")
	}
}

// baseDoubts are the warnings for the bits of a ref.BaseDoubt, in their order.
var baseDoubts = [...]string{string(BaseInNoScript), string(BaseLate), string(BaseData), string(BaseRepeated)}

// warnOfPlace adds what is to be known of the place and the value of a reference.
func (r *Resolver) warnOfPlace(o *result) {
	s := o.shape
	if s.Broken {
		r.warnings = append(r.warnings, "invalid-utf8")
	}
	if s.Hyphen {
		r.warnings = append(r.warnings, "line-end-hyphen")
	}
	if s.Unclear || (r.doc.Cut || r.doc.in.Open) && o.kept.End == len(r.doc.Data) {
		r.warnings = append(r.warnings, "unclear-end")
	}
	for i, name := range baseDoubts {
		if s.Doubt&(1<<i) != 0 {
			r.warnings = append(r.warnings, name)
		}
	}
	if r.doc.in.Conflict && !text.IsASCII(r.written(o)) {
		r.warnings = append(r.warnings, string(CharsetConflict))
	}
	if r.writes(o.status) && s.Context.CutsComma(o.uri) {
		r.warnings = append(r.warnings, "srcset-comma") // its parser would cut it off: it is percent-encoded
	}
}

// writes reports whether the URI of a reference with that status may be written.
func (r *Resolver) writes(s Status) bool {
	return s == Resolved || s == AbsoluteRef && r.Normalize
}

// isObject reports whether r is what an object shows. HTML 4 resolves that against the
// codebase of the element, browsers do not.
func isObject(r *ref.Shape) bool { return r.Element == "object" && r.Attr == "data" }

// readsOtherwise reports whether browsers resolve a reference with a codebase to another URI.
func (r *Resolver) readsOtherwise(o *result) bool {
	layer := o.shape.Layer
	if o.status != Resolved || layer == nil || layer.Source != base.Codebase {
		return false
	}
	uri, err := r.scope(layer.Outer, o.shape.UTF8).base.Append(nil, o.value)
	return err != nil || !bytes.Equal(uri, o.uri)
}
