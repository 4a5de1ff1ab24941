package write

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

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
	tree   *site.Tree
	inputs *source.Set       // nil where files are written where they are
	twins  map[string]string // see site.Files.Twins, as the files were before any was written

	mu          sync.Mutex
	known       map[string]string // files by URIs, as URIs
	directories map[string]string // the same of directories
	missing     sample
	dropped     sample
}

// sample is how many different things there were, and the first of them by its name.
type sample struct {
	n     int
	first string
}

func (s *sample) add(what string) {
	s.n++
	if s.first == "" || what < s.first {
		s.first = what
	}
}

// newDisk returns a disk over the files of tree. inputs are the files that are copied to another
// directory: no other file has a place there. They are nil if files stay where they are.
func newDisk(tree *site.Tree, inputs *source.Set) *disk {
	d := &disk{tree: tree, inputs: inputs, known: make(map[string]string), directories: make(map[string]string)}
	d.twins = d.tree.Twins()
	d.tree.Placed = d.placed
	return d
}

// file is that of move.Site.
func (d *disk) file(uri string) string { return d.cached(d.known, uri, d.find) }

// directory is that of move.Site.
func (d *disk) directory(uri string) string { return d.cached(d.directories, uri, d.findDirectory) }

// cached returns what find returns for a URI, which is found once.
func (d *disk) cached(known map[string]string, uri string, find func(uri string) string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	place, ok := known[uri]
	if !ok {
		place = find(uri)
		known[uri] = place
	}
	return place
}

// has reports whether a URI has a file in the tree.
func (d *disk) has(uri string) bool {
	_, path, _ := d.tree.Find(uri)
	return path != ""
}

// find looks for the file of a URI, and counts what a user should know.
func (d *disk) find(uri string) string {
	verdict, path, dropped := d.tree.Find(uri)
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

// findDirectory looks for the directory of a URI that names one. Its own URI ends with a slash if
// that one does.
func (d *disk) findDirectory(uri string) string {
	path := d.tree.FindDirectory(uri)
	if path == "" {
		return ""
	}
	place := d.placeOfDirectory(path)
	if page, _, _ := strings.Cut(uri, "?"); !strings.HasSuffix(page, "/") && place != diskTop {
		place = strings.TrimSuffix(place, "/")
	}
	return place
}

// placed reports whether a file or directory has a place in the output.
func (d *disk) placed(path string) bool { return d.place(path) != "" || d.placeOfDirectory(path) != "" }

// placeOfDirectory returns the URI of a directory that has its place in the output, with a slash
// at its end. It is "" if none of its files has one.
func (d *disk) placeOfDirectory(dir string) (place string) {
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		file := d.place(path)
		if file == "" {
			return nil
		}
		place = strings.TrimSuffix(file, site.EscapePath(filepath.ToSlash(rel)))
		return filepath.SkipAll
	})
	return place
}

// place returns the URI of a file where it has its place in the output, "" if it has none.
func (d *disk) place(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if d.inputs != nil {
		path = d.inputs.RelOf(path)
		if path == "" {
			return ""
		}
	}
	volume := filepath.VolumeName(path)
	return diskURI(filepath.ToSlash(volume), filepath.ToSlash(path[len(volume):]))
}

// diskURI returns the URI of a path on a volume, "" but on Windows. The volume is the authority of
// the URI, since no relative reference leads to another volume.
func diskURI(volume, path string) string {
	volume = strings.NewReplacer(":", "%3A", "/", "%2F").Replace(site.EscapePath(strings.ToUpper(volume)))
	return strings.TrimSuffix(diskTop, "/") + volume + "/" + site.EscapePath(strings.TrimPrefix(path, "/"))
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
