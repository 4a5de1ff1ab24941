package rewrite

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/extract"
	"absolink/resolve/ascii"
)

// In running text the end of a URL is a guess, and a byte that is removed is lost for good. So
// --tracking, --unwrap and --unwayback remove only bytes that belong to the URL for certain. Any
// other URL stays, and a problem names it.
//
// Two questions are asked. First: do the removed bytes have a character that could end the URL,
// such as a comma, a bracket or the beginning of another URL? Second: if the edit removes the end
// of the URL, could the text after it belong to the URL?

// certain are the characters, besides letters and digits, that are part of a bare URL wherever they
// stand in it. separators are certain too if delimiters enclose the URL.
const (
	certain    = "-._~%+=&/?:@#"
	separators = "!$'()*,;|"
)

// doubtfulBytes is for l, a URL in running text. lost are spans of l that an edit removes, or
// replaces by to. If some of these bytes may not belong to l, doubtfulBytes returns the text of a
// problem, and otherwise "".
func (m *mover) doubtfulBytes(l *Link, lost []extract.Span, to string) (why string) {
	if !m.site.Map.Cleans(string(l.URI)) {
		return "" // a rule of the caller says which bytes change
	}
	value := string(l.Value)
	if strings.Count(value, "#") > 1 {
		return "a template may be part of it"
	}
	if at := strings.IndexByte(value, '&'); at >= 0 && holdsReference(value[at:]) {
		return "it holds a character reference, so that it is not clear where it ends"
	}
	delimited := m.isDelimited(l) || m.endsItself(value)
	for _, s := range lost {
		whole := s.End-s.Start == len(value)
		if holdsURL(value, s) || !whole && strings.Contains(value[s.Start:s.End], "://") {
			return "another URL may begin in it"
		}
		if whole {
			s = differing(value, to)
		}
		if !isCertain(value[s.Start:s.End], delimited) {
			return "characters that may not belong to it would be removed"
		}
	}
	return ""
}

// differing returns the span of value that remains without the start and the end that value and to
// have in common.
func differing(value, to string) extract.Span {
	start, end := 0, len(value)
	for start < len(value) && start < len(to) && value[start] == to[start] {
		start++
	}
	for end > start && end > len(value)-len(to)+start && value[end-1] == to[len(to)-len(value)+end-1] {
		end--
	}
	return extract.Span{Start: start, End: end}
}

// isCertain reports whether all bytes of a part of a URL belong to it for certain. delimited means
// that delimiters enclose the URL: then separators and all letters are certain. In a bare URL,
// letters outside of ASCII are certain only if their writing system has blanks between words. A
// percent sign must begin an escape. "@@" is not certain, because templates of some programs have
// it.
func isCertain(part string, delimited bool) bool {
	allowed := certain
	if delimited {
		allowed += separators
	}
	for i, c := range part {
		switch {
		case c >= utf8.RuneSelf:
			if !delimited && !unicode.In(c, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
				return false
			}
		case c == '%' && !(i+2 < len(part) && ascii.Hex(part[i+1]) >= 0 && ascii.Hex(part[i+2]) >= 0):
			return false
		case !ascii.Alnum.Has(byte(c)) && strings.IndexByte(allowed, byte(c)) < 0:
			return false
		}
	}
	return !strings.Contains(part, "@@")
}

// references are the character references by which pages and JSON in text write delimiters and
// ampersands.
var references = []string{"amp;", "lt;", "gt;", "quot;", "apos;", "nbsp;",
	"amp", "lt", "gt", "quot", "apos", "nbsp"}

// holdsReference reports whether value, which begins with '&', holds a character reference that may
// be of the text and not of the URL.
func holdsReference(value string) bool {
	for parameter := range strings.SplitSeq(value[1:], "&") {
		for _, name := range references {
			rest, ok := strings.CutPrefix(parameter, name)
			if ok && (strings.HasSuffix(name, ";") || rest == "") {
				return true
			}
		}
		if strings.HasPrefix(parameter, "#") {
			return true
		}
	}
	return false
}

// holdsURL reports whether another URL may begin in a span of value. A URL as a parameter, or as
// the path of a web archive, does not count.
func holdsURL(value string, s extract.Span) bool {
	for at := s.Start; ; {
		n := strings.Index(value[at:], "://")
		at += n
		if n < 0 || at >= s.End {
			return false
		}
		start := at
		for start > 0 && ascii.Alnum.Has(value[start-1]) {
			start--
		}
		if start > 0 && strings.IndexByte("=/?&#:_", value[start-1]) < 0 || isGlued(value[start:at]) {
			return true
		}
		at++
	}
}

// isGlued reports whether a word is not a scheme of the web, but ends like one.
func isGlued(word string) bool {
	word = strings.ToLower(word)
	for _, scheme := range []string{"http", "https", "ftp"} {
		if word == scheme {
			return false
		}
	}
	return strings.HasSuffix(word, "http") || strings.HasSuffix(word, "https") || strings.HasSuffix(word, "ftp")
}

