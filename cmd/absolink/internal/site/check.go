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
	Found                  // the URI has a file, or a directory with an index file
	Similar                // the URI has no file, but probably means a file with a similar name
	Missing                // the URI has no file
)

// Files finds the files of URIs below roots. It reads each directory once and does not see later
// changes. It is safe for concurrent use.
type Files struct {
	roots   []Root
	indexes []string // names of index files, in order of precedence
	dirs    *dirCache
	cache   matchCache
}

// matchCache has the matches of the URIs that were looked up last, because many pages of a site
// have the same links. It is safe for concurrent use.
type matchCache struct {
	mu    sync.RWMutex
	byURI map[string]match
}

// maxMatches is the largest number of matches in a cache. A full cache is emptied, so its memory
// does not grow with the site.
const maxMatches = 1 << 15

func (m *matchCache) get(uri string) (found match, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	found, ok = m.byURI[uri]
	return found, ok
}

func (m *matchCache) set(uri string, found match) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byURI == nil || len(m.byURI) >= maxMatches {
		m.byURI = make(map[string]match)
	}
	m.byURI[strings.Clone(uri)] = found
}

// dirCache has the listings of directories that were read. It is safe for concurrent use.
type dirCache struct {
	mu       sync.Mutex
	listings map[string]*listing
}

// NewFiles returns the files below roots. indexes are the names of index files in order of
// precedence; if there are none, [Indexes] are used.
func NewFiles(roots []Root, indexes []string) *Files {
	if len(indexes) == 0 {
		indexes = Indexes
	}
	return &Files{roots: newRootList(roots), indexes: indexes, dirs: &dirCache{listings: make(map[string]*listing)}}
}

// withRoots returns the same files with other roots. The result shares the cache of directories
// with f.
func (f *Files) withRoots(roots []Root) *Files {
	return &Files{roots: newRootList(roots), indexes: f.indexes, dirs: f.dirs}
}

// newRootList returns a copy of roots with their keys, sorted by their URIs, the longest first.
func newRootList(roots []Root) []Root {
	list := slices.Clone(roots)
	for i, r := range list {
		list[i].key = normalOrigin(strings.TrimSuffix(r.URI, "/"))
	}
	slices.SortStableFunc(list, func(a, b Root) int { return len(b.URI) - len(a.URI) })
	return list
}

// Indexes are the usual index files, in the order in which servers look for them.
var Indexes = []string{"index.html", "index.htm", "index.xhtml",
	"index.shtml", "index.php", "default.html", "default.htm"}

// IsIndex reports whether name is one of the names of index files, in any case: IIS calls its file
// Default.htm.
func IsIndex(indexes []string, name string) bool {
	return slices.ContainsFunc(indexes, func(index string) bool { return strings.EqualFold(index, name) })
}

// extensions are the extensions that servers add to a URI, or that a site may have dropped.
var extensions = []string{".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp"}

// match is the result of looking up a URI: its file or directory.
type match struct {
	verdict     Verdict
	path        string // empty if there is no file
	uri         string // URI of the file, made from the URI of its root; set if the verdict is Similar
	queryInName bool   // the name of the file contains the query of the URI, or the URI has no query
}

// Check looks for the file of an absolute URI. If the verdict is Similar, meant is the URI of the
// file that was found.
func (f *Files) Check(uri string) (v Verdict, meant string) { return f.findFile(uri).verdictAndURI() }

// verdictAndURI returns the verdict. If the verdict is Similar, it also returns the URI of the
// file.
func (m match) verdictAndURI() (v Verdict, meant string) {
	if m.verdict != Similar {
		return m.verdict, ""
	}
	return Similar, m.uri
}

// findFile returns the file of an absolute URI. A file whose name contains the query has precedence
// over a file without the query. Guesses come last.
func (f *Files) findFile(uri string) match {
	uri, _, _ = strings.Cut(uri, "#")
	uri = normalOrigin(uri)
	if !f.isBelowRoot(uri) {
		return match{}
	}
	found, ok := f.cache.get(uri)
	if !ok {
		found = f.search(uri, (*Files).fileBelow)
		f.cache.set(uri, found)
	}
	return found
}

