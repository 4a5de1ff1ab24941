package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"absolink/resolve"
)

// Verdict says whether a URI has a file.
type Verdict uint8

// The verdicts.
const (
	Outside Verdict = iota // it is not below a root
	Found                  // it has a file, or a directory with an index file
	Moved                  // a file of another name is probably meant
	Missing                // it has none
)

// Files finds the files that URIs have below roots. Directories are read once; what is
// changed in them afterwards is not seen. Safe for concurrent use.
type Files struct {
	roots   []Root
	indexes []string // the files that stand for their directory, the first that is there counts
	mu      sync.Mutex
	dirs    map[string]*listing
}

// NewFiles returns the files below roots. The first of indexes that is in a directory stands
// for it; none = [Indexes].
func NewFiles(roots []Root, indexes []string) *Files {
	list := slices.Clone(roots)
	slices.SortStableFunc(list, func(a, b Root) int { return len(b.URI) - len(a.URI) })
	if len(indexes) == 0 {
		indexes = Indexes
	}
	return &Files{roots: list, indexes: indexes, dirs: make(map[string]*listing)}
}

// Indexes are the files that stand for their directory, in the order in which servers look
// for them.
var Indexes = []string{"index.html", "index.htm", "index.xhtml", "index.shtml", "index.php", "default.html", "default.htm"}

// extensions are those that servers add, or that a move took away.
var extensions = []string{".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp"}

// Check looks for the file of an absolute URI. Where the verdict is Moved, meant is
// the URI of the file that is there.
func (f *Files) Check(uri string) (v Verdict, meant string) {
	page, _, _ := strings.Cut(uri, "#")
	page, query, _ := strings.Cut(page, "?")
	for _, root := range f.roots {
		rest, ok := strings.CutPrefix(page, strings.TrimSuffix(root.URI, "/"))
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		now, where := f.below(root, strings.TrimPrefix(rest, "/"), query)
		if now == Found {
			return Found, ""
		}
		if v == Outside || v == Missing && now == Moved {
			v, meant = now, where
		}
	}
	return v, meant
}

// below looks for the file at a path of a URI below root.
func (f *Files) below(root Root, path, query string) (Verdict, string) {
	names, ok := unescape(path)
	if !ok {
		return Missing, ""
	}
	if f.at(root.Dir, names) != "" {
		return Found, ""
	}
	for _, guess := range slices.Concat(f.queried(names, query), f.guesses(names)) {
		if f.at(root.Dir, guess) != "" {
			return Moved, root.URI + EscapePath(strings.Join(guess, "/"))
		}
		if found := f.alike(root.Dir, guess); found != nil {
			return Moved, root.URI + EscapePath(strings.Join(found, "/"))
		}
	}
	return Missing, ""
}

// unescape returns the names of a path, the last one "" for a directory. It is not
// ok where no file can have such a name.
func unescape(path string) (names []string, ok bool) {
	for name := range strings.SplitSeq(path, "/") {
		n := resolve.Unescape(name)
		if n == "." || n == ".." || strings.ContainsAny(n, "/\x00") {
			return nil, false
		}
		names = append(names, n)
	}
	return names, true
}

// queried are paths for names with a query, as programs that save pages write them: wget
// page?id=1, for Windows page@id=1, and with -E page?id=1.html.
func (f *Files) queried(names []string, query string) (list [][]string) {
	if query == "" {
		return nil
	}
	dir, last := names[:len(names)-1], []string{names[len(names)-1]}
	if last[0] == "" {
		last = f.indexes
	}
	queries := []string{query}
	if q := strings.ReplaceAll(resolve.Unescape(query), "/", "%2F"); q != query {
		queries = append(queries, q)
	}
	for _, name := range last {
		for _, q := range queries {
			for _, mark := range []string{"?", "@"} {
				for _, e := range []string{"", ".html", ".css"} {
					list = append(list, append(slices.Clone(dir), name+mark+strings.ReplaceAll(q, "/", "%2F")+e))
				}
			}
		}
	}
	return list
}

// guesses are other paths for names, the most likely ones first. The first is
// names itself, for a name that differs in case only.
func (f *Files) guesses(names []string) [][]string {
	dir, last := names[:len(names)-1], names[len(names)-1]
	with := func(names ...string) []string { return append(slices.Clone(dir), names...) }
	list := [][]string{names}
	if last == "" {
		if len(dir) > 0 {
			list = append(list, dir)
			for _, e := range extensions {
				list = append(list, append(slices.Clone(dir[:len(dir)-1]), dir[len(dir)-1]+e))
			}
		}
		return list
	}
	list = append(list, with(last, ""))
	for _, e := range extensions {
		list = append(list, with(last+e))
	}
	if stem := strings.TrimSuffix(last, filepath.Ext(last)); stem != "" && slices.Contains(extensions, filepath.Ext(last)) {
		for _, e := range extensions {
			list = append(list, with(stem+e))
		}
		list = append(list, with(stem, ""), with(stem))
	}
	if slices.Contains(f.indexes, last) {
		list = append(list, with(""))
	}
	return list
}

