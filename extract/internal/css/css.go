// Package css finds the URLs of style sheets and declaration lists as byte spans. It follows the
// token rules of CSS Syntax Level 3 (section 4) without building tokens.
//
// A URL can stand only after a '(' that follows one of a few names, after an at-rule, or after a
// name with escapes. The scanner jumps from one such place to the next (start.go). It skips the
// strings, comments and escapes between them, which may contain text that only looks like a URL.
// More bytes matter inside functions that take strings and in the preludes of at-rules; there the
// scanner reads each byte. CSS Values Level 4 and CSS Images Level 4 define the URLs: url() with
// and without quotes, src(), both forms of @import, and the strings of image-set() and image().
//
// Files in reading order: begin.go (how style sheets begin), escape.go, run.go, url.go, at.go
// (at-rules), start.go, css.go.
package css

import (
	"bytes"

	"absolink/resolve/ascii"
)

// Context is the meaning of a URL.
type Context uint8

const (
	URL       Context = iota // url() or src() of a declaration
	Import                   // @import, string or url()
	Image                    // a string of image-set() or image()
	Namespace                // @namespace: an identifier
	Document                 // @document: matches addresses and fetches nothing
)

// Scanner yields the URLs of one style text. The zero value is ready for Reset. It allocates
// nothing and is not safe for concurrent use.
type Scanner struct {
	// The URL that Next found last.

	Start, End int     // the URL, without quotes and outer white space
	Quote      byte    // '"', '\'', or 0 for an unquoted url()
	Escaped    bool    // the URL contains escapes or NUL: see AppendUnescaped
	Context    Context // the meaning of the URL

	data []byte
	pos  int
	decl bool // a declaration list: at-rules do not count

	at      Context // Import, Namespace or Document inside the prelude of such a rule, otherwise URL
	braces  int     // number of blocks that are open at counted
	counted int     // the offset up to which nested has read
	depth   int     // number of open brackets since the outermost function that takes strings, or 0 outside of one
	images  uint64  // bit n: the bracket at depth n takes strings as URLs
}

// maxDepth is the maximum depth of brackets that are tracked inside a function with strings.
const maxDepth = 63

// Reset makes s scan data, which is a style sheet. If declarations is set, data is a declaration
// list, as in a style attribute. s keeps data until the next Reset.
func (s *Scanner) Reset(data []byte, declarations bool) {
	*s = Scanner{data: data, decl: declarations}
}

// class groups bytes by the tokens that they can begin.
type class uint8

const (
	plain class = iota
	quote
	slash
	paren
	closing
	escape
	atSign
	ending // ends the prelude of an at-rule
)

var classes = func() (t [256]class) {
	t['"'], t['\''] = quote, quote
	t['/'], t['('], t[')'], t['\\'], t['@'] = slash, paren, closing, escape, atSign
	t['{'], t['}'], t[';'] = ending, ending, ending
	return t
}()

// lastLetters are the last letters of the names in functionNamed.
var lastLetters = [256]bool{'l': true, 'L': true, 'c': true, 'C': true, 't': true, 'T': true, 'e': true, 'E': true}

// Next finds the next URL and reports whether there is one.
func (s *Scanner) Next() bool {
	for {
		if s.at == URL && s.depth == 0 {
			s.pos = nextStart(s.data, s.pos)
		} else {
			s.walk()
		}
		if s.pos == len(s.data) {
			return false
		}
		if s.step(classes[s.data[s.pos]]) {
			return true
		}
	}
}

// walk moves to the next byte that can begin a token.
func (s *Scanner) walk() {
	i, data := s.pos, s.data
	for i < len(data) && classes[data[i]] == plain {
		i++
	}
	s.pos = i
}

// step consumes the token at s.pos and reports whether it was a URL.
func (s *Scanner) step(c class) bool {
	switch c {
	case quote:
		return s.string(s.stringContext())
	case slash:
		s.slash()
	case paren:
		return s.open(s.wordBefore(s.pos))
	case closing:
		s.pos++
		s.depth = max(s.depth-1, 0)
	case escape:
		return s.escapedName()
	case atSign:
		s.atRule()
	case ending:
		s.pos++
		s.at, s.depth = URL, 0
	}
	return false
}

// none is the context of a string that is not a URL.
const none Context = 255

// stringContext returns the context of a string at s.pos.
func (s *Scanner) stringContext() Context {
	if s.depth > 0 {
		if s.images>>s.depth&1 == 1 {
			return Image
		}
		return none
	}
	if s.at == Import {
		s.at = URL // only the first string is an import
		return Import
	}
	if s.at == Namespace {
		return Namespace
	}
	return none
}

// string consumes the string at s.pos and reports whether it is a URL. A string that is cut off by
// a line end is not a URL.
func (s *Scanner) string(ctx Context) bool {
	end, escaped, good := s.stringEnd(s.pos)
	start, q := s.pos+1, s.data[s.pos]
	s.pos = end
	if !good || ctx == none {
		return false
	}
	if end > start && s.data[end-1] == q && s.closed(start, end) {
		end--
	}
	s.Start, s.End, s.Quote, s.Escaped, s.Context = start, end, q, escaped, ctx
	return true
}

