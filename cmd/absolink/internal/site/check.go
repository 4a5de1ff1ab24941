package site

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"absolink/resolve"
)

// Verdict says whether a URI has a file.
type Verdict uint8

// The verdicts.
const (
	Outside Verdict = iota // the URI is not below a root
	Found                  // it has a file, or a directory with an index file
	Moved                  // a file of another name is probably meant
	Missing                // the URI has no file
)

// Files finds the files of URIs below roots. It reads each directory once and does not see later
// changes. It is safe for concurrent use.
type Files struct {
	roots   []Root
	indexes []string // names of index files, in order of precedence
	read    *directories
	matches matches
}

// matches are the files of the URIs that were looked up last. Many pages of a site have the same
// links. It is safe for concurrent use.
type matches struct {
	mu    sync.RWMutex
	byURI map[string]match
}

// maxMatches is the number of URIs whose files are remembered. If there are more, all are
// forgotten, so that the memory does not grow with the site.
const maxMatches = 1 << 15

func (m *matches) get(uri string) (found match, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	found, ok = m.byURI[uri]
	return found, ok
}

func (m *matches) set(uri string, found match) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byURI == nil || len(m.byURI) >= maxMatches {
		m.byURI = make(map[string]match)
	}
	m.byURI[strings.Clone(uri)] = found
}

// directories are the directories that were read. It is safe for concurrent use.
type directories struct {
	mu   sync.Mutex
	dirs map[string]*listing
}

// NewFiles returns the files below roots. The first of indexes that a directory has stands for it;
// nil means [Indexes].
func NewFiles(roots []Root, indexes []string) *Files {
	if len(indexes) == 0 {
		indexes = Indexes
	}
	return &Files{roots: longestFirst(roots), indexes: indexes, read: &directories{dirs: make(map[string]*listing)}}
}

// at returns the same files with other roots. Both share the directories that were read.
func (f *Files) at(roots []Root) *Files {
	return &Files{roots: longestFirst(roots), indexes: f.indexes, read: f.read}
}

// longestFirst returns roots sorted by their URIs, the longest first.
func longestFirst(roots []Root) []Root {
	list := slices.Clone(roots)
	slices.SortStableFunc(list, func(a, b Root) int { return len(b.URI) - len(a.URI) })
	return list
}

// Indexes are the usual index files, in the order in which servers look for them.
var Indexes = []string{"index.html", "index.htm", "index.xhtml",
	"index.shtml", "index.php", "default.html", "default.htm"}

// extensions are the extensions that servers add to a URI, or that a site may have dropped.
var extensions = []string{".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp"}

// match is the file or directory of a URI.
type match struct {
	verdict Verdict
	path    string // empty if there is no file
	uri     string // by the root above the file, or empty if no caller needs it
	query   bool   // the name of the file contains the query, or there is no query
}

// Check looks for the file of an absolute URI. If the verdict is Moved, meant is the URI of the
// file that was found.
func (f *Files) Check(uri string) (v Verdict, meant string) { return f.file(uri).checked() }

// checked returns the verdict, and the URI of the file if the verdict is Moved.
func (m match) checked() (v Verdict, meant string) {
	if m.verdict != Moved {
		return m.verdict, ""
	}
	return Moved, m.uri
}

// file returns the file of an absolute URI. A file whose name contains the query comes first, then
// a file without it, then guesses.
func (f *Files) file(uri string) match {
	uri, _, _ = strings.Cut(uri, "#")
	if !f.below(uri) {
		return match{}
	}
	found, ok := f.matches.get(uri)
	if !ok {
		found = f.search(uri, (*Files).fileBelow)
		f.matches.set(uri, found)
	}
	return found
}

// below reports whether a URI lies below a root.
func (f *Files) below(uri string) bool {
	page, _, _ := strings.Cut(uri, "?")
	for _, root := range f.roots {
		if _, ok := root.cut(page); ok {
			return true
		}
	}
	return false
}

// cut returns the path of a URI below the root, with its slash. ok is false if the URI, which has
// no query, does not lie below it.
func (r Root) cut(uri string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(uri, strings.TrimSuffix(r.URI, "/"))
	return rest, ok && (rest == "" || rest[0] == '/')
}

