package write

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/site"
	"absolink/resolve/move"
)

// With --to disk, a link becomes a relative reference from the file of its document to its target
// file. The reference is computed from the paths of both files in the output, below the directory
// of -o. In place, these are the paths of the inputs. A link without a target file gets an absolute
// URI, so no link leads to the listing of a directory.

// diskTop is the beginning of the URIs that stand for files in package move. No link of a document
// has this scheme. The scheme "file" would not do: a link file:/path in a document would count as a
// link to the site.
const diskTop = "disk:///"

// disk finds the target files of links. Its methods file and directory are safe for concurrent use.
type disk struct {
	tree     *site.Tree
	copyPath copyPath          // nil if files stay where they are
	twins    map[string]string // paths of the twins of pages, by the path of the page: see twin.go
	walked   sync.Map          // results of walkToFile, by the path of the directory

	mu          sync.Mutex
	files       map[string]string // results of findFile, by the URI of a link
	directories map[string]string // results of findDirectory, by the URI of a link
	missing     sample            // URIs of links without a file
	dropped     sample            // URIs of links whose file was found only without the query of the URI
}

// copyPath returns the slash path, below the directory of -o, of the copy of a file. It returns ""
// if the file has no copy.
type copyPath func(path string) (rel string)

// sample counts texts, and stores the first one in lexical order.
type sample struct {
	n     int
	first string
}

// add counts a text.
func (s *sample) add(text string) {
	s.n++
	if s.first == "" || text < s.first {
		s.first = text
	}
}

// newDisk returns a disk with the files of tree. copyPath is nil if files are not copied to another
// directory.
func newDisk(tree *site.Tree, copyPath copyPath) *disk {
	d := &disk{tree: tree, copyPath: copyPath, files: make(map[string]string), directories: make(map[string]string)}
	d.twins = d.tree.Twins()
	d.tree.InOutput = d.isInOutput
	return d
}

// file implements [move.Site.File].
func (d *disk) file(uri string) string { return d.cached(d.files, uri, d.findFile) }

// directory implements [move.Site.Directory].
func (d *disk) directory(uri string) string { return d.cached(d.directories, uri, d.findDirectory) }

// cached returns the result of find for uri. It stores the result in results, so it calls find once
// for each URI.
func (d *disk) cached(results map[string]string, uri string, find func(uri string) string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	result, ok := results[uri]
	if !ok {
		result = find(uri)
		results[uri] = result
	}
	return result
}

// has reports whether the tree has a file for uri.
func (d *disk) has(uri string) bool {
	_, path, _ := d.tree.Find(uri)
	return path != ""
}

// findFile returns the URI of the file for uri, the URI of a link, or "" if there is no file. It
// counts missing files and dropped queries: sumUpDisk prints the numbers.
func (d *disk) findFile(uri string) string {
	verdict, path, dropped := d.tree.Find(uri)
	file := ""
	if path != "" {
		file = d.fileURI(path)
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

// findDirectory returns the URI of the directory for uri, the URI of a link, or "" if there is no
// directory. The result ends with a slash if the path of uri does, or if it is diskTop.
func (d *disk) findDirectory(uri string) string {
	directory := d.directoryURI(d.tree.FindDirectory(uri))
	if page, _, _ := strings.Cut(uri, "?"); !strings.HasSuffix(page, "/") && directory != diskTop {
		directory = strings.TrimSuffix(directory, "/")
	}
	return directory
}

// isInOutput reports whether the file or directory at path has a path in the output. A directory
// has one if a file below it has one.
func (d *disk) isInOutput(path string) bool {
	return d.fileURI(path) != "" || d.directoryURI(path) != ""
}

// directoryURI returns the URI of the directory dir in the output, with a slash at its end. It
// returns "" if dir is "", or if no file below dir has a path in the output.
func (d *disk) directoryURI(dir string) string {
	uri, known := d.walked.Load(dir)
	if !known {
		uri = d.walkToFile(dir)
		d.walked.Store(dir, uri)
	}
	return uri.(string)
}

// walkToFile returns the result of directoryURI. It takes the URI of the first file below dir that
// no rule moves out of dir, and cuts off the path that leads from dir to this file.
func (d *disk) walkToFile(dir string) (uri string) {
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(dir, path) // path is below dir
		file := d.fileURI(path)
		if file == "" {
			return nil
		}
		if before, ok := strings.CutSuffix(file, site.EscapePath(filepath.ToSlash(rel))); ok {
			uri = before
			return filepath.SkipAll
		}
		return nil // a rule moves this file out of dir
	})
	return uri
}

// fileURI returns the URI of a file in the output, or "" if the file has no path there.
func (d *disk) fileURI(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if d.copyPath != nil {
		path = d.copyPath(path)
		if path == "" {
			return ""
		}
	}
	volume := filepath.VolumeName(path)
	return diskURI(filepath.ToSlash(volume), filepath.ToSlash(path[len(volume):]))
}

// diskURI returns the URI of a slash path on a volume, such as C: on Windows. The volume becomes
// the authority of the URI, because a relative reference can lead neither to another volume nor to
// another authority. On other systems the volume is empty.
func diskURI(volume, path string) string {
	volume = strings.NewReplacer(":", "%3A", "/", "%2F").Replace(site.EscapePath(strings.ToUpper(volume)))
	return strings.TrimSuffix(diskTop, "/") + volume + "/" + site.EscapePath(strings.TrimPrefix(path, "/"))
}

// includeTops adds the top directories of the output to the area of s. Links from file to file in
// this area are relative.
func (d *disk) includeTops(s *move.Site, roots []site.Root) {
	if d.copyPath != nil {
		s.Include(diskTop)
		return
	}
	for _, r := range roots {
		s.Include(strings.TrimSuffix(d.fileURI(r.Dir), "/") + "/")
	}
}
