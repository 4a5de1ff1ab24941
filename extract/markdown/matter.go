package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	own "absolink/extract/internal/text"
)

// Site generators read front matter: YAML between lines "---", or TOML between lines "+++", at the
// beginning of a document. It is not Markdown. That a key holds a URL is only a convention, so
// front matter is read only with Options.Lazy. Values that need more than a look at their line are
// not read: block scalars, anchors, inline tables.

// matter is the front matter of a document.
type matter struct {
	toml  bool
	start int // offset of its first line, behind the mark
	end   int // offset of the mark behind it
	next  int // offset behind that mark
}

// firstKey matches the first line of YAML or TOML that is neither blank nor a comment.
var firstKey = [2]func() *regexp.Regexp{
	sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^["']?[A-Za-z_][\w .-]*["']?[ \t]*:([ \t]|$)`)
	}),
	sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\[+[\w ".-]+\]+|["']?[\w.-]+["']?[ \t]*=)`)
	}),
}

// matterOf returns the front matter of source. found is false if there is none. open reports that
// it begins and has no end.
func matterOf(source []byte) (m matter, found, open bool) {
	mark, rest := cutLine(source)
	mark = bytes.TrimRight(mark, " \t")
	m.toml = string(mark) == "+++"
	if string(mark) != "---" && !m.toml {
		return m, false, false
	}
	m.start = len(source) - len(rest)
	checked := false // the first key was seen
	for len(rest) > 0 {
		at := len(source) - len(rest)
		var line []byte
		line, rest = cutLine(rest)
		trimmed := bytes.TrimRight(line, " \t")
		if bytes.Equal(trimmed, mark) || !m.toml && string(trimmed) == "..." {
			m.end = at
			m.next = len(source) - len(rest)
			return m, checked, false
		}
		if checked || len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		kind := 0
		if m.toml {
			kind = 1
		}
		if !firstKey[kind]().Match(trimmed) {
			return m, false, false
		}
		checked = true
	}
	return m, false, checked
}

// cutLine cuts b behind its first line, which is returned without its end.
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// skipMatter moves the start of the Markdown behind the front matter. With Options.Lazy, it adds
// the references in the front matter.
func (f *finder) skipMatter() {
	m, found, open := matterOf(f.source)
	if open {
		f.Problem(f.start, reading.OpenFrontMatter)
	}
	if !found {
		return
	}
	if f.Doc.Options.Lazy {
		f.readMatter(&m)
	}
	f.source = f.source[m.next:]
	f.start += m.next
}

// The expressions for lines of front matter. A pair is a key and its value, which may be missing in
// YAML. An item of a list of YAML has a value only.
var (
	yamlPair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[ \t]*(?:- +)*["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(.*))?$`)
	})
	yamlItem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*- +(.*)$`) })
	tomlPair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[ \t]*["']?([A-Za-z_][\w.-]*)["']?[ \t]*=[ \t]*(.*)$`)
	})
)

// readMatter adds the references in front matter.
func (f *finder) readMatter(m *matter) {
	key := "" // the key of a list
	at := m.start
	for rest := f.source[m.start:m.end]; len(rest) > 0; at = m.end - len(rest) {
		var line []byte
		line, rest = cutLine(rest)
		pair := yamlPair
		if m.toml {
			pair = tomlPair
		}
		if p := pair().FindSubmatchIndex(line); p != nil {
			key = string(line[p[2]:p[3]])
			if p[4] >= 0 {
				f.values(key, at+p[4], at+p[5])
			}
			continue
		}
		if i := yamlItem().FindSubmatchIndex(line); i != nil && !m.toml && key != "" {
			f.scalar(key, at+i[2], at+i[3], false)
		}
	}
}

// values adds the references in the value of a key: one, or those of a list in brackets.
func (f *finder) values(key string, start, end int) {
	raw := f.source[start:end]
	if len(raw) == 0 || raw[0] != '[' {
		f.scalar(key, start, end, false)
		return
	}
	last := bytes.LastIndexByte(raw, ']')
	if last < 0 {
		return
	}
	from := start + 1
	for part := range bytes.SplitSeq(raw[1:last], []byte{','}) {
		f.scalar(key, from, from+len(part), true)
		from += len(part) + 1
	}
}

// scalar adds a value as a reference, if its key and its text look like one. inList says that the
// value is in brackets.
func (f *finder) scalar(key string, start, end int, inList bool) {
	kind, strong, listOnly := kindOfKey(key)
	for start < end && isSpace(f.source[start]) {
		start++
	}
	raw := f.source[start:end]
	if kind == place.KindMeta || len(raw) == 0 {
		return
	}
	quote := raw[0]
	n := 0
	switch quote {
	case '"', '\'':
		start++
		n = bytes.IndexByte(raw[1:], quote)
	default:
		quote = 0
		n = len(raw)
		if comment := bytes.Index(raw, []byte(" #")); comment >= 0 {
			n = comment
		}
		n = len(bytes.TrimRight(raw[:n], " \t"))
	}
	if n < 0 || !looksLikeURL(f.source[start:start+n], strong) {
		return
	}
	f.Element = "front-matter"
	m := reading.Maker{Text: &f.Text, Row: place.FrontMatter, Attr: strings.ToLower(key), Kind: kind,
		Layer: f.Current, Sheet: true, Value: f.Text.Text(f.start+start, f.start+start+n)}
	r := m.Add(own.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Scalar)
	r.Context.Inner = quote
	if quote == 0 && inList {
		r.Context.Inner = ','
	}
	r.ListOnly = r.ListOnly || listOnly
}

// looksLikeURL reports whether a value may be a URL. strong says that its key names a URL.
func looksLikeURL(v []byte, strong bool) bool {
	if len(v) == 0 || bytes.ContainsAny(v, " \t\\{}[]|<>*`\"'") || bytes.IndexByte([]byte("&!%@"), v[0]) >= 0 {
		return false
	}
	return strong && bytes.ContainsAny(v, "/.#?:") || bytes.IndexByte(v, '/') >= 0 || bytes.IndexByte(v, '.') > 0
}

// The names of keys that hold URLs, in lower case and without '-', '_' and '.'. The value of an
// address key is a place of the page itself: generators read it as a path, so it is only listed.
var (
	urlKeys = strings.Fields("url uri href link links src canonical redirect redirectto homepage website " +
		"repository")
	imageKeys = strings.Fields("image images img cover banner thumbnail thumb photo avatar logo icon favicon " +
		"poster hero background")
	mediaKeys   = strings.Fields("video videos audio")
	addressKeys = strings.Fields("permalink aliases alias redirectfrom slug")
)

// kindOfKey returns the kind of the references of a key, or KindMeta if it has none. strong says
// that the key names a URL, and listOnly that its value must not change.
func kindOfKey(key string) (kind place.Kind, strong, listOnly bool) {
	name := strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(key))
	has := func(list []string) bool {
		for _, k := range list {
			if name == k {
				return true
			}
		}
		return false
	}
	switch {
	case has(addressKeys):
		return place.KindNav, false, true
	case has(imageKeys), has(mediaKeys), strings.HasSuffix(name, "image"), strings.HasSuffix(name, "img"):
		return place.KindRes, false, false
	case has(urlKeys), strings.HasSuffix(name, "url"), strings.HasSuffix(name, "href"), strings.HasSuffix(name, "uri"):
		return place.KindNav, true, false
	}
	return place.KindMeta, false, false
}