// search looks for a URI below each root above it, by the function below. The first match that is
// Found counts, else the first that is Moved.
func (f *Files) search(uri string, below func(f *Files, root Root, names []string, query string) match) (best match) {
	page, _, _ := strings.Cut(uri, "#")
	page, query, _ := strings.Cut(page, "?")
	for _, root := range f.roots {
		rest, ok := root.cut(page)
		if !ok {
			continue
		}
		now := match{verdict: Missing}
		if names, ok := unescape(strings.TrimPrefix(rest, "/")); ok {
			now = below(f, root, names, query)
		}
		if now.verdict == Found {
			return now
		}
		if best.verdict == Outside || best.verdict == Missing && now.verdict == Moved {
			best = now
		}
	}
	return best
}

// fileBelow looks for a file below root. names is the path of the URI. The verdict is Found if the
// file has exactly these names.
func (f *Files) fileBelow(root Root, names []string, query string) match {
	exact := f.path(root.Dir, names)
	if exact != "" && query == "" {
		return match{Found, exact, "", true}
	}
	plain := withoutEmpty(names)
	last := &plain[len(plain)-1]
	own := withoutLetters(*last)
	saved := query != "" && strings.Contains(own, "?")
	if saved { // the URI is a query alone, in a page that was saved with a query of its own
		*last, _, _ = strings.Cut(own, "?")
	}
	if found := f.first(root.Dir, f.queried(plain, query)); found != nil {
		m := f.matched(root, found, exact != "", true)
		if saved && m.path != exact {
			m.verdict = Moved
		}
		return m
	}
	if saved {
		return match{verdict: Missing}
	}
	if f.path(root.Dir, plain) != "" {
		return f.matched(root, plain, exact != "", query == "")
	}
	if found := f.first(root.Dir, f.guesses(plain)); found != nil {
		return f.matched(root, found, false, query == "")
	}
	return match{verdict: Missing}
}

// matched returns the file that has these names.
func (f *Files) matched(root Root, names []string, exact, query bool) match {
	m := match{Moved, f.path(root.Dir, names), root.URI + EscapePath(strings.Join(names, "/")), query}
	if exact {
		m.verdict = Found
	}
	return m
}

// directory returns the directory of an absolute URI that names one, such as a codebase. The
// directory needs no index file, and the URI no final slash.
func (f *Files) directory(uri string) match {
	return f.search(uri, (*Files).directoryBelow)
}

