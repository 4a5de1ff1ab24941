package site

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// If a server redirects /blog to /blog/, wget -E saves the page twice: as blog/index.html and as
// blog.html. The references in both are relative to /blog/, but the path blog.html does not show
// that.

// Twins returns the pages below the roots that are saved twice. The result maps the absolute path
// of NAME.html to the index file of the directory NAME, if both have the same bytes and are not
// empty, and the name of the index file ends with .html. Twins reads the files. A page that cannot
// be read has no twin.
func (f *Files) Twins() map[string]string {
	twins := make(map[string]string)
	for _, root := range f.roots {
		filepath.WalkDir(root.Dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() || path == root.Dir {
				return nil
			}
			page := path + ".html"
			index := f.existingPath(path, []string{""})
			if index != "" && twins[page] == "" && equalFiles(page, index) {
				twins[page] = index
			}
			return nil
		})
	}
	return twins
}

// equalFiles reports whether two files have the same bytes and are not empty, and the name of b
// ends with .html.
func equalFiles(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil || !x.Mode().IsRegular() || x.Size() == 0 {
		return false
	}
	y, err := os.Stat(b)
	if err != nil || !y.Mode().IsRegular() || x.Size() != y.Size() || !strings.HasSuffix(b, ".html") {
		return false
	}
	one, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	other, err := os.ReadFile(b)
	return err == nil && bytes.Equal(one, other)
}
