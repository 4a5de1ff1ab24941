package unpack

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"absolink/mime"
	"absolink/resolve"
)

// The name of a file is the last segment of its Content-Location, or else the file name that its
// part gives. It has only characters that every file system accepts. Its extension fits the media
// type, because a browser finds out the type of a file by its extension alone.

// names are the names of the files, in lower case.
type names struct {
	used map[string]bool
	next map[string]int // the next number that uniqueName tries for a name
}

// maxStem is the largest length in bytes of a name without its extension and its number.
const maxStem = 80

// reserve reserves a name. It returns false if another file has it, in any case of letters.
func (n *names) reserve(name string) bool {
	key := strings.ToLower(name)
	if n.used[key] {
		return false
	}
	if n.used == nil {
		n.used = make(map[string]bool)
		n.next = make(map[string]int)
	}
	n.used[key] = true
	return true
}

// nameFor reserves and returns the name of the file for e. uri is the Content-Location of e, or "".
func (n *names) nameFor(e *mime.Entity, uri string) string {
	_, given := e.Disposition()
	stem, ext := "", ""
	for _, s := range []string{lastSegment(uri), given, "part-" + e.Section} {
		s = clean(s)
		if s != "" {
			ext = path.Ext(s)
			stem = strings.TrimSuffix(s, ext)
			break
		}
	}
	fits := extensions()[e.MediaType()]
	switch known := len(fits) > 0; {
	case known && !slices.Contains(fits, strings.ToLower(ext)):
		stem, ext = strings.TrimRight(stem+strings.ReplaceAll(ext, ".", "-"), "-"), fits[0]
	case !known && (ext == "" || shown[strings.ToLower(ext)]):
		stem, ext = stem+strings.ReplaceAll(ext, ".", "-"), ".bin" // never shown as a page, whatever its name
	}
	ext = ext[:min(len(ext), 16)]
	stem = stem[:min(len(stem), maxStem)]
	if isDevice(stem) || stem == "" {
		stem = "_" + stem
	}
	return n.uniqueName(stem, ext)
}

// uniqueName reserves and returns the name stem+ext. If another file has that name, it appends a
// number to stem.
func (n *names) uniqueName(stem, ext string) string {
	name := stem + ext
	if n.reserve(name) {
		return name
	}
	key := strings.ToLower(name)
	for i := max(2, n.next[key]); ; i++ {
		name = stem + "-" + strconv.Itoa(i) + ext
		if n.reserve(name) {
			n.next[key] = i + 1
			return name
		}
	}
}

// lastSegment returns the decoded last segment of the path of a URI, or "". For a cid: URL, whose
// path is a message identifier, it is the part before the "@".
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	if rest, ok := strings.CutPrefix(uri, "cid:"); ok {
		uri, _, _ = strings.Cut(rest, "@")
	}
	if i := strings.Index(uri, "://"); i >= 0 {
		host, path, found := strings.Cut(uri[i+3:], "/")
		uri = path
		if !found {
			uri = host
		}
	}
	return resolve.Unescape(uri[strings.LastIndexByte(uri, '/')+1:])
}

// clean returns s with '_' in place of characters that are not ASCII letters, digits, '-', '_' or
// dots. It removes dots, '_' and '-' at the ends.
func clean(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_':
			b.WriteRune(c)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "._-")
}

// extensions has the extensions that fit a media type. A file with another extension gets the
// first.
var extensions = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"text/html": {".html",
			".htm"}, "application/xhtml+xml": {".xhtml"}, "text/css": {".css"}, "text/plain": {".txt"},
		"text/javascript": {".js", ".mjs"}, "application/javascript": {".js",
			".mjs"}, "application/x-javascript": {".js"},
		"application/json": {".json"}, "text/xml": {".xml"}, "application/xml": {".xml"},
		"image/png": {".png"}, "image/jpeg": {".jpg",
			".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"}, "image/avif": {".avif"},
		"image/svg+xml": {".svg"}, "image/bmp": {".bmp"}, "image/x-icon": {".ico"},
		"image/vnd.microsoft.icon": {".ico"}, "image/tiff": {".tif", ".tiff"},
		"font/woff": {".woff"}, "font/woff2": {".woff2"}, "font/ttf": {".ttf"},
		"font/otf": {".otf"}, "application/pdf": {".pdf"},
		"audio/mpeg": {".mp3"}, "audio/ogg": {".ogg"}, "video/mp4": {".mp4"}, "video/webm": {".webm"},
	}
})

// shown are the extensions of files that a browser shows as pages or runs.
var shown = map[string]bool{".html": true, ".htm": true, ".xhtml": true,
	".shtml": true, ".svg": true, ".xml": true, ".js": true, ".mjs": true}

// checkLocation returns the reason why a Content-Location cannot name a file: it leads out of its
// directory, or it names a device. uri is its resolved form, or "" without a base.
func checkLocation(value, uri string) error {
	at := uri
	if at == "" {
		at = value
	}
	at, _, _ = strings.Cut(at, "?")
	if strings.HasPrefix(strings.ToLower(at), "cid:") {
		return nil
	}
	depth := 0
	for raw := range strings.SplitSeq(at, "/") {
		segment := resolve.Unescape(raw)
		if inner := strings.FieldsFunc(segment, func(c rune) bool { return c == '/' || c == '\\' }); segment != raw &&
			slices.Contains(inner, "..") {
			return errors.New("leads out of the directory")
		}
		depth++
		if segment == ".." {
			depth -= 2
		}
		if segment == "." || segment == "" {
			depth--
		}
		if depth < 0 || slices.Contains(strings.Split(segment, `\`), "..") {
			return errors.New("leads out of the directory")
		}
	}
	stem, _, _ := strings.Cut(lastSegment(at), ".")
	if lower := strings.ToLower(at); isDevice(strings.Trim(stem, " ")) || strings.HasPrefix(lower, "file:///dev/") ||
		strings.HasPrefix(lower, "/dev/") || strings.HasPrefix(lower, "file://./") {
		return errors.New("names a device")
	}
	return nil
}

// isDevice reports whether a file with this stem is a device on Windows, with any extension.
func isDevice(stem string) bool {
	stem = strings.ToLower(stem)
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "com") ||
		strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
}
