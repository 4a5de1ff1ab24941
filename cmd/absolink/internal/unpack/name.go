package unpack

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/files"
	"absolink/mime"
	"absolink/resolve"
)

// A file is named after the last segment of its Content-Location. Without one it has the filename
// of the Content-Disposition, or a name such as part-2. The name has only characters that every
// file system accepts. Its extension fits the media type, because a browser determines the type of
// a local file by the extension alone.

// names holds the reserved names, in lower case.
type names struct {
	used map[string]bool
	next map[string]int // by name: the first number that uniqueName has not tried
}

// The maximum lengths in bytes of the parts of a name. A number may follow the stem.
const (
	maxStem      = 80
	maxExtension = 16
)

// reserve reserves a name. It returns false if the name is reserved already, in any case of
// letters.
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
	_, filename := e.Disposition()
	name := cmp.Or(clean(lastSegment(uri)), clean(filename), clean("part-"+e.Section))
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	fitting := extensions()[e.MediaType()]
	switch {
	case len(fitting) > 0 && !slices.Contains(fitting, strings.ToLower(ext)):
		stem = strings.TrimRight(stem+strings.ReplaceAll(ext, ".", "-"), "-")
		ext = fitting[0]
	case len(fitting) == 0 && (ext == "" || active[strings.ToLower(ext)]):
		stem += strings.ReplaceAll(ext, ".", "-")
		ext = ".bin"
	}
	ext = ext[:min(len(ext), maxExtension)]
	stem = stem[:min(len(stem), maxStem)]
	if files.IsDevice(stem) || stem == "" {
		stem = "_" + stem
	}
	return n.uniqueName(stem, ext)
}

// uniqueName reserves and returns the name stem+ext. If that name is reserved already, it appends a
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

// lastSegment returns the percent-decoded last segment of the path of uri, or the host if there is
// no path. For a cid: URL it returns the text before the "@".
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	if rest, ok := strings.CutPrefix(uri, "cid:"); ok {
		uri, _, _ = strings.Cut(rest, "@")
	}
	if i := strings.Index(uri, "://"); i >= 0 {
		host, path, hasPath := strings.Cut(uri[i+3:], "/")
		uri = path
		if !hasPath {
			uri = host
		}
	}
	return resolve.Unescape(uri[strings.LastIndexByte(uri, '/')+1:])
}

// clean returns s with '_' for each run of characters other than ASCII letters, digits, '-', '_'
// and dots. It removes dots, '_' and '-' at both ends.
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

// extensions returns the extensions that fit each media type. A file with another extension gets
// the first of them.
var extensions = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"text/html": {".html", ".htm"}, "application/xhtml+xml": {".xhtml"},
		"text/css": {".css"}, "text/plain": {".txt"}, "text/xml": {".xml"}, "application/xml": {".xml"},
		"text/javascript": {".js", ".mjs"}, "application/javascript": {".js", ".mjs"},
		"application/x-javascript": {".js"}, "application/json": {".json"}, "application/pdf": {".pdf"},
		"image/png": {".png"}, "image/jpeg": {".jpg", ".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"},
		"image/avif": {".avif"}, "image/svg+xml": {".svg"}, "image/bmp": {".bmp"}, "image/x-icon": {".ico"},
		"image/vnd.microsoft.icon": {".ico"}, "image/tiff": {".tif", ".tiff"},
		"font/woff": {".woff"}, "font/woff2": {".woff2"}, "font/ttf": {".ttf"}, "font/otf": {".otf"},
		"audio/mpeg": {".mp3"}, "audio/ogg": {".ogg"}, "video/mp4": {".mp4"}, "video/webm": {".webm"},
	}
})

// active has the extensions of files that a browser shows as pages or runs. A part of an unknown
// media type never gets one.
var active = map[string]bool{".html": true, ".htm": true, ".xhtml": true,
	".shtml": true, ".svg": true, ".xml": true, ".js": true, ".mjs": true}

// checkLocation returns an error if the Content-Location value must not name a file. Such a value
// has a segment "..", which may lead out of the directory, or names a device. uri is its absolute
// form, or "" without a base.
func checkLocation(value, uri string) error {
	location, _, _ := strings.Cut(cmp.Or(uri, value), "?")
	lower := strings.ToLower(location)
	if strings.HasPrefix(lower, "cid:") {
		return nil
	}
	isSlash := func(c rune) bool { return c == '/' || c == '\\' }
	if slices.Contains(strings.FieldsFunc(resolve.Unescape(location), isSlash), "..") {
		return errors.New("leads out of the directory")
	}
	stem, _, _ := strings.Cut(lastSegment(location), ".")
	if files.IsDevice(strings.Trim(stem, " ")) || strings.HasPrefix(lower, "file:///dev/") ||
		strings.HasPrefix(lower, "/dev/") || strings.HasPrefix(lower, "file://./") {
		return errors.New("names a device")
	}
	return nil
}
