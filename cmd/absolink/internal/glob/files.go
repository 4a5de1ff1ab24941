package glob

import (
	"cmp"
	"fmt"
	"os"
	slash "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// IsPattern reports whether an argument of a command line is a pattern for [Files]: it has *, ? or
// a set such as [ab], it is not a URL, and no file has this name.
func IsPattern(arg string) bool {
	if !strings.ContainsAny(arg[len(filepath.VolumeName(arg)):], "*?[") || strings.Contains(arg, "://") {
		return false
	}
	_, err := os.Lstat(arg)
	return err != nil
}

// Files returns the names of the files and directories that match a pattern, sorted. Upper and
// lower case are the same. The separators are slashes and backslashes, and the names have the
// separators of the pattern. A pattern with ** matches files alone, because it would also match all
// files of a directory. IsPattern must be true for the pattern.
func Files(pattern string) ([]string, error) {
	slashed := strings.ReplaceAll(pattern, `\`, "/")
	root, rest := splitRoot(slashed)
	dir := cmp.Or(root, ".")
	if strings.HasSuffix(dir, ":") {
		dir += "." // the current directory of a drive
	}
	names, err := doublestar.Glob(os.DirFS(dir), slash.Clean(rest), doublestar.WithCaseInsensitive(),
		doublestar.WithNoFollow())
	if err != nil {
		return nil, fmt.Errorf("%q, and it is not a pattern such as *.html", pattern)
	}
	list := names[:0]
	for _, name := range names {
		name = root + name
		if strings.Contains(rest, "**") && isDir(name) {
			continue
		}
		if slashed != pattern {
			name = strings.ReplaceAll(name, "/", `\`)
		}
		list = append(list, name)
	}
	slices.Sort(list)
	return list, nil
}

// isDir reports whether name is a directory, or a link to one.
func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// splitRoot splits a slash pattern into the directory above its first pattern, with a slash or
// colon at the end, and the rest. The directory is empty if the rest is the whole pattern.
func splitRoot(pattern string) (root, rest string) {
	end := len(filepath.VolumeName(filepath.FromSlash(pattern)))
	first := strings.IndexAny(pattern[end:], "*?[")
	if n := strings.LastIndexByte(pattern[:end+first], '/'); n >= end {
		end = n + 1
	}
	return pattern[:end], pattern[end:]
}
