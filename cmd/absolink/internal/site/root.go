// Package site finds the URI of a file and the file of a URI. The options --root tell which
// directory has which URI. The package also reads the rules by which a site moves.
//
//	root.go      the URIs of files
//	check.go     the files of URIs; anchor.go the anchors to which fragments lead
//	tree.go      the files of URIs before and after a move
//	rule.go      the rules of a move
//	keep.go      links that stay absolute in a site with relative links
//	refused.go   features that a browser refuses in pages from a disk
//	twin.go      pages that a mirror holds twice
//	old.go       old addresses that are left in text; old_spelling.go their spellings
//	layout.go    the paths of the files of several roots in one output
//	redirect.go  redirects for the server at the old addresses
//	address.go   the old addresses of files that were saved from a site
package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/resolve"
)

// Root maps a directory to a URI: the file with the relative path P below Dir was retrieved from
// URI + P.
type Root struct {
	Dir string // absolute path
	URI string // URI of Dir in the form that resolving writes, with a slash at its end

	name  string       // Dir as the user gave it
	given string       // URI as the user gave it, with a slash at its end
	key   string       // normalOrigin of URI without its final slash; set by newRootList
	used  *atomic.Bool // Roots.URI returned a URI by this root
}

// Roots is a set of roots. It is safe for concurrent use once all roots are added.
type Roots struct {
	// Rules are the rules by which links are resolved. They must be set before the first Add.
	Rules resolve.Options

	list   []Root // the longest Dir first
	doubts []string
}

// Doubts describes the roots that look wrong: the directory does not exist, or it already has a
// root with another URI, perhaps under another path, such as a link. A directory that lies below
// another root is not reported.
func (r *Roots) Doubts() []string { return r.doubts }

