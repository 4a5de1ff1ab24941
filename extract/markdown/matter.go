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
// beginning of a document. It is no Markdown. Its keys hold URLs only by convention, so they are
// read with Options.Lazy only. Values that need more than a look at their line are not read: block
// scalars, anchors, inline tables.

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

// skipMatter lets the Markdown begin behind the front matter, whose references it adds.
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

// pair matches a line with a key and a value, and item an item of a list of YAML.
var (
	pair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([ \t]*(?:- +)*)["']?([A-Za-z_][\w.-]*)["']?[ \t]*[:=][ \t]*(.*)$`)
	})
	item = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([ \t]*)- +(.*)$`) })
)

// readMatter adds the references in front matter.
func (f *finder) readMatter(m *matter) {
	key := "" // the key of a list
	at := m.start
	for rest := f.source[m.start:m.end]; len(rest) > 0; at = m.end - len(rest) {
		var line []byte
		line, rest = cutLine(rest)
		sep := byte(':')
		if m.toml {
			sep = '='
		}
		if i := item().FindSubmatchIndex(line); i != nil && !m.toml && key != "" && !pair().Match(line) {
			f.scalar(key, at+i[4], at+i[5], false)
			continue
		}
		p := pair().FindSubmatchIndex(line)
		if p == nil || line[bytes.IndexAny(line[p[5]:], ":=")+p[5]] != sep {
			continue
		}
		key = string(line[p[4]:p[5]])
		f.values(key, at+p[6], at+p[7])
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

// scalar adds the reference that a value is, if its key and its text say so. inList says that the
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
	if len(v) == 0 || bytes.ContainsAny(v, " \t\\{}[]|<>*&!%@`\"'") {
		return false
	}
	return strong && bytes.ContainsAny(v, "/.#?:") || bytes.IndexByte(v, '/') >= 0 || bytes.IndexByte(v, '.') > 0
}

// The names of keys that hold URLs, in lower case and without marks. Those of addresses name a
// place of the page itself: generators read them as paths, so they are only listed.
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
