package extract

import (
	"strings"

	"absolink/base"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
)

// On hosts of source code such as GitHub, the images of a document have another base than its
// links, and a path that begins with a slash starts at the root of the repository. Such references
// take a detour: they are resolved against a layer of their own.

// detours are the layers for references that take a detour.
type detours struct {
	image, root *base.Layer                 // nil until they are needed
	images      map[*base.Layer]*base.Layer // for a layer of the document: its copy whose outermost layer is image
	value       []byte                      // the reference that is resolved below the root
}

// isDetour reports whether a base of this source is only for references that take a detour.
func isDetour(s base.Source) bool { return s == base.ImageBase || s == base.RootBase }

// detour returns the layer of the base of a reference. If the reference is resolved below RootBase,
// res.value becomes a relative path.
func (r *Resolver) detour(res *result) *base.Layer {
	d := &r.detours
	s := res.shape
	v := res.value
	switch {
	case !s.Relative || s.Identifier:
	case r.RootBase != "" && len(v) > 0 && v[0] == '/' && !(len(v) > 1 && (v[1] == '/' || v[1] == '\\')):
		uri := strings.TrimSuffix(r.RootBase, "/") + "/"
		if d.root == nil || d.root.Value != uri {
			d.root = &base.Layer{Source: base.RootBase, Value: uri}
		}
		d.value = append(append(d.value[:0], '.'), v...)
		res.value = d.value
		return d.root
	case r.ImageBase != "" && isImage(s):
		if d.image == nil || d.image.Value != r.ImageBase {
			d.image = &base.Layer{Source: base.ImageBase, Value: r.ImageBase}
		}
		return r.aroundImages(s.Layer)
	}
	return s.Layer
}

// isImage reports whether a reference is resolved against ImageBase.
func isImage(s *ref.Shape) bool {
	switch s.Element {
	case "image":
		return s.Attr == ""
	case "img", "source", "definition":
		return s.Kind == place.KindRes
	}
	return false
}

// aroundImages returns l with the layer of ImageBase in place of the layers around the document.
func (r *Resolver) aroundImages(l *base.Layer) *base.Layer {
	d := &r.detours
	if l == nil || l == r.doc.Layer {
		return d.image
	}
	if with, ok := d.images[l]; ok {
		return with
	}
	with := *l
	with.Outer = r.aroundImages(l.Outer)
	if d.images == nil {
		d.images = make(map[*base.Layer]*base.Layer)
	}
	d.images[l] = &with
	return &with
}
