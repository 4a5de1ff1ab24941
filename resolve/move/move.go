// Package move maps URIs after a site has moved, and writes the references between the documents of
// the site.
//
// A [Site] describes the move:
//
//   - Its [Map] holds the rules. A rule replaces a prefix of a URI, or the part of a URI that an
//     expression matches.
//   - Its area is the set of URIs that belong to the site after the move, see [Site.Include].
//   - Its [Form] says how links to URIs of the area are written, for instance as relative links.
//
// A [Page] is one document of the site, and writes the links of this document:
//
//	var s move.Site
//	err := s.Map.Add("http://old.example/", "http://new.example/shop/")
//	s.Map.URI("http://old.example/a?b") // http://new.example/shop/a?b
//
//	s.Include("http://new.example/shop/")
//	s.Form = move.Relative
//	page, err := s.Page("http://old.example/tea/green.html")
//	page.Link("http://old.example/tea/black.html") // black.html
//
// For a site that is opened from a disk, [Site.File] returns the file for each URI. The package
// itself reads no file and retrieves nothing.
//
// Files in reading order: form.go, template.go, map.go, origin.go, wayback.go, wrap.go, coding.go,
// wraps.go, tracking.go, start.go, move.go, area.go.
package move

import (
	"fmt"
	"strings"
	"time"

	"absolink/resolve"
)

// Site is a site that moves. The zero value changes no URI and writes absolute links. Once a Site
// is set up, it is safe for concurrent use. It must not be copied.
type Site struct {
	Map  Map
	Form Form // of references to URIs of the area, see [Site.Include]
	// Messages is the form of links in mail messages: Absolute or AsWritten. A message is not a
	// document of the site, so its links are never relative.
	Messages Form

	// File returns the URI of the file that holds the document at uri, or "" if there is no such
	// file. uri is an absolute URI before the move, without a fragment. The result is an absolute
	// URI without query and fragment, in a scheme that the caller chooses. Only the form Disk uses
	// File: its links are relative references from the URI of one file to the URI of another. The
	// caller must add the top directories of the files to the area: [Page.Inside] needs them. File
	// must be safe for concurrent use.
	File func(uri string) string
	// Directory returns the URI of the disk directory that holds the site's directory at uri, or ""
	// if there is none. [Site.MoveDirectory] needs it, because File returns the index file for the
	// same uri. A nil Directory finds no directory. Directory must be safe for concurrent use.
	Directory func(uri string) string

	area area
}

// Moves reports whether Map changes any URI, or Form is not Absolute.
func (s *Site) Moves() bool { return !s.Map.Empty() || s.Form != Absolute }

// Place returns the new URI of the document that was retrieved from uri. With the form Disk, the
// new URI is the URI of the document's file, if it has a file. Unlike [Map.URI], Place accepts any
// spelling of uri. A text that is not an absolute URI is looked up unchanged.
func (s *Site) Place(uri string) string {
	if b, err := resolve.NewBase(uri, s.Map.Options); err == nil {
		uri = b.String()
	}
	if file := s.fileOf(uri, s.File); file != "" {
		return file
	}
	return s.Map.URI(uri)
}

// fileOf returns the URI of the file for uri. lookUp is s.File or s.Directory. fileOf returns "" if
// there is no file, or if s.Form is not Disk.
func (s *Site) fileOf(uri string, lookUp func(uri string) string) string {
	if s.Form != Disk || lookUp == nil {
		return ""
	}
	asWritten, _, _ := strings.Cut(uri, "#")
	cleaned, _, _ := strings.Cut(s.Map.clean(uri), "#")
	if cleaned != asWritten {
		if file := lookUp(cleaned); file != "" {
			return file
		}
	}
	return lookUp(asWritten) // a file may also have been saved under its URI in a web archive
}

// Move returns the new target of a link to uri, an absolute URI before the move. inSite reports
// whether this target belongs to the site, so that Form applies to the link. With the form Disk,
// only files belong to the site, and the target is the URI of the file. [Map.Move] describes
// written and the error.
func (s *Site) Move(uri string, written time.Time) (to string, inSite bool, err error) {
	return s.move(uri, written, s.File)
}

// MoveDirectory is [Site.Move] for a link that names a directory, such as a codebase. With the form
// Disk it returns the URI of the directory, not of its index file.
func (s *Site) MoveDirectory(uri string, written time.Time) (to string, inSite bool, err error) {
	return s.move(uri, written, s.Directory)
}

// move implements Move and MoveDirectory. lookUp is s.File or s.Directory.
func (s *Site) move(uri string, written time.Time, lookUp func(uri string) string) (to string, inSite bool, err error) {
	to, err = s.Map.Move(uri, written)
	if s.Form != Disk {
		return to, err == nil && s.area.has(to), err
	}
	file := s.fileOf(uri, lookUp)
	if file == "" {
		return to, false, err
	}
	if _, fragment, ok := strings.Cut(s.Map.clean(uri), "#"); ok {
		file += "#" + fragment
	}
	return file, true, nil
}

