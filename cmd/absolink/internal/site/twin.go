package site

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// If a server redirects /blog to /blog/, wget -E saves the answer twice: as blog/index.html and as
// blog.html. The references of both are relative to /blog/, but the copy blog.html does not show
// that.

// Twins returns the pages below the roots that are saved twice. It maps the absolute path of
// NAME.html to the index file of the directory NAME that holds the same bytes. Pages are compared
// at the time of the call. A page that cannot be read has no twin.
func (f *Files) Twins() map[string]string {
	twins := make(map[string]string)
	for _, root := range f.roots {
		filepath.WalkDir(root.Dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() || path == root.Dir {
				return nil
			}
			page := path + ".html"
			if index := f.path(path, []string{""}); index != "" && twins[page] == "" && equalFiles(page, index) {
				twins[page] = index
			}
			return nil
		})
	}
	return twins
}

// equalFiles reports whether two files hold the same bytes, at least one byte, and b is an HTML
// file.
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
