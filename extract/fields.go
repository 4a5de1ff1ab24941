package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract/internal/json"
)

// The header fields of messages and responses whose values hold references. A
// heading is a document of its own, since what stands in it is resolved against
// the base that the heading itself gives, never against a BASE element of the
// body. Its references are listed only: no edit touches a heading.
//
// A value is unfolded first, with a map back; what a field makes of it is a row
// of the table below, and one small reader each.

// field is one row.
type field struct {
	Place
	read func(m *maker)
}

// fields are the rows by the names in lower case. Most fields of a heading are not
// among them: fieldLetters has, by the length of a name, a bit for each first letter.
var (
	fields       = make(map[string]*field)
	fieldLetters [64]uint32
)

func init() {
	for i := range fieldRows {
		r := &fieldRows[i]
		r.Elements, r.Default = "header", ListOnly
		if r.Kind == KindIdentifier {
			r.Default = Never
		}
		for name := range strings.FieldsSeq(r.Attributes) {
			fields[name] = r
			fieldLetters[len(name)] |= 1 << (name[0] - 'a')
		}
	}
}

// Fields returns the table of header fields: Elements is "header", Attributes
// are the names of fields. The Types of places say only what a value holds.
func Fields() []Place {
	list := make([]Place, len(fieldRows))
	for i := range fieldRows {
		list[i] = fieldRows[i].Place
	}
	return list
}

var fieldRows = []field{
	// Messages (RFC 2110, 2369, 2557, 5064; RFC 2017 for the body elsewhere).
	{Place{Attributes: "content-base", Base: BaseNone, Kind: KindMeta}, (*maker).cleaned},
	{Place{Attributes: "content-location", Base: BaseEntity, Kind: KindMeta}, (*maker).cleaned},
	{Place{Attributes: "snapshot-content-location x-url x-original-url", Base: BaseNone, Kind: KindMeta}, (*maker).cleaned},
	{Place{Attributes: "archived-at", Base: BaseNone, Kind: KindNav}, (*maker).cleaned},
	{Place{Attributes: "list-unsubscribe list-subscribe list-post", Type: TypeAngles, Base: BaseNone, Kind: KindService}, (*maker).listAngles},
	{Place{Attributes: "list-help list-owner list-archive", Type: TypeAngles, Base: BaseNone, Kind: KindNav}, (*maker).listAngles},
	{Place{Attributes: "content-type", Base: BaseOuter, Kind: KindRes}, (*maker).externalBody},

	// Responses (RFC 8288, 9110 and others).
	{Place{Attributes: "location", Base: BaseOuter, Kind: KindNav}, (*maker).whole},
	{Place{Attributes: "refresh", Type: TypeRefresh, Base: BaseOuter, Kind: KindNav}, (*maker).refresh},
	{Place{Attributes: "link", Type: TypeAngles, Base: BaseOuter, Kind: KindNav}, (*maker).linkField},
	{Place{Attributes: "uri", Type: TypeAngles, Base: BaseOuter, Kind: KindNav}, (*maker).angles},
	{Place{Attributes: "sourcemap x-sourcemap x-pingback x-xrds-location destination", Base: BaseOuter, Kind: KindService}, (*maker).whole},
	{Place{Attributes: "speculation-rules reporting-endpoints", Type: TypeQuoted, Base: BaseOuter, Kind: KindService}, (*maker).strings},
	{Place{Attributes: "report-to", Type: TypeQuoted, Base: BaseOuter, Kind: KindService}, (*maker).endpoints},
	{Place{Attributes: "content-security-policy content-security-policy-report-only", Type: TypeReports, Base: BaseOuter, Kind: KindService}, (*maker).reports},
	{Place{Attributes: "public-key-pins public-key-pins-report-only expect-ct", Base: BaseOuter, Kind: KindService}, (*maker).reportURI},
	{Place{Attributes: "p3p", Base: BaseOuter, Kind: KindService}, (*maker).policyRef},
	{Place{Attributes: "referer origin access-control-allow-origin", Base: BaseNone, Kind: KindIdentifier}, (*maker).origin},
}

// heading reads the text as header fields.
func (f *finder) heading() {
	f.element, f.rel = "header", ""
	eol := byte('\n')
	if bytes.IndexByte(f.data, eol) < 0 {
		eol = '\r'
	}
	for i := 0; i < len(f.data); {
		end := fieldEnd(f.data, i, eol)
		f.field(i, end)
		i = end
	}
}

// fieldEnd returns the offset after the field at i and its continuation lines.
func fieldEnd(data []byte, i int, eol byte) int {
	for {
		n := bytes.IndexByte(data[i:], eol)
		if n < 0 {
			return len(data)
		}
		i += n + 1
		if i == len(data) || data[i] != ' ' && data[i] != '\t' {
			return i
		}
	}
}