// isDelimited reports whether angle brackets or quotes enclose l.
func (m *mover) isDelimited(l *Link) bool {
	before := bytes.TrimRight(m.d.Data[max(0, l.Start-16):l.Start], "\x00") // of UTF-16
	after := bytes.TrimLeft(m.d.Data[l.End:min(l.End+2, len(m.d.Data))], "\x00")
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	if n := len(before) - len("URL:"); n > 0 && strings.EqualFold(string(before[n:]), "URL:") {
		before = before[:n]
	}
	switch before[len(before)-1] {
	case '<':
		return after[0] == '>'
	case '"':
		return after[0] == '"'
	}
	return false
}

// endsItself reports whether value, a wrapped link, ends with the last bytes that its service
// writes, so that nothing can follow: "$" of Proofpoint, the parameters "e" of Proofpoint and
// "reserved" of Safe Links.
func (m *mover) endsItself(value string) bool {
	if !m.site.Map.Unwrap {
		return false
	}
	return strings.Contains(value, "/v3/__") && strings.HasSuffix(value, "$") ||
		strings.Contains(value, "/v2/url?") && strings.HasSuffix(value, "&e=") ||
		strings.Contains(value, ".safelinks.") && strings.HasSuffix(value, "&reserved=0")
}

// doubtfulEnd returns the text of a problem if it is not clear where l ends, or "". l is a URL in
// running text whose last bytes would be removed or replaced.
func (m *mover) doubtfulEnd(l *Link) (why string) {
	for _, w := range l.Warnings {
		if w == "unclear-end" && m.isEmphasised(l) && !m.changesEnd(l) {
			continue
		}
		if w == "unclear-end" || w == "line-end-hyphen" {
			return "it is not clear where it ends, and its end would change"
		}
	}
	rest := m.d.Data[l.End:]
	if l.Value[len(l.Value)-1] == '-' && len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
		return "the hyphen at the end of its line may not belong to it, and would change"
	}
	if _, open, whole := l.Known(); open || !whole || m.templateFollows(l) {
		return "a template may continue it"
	}
	if m.endsInMark(l) && m.changesEnd(l) {
		return "its last character may belong to the text, and would change"
	}
	if !m.d.EndsFolded(l.Span) && !m.mayContinue(l) {
		return ""
	}
	if m.site.Map.EndsInTarget(string(l.URI)) {
		return "its line may have been folded there, so that its target is cut short"
	}
	if m.changesEnd(l) {
		return "its line may have been folded there, and its end would change"
	}
	return ""
}

// mayContinue reports whether the next line may continue l, even if the line of l is too short to
// have been folded. It returns false if only a rule of the caller changes l: such a rule replaces
// the same bytes, even if the URL is longer.
func (m *mover) mayContinue(l *Link) bool {
	return m.site.Map.Cleans(string(l.URI)) && !m.endsItself(string(l.Value)) && m.d.MayContinue(l.Span)
}

// changesEnd reports whether the map changes the end of l.
func (m *mover) changesEnd(l *Link) bool {
	uri := string(l.URI)
	return m.site.Map.URI(uri+"0") != m.site.Map.URI(uri)+"0"
}

// endsInMark reports whether the last character of l may be markup of the text, as in *http://h/*
// or *see http://h/*.
func (m *mover) endsInMark(l *Link) bool {
	mark := l.Value[len(l.Value)-1]
	switch mark {
	case '*':
		return true
	case '_', '~':
		return bytes.HasSuffix(m.d.Data[:l.Start], []byte{mark})
	}
	return false
}

// isEmphasised reports whether the same mark of emphasis directly precedes and follows l.
func (m *mover) isEmphasised(l *Link) bool {
	if l.Start == 0 || l.End == len(m.d.Data) {
		return false
	}
	mark := m.d.Data[l.Start-1]
	return mark == m.d.Data[l.End] && (mark == '*' || mark == '_' || mark == '~')
}

// templateFollows reports whether the first character of a template, an escape or a bracket follows
// l. It may be part of l. Punctuation before the character may be part of l too.
func (m *mover) templateFollows(l *Link) bool {
	rest := m.d.Data[l.End:min(l.End+16, len(m.d.Data))]
	rest = bytes.TrimLeft(bytes.ReplaceAll(rest, []byte{0}, nil), ".,;:!?'") // zeros are of UTF-16
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case '{', '$', '%', '^':
		return true
	case '[':
		return !bytes.HasPrefix(rest, []byte("[/")) // not the tags of a forum
	case '\\':
		return !bytes.HasPrefix(rest, []byte(`\"`)) && !bytes.HasPrefix(rest, []byte(`\'`))
	case '<':
		return bytes.HasPrefix(rest, []byte("<%")) || bytes.HasPrefix(rest, []byte("<?"))
	}
	return false
}