// directoryBelow looks for a directory below root. names is the path of the URI.
func (f *Files) directoryBelow(root Root, names []string, query string) match {
	plain := withoutEmpty(names)
	m := match{Found, root.Dir, root.URI, query == ""}
	for i, n := range plain {
		if n == "" {
			continue
		}
		l := f.list(m.path)
		if !l.has(n) {
			n = l.like(n)
			m.verdict = Moved
		}
		m.path = filepath.Join(m.path, n)
		m.uri += EscapePath(n)
		if i < len(plain)-1 {
			m.uri += "/"
		}
		if n == "" || !isDirectory(m.path) {
			return match{verdict: Missing}
		}
	}
	if len(plain) < len(names) {
		m.verdict = Moved
	}
	return m
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// withoutEmpty returns a copy of names without empty names, except the last: file systems have no
// empty names. wget saves http://a/http://b/ as http:/b.
func withoutEmpty(names []string) []string {
	last := len(names) - 1
	list := slices.DeleteFunc(slices.Clone(names[:last]), func(n string) bool { return n == "" })
	return append(list, names[last])
}

// unescape returns the names of a path; the last is "" for a directory. ok is false if no file can
// have these names.
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

// queried returns the paths that programs give to a saved page with a query: wget writes page?id=1,
// for Windows page@id=1, and with -E page?id=1.html. Names such as page%3Fid%3D1, also for Windows,
// are found by listing.
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

// guesses returns other paths for names, the most likely first. The first guess is names itself,
// for names that differ only in case.
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
	if stem := strings.TrimSuffix(last, filepath.Ext(last)); stem != "" &&
		slices.Contains(extensions, filepath.Ext(last)) {
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

// path returns the file that dir has at names, or "" if there is no file. If the last name is "",
// it is the index file of the directory.
func (f *Files) path(dir string, names []string) string {
	for _, n := range names[:len(names)-1] {
		if n == "" || !f.list(dir).has(n) {
			return ""
		}
		dir = filepath.Join(dir, n)
	}
	l, last := f.list(dir), names[len(names)-1]
	if last != "" {
		return l.file(dir, last)
	}
	for _, index := range f.indexes {
		if path := l.file(dir, index); path != "" {
			return path
		}
	}
	return ""
}

// Find returns the file that a browser should open from a disk for an absolute URI. A file whose
// name contains the query comes first, then a file without it, then the guess of Check. path is ""
// if there is no file. dropped reports that no name contains the query.
func (f *Files) Find(uri string) (v Verdict, path string, dropped bool) { return f.file(uri).found() }

// found returns Found and the path if there is a file, and whether the query is dropped.
func (m match) found() (v Verdict, path string, dropped bool) {
	if m.path == "" {
		return m.verdict, "", false
	}
	return Found, m.path, !m.query
}

// first returns the first of list that has a file, in the spelling of the disk. It is nil if no
// file matches, even without regard to case.
func (f *Files) first(dir string, list [][]string) []string {
	for _, names := range list {
		if f.path(dir, names) != "" {
			return names
		}
		names = f.alike(dir, names)
		if names != nil {
			return names
		}
	}
	return nil
}

// alike returns the names of a file or directory that look like names, or nil. They may differ in
// case, in the composition of characters, or by letters for characters.
func (f *Files) alike(dir string, names []string) []string {
	var found []string
	for _, n := range names {
		if n != "" {
			n = f.list(dir).like(n)
			if n == "" {
				return nil
			}
		}
		found = append(found, n)
		dir = filepath.Join(dir, n)
	}
	if f.path(f.top(dir, found), found) == "" {
		return nil
	}
	return found
}

// top returns the directory from which names led to dir.
func (f *Files) top(dir string, names []string) string {
	for _, n := range names {
		if n != "" {
			dir = filepath.Dir(dir)
		}
	}
	return dir
}

// fold returns a form that is equal for all names that look alike.
func fold(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return cases.Fold().String(norm.NFKC.String(name))
		}
	}
	return strings.ToLower(name) // the same for ASCII
}

// listing is the content of a directory.
type listing struct {
	names   map[string]os.FileMode
	letters map[string]string // from names without letters to the names on the disk
	folded  map[string]string // from folded names to the names on the disk, with and without letters
}

// like returns the name in the directory that is most like name: the same name, else a name with
// letters for some characters, else a name in another case or composition. It is "" if there is no
// such name.
func (l *listing) like(name string) string {
	if l.has(name) {
		return name
	}
	if n := l.letters[name]; n != "" {
		return n
	}
	return l.folded[fold(name)]
}

// letters matches escapes such as %3F and %3f. Programs that save pages write them for characters
// that Windows does not allow in names of files, and for '=' and '&'.
var letters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)%(22|26|2a|3[acdef]|5c|7c)`)
})

// withoutLetters returns name with these escapes undone.
func withoutLetters(name string) string {
	if strings.IndexByte(name, '%') < 0 {
		return name
	}
	return letters().ReplaceAllStringFunc(name, resolve.Unescape)
}

func (l *listing) has(name string) bool { _, ok := l.names[name]; return ok }

// file returns the path of name in dir if it is a file, or a link to a file, else "".
func (l *listing) file(dir, name string) string {
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

// list reads a directory once. A directory that cannot be read is empty.
func (f *Files) list(dir string) *listing {
	f.read.mu.Lock()
	defer f.read.mu.Unlock()
	if l := f.read.dirs[dir]; l != nil {
		return l
	}
	l := &listing{make(map[string]os.FileMode), make(map[string]string), make(map[string]string)}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		l.names[e.Name()] = e.Type()
		setFirst(l.folded, fold(e.Name()), e.Name())
	}
	for _, e := range entries {
		if plain := withoutLetters(e.Name()); plain != e.Name() {
			setFirst(l.letters, plain, e.Name())
			setFirst(l.folded, fold(plain), e.Name())
		}
	}
	f.read.dirs[dir] = l
	return l
}

// setFirst sets a value that is not set yet.
func setFirst(m map[string]string, key, value string) {
	if m[key] == "" {
		m[key] = value
	}
}
