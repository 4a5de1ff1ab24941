package write

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
)

// With --to disk, a link leads to a file and is written relative to the document that holds it.
// Both files count with their places in the output: below the directory of -o, or where they are. A
// link without a file keeps an absolute URI, so that no link leads to the listing of a directory.

// diskTop is the beginning of the URIs of files. No link has this scheme. With the scheme file, a
// link written as file:/path would be relative to such a base.
const diskTop = "disk:///"

// disk finds the files that links lead to. Its methods file and directory are safe for concurrent
// use.
type disk struct {
	tree   *site.Tree
	copied func(path string) (rel string) // the slash path of a copy, or ""; nil if files stay where they are
	twins  map[string]string              // the result of [site.Tree.Twins] before any file was written

	mu          sync.Mutex
	known       map[string]string // URIs of files, by the URIs that links have
	directories map[string]string // URIs of directories, by the URIs that links have
	missing     sample
	dropped     sample
}

// sample counts distinct things and keeps the name of the first in lexical order.
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

// newDisk returns a disk over the files of tree. If files are copied to another directory, copied
// returns the slash path of a copy, or "" for a file without one. Otherwise copied is nil.
func newDisk(tree *site.Tree, copied func(path string) string) *disk {
	d := &disk{tree: tree, copied: copied, known: make(map[string]string), directories: make(map[string]string)}
	d.twins = d.tree.Twins()
	d.tree.Placed = d.placed
	return d
}

// file implements [move.Site.File].
func (d *disk) file(uri string) string { return d.cached(d.known, uri, d.find) }

// directory implements [move.Site.Directory].
func (d *disk) directory(uri string) string { return d.cached(d.directories, uri, d.findDirectory) }

// cached returns the result of find for a URI. It calls find once for each URI.
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

// has reports whether the tree has a file for a URI.
func (d *disk) has(uri string) bool {
	_, path, _ := d.tree.Find(uri)
	return path != ""
}

// find returns the URI of the file for a URI. It counts missing files and dropped queries, which
// are reported at the end of the run.
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

// findDirectory returns the URI of the directory that a URI names. The result ends with a slash
// only if the path of uri does.
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

// placeOfDirectory returns the URI, with a slash at its end, of a directory in the output. It
// returns "" if no file of the directory has a place there.
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
		if dir, ok := strings.CutSuffix(file, site.EscapePath(filepath.ToSlash(rel))); ok {
			place = dir
			return filepath.SkipAll
		}
		return nil // a rule moves this file elsewhere
	})
	return place
}

// place returns the URI of a file in the output, or "" if it has no place there.
func (d *disk) place(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if d.copied != nil {
		path = d.copied(path)
		if path == "" {
			return ""
		}
	}
	volume := filepath.VolumeName(path)
	return diskURI(filepath.ToSlash(volume), filepath.ToSlash(path[len(volume):]))
}

// diskURI returns the URI of a path on a volume. The volume, which is empty except on Windows, is
// the authority of the URI, because a relative reference cannot lead to another volume.
func diskURI(volume, path string) string {
	volume = strings.NewReplacer(":", "%3A", "/", "%2F").Replace(site.EscapePath(strings.ToUpper(volume)))
	return strings.TrimSuffix(diskTop, "/") + volume + "/" + site.EscapePath(strings.TrimPrefix(path, "/"))
}

// area adds to the area of s the top directories within which links between files are relative.
func (d *disk) area(s *move.Site, roots []site.Root) {
	if d.copied != nil {
		s.Include(diskTop)
		return
	}
	for _, r := range roots {
		s.Include(strings.TrimSuffix(d.place(r.Dir), "/") + "/")
	}
}
