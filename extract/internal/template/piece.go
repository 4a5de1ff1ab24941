package template

import (
	"bytes"
	"strings"

	"absolink/extract/internal/byteset"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// First returns the first piece of v, a value without white space at its ends. ok is false if v has
// no piece. If v ends before the closing mark, the piece extends to the end of v. This holds only
// for marks that nothing but templates use, such as <? and {{: see pieceEnd.
func First(v []byte) (piece text.Span, ok bool) {
	if isField(v) {
		return text.Span{Start: 0, End: len(v)}, true
	}
	if end := leading(v); end > 0 {
		return text.Span{Start: 0, End: end}, true
	}
	return Next(v, 0)
}

// Has reports whether v contains a piece.
func Has(v string) bool {
	if !strings.ContainsAny(v, "<{[*%$@|") {
		return false
	}
	_, ok := First(text.Stripped([]byte(v)))
	return ok
}

// Next returns the first piece of v that begins at or after an offset. Unlike First, it does not
// find forms that are pieces only at the start of a value, or as a whole value.
func Next(v []byte, i int) (piece text.Span, ok bool) {
	for i = marks.Index(v, i); i < len(v); i = marks.Index(v, i+1) {
		if end := pieceEnd(v, i); end > 0 {
			return text.Span{Start: i, End: end}, true
		}
	}
	return text.Span{}, false
}

// marks are the bytes that the pieces of Next begin with.
var marks = byteset.New(func(c byte) bool { return bytes.IndexByte([]byte("<{$[*%"), c) >= 0 })

// pieceEnd returns the end of the piece that begins at v[i], or 0 if none begins there. v[i] is one
// of marks.
func pieceEnd(v []byte, i int) int {
	rest := v[i:]
	if len(rest) < 2 {
		return 0
	}
	switch string(rest[:2]) {
	case "<?":
		if !text.HasPrefixFold(rest, "<?xml") {
			return closed(v, i, "?>")
		}
	case "<%":
		return closed(v, i, "%>")
	case "{{":
		end := closed(v, i, "}}")
		for end < len(v) && v[end] == '}' { // {{{x}}}
			end++
		}
		return end
	case "{%":
		if !escapes(rest[1:]) {
			return closed(v, i, "%}")
		}
	case "{#":
		if len(rest) > 2 && (ascii.Space.Has(rest[2]) || rest[2] == '-') ||
			bytes.Contains(near(rest[2:]), []byte("#}")) {
			return closed(v, i, "#}")
		}
	case "{$", "{!":
		if len(rest) > 2 && (ascii.Letter.Has(rest[2]) || rest[2] == '$') {
			return closed(v, i, "}")
		}
		if bytes.HasPrefix(rest, []byte("{!!")) { // Blade
			return closed(v, i, "!!}")
		}
	case "${":
		return braced(v, i+1)
	case "[[":
		return doubleBracket(v, i)
	case "[%":
		if !escapes(rest[1:]) {
			return closed(v, i, "%]")
		}
	case "*|":
		if n := bytes.Index(near(rest[2:]), []byte("|*")); n > 0 {
			return i + 2 + n + 2
		}
	case "%%":
		return doublePercent(v, i)
	case "%(": // Python
		return named(v, i, ")s")
	case "{=": // doT
		if n := bytes.IndexByte(near(rest), '}'); n > 2 {
			return i + n + 1
		}
	case "[~": // MODX Evolution
		return named(v, i, "~]")
	case "[(":
		return named(v, i, ")]")
	case "[=": // FreeMarker
		if !bytes.ContainsAny(v[max(0, i-longest):i], "?#") {
			return named(v, i, "]")
		}
	case "<$": // Movable Type, Blogger
		return named(v, i, "$>")
	default:
		switch {
		case isTag(rest):
			return closed(v, i, ">")
		case bytes.HasPrefix(rest, []byte("$relpath^")), bytes.HasPrefix(rest, []byte("$relpath$")): // Doxygen
			return i + len("$relpath^")
		case rest[0] == '{':
			return call(v, i)
		}
	}
	return 0
}

// named returns the end of the piece whose opening mark of two bytes is at v[i]. It returns 0
// unless a name or a number follows, and then the closing mark.
func named(v []byte, i int, mark string) int {
	rest := v[i+2:]
	n := bytes.Index(rest[:min(len(rest), longestField)], []byte(mark))
	if n <= 0 || !isName(rest[:n]) && len(bytes.Trim(rest[:n], "0123456789")) > 0 {
		return 0
	}
	return i + 2 + n + len(mark)
}

// call returns the end of the piece in braces at v[i], or 0 if the braces do not hold a word with
// arguments. Pieces are {url path='x'} of Smarty and {f:uri.page(pageUid: 1)} of Fluid.
func call(v []byte, i int) int {
	rest := near(v[i+1:])
	n := bytes.IndexByte(rest, '}')
	if n <= 0 || !ascii.Letter.Has(rest[0]) || !bytes.ContainsAny(rest[:n], " '\"(") {
		return 0
	}
	return i + 1 + n + 1
}

// leading returns the end of the piece at the start of v, or 0. It knows the forms that are pieces
// only at the start of a value.
func leading(v []byte) int {
	switch {
	case bytes.HasPrefix(v, []byte("@{")): // Thymeleaf
		return braced(v, 1)
	case bytes.HasPrefix(v, []byte("|filename|")): // Pelican
		return len("|filename|")
	case len(v) > 0 && v[0] == '{': // a merge field such as {unsubscribe}; Pelican, Svelte
		n := bytes.IndexByte(v[:min(len(v), longestField)], '}')
		if n > 0 && isName(v[1:n]) {
			return n + 1
		}
	}
	return 0
}

// isTag reports whether v begins with a tag that a server replaces: a tag with a prefix such as
// <c:url> of JSP, a tag of FreeMarker such as <@url>, or an include such as <!--#echo -->.
func isTag(v []byte) bool {
	if v[0] != '<' {
		return false
	}
	if v[1] == '@' || v[1] == '#' || bytes.HasPrefix(v, []byte("<!--#")) {
		return true
	}
	n := 1
	for n < len(v) && ascii.Alnum.Has(v[n]) {
		n++
	}
	return n > 1 && n+1 < len(v) && v[n] == ':' && ascii.Letter.Has(v[n+1])
}

// doubleBracket returns the end of the piece whose "[[" is at v[i], or 0. Lists of lists such as
// [[1,2],[3,4]] are not pieces, nor are brackets after a name in a query such as ?a[[b]]=1. MODX
// writes a sign after the brackets, as in [[~12]] and [[+name]]; then the piece may be cut off.
func doubleBracket(v []byte, i int) int {
	content := v[i+2:]
	if len(content) == 0 {
		return 0
	}
	sigil := bytes.IndexByte([]byte("~+*$!"), content[0]) >= 0
	if !sigil && !ascii.Letter.Has(content[0]) && content[0] != '-' &&
		content[0] != '%' && content[0] != '#' && content[0] != ' ' {
		return 0
	}
	query := bytes.ContainsAny(v[max(0, i-longest):i], "?#")
	n := bytes.Index(near(content), []byte("]]"))
	switch {
	case n < 0 && sigil && !query:
		return len(v)
	case n < 0, bytes.Contains(content[:n], []byte("],[")):
		return 0
	case query && !sigil && subscripts(v[i-1]):
		return 0
	}
	return i + 2 + n + 2
}

// subscripts reports whether a bracket after c is a subscript.
func subscripts(c byte) bool { return ascii.Alnum.Has(c) || c == '_' || c == '-' || c == ']' }
