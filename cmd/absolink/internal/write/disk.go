package write

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/resolve/move"
)

// With --to disk a link leads to a file, and is written relative to the file that it stands
// in, by where both have their places in the output: below -o DIR, or where they are. What
// has no file keeps an absolute URI, so that nothing leads to a listing of a directory.

// diskTop is what the URIs of files begin with. Their scheme is that of no link: one of file: as
// it is written, file:/path, would be relative to a base of that scheme.
const diskTop = "disk:///"

// disk finds the files that links lead to. Its method file is safe for concurrent use.
type disk struct {
	before, after *site.Files // by the URIs before the move, and after it; after is nil where nothing moves
	maps          *move.Map
	inputs        *source.Set       // nil where files are written where they are
	twins         map[string]string // see site.Files.Twins, as the files were before any was written

	mu      sync.Mutex
	known   map[string]string // files by URIs, as URIs
	missing sample
	dropped sample
}

// sample is how many different things there were, and the first of them by its name.
type sample struct {
	n     int
	first string
}

func (s *sample) add(what string) {
	if s.n++; s.first == "" || what < s.first {
		s.first = what
	}
}

// newDisk returns what finds the files below the roots of c, whose maps are read.
func (c *Command) newDisk() *disk {
	d := &disk{before: c.o.Links.Files(nil), maps: &c.site.Map, known: make(map[string]string)}
	d.twins = d.before.Twins()
	if c.o.Dir != "" && !c.o.shows() {
		d.inputs = &c.o.Run.Inputs
	}
	if d.maps.Empty() {
		return d
	}
	var moved []site.Root
	for _, r := range c.o.Links.Mapped() {
		if to := d.maps.URI(r.URI); to != r.URI {
			r.URI = strings.TrimSuffix(to, "/") + "/"
		}
		moved = append(moved, r)
	}
	d.after = c.o.Links.Files(moved)
	return d
}

// file is that of move.Site.
func (d *disk) file(uri string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, ok := d.known[uri]
	if !ok {
		file = d.find(uri)
		d.known[uri] = file
	}
	return file
}

// has reports whether a URI has a file in the tree as it is.
func (d *disk) has(uri string) bool {
	_, path, _ := d.before.Find(uri)
	return path != ""
}

// find looks for the file of a URI, and counts what a user should know.
func (d *disk) find(uri string) string {
	verdict, path, dropped := d.before.Find(uri)
	if verdict == site.Outside && d.after != nil && d.maps.Original(uri) == "" { // the original is asked for too
		verdict, path, dropped = d.after.Find(d.maps.URI(uri))
	}
	file := ""
	if path != "" {
		file = d.place(path)
	}
	switch {
	case verdict == site.Outside:
	case file == "":
		d.missing.add(uri)
	case dropped:
		d.dropped.add(uri)
	}
	return file
}

// place returns the URI of a file where it has its place in the output, "" if it has none.
func (d *disk) place(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if d.inputs != nil {
		if path = d.inputs.RelOf(path); path == "" {
			return ""
		}
	}
	return diskTop + site.EscapePath(strings.TrimPrefix(filepath.ToSlash(path), "/"))
}

// area adds to the area of s the highest directories that links between files stay in.
func (d *disk) area(s *move.Site, roots []site.Root) {
	if d.inputs != nil {
		s.Include(diskTop)
		return
	}
	for _, r := range roots {
		s.Include(strings.TrimSuffix(d.place(r.Dir), "/") + "/")
	}
}

// sumUpDisk says which links have no file, and which lost a query.
func (c *Command) sumUpDisk() {
	if c.disk == nil {
		return
	}
	if s := &c.disk.missing; s.n > 0 {
		c.run.Console.Printf("--to disk: %s, such as %s: links there are absolute; --check-files names each", console.Plural(s.n, "address has no file here", "addresses have no file here"), s.first)
	}
	if s := &c.disk.dropped; s.n > 0 {
		c.run.Console.Printf("--to disk: %s: links there lead to the file without it", sayDropped(s))
	}
}

func sayDropped(s *sample) string {
	if s.n == 1 {
		return "a query is in the name of no file, that of " + s.first
	}
	return fmt.Sprintf("%d queries are in the name of no file, such as that of %s", s.n, s.first)
}

// atAnyDepth reports whether in is a page that is shown below any path.
func (c *Command) atAnyDepth(rel string) bool {
	for _, p := range c.anyDepth {
		if p.Match(rel) {
			return true
		}
	}
	return false
}

// sayAnyDepth is what is said of such a page with --to disk.
const sayAnyDepth = "shown at any depth (--any-depth): its links stay as they are"

// sayBase is what is said of a document with a BASE where only some links are chosen.
func (c *Command) sayBase() string {
	return fmt.Sprintf("has a BASE, which stays since not all references are chosen: its links are absolute, not %v", c.site.Form)
}