// Unused returns the directories of the roots that [Roots.URI] has not used, as the user gave them.
// It leaves out directories that do not exist: Doubts reports these.
func (r *Roots) Unused() (dirs []string) {
	for _, root := range r.list {
		if !root.used.Load() && checkDirectory(root.Dir) == nil {
			dirs = append(dirs, root.name)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// Add adds a root. If the directory already has a root with another URI, perhaps under another
// path, Add adds a text to Doubts instead. If the directory does not exist, Add adds the root and a
// text to Doubts. The error describes an argument that cannot be a root.
func (r *Roots) Add(dir, uri string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if i := strings.IndexAny(uri, "?#"); i >= 0 {
		return fmt.Errorf("%q has a %q: the URI of a directory has no query and no fragment", uri, uri[i:i+1])
	}
	given := withFinalSlash(uri)
	n := Root{Dir: abs, URI: directoryURI(uri, r.Rules), name: dir, given: given}
	n.used = new(atomic.Bool)
	for _, old := range r.list {
		switch {
		case old.Dir == n.Dir && old.URI == n.URI:
			return nil
		case old.URI != n.URI && sameDirectory(old.Dir, abs):
			const doubt = "the files of %s cannot have both URIs, %s and %s: the first counts"
			r.doubts = append(r.doubts, fmt.Sprintf(doubt, dir, old.given, given))
			return nil
		}
	}
	switch why := checkDirectory(abs); {
	case errors.Is(why, syscall.ENOTDIR):
		return fmt.Errorf("%s is not a directory: type --root DIR=URI for its directory, or --base %s for "+
			"this file alone", dir, uri)
	case why != nil:
		r.doubts = append(r.doubts, fmt.Sprintf("%s: %v", dir, why))
	}
	if name, parent := fileOfRoot(uri, r.Rules); name != "" && name != filepath.Base(dir) {
		return fmt.Errorf("%s looks like a file: type the URI of the directory, --root %s=%s, or end the URI with "+
			"a slash if %[1]s is a directory", name, dir, parent)
	}
	r.list = append(r.list, n)
	sort.SliceStable(r.list, func(i, j int) bool { return len(r.list[i].Dir) > len(r.list[j].Dir) })
	return nil
}

// directoryURI returns the URI of a directory in the form that resolving gives to links below it,
// with a slash at its end. So a link lies below the directory if its URI begins with the result. If
// uri is not an absolute URI, only the slash is added.
func directoryURI(uri string, rules resolve.Options) string {
	b, err := resolve.NewBase(uri, rules)
	if err == nil {
		b, err = resolve.NewBase(withFinalSlash(b.String()), rules)
	}
	if err != nil {
		return withFinalSlash(uri)
	}
	here, err := b.Resolve("./")
	if err != nil {
		return withFinalSlash(b.String())
	}
	return withFinalSlash(here)
}

// fileOfRoot returns the last name in the path of uri if it looks like the name of a file, such as
// index.html. parent is the URI of its directory. If the path ends with another name or a slash,
// name is "".
func fileOfRoot(uri string, rules resolve.Options) (name, parent string) {
	b, err := resolve.NewBase(uri, rules)
	if err != nil {
		return "", ""
	}
	uri = b.String()
	escaped := path.Base(resolve.Split(uri).Path)
	name = resolve.Unescape(escaped)
	parent, isLast := strings.CutSuffix(uri, "/"+escaped)
	if !isLast || !kinds.IsFileName(name) {
		return "", ""
	}
	return name, parent + "/"
}

func withFinalSlash(uri string) string { return strings.TrimSuffix(uri, "/") + "/" }

// normalOrigin returns uri with its scheme and authority in normal form (RFC 3986 6.2.2.1 and
// 6.2.3): in lower case, and without a default port. The rule sets of the RFCs keep them as they
// are written.
func normalOrigin(uri string) string {
	colon := strings.Index(uri, "://")
	if colon <= 0 {
		return uri
	}
	start := colon + len("://")
	n := strings.IndexAny(uri[start:], "/?#")
	if n < 0 {
		n = len(uri) - start
	}
	origin := uri[:start+n]
	if strings.IndexByte(origin[start:], ':') < 0 && !strings.ContainsFunc(origin, unicode.IsUpper) {
		return uri
	}
	return strings.TrimSuffix(resolve.Scheme.Normalize(origin), "/") + uri[start+n:]
}

// checkDirectory returns the reason why name is not a directory, or nil if it is a directory.
func checkDirectory(name string) error {
	info, err := os.Stat(name)
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return path.Err
	case err == nil && !info.IsDir():
		return syscall.ENOTDIR
	}
	return err
}

// sameDirectory reports whether the paths a and b lead to the same directory.
func sameDirectory(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// All returns the roots, those with the longest Dir first.
func (r *Roots) All() []Root { return r.list }

// URI returns the URI of a file, or "" if the file lies below no root. If several roots lie above
// the file, the longest directory counts. URI percent-encodes the bytes of the path that may not
// stand in a URI, whatever their charset is.
func (r *Roots) URI(path string) string {
	if len(r.list) == 0 || path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	for _, root := range r.list {
		if rel, err := filepath.Rel(root.Dir, abs); err == nil && filepath.IsLocal(rel) {
			root.used.Store(true)
			return root.URI + EscapePath(filepath.ToSlash(rel))
		}
	}
	return ""
}

// EscapePath percent-encodes the bytes that may not stand in the path of a URI (RFC 3986 3.3).
func EscapePath(p string) string {
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c &&
			c <= '9', strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// SplitPair splits an argument LEFT=RIGHT. Both sides may contain '='. So SplitPair splits at the
// first '=' that is followed by a scheme or a slash. ok is false if there is no such '='.
func SplitPair(arg string) (left, right string, ok bool) {
	for i := range len(arg) {
		if arg[i] == '=' && i > 0 && (strings.HasPrefix(arg[i+1:], "/") || HasScheme(arg[i+1:])) {
			return arg[:i], arg[i+1:], true
		}
	}
	return "", "", false
}

// HasScheme reports whether s begins with a scheme and a colon (RFC 3986 3.1).
func HasScheme(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}
