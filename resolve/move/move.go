// Package move maps URIs after a site has moved, and writes the references between the documents of
// the site.
//
// A [Map] holds rules. A rule maps one prefix of absolute URIs to another. The area is the set of
// URIs that belong to the site after the move. A [Form] is the kind of references to URIs of the
// area. A [Site] has all three, and a [Page] is one of its documents:
//
//	var s move.Site
//	err := s.Map.Add("http://old.example/", "http://new.example/shop/")
//	s.Map.URI("http://old.example/a?b") // http://new.example/shop/a?b
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

// Site is a site that moves. The zero value does not move and has absolute links. Once it is set
// up, it is safe for concurrent use. It must not be copied.
type Site struct {
	Map  Map
	Form Form // of references to URIs of the area, see [Site.Include]
	// Messages is the form of links in messages, which have no place in the site: Absolute or
	// AsWritten.
	Messages Form

	// File returns the file for an absolute URI that is not mapped yet, or "". The file is named by
	// an absolute URI without query and fragment, in a scheme that the caller chooses. Only the
	// form Disk uses File, and makes relative links between files from these URIs. The caller must
	// include the top directories of the site in the area: [Page.Inside] needs them. File must be
	// safe for concurrent use.
	File func(uri string) string
	// Directory is File for a URI that names a directory, not its index file: see
	// [Site.MoveDirectory]. If it is nil, no directory has a URI. It must be safe for concurrent
	// use.
	Directory func(uri string) string

	area area
}

// Moves reports whether the site has any rule for URIs, or a form of links other than Absolute.
func (s *Site) Moves() bool { return !s.Map.Empty() || s.Form != Absolute }

// Place returns the new URI of the document that was retrieved from uri. With the form Disk this is
// the URI of its file, if it has one. Unlike [Map.URI] it accepts any spelling of a
// URI. A text that is not an absolute URI is looked up unchanged.
func (s *Site) Place(uri string) string {
	if b, err := resolve.NewBase(uri, s.Map.Options); err == nil {
		uri = b.String()
	}
	if file := s.fileOf(uri, s.File); file != "" {
		return file
	}
	return s.Map.URI(uri)
}

// fileOf returns the URI of the file that lookUp, which is File or Directory, has for uri. It
// returns "" with other forms than Disk.
func (s *Site) fileOf(uri string, lookUp func(uri string) string) string {
	if s.Form != Disk || lookUp == nil {
		return ""
	}
	page, _, _ := strings.Cut(uri, "#")
	if original, _, _ := strings.Cut(s.Map.clean(uri), "#"); original != page {
		if found := lookUp(original); found != "" {
			return found
		}
	}
	return lookUp(page) // a file may also have been saved under its URI in a web archive
}

// Move returns the target of a link to uri, an absolute URI, after the move. inSite reports whether
// this target belongs to the site, so that Form applies; with the form Disk the target is then the
// URI of a file. Move calls [Map.Move], which describes written and the error.
func (s *Site) Move(uri string, written time.Time) (to string, inSite bool, err error) {
	return s.move(uri, written, s.File)
}

// MoveDirectory is Move for a link that names a directory, such as a codebase. With the form Disk
// it returns the URI of the directory.
func (s *Site) MoveDirectory(uri string, written time.Time) (to string, inSite bool, err error) {
	return s.move(uri, written, s.Directory)
}

// move is Move with the function that looks up the file: File or Directory.
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

// Holds reports whether ref, a reference relative to a directory, resolves to the same file of the
// site before and after the move. directory is the URI of the directory before the move, with or
// without a slash at its end: a program that loads applets adds the slash. Holds returns false with
// other forms than Disk.
func (s *Site) Holds(directory, ref string) bool {
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

// Page is a document of a site at its place after the move. It is not safe for concurrent use.
type Page struct {
	Form Form // the form of its links: the form of the site, unless the caller sets another one

	site   *Site
	base   *resolve.Base // the place of the page
	dotted *resolve.Base // base with the options for Dotted; nil until the first call
	deep   *resolve.Base // base in a copy of the site two directories deeper, for Inside; nil if not needed
}

// Page returns the document that was retrieved from uri. The error comes from [resolve.NewBase] for
// the place of the document. With the form Disk, a uri without a file is an error too.
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
		p.deep, _ = base(s.area.deeper(place), s.Map.Options)
	}
	return p, nil
}

// At returns a page at uri, a URI after the move, with relative links. The error comes from
// [resolve.NewBase].
func (s *Site) At(uri string) (*Page, error) {
	b, err := base(uri, s.Map.Options)
	if err != nil {
		return nil, err
	}
	return &Page{Form: Relative, site: s, base: b}, nil
}

// base returns the base of a document with a URI.
func base(uri string, o resolve.Options) (*resolve.Base, error) {
	return resolve.NewBase(uri, options(uri, o))
}

// options returns o with the changes for the base of a document at uri. References that
// [resolve.Base.Relative] then returns are always relative, even if an absolute one is shorter.
// They do not begin at the root, so they work on a disk and below any prefix. They are never empty:
// an empty src would not load the page.
func options(uri string, o resolve.Options) resolve.Options {
	o.Document = uri
	o.NoAbsolutePath = true
	o.NoEmpty = true
	o.NoAbsolute = true
	return o
}

// Link returns the reference that the page contains for a link to uri. uri is an absolute URI
// before the move, as [Map.Options] write it.
func (p *Page) Link(uri string) string {
	to, inSite, _ := p.site.Move(uri, time.Time{})
	if !inSite {
		return to
	}
	ref := p.Reference(to)
	if p.Form == Disk && ref == to {
		return p.site.Map.URI(uri) // no relative reference leads to the file, as from another volume
	}
	return ref
}

// Reference returns the reference to uri in the form of the page. uri is an absolute URI after the
// move. If no such reference exists, for instance to another host, Reference returns uri itself.
func (p *Page) Reference(uri string) string { return p.Form.reference(p.base, uri) }

// Like returns the reference to uri in the form of ref, a reference as it is written. uri is an
// absolute URI after the move. If no such reference exists, for instance to another host, Like
// returns uri itself.
func (p *Page) Like(ref, uri string) string {
	form, network := formOf(ref)
	if !network {
		return form.reference(p.base, uri)
	}
	_, rest, _ := strings.Cut(uri, ":")
	if strings.HasPrefix(rest, "//") && p.URI(rest) == uri {
		return rest
	}
	return uri
}

// Dotted is [Page.Reference] for references that must begin with a scheme, a slash, or dots and a
// slash, such as an address in an import map.
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

// URI returns the URI to which a reference resolves at the place of the page, or "". It ignores
// white space around the reference.
func (p *Page) URI(ref string) string {
	uri, _ := p.base.Resolve(strings.TrimSpace(ref))
	return uri
}

// Fits reports whether a reference has the form of the page: RootRelative, Relative or Disk. With
// any other form it returns false.
func (p *Page) Fits(ref string) bool { return p.Form.fits(ref) }

// Inside reports whether ref, which resolves to uri, does not climb above the top of the site. On a
// host an extra ".." at the top is harmless. On a disk, or below a prefix, it leads elsewhere.
func (p *Page) Inside(ref, uri string) bool {
	if p.deep == nil {
		return true
	}
	got, err := p.deep.Resolve(strings.TrimSpace(ref))
	return err == nil && got == p.site.area.deeper(uri)
}