// SameFile reports whether ref, a reference relative to a directory, resolves to the same file
// after the move as before. Then ref needs no change. directory is the URI of the directory before
// the move, with or without a slash at its end. Only the form Disk knows the files: with any other
// form SameFile returns false.
func (s *Site) SameFile(directory, ref string) bool {
	to := s.fileOf(directory, s.Directory)
	if to == "" {
		return false
	}
	before, err := resolve.NewBase(strings.TrimSuffix(directory, "/")+"/", s.Map.Options)
	if err != nil {
		return false
	}
	after, err := resolve.NewBase(strings.TrimSuffix(to, "/")+"/", s.Map.Options)
	if err != nil {
		return false
	}
	uri, err := before.Resolve(ref)
	if err != nil {
		return false
	}
	file, err := after.Resolve(ref)
	return err == nil && s.fileOf(uri, s.File) == file
}

// Page is a document of a site at its new URI. It is not safe for concurrent use.
type Page struct {
	Form Form // the form of its links: the form of the site, unless the caller sets another one

	site   *Site
	base   *resolve.Base // the new URI of the page
	dotted *resolve.Base // base with the options for Dotted; nil until the first call
	deeper *resolve.Base // base, two directories deeper, for Inside; nil unless the form is Relative or Disk
}

// Page returns the document that was retrieved from uri. An error comes from [resolve.NewBase] for
// the new URI of the document. With the form Disk, a uri without a file is an error too.
func (s *Site) Page(uri string) (*Page, error) {
	place := s.Place(uri)
	if s.Form == Disk && s.fileOf(uri, s.File) == "" {
		return nil, fmt.Errorf("%q is not a file of the site", uri)
	}
	b, err := base(place, s.Map.Options)
	if err != nil {
		return nil, err
	}
	p := &Page{Form: s.Form, site: s, base: b}
	if s.Form == Relative || s.Form == Disk {
		p.deeper, _ = base(s.area.deeper(place), s.Map.Options)
	}
	return p, nil
}

// At returns a page with relative links. uri is its URI after the move. An error comes from
// [resolve.NewBase].
func (s *Site) At(uri string) (*Page, error) {
	b, err := base(uri, s.Map.Options)
	if err != nil {
		return nil, err
	}
	return &Page{Form: Relative, site: s, base: b}, nil
}

// base returns the base of a document at uri.
func base(uri string, o resolve.Options) (*resolve.Base, error) {
	return resolve.NewBase(uri, options(uri, o))
}

// options returns o, changed for the base of a document at uri. With these options,
// [resolve.Base.Relative] returns a relative reference even if the absolute URI is shorter. The
// reference does not begin with a slash, so it works on a disk and below any prefix. It is not
// empty, because an empty src does not load the page.
func options(uri string, o resolve.Options) resolve.Options {
	o.Document = uri
	o.NoAbsolutePath = true
	o.NoEmpty = true
	o.NoAbsolute = true
	return o
}

// Link returns the text of a link to uri in the page. uri is an absolute URI before the move,
// spelled as for [Map.URI].
func (p *Page) Link(uri string) string {
	to, inSite, _ := p.site.Move(uri, time.Time{})
	if !inSite {
		return to
	}
	ref := p.Reference(to)
	if p.Form == Disk && ref == to {
		return p.site.Map.URI(uri) // no relative reference leads to the file: it may be on another volume
	}
	return ref
}

// Reference returns the reference to uri in the form of the page. uri is an absolute URI after the
// move. If no such reference exists, for instance to another host, Reference returns uri itself.
func (p *Page) Reference(uri string) string { return p.Form.reference(p.base, uri) }

// Like returns the reference to uri in the same form as ref, a reference in the page. uri is an
// absolute URI after the move. If no such reference exists, for instance to another host, Like
// returns uri itself.
func (p *Page) Like(ref, uri string) string {
	form, noScheme := formOf(ref)
	if !noScheme {
		return form.reference(p.base, uri)
	}
	_, rest, _ := strings.Cut(uri, ":")
	if strings.HasPrefix(rest, "//") && p.URI(rest) == uri {
		return rest
	}
	return uri
}

// Dotted returns the reference to uri as [Page.Reference] does, but in a form that begins with a
// scheme, a slash, or dots and a slash. An address in an import map must have such a form.
func (p *Page) Dotted(uri string) string {
	if p.Form != Relative && p.Form != Disk {
		return p.Reference(uri)
	}
	if p.dotted == nil {
		o := options(p.base.String(), p.site.Map.Options)
		o.NoName = true
		b, err := resolve.NewBase(p.base.String(), o)
		if err != nil {
			return uri
		}
		p.dotted = b
	}
	return p.Form.reference(p.dotted, uri)
}

// URI returns the URI to which a reference in the page resolves, or "". It ignores white space
// around the reference.
func (p *Page) URI(ref string) string {
	uri, _ := p.base.Resolve(strings.TrimSpace(ref))
	return uri
}

// Fits reports whether a reference has the form of the page: RootRelative, Relative or Disk. With
// any other form it returns false. A path that ends in "." or ".." has neither of the last two
// forms.
func (p *Page) Fits(ref string) bool { return p.Form.fits(ref) }

// Inside reports whether ref stays inside the site: it has no ".." too many. ref resolves to uri.
// At the top of a host an extra ".." is harmless. On a disk, or below a prefix, it leads out of the
// site. Inside is only for pages of [Site.Page] with the form Relative or Disk, and returns true
// for all others.
//
// Inside resolves ref again from an imaginary site that is two directories deeper. There, each
// extra ".." removes one of the two directories from the result.
func (p *Page) Inside(ref, uri string) bool {
	if p.deeper == nil {
		return true
	}
	got, err := p.deeper.Resolve(strings.TrimSpace(ref))
	return err == nil && got == p.site.area.deeper(uri)
}