// at returns the file that dir has at names, "" if there is none; for a directory, which
// names end with "" for, its index file.
func (f *Files) at(dir string, names []string) string {
	for _, n := range names[:len(names)-1] {
		if n == "" || !f.list(dir).has(n) {
			return ""
		}
		dir = filepath.Join(dir, n)
	}
	l, last := f.list(dir), names[len(names)-1]
	if last != "" {
		return l.path(dir, last)
	}
	for _, index := range f.indexes {
		if path := l.path(dir, index); path != "" {
			return path
		}
	}
	return ""
}

// Find returns the file that a browser is to open from a disk for an absolute URI: one whose
// name holds the query before one without it, then what Check says was meant. It is "" if
// there is none; dropped says that the query is in no name.
func (f *Files) Find(uri string) (v Verdict, path string, dropped bool) {
	page, _, _ := strings.Cut(uri, "#")
	page, query, _ := strings.Cut(page, "?")
	for _, root := range f.roots {
		rest, ok := strings.CutPrefix(page, strings.TrimSuffix(root.URI, "/"))
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		v = Missing
		names, ok := unescape(strings.TrimPrefix(rest, "/"))
		if !ok {
			continue
		}
		if slices.Contains(names[:len(names)-1], "") { // file systems have no empty names: http://a/http://b/ is saved as http:/b
			names = append(slices.DeleteFunc(slices.Clone(names[:len(names)-1]), func(n string) bool { return n == "" }), names[len(names)-1])
		}
		last := &names[len(names)-1]
		saved := query != "" && strings.Contains(*last, "?")
		if saved { // a query alone, in a page that was saved with the one that it had
			*last, _, _ = strings.Cut(*last, "?")
		}
		if path := f.first(root.Dir, f.queried(names, query)); path != "" {
			return Found, path, false
		}
		if saved {
			continue
		}
		if path := f.first(root.Dir, append([][]string{names}, f.guesses(names)...)); path != "" {
			return Found, path, query != ""
		}
	}
	return v, "", false
}

// first returns the file of the first of some names that has one, also where the names differ
// in case only; "" if there is none.
func (f *Files) first(dir string, list [][]string) string {
	for _, names := range list {
		if path := f.at(dir, names); path != "" {
			return path
		}
		if names = f.alike(dir, names); names != nil {
			return f.at(dir, names)
		}
	}
	return ""
}

// alike returns the names of a file or directory that differ from names only in
// case or in how characters are composed, nil if there is none.
func (f *Files) alike(dir string, names []string) []string {
	var found []string
	for _, n := range names {
		if n != "" {
			if n = f.list(dir).folded[fold(n)]; n == "" {
				return nil
			}
		}
		found = append(found, n)
		dir = filepath.Join(dir, n)
	}
	if f.at(f.top(dir, found), found) == "" {
		return nil
	}
	return found
}

// top returns the directory that names led to dir from.
func (f *Files) top(dir string, names []string) string {
	for _, n := range names {
		if n != "" {
			dir = filepath.Dir(dir)
		}
	}
	return dir
}

// fold returns what names that look alike have in common.
func fold(name string) string { return cases.Fold().String(norm.NFKC.String(name)) }

// listing is what a directory holds.
type listing struct {
	names  map[string]os.FileMode
	folded map[string]string
}

func (l *listing) has(name string) bool { _, ok := l.names[name]; return ok }

// path returns the path of name in dir if it is a file, or a link to one, else "".
func (l *listing) path(dir, name string) string {
	mode, ok := l.names[name]
	if !ok || mode.IsDir() {
		return ""
	}
	path := filepath.Join(dir, name)
	if mode&os.ModeSymlink != 0 {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return ""
		}
	}
	return path
}

// list reads a directory, once. One that cannot be read is empty.
func (f *Files) list(dir string) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.dirs[dir]; l != nil {
		return l
	}
	l := &listing{make(map[string]os.FileMode), make(map[string]string)}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		l.names[e.Name()] = e.Type()
		if key := fold(e.Name()); l.folded[key] == "" {
			l.folded[key] = e.Name()
		}
	}
	f.dirs[dir] = l
	return l
}