// isBelowRoot reports whether a URI lies below a root.
func (f *Files) isBelowRoot(uri string) bool {
	page, _, _ := strings.Cut(uri, "?")
	for _, root := range f.roots {
		if _, ok := root.pathBelow(page); ok {
			return true
		}
	}
	return false
}

// pathBelow returns the path of a URI below the root: it is empty or begins with a slash. ok is
// false if the URI does not lie below the root. The URI must have a normal origin and no query.
func (r Root) pathBelow(uri string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(uri, r.key)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// search calls below for each root above a URI. It returns the first match with the verdict Found,
// or else the first with the verdict Similar. If there is none, the verdict is Missing, or Outside
// if no root lies above the URI.
func (f *Files) search(uri string, below func(f *Files, root Root, names []string, query string) match) (best match) {
	page, _, _ := strings.Cut(normalOrigin(uri), "#")
	page, query, _ := strings.Cut(page, "?")
	for _, root := range f.roots {
		rest, ok := root.pathBelow(page)
		if !ok {
			continue
		}
		now := match{verdict: Missing}
		if names, ok := fileNames(strings.TrimPrefix(rest, "/")); ok {
			now = below(f, root, names, query)
		}
		if now.verdict == Found {
			return now
		}
		if best.verdict == Outside || best.verdict == Missing && now.verdict == Similar {
			best = now
		}
	}
	return best
}

// fileBelow looks for a file below root. names are the decoded segments of the path of the URI. The
// verdict is Found if a file has exactly this path. Even then the match may be another file: one
// whose name also contains the query has precedence. If the last name has a query of its own, query
// replaces it. Then the verdict is Found only if the name of the file also has this query.
func (f *Files) fileBelow(root Root, names []string, query string) match {
	exact := f.existingPath(root.Dir, names)
	if exact != "" && query == "" {
		return match{verdict: Found, path: exact, queryInName: true}
	}
	plain := withoutEmpty(names)
	last := &plain[len(plain)-1]
	unescaped := undoEscapes(*last)
	saved := query != "" && strings.Contains(unescaped, "?")
	if saved { // page%3Fid=1?id=2 comes from the link "?id=2" in a page that was saved as page?id=1
		*last, _, _ = strings.Cut(unescaped, "?")
	}
	if found := f.firstExisting(root.Dir, f.savedPaths(plain, query)); found != nil {
		m := f.newMatch(root, found, exact != "", true)
		if saved && m.path != exact {
			m.verdict = Similar
		}
		return m
	}
	if saved {
		return match{verdict: Missing}
	}
	if f.existingPath(root.Dir, plain) != "" {
		return f.newMatch(root, plain, exact != "", query == "")
	}
	if found := f.firstExisting(root.Dir, f.guesses(plain)); found != nil {
		return f.newMatch(root, found, false, query == "")
	}
	return match{verdict: Missing}
}

// newMatch returns the match for the file whose path below root is names. Its verdict is Found if
// exact is true, and otherwise Similar. queryInName is the field of match.
func (f *Files) newMatch(root Root, names []string, exact, queryInName bool) match {
	uri := root.URI + EscapePath(strings.Join(names, "/"))
	m := match{verdict: Similar, path: f.existingPath(root.Dir, names), uri: uri, queryInName: queryInName}
	if exact {
		m.verdict = Found
	}
	return m
}

// findSource returns the Markdown from which programs make the page of an absolute URI.
func (f *Files) findSource(uri string) match { return f.search(uri, (*Files).sourceBelow) }

// sourceBelow looks for the Markdown of a page below root. names are the decoded segments of the
// path of the URI.
func (f *Files) sourceBelow(root Root, names []string, query string) match {
	found := f.firstExisting(root.Dir, sources(withoutEmpty(names)))
	if found == nil {
		return match{verdict: Missing}
	}
	return f.newMatch(root, found, false, query == "")
}

// findDirectory returns the directory of an absolute URI that stands for a directory, such as a
// codebase. The directory needs no index file, and the URI no final slash.
func (f *Files) findDirectory(uri string) match {
	return f.search(uri, (*Files).directoryBelow)
}

// directoryBelow looks for a directory below root. names are the decoded segments of the path of
// the URI.
func (f *Files) directoryBelow(root Root, names []string, query string) match {
	plain := withoutEmpty(names)
	m := match{verdict: Found, path: root.Dir, uri: root.URI, queryInName: query == ""}
	for i, n := range plain {
		if n == "" {
			continue
		}
		l := f.readDir(m.path)
		if !l.has(n) {
			n = l.similar(n)
			m.verdict = Similar
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
		m.verdict = Similar
	}
	return m
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// withoutEmpty returns a copy of names without the empty names before the last name. File systems
// have no empty names: wget saves the page http://a/http://b/ as http:/b.
func withoutEmpty(names []string) []string {
	last := len(names) - 1
	list := slices.DeleteFunc(slices.Clone(names[:last]), func(n string) bool { return n == "" })
	return append(list, names[last])
}

// fileNames returns the decoded segments of the path of a URI. The last name is "" if the path ends
// with a slash. ok is false if no file can have these names.
func fileNames(path string) (names []string, ok bool) {
	for name := range strings.SplitSeq(path, "/") {
		n := resolve.Unescape(name)
		if n == "." || n == ".." || strings.ContainsAny(n, "/\x00") {
			return nil, false
		}
		names = append(names, n)
	}
	return names, true
}

// savedPaths returns the paths that programs give to a saved page with a query: wget writes
// page?id=1, for Windows page@id=1, and with -E page?id=1.html. It leaves out names such as
// page%3Fid%3D1: listing.similar finds them.
func (f *Files) savedPaths(names []string, query string) (list [][]string) {
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

// guesses returns paths that may be meant instead of names, the most likely first. The first guess
// is names itself, because a file may have the same name in another case.
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
	if IsIndex(f.indexes, last) {
		list = append(list, with(""))
	}
	return list
}

// sources returns the paths of Markdown from which programs make the page with the path names, for
// instance guide.md for guide, guide/ and guide.html. It returns none for the page of the top.
func sources(names []string) [][]string {
	dir, last := names[:len(names)-1], names[len(names)-1]
	if last == "" && len(dir) > 0 {
		dir, last = dir[:len(dir)-1], dir[len(dir)-1]
	}
	if last == "" {
		return nil
	}
	list := [][]string{append(slices.Clone(dir), last+".md")}
	if e := filepath.Ext(last); slices.Contains(extensions, e) {
		list = append(list, append(slices.Clone(dir), strings.TrimSuffix(last, e)+".md"))
	}
	return list
}

// existingPath returns the path of a file below dir, or "" if the file does not exist. names are
// the segments of the path below dir. If the last name is "", the file is the index file of its
// directory.
func (f *Files) existingPath(dir string, names []string) string {
	for _, n := range names[:len(names)-1] {
		if n == "" || !f.readDir(dir).has(n) {
			return ""
		}
		dir = filepath.Join(dir, n)
	}
	l, last := f.readDir(dir), names[len(names)-1]
	if last != "" {
		return l.existingFile(dir, last)
	}
	for _, index := range f.indexes {
		if path := l.existingFile(dir, index); path != "" {
			return path
		}
	}
	return ""
}

// Find returns the file that a browser should open from a disk for an absolute URI. It finds the
// same file as Check. If that file has a similar name, Find returns the verdict Found. If there is
// no file, path is "". dropped is true if the name of the file does not contain the query of the
// URI.
func (f *Files) Find(uri string) (v Verdict, path string, dropped bool) {
	return f.findFile(uri).asFound()
}

// asFound returns the results of Find for m.
func (m match) asFound() (v Verdict, path string, dropped bool) {
	if m.path == "" {
		return m.verdict, "", false
	}
	return Found, m.path, !m.queryInName
}

// firstExisting returns the first path in list that has a file, or a file with a similar name. The
// result is spelled as on the disk. It is nil if there is no such file.
func (f *Files) firstExisting(dir string, list [][]string) []string {
	for _, names := range list {
		if f.existingPath(dir, names) != "" {
			return names
		}
		names = f.similarPath(dir, names)
		if names != nil {
			return names
		}
	}
	return nil
}

// similarPath returns the path of a file that is similar to names, or nil. The path may differ in
// case, in the composition of characters, or by escapes such as %3F. If the last name is "" and the
// name of the index file differs in case, the path ends with that name.
func (f *Files) similarPath(dir string, names []string) []string {
	var found []string
	for _, n := range names {
		if n != "" {
			n = f.readDir(dir).similar(n)
			if n == "" {
				return nil
			}
		}
		found = append(found, n)
		dir = filepath.Join(dir, n)
	}
	top := f.ancestor(dir, found)
	if f.existingPath(top, found) != "" {
		return found
	}
	last := len(found) - 1
	if found[last] != "" {
		return nil
	}
	for _, index := range f.indexes {
		found[last] = f.readDir(dir).similar(index)
		if found[last] != "" && f.existingPath(top, found) != "" {
			return found
		}
	}
	return nil
}

// ancestor goes up from dir once for each name that is not empty, and returns that directory.
func (f *Files) ancestor(dir string, names []string) string {
	for _, n := range names {
		if n != "" {
			dir = filepath.Dir(dir)
		}
	}
	return dir
}

// fold returns a form of name that is the same for all names that differ only in case, in
// composition or in compatibility characters, such as full-width letters (NFKC).
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
	names     map[string]os.FileMode
	unescaped map[string]string // names on the disk that have escapes, by the names without the escapes
	folded    map[string]string // names on the disk by their folded forms, with and without escapes
}

// similar returns the name in the directory that is most similar to name: name itself, else a name
// with escapes for some characters, else a name in another case or composition. It returns "" if
// there is no such name.
func (l *listing) similar(name string) string {
	if l.has(name) {
		return name
	}
	if n := l.unescaped[name]; n != "" {
		return n
	}
	return l.folded[fold(name)]
}

// savedEscapes matches escapes such as %3F and %3f. Programs that save pages write them for
// characters that Windows does not allow in file names, and for '=' and '&'.
var savedEscapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)%(22|26|2a|3[acdef]|5c|7c)`)
})

// undoEscapes returns name with the savedEscapes decoded.
func undoEscapes(name string) string {
	if strings.IndexByte(name, '%') < 0 {
		return name
	}
	return savedEscapes().ReplaceAllStringFunc(name, resolve.Unescape)
}

func (l *listing) has(name string) bool { _, ok := l.names[name]; return ok }

// existingFile returns the path of name in dir if it is a regular file or a link to one, and
// otherwise "". Servers do not send other files, such as named pipes.
func (l *listing) existingFile(dir, name string) string {
	mode, ok := l.names[name]
	if !ok {
		return ""
	}
	path := filepath.Join(dir, name)
	if mode&os.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			return ""
		}
		mode = info.Mode()
	}
	if !mode.IsRegular() {
		return ""
	}
	return path
}

// readDir returns the listing of a directory. It reads each directory once. A directory that cannot
// be read has an empty listing.
func (f *Files) readDir(dir string) *listing {
	f.dirs.mu.Lock()
	defer f.dirs.mu.Unlock()
	if l := f.dirs.listings[dir]; l != nil {
		return l
	}
	l := &listing{make(map[string]os.FileMode), make(map[string]string), make(map[string]string)}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		l.names[e.Name()] = e.Type()
		setFirst(l.folded, fold(e.Name()), e.Name())
	}
	for _, e := range entries {
		if plain := undoEscapes(e.Name()); plain != e.Name() {
			setFirst(l.unescaped, plain, e.Name())
			setFirst(l.folded, fold(plain), e.Name())
		}
	}
	f.dirs.listings[dir] = l
	return l
}

// setFirst sets m[key] to value, unless it is set.
func setFirst(m map[string]string, key, value string) {
	if m[key] == "" {
		m[key] = value
	}
}
