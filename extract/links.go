package extract

import (
	"bytes"
	"iter"

	"absolink/base"
	"absolink/extract/internal/ref"
)

// Links yields the links of d in document order. d is read anew each time the sequence is
// ranged over, and must not change meanwhile; r must not be used for another document
// until it ends.
func (r *Resolver) Links(d *Doc) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		r.start(d)
		var o result
		for i := range d.in.Refs.Kept {
			var l Link
			d.ref(&l.Ref, i)
			r.settle(&o, &d.in.Refs.Kept[i])
			if r.fill(&l, &o); !yield(l) {
				return
			}
		}
	}
}

// start reads d, and forgets what r keeps of another document.
func (r *Resolver) start(d *Doc) {
	d.find()
	r.doc = d
	r.keepScopes()
	if r.drops = false; r.BaseElement == DropBase {
		r.startDrop()
	}
	r.standard = !r.drops && !r.Normalize && !r.Fragments
}

// fill fills in what became of the reference in l.
func (r *Resolver) fill(l *Link, o *result) {
	l.Status, l.URI, l.Base, l.From, l.Change, l.Drop, l.Err = o.status, o.uri, o.base, o.from, o.change, o.drop, o.err
	if r.warn(o); len(r.warnings) > 0 {
		l.Warnings = r.warnings
	}
}

// warn sets r.warnings to those of a reference.
func (r *Resolver) warn(o *result) {
	r.warnings = r.warnings[:0]
	if !o.plain || !o.shape.Plain {
		r.warnOfPlace(o)
	}
	switch {
	case o.status == IdentifierRef || o.status == Suspect:
	case !o.plain:
		s := r.scope(o.shape.Layer, o.shape.UTF8)
		r.warnings = s.base.AppendWarnings(r.warnings, o.value, o.uri)
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

// warnOfPlace adds what is to be known of the place and the value of a reference.
func (r *Resolver) warnOfPlace(o *result) {
	s := o.shape
	if s.Broken {
		r.warnings = append(r.warnings, "invalid-utf8")
	}
	if s.Hyphen {
		r.warnings = append(r.warnings, "line-end-hyphen")
	}
	if s.Unclear {
		r.warnings = append(r.warnings, "unclear-end")
	}
	if s.NoScript {
		r.warnings = append(r.warnings, "base-in-noscript")
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