// closed reports whether the string from start to end is closed by its quote. It is not closed if
// the input ends after an escaped quote.
func (s *Scanner) closed(start, end int) bool {
	n := 0
	for i := end - 2; i >= start && s.data[i] == '\\'; i-- {
		n++
	}
	return n%2 == 0
}

// stringEnd returns the offset after the string that begins at i, and whether the string contains
// escapes. good is false if a line end cuts the string off.
func (s *Scanner) stringEnd(i int) (end int, escaped, good bool) {
	q := s.data[i]
	stop := quoted(q)
	for i = stop.Index(s.data, i+1); i < len(s.data); i = stop.Index(s.data, i+1) {
		switch c := s.data[i]; c {
		case q:
			return i + 1, escaped, true
		case '\n', '\r', '\f':
			return i, escaped, false
		case 0:
			escaped = true
		case '\\':
			escaped = true
			i++
			if i+1 < len(s.data) && s.data[i] == '\r' && s.data[i+1] == '\n' {
				i++
			}
		}
	}
	return len(s.data), escaped, true
}

// slash consumes a comment, or only the '/'.
func (s *Scanner) slash() { s.pos = commentEnd(s.data, s.pos) }

// commentEnd returns the offset after the comment that begins with the '/' at i. Without a comment
// it returns the offset after the '/'.
func commentEnd(data []byte, i int) int {
	i++
	if i >= len(data) || data[i] != '*' {
		return i
	}
	n := bytes.Index(data[i+1:], []byte("*/"))
	if n < 0 {
		return len(data)
	}
	return i + n + 3
}

// function is the meaning of a name before a '('.
type function uint8

const (
	otherFunc  function = iota
	urlFunc             // url()
	stringFunc          // its string is a URL: src()
	imageFunc           // its strings are URLs: image-set(), image()
)

// functionNamed returns the meaning of name, which may have any case and contains no escapes.
func functionNamed(name []byte) function {
	switch {
	case is(name, "url"):
		return urlFunc
	case is(name, "src"):
		return stringFunc
	case is(name, "image-set"), is(name, "-webkit-image-set"), is(name, "image"):
		return imageFunc
	}
	return otherFunc
}

// is reports whether name is word in any case. word is in lower case.
func is(name []byte, word string) bool {
	if len(name) != len(word) {
		return false
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// wordBefore returns the meaning of the name that ends at i. This name contains no escapes, because
// escapedName consumes the others together with their '('.
func (s *Scanner) wordBefore(i int) function {
	if s.at == Document && i >= len(urlPrefix) && is(s.data[i-len(urlPrefix):i], urlPrefix) {
		return urlFunc
	}
	if i == 0 || !lastLetters[s.data[i-1]] {
		return otherFunc
	}
	start := i
	for start > 0 && nameByte(s.data[start-1]) {
		start--
	}
	if s.prefixed(start) {
		return otherFunc
	}
	return functionNamed(s.data[start:i])
}

// prefixed reports whether the name that begins at start belongs to a hash or an at-keyword.
func (s *Scanner) prefixed(start int) bool {
	return start > 0 && (s.data[start-1] == '#' || s.data[start-1] == '@')
}

// urlPrefix is the function of @document that matches the beginning of addresses. It is written
// like url().
const urlPrefix = "url-prefix"

// nameByte reports whether c may be in a name without an escape.
func nameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80 || c == 0
}

// open consumes the '(' at s.pos after a name that means f. For url() and src() it also consumes
// the content. It reports whether a URL was found.
func (s *Scanner) open(f function) bool {
	s.pos++
	if f == urlFunc || f == stringFunc {
		return s.url(f)
	}
	if f == otherFunc && s.depth == 0 {
		return false
	}
	if s.depth < maxDepth {
		s.depth++
	}
	s.images &^= 1 << s.depth
	if f == imageFunc && s.depth < maxDepth {
		s.images |= 1 << s.depth
	}
	return false
}

// escapedName consumes a name that has an escape at s.pos. If the name is a function, it also
// consumes the content.
func (s *Scanner) escapedName() bool {
	if s.pos+1 < len(s.data) && isNewline(s.data[s.pos+1]) {
		s.pos++ // not an escape
		return false
	}
	start := s.pos
	for start > 0 && nameByte(s.data[start-1]) {
		start--
	}
	end := nameEnd(s.data, s.pos)
	s.pos = end
	if end == len(s.data) || s.data[end] != '(' {
		return false
	}
	if s.prefixed(start) {
		return s.open(otherFunc)
	}
	return s.open(functionNamed(s.name(start, end)))
}

// longest is more than the length of any known name.
const longest = 32

// name returns the name between start and end without its escapes, cut to a maximum length.
func (s *Scanner) name(start, end int) []byte {
	var buf [longest]byte
	if end-start > 8*longest {
		return nil
	}
	return AppendUnescaped(buf[:0], s.data[start:end], false)
}

// nameEnd returns the end of the name that begins at i (4.3.11).
func nameEnd(data []byte, i int) int {
	for i < len(data) {
		switch {
		case nameByte(data[i]):
			i++
		case data[i] == '\\' && (i+1 >= len(data) || !isNewline(data[i+1])):
			i = escapeEnd(data, i)
		default:
			return i
		}
	}
	return i
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

func skipSpace(data []byte, i int) int {
	for i < len(data) && ascii.Space.Has(data[i]) {
		i++
	}
	return i
}
