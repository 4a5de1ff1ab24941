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
	start int // offset of the line after the opening mark
	end   int // offset of the closing mark
	next  int // offset of the line after the closing mark
}

// The first line of front matter that is neither blank nor a comment must match one of these. Other
// text between such marks is Markdown.
var (
	yamlStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^["']?[A-Za-z_][\w .-]*["']?[ \t]*:([ \t]|$)`)
	})
	tomlStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\[+[\w ".-]+\]+|["']?[\w.-]+["']?[ \t]*=)`)
	})
)

// matterOf returns the front matter of source. found is false if there is none. open is true if
// front matter begins and does not end.
func matterOf(source []byte) (m matter, found, open bool) {
	mark, rest := cutLine(source)
	mark = bytes.TrimRight(mark, " \t")
	m.toml = string(mark) == "+++"
	if string(mark) != "---" && !m.toml {
		return m, false, false
	}
	m.start = len(source) - len(rest)
	begun := false // the first key was seen
	for len(rest) > 0 {
		at := len(source) - len(rest)
		var line []byte
		line, rest = cutLine(rest)
		trimmed := bytes.TrimRight(line, " \t")
		if bytes.Equal(trimmed, mark) || !m.toml && string(trimmed) == "..." {
			m.end = at
			m.next = len(source) - len(rest)
			return m, begun, false
		}
		if begun || len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		start := yamlStart
		if m.toml {
			start = tomlStart
		}
		if !start().Match(trimmed) {
			return m, false, false
		}
		begun = true
	}
	return m, false, begun
}

// cutLine returns the first line of b without its line end, and the rest of b.
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// skipMatter moves the start of the Markdown to the end of the front matter. With Options.Lazy, it
// adds the references in the front matter. It returns false if the front matter is too large.
func (f *finder) skipMatter() bool {
	m, found, open := matterOf(f.source)
	if open {
		f.Problem(f.start, reading.OpenFrontMatter)
	}
	if !found {
		return true
	}
	if m.next > mostMatter {
		return false
	}
	if f.Doc.Options.Lazy {
		f.readMatter(&m)
	}
	f.source = f.source[m.next:]
	f.start += m.next
	return true
}

// The expressions for lines of front matter. A pair is a key and its value. In YAML the value may
// be missing. An item of a list in YAML has a value only.
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
	pair := yamlPair
	if m.toml {
		pair = tomlPair
	}
	key := "" // the last key: the items after it belong to its list
	at := m.start
	for at < m.end {
		line, rest := cutLine(f.source[at:m.end])
		if p := pair().FindSubmatchIndex(line); p != nil {
			key = string(line[p[2]:p[3]])
			if p[4] >= 0 {
				f.addValues(key, at+p[4], at+p[5])
			}
		} else if i := yamlItem().FindSubmatchIndex(line); i != nil && !m.toml && key != "" {
			f.addScalar(key, at+i[2], at+i[3], false)
		}
		at = m.end - len(rest)
	}
}

// addValues adds the references in the value of a key: one, or those of a list in brackets.
func (f *finder) addValues(key string, start, end int) {
	raw := f.source[start:end]
	if len(raw) == 0 || raw[0] != '[' {
		f.addScalar(key, start, end, false)
		return
	}
	last := bytes.LastIndexByte(raw, ']')
	if last < 0 {
		return
	}
	at := start + len("[")
	for part := range bytes.SplitSeq(raw[1:last], []byte{','}) {
		f.addScalar(key, at, at+len(part), true)
		at += len(part) + len(",")
	}
}

// addScalar adds the value between two offsets as a reference, if its key can have a URL and the
// value looks like a URL. inList says that the value is in brackets.
func (f *finder) addScalar(key string, start, end int, inList bool) {
	row := place.FrontMatter(key)
	if row == nil {
		return
	}
	listOnly := row.Default == place.ListOnly
	at, quote, ok := f.scalar(start, end)
	if !ok || !looksLikeURL(f.source[at.Start:at.End], row.Kind == place.KindNav && !listOnly) {
		return
	}
	f.Element = "front-matter"
	m := reading.Maker{Text: &f.Text, Row: row, Attr: strings.ToLower(key), Kind: row.Kind,
		Layer: f.Current, Sheet: true, Value: f.Text.Text(f.start+at.Start, f.start+at.End)}
	r := m.Add(own.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Scalar)
	r.Context.Inner = quote
	if quote == 0 && inList {
		r.Context.Inner = ',' // an edit must not write the separators of lists
	}
	r.ListOnly = r.ListOnly || listOnly
}

// scalar returns the span of the value between two offsets, without blanks, quotes and a comment.
// quote is 0 if the value has no quotes. ok is false if the closing quote is missing.
func (f *finder) scalar(start, end int) (at own.Span, quote byte, ok bool) {
	for start < end && isSpace(f.source[start]) {
		start++
	}
	raw := f.source[start:end]
	if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
		n := bytes.IndexByte(raw[1:], raw[0])
		start++
		return own.Span{Start: start, End: start + n}, raw[0], n >= 0
	}
	plain, _, _ := bytes.Cut(raw, []byte(" #"))
	plain = bytes.TrimRight(plain, " \t")
	return own.Span{Start: start, End: start + len(plain)}, 0, true
}

// looksLikeURL reports whether a value may be a URL. namesURL says that the key names a URL.
func looksLikeURL(v []byte, namesURL bool) bool {
	if len(v) == 0 || bytes.ContainsAny(v, " \t\\{}[]|<>*`\"'") || bytes.IndexByte([]byte("&!%@"), v[0]) >= 0 {
		return false
	}
	return namesURL && bytes.ContainsAny(v, "/.#?:") || bytes.IndexByte(v, '/') >= 0 || bytes.IndexByte(v, '.') > 0
}