// field reads the field between two offsets, if the table has it.
func (f *finder) field(start, end int) {
	colon := bytes.IndexByte(f.data[start:end], ':')
	if colon < 0 {
		return
	}
	name := f.data[start : start+colon]
	if colon > 0 && (blank(name[0]) || blank(name[colon-1])) {
		name = bytes.Trim(name, " \t")
	}
	n := len(name)
	if n == 0 || n >= len(fieldLetters) || fieldLetters[n]>>(name[0]|0x20-'a')&1 == 0 {
		return
	}
	var buf [longestName]byte
	name = appendLower(buf[:0], name)
	if string(name) == "content-type" && !mayBeMessage(f.data[start+colon+1:end]) {
		return
	}
	row := fields[string(name)]
	if row == nil {
		return
	}
	v := f.unfolded(trimmed(f.data, Span{start + colon + 1, end}))
	m := maker{f: f, row: &row.Place, attr: f.doc.intern(name), kind: row.Kind, layer: fieldLayer(row.Base), v: v, sheet: true}
	row.read(&m)
}

// mayBeMessage reports whether a Content-Type may be message/external-body, by its first
// letter: most are not, and no other one has a reference.
func mayBeMessage(value []byte) bool {
	for _, c := range value {
		if !blank(c) {
			return c|0x20 == 'm' || c > '~' || c < ' '
		}
	}
	return false
}

// fieldLayer returns the number of the layer that a field is resolved against.
func fieldLayer(b BaseRule) int {
	switch b {
	case BaseNone:
		return noLayer
	case BaseEntity:
		return entityLayer
	}
	return outerLayer
}

// unfolded decodes the value of a field: its line ends go. One that is not in UTF-8 is in
// Latin-1, in which HTTP was defined.
func (f *finder) unfolded(s Span) value {
	f.text.runs = f.text.runs[:0]
	v := value{start: len(f.text.Data), mapped: true, raw: s}
	latin := f.doc.Charset == "" && !utf8.Valid(f.data[s.Start:s.End])
	for i := s.Start; i < s.End; {
		n := bytes.IndexAny(f.data[i:s.End], "\r\n")
		if n < 0 {
			n = s.End - i
		}
		if latin {
			f.appendLatin(i, i+n)
		} else {
			v.broken = f.appendCharset(i, i+n) || v.broken
		}
		for i += n; i < s.End && (f.data[i] == '\r' || f.data[i] == '\n'); i++ {
		}
	}
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// appendLatin appends the bytes between two offsets to f.text, decoded from Latin-1.
func (f *finder) appendLatin(start, end int) {
	for i := start; i < end; {
		if n := asciiLength(f.data[i:end]); n > 0 {
			f.text.AppendSame(i, f.data[i:i+n])
			i += n
			continue
		}
		f.text.AppendToken(Span{i, i + 1}, utf8.AppendRune(nil, rune(f.data[i])))
		i++
	}
}

// whole adds the value.
func (m *maker) whole() {
	if len(m.v.bytes) > 0 {
		m.add(Span{0, len(m.v.bytes)}, textForm)
	}
}

// cleaned adds the value by the rules for Content-Base and Content-Location.
func (m *maker) cleaned() {
	uri, ok := base.CleanField(string(m.v.bytes))
	if !ok || uri == "" {
		return
	}
	s := Span{0, len(m.v.bytes)}
	if b := m.v.bytes; len(b) >= 2 && (b[0] == '<' && b[s.End-1] == '>' || b[0] == '"' && b[s.End-1] == '"') {
		s = trimmed(b, Span{1, s.End - 1})
	}
	if s.Start == s.End {
		return
	}
	r := m.add(s, textForm)
	if uri != string(r.Value) {
		r.Value = []byte(uri)
	}
}

// origin adds the value unless it stands for none or for any.
func (m *maker) origin() {
	if v := string(m.v.bytes); v != "*" && v != "null" {
		m.whole()
	}
}

// strings adds the strings in double quotes (RFC 9651 section 3.3.3).
func (m *maker) strings() {
	for i := 0; i < len(m.v.bytes); i++ {
		if m.v.bytes[i] == '"' {
			end := quotedEnd(m.v.bytes, i)
			m.add(Span{i + 1, max(i+1, end-1)}, textForm)
			i = end - 1
		}
	}
}

// endpoints adds the URLs in the groups of endpoints, which are objects of JSON.
func (m *maker) endpoints() { m.dataBlock((*json.Scanner).Endpoints) }

func (m *maker) reportURI() { m.parameter("report-uri") }

func (m *maker) policyRef() { m.parameter("policyref") }

// externalBody adds the URL of a body that is elsewhere (RFC 2017), without the
// white space that was put into it.
func (m *maker) externalBody() {
	kind, rest, _ := bytes.Cut(m.v.bytes, []byte(";"))
	if !isFold(bytes.TrimSpace(kind), "message/external-body") {
		return
	}
	at := len(m.v.bytes) - len(rest)
	if access, _, ok := findParam(m.v.bytes, at, "access-type"); !ok || !isFold(m.v.bytes[access.Start:access.End], "url") {
		return
	}
	if s, _, ok := findParam(m.v.bytes, at, "url"); ok {
		m.addSpaced(s)
	}
}

// parameter adds the value of a parameter, wherever it stands.
func (m *maker) parameter(name string) {
	if s, _, ok := findParam(m.v.bytes, 0, name); ok {
		m.addTrimmed(s)
	}
}

// addSpaced adds a URL into which white space was put.
func (m *maker) addSpaced(s Span) {
	s = trimmed(m.v.bytes, s)
	r := m.add(s, textForm)
	if bytes.ContainsFunc(r.Value, isBlank) {
		r.Value = bytes.Join(bytes.FieldsFunc(r.Value, isBlank), nil)
	}
}
