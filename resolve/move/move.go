// Package move tells where a URI leads after a site has moved, and how the documents of the
// site then refer to each other.
//
// A [Map] has rules, each of which maps a prefix of absolute URIs to another one. An [Area]
// is what belongs to the site after the move. A [Form] is how a reference to what lies in
// the area is written. A [Site] is all three, and a [Page] one of its documents:
//
//	var s move.Site
//	err := s.Map.Add("http://old.example/", "http://new.example/shop/")
//	s.Map.URI("http://old.example/a?b") // http://new.example/shop/a?b
//
// Nothing is read and nothing is retrieved.
package move

import (
	"strings"

	"absolink/resolve"
)

// Site is a site that moves. The zero value is one that stays where it is, with absolute
// links. Once it is set up it is safe for concurrent use. It must not be copied.
type Site struct {
	Map  Map
	Area Area // where Form holds
	Form Form
}

// Moves reports whether any link leads elsewhere, or is not written absolute.
func (s *Site) Moves() bool { return !s.Map.Empty() || s.Form != Absolute }

// Place returns the URI after the move of a document that was retrieved from uri. Unlike
// [Map.URI] it takes any spelling of a URI. What is not an absolute URI is looked up as it is.
func (s *Site) Place(uri string) string {
	if b, err := resolve.NewBase(uri, s.Map.Options); err == nil {
		uri = b.String()
	}
	return s.Map.URI(uri)
}

// Page is a document of a site in its place after the move. Not safe for concurrent use.
type Page struct {
	site *Site
	base *resolve.Base // in its place
	deep *resolve.Base // the same if the site lay two directories deeper; nil if that is all the same
}

// Page returns the document that was retrieved from uri. The error is that of
// [resolve.NewBase] for its place.
func (s *Site) Page(uri string) (*Page, error) {
	place := s.Place(uri)
	b, err := base(place, s.Map.Options)
	if err != nil {
		return nil, err
	}
	p := &Page{site: s, base: b}
	if s.Form == Relative {
		p.deep, _ = base(s.Area.deeper(place), s.Map.Options)
	}
	return p, nil
}

// base returns the base that a document gives by its URI.
func base(uri string, o resolve.Options) (*resolve.Base, error) {
	o.Document = uri
	return resolve.NewBase(uri, o)
}

// Reference returns what is written in the page for uri, an absolute URI after the move: a
// reference of the form of the site. It is uri itself where there is none, as on another
// host.
func (p *Page) Reference(uri string) string { return p.site.Form.reference(p.base, uri) }

// URI returns what a reference leads to from the place of the page, "" if it cannot be
// resolved. White space around it does not count.
func (p *Page) URI(ref string) string {
	uri, _ := p.base.Resolve(strings.TrimSpace(ref))
	return uri
}

// Fits reports whether a reference has the form of the site.
func (p *Page) Fits(ref string) bool { return p.site.Form.fits(ref) }

// Inside reports whether a reference stays inside the site on its way to uri. At the top of
// a host a ".." too many does no harm; on a disk, and below a prefix, it does.
func (p *Page) Inside(ref, uri string) bool {
	if p.deep == nil {
		return true
	}
	got, err := p.deep.Resolve(strings.TrimSpace(ref))
	return err == nil && got == p.site.Area.deeper(uri)
}
