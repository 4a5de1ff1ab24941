package css

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// This file reads style sheets token by token, as CSS Syntax Level 3 (section 4) describes it. It
// knows nothing of the jumps of the Scanner, and is slow. Like the Scanner, it has no tokens for
// "<!--" and "-->".

// span is a URL in a text.
type span struct {
	start, end int
	context    Context
}

// token is a token of a style sheet. Its kind is 's' for a string, 'S' for a bad string, 'u' for a
// url, 'U' for a bad url, 'f' for a function, 'i' for an identifier, '@' for an at-keyword, '#' for
// a hash, '1' for a number, ' ' for white space, 'c' for a comment, or a delimiter.
type token struct {
	kind       byte
	name       string
	start, end int // the content
}

// tokenizer reads the tokens of text.
type tokenizer struct {
	text string
	pos  int
}

// at returns the byte that is n bytes after the position, or 0xff after the end. No text contains
// 0xff.
func (z *tokenizer) at(n int) byte {
	if z.pos+n < len(z.text) {
		return z.text[z.pos+n]
	}
	return 0xff
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || newlineByte(c) }

func newlineByte(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func identStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80 && c != 0xff || c == 0
}

func identByte(c byte) bool { return identStart(c) || digit(c) || c == '-' }

// validEscape is 4.3.8, n bytes after the position.
func (z *tokenizer) validEscape(n int) bool { return z.at(n) == '\\' && !newlineByte(z.at(n+1)) }

// startsIdent is 4.3.9, n bytes after the position.
func (z *tokenizer) startsIdent(n int) bool {
	if z.at(n) == '-' {
		return identStart(z.at(n+1)) || z.at(n+1) == '-' || z.validEscape(n+1)
	}
	return identStart(z.at(n)) || z.validEscape(n)
}

// startsNumber is 4.3.10.
func (z *tokenizer) startsNumber() bool {
	n := 0
	if z.at(0) == '+' || z.at(0) == '-' {
		n = 1
	}
	return digit(z.at(n)) || z.at(n) == '.' && digit(z.at(n+1))
}

// newline consumes one newline.
func (z *tokenizer) newline() {
	if z.at(0) == '\r' && z.at(1) == '\n' {
		z.pos++
	}
	z.pos++
}

// escape is 4.3.7. The position is at the backslash.
func (z *tokenizer) escape() string {
	z.pos++
	start := z.pos
	for z.pos < start+6 && strings.IndexByte("0123456789abcdefABCDEF", z.at(0)) >= 0 {
		z.pos++
	}
	if z.pos == start {
		z.pos = min(z.pos+1, len(z.text)) // the other bytes of a character are bytes of a name too
		return "\\" + z.text[start:z.pos]
	}
	digits := z.text[start:z.pos]
	switch {
	case newlineByte(z.at(0)):
		z.newline()
	case isSpace(z.at(0)):
		z.pos++
	}
	return string(AppendUnescaped(nil, []byte("\\"+digits), false))
}

// name is 4.3.11.
func (z *tokenizer) name() string {
	var b strings.Builder
	for {
		switch {
		case identByte(z.at(0)):
			b.WriteByte(z.at(0))
			z.pos++
		case z.validEscape(0):
			b.WriteString(strings.TrimPrefix(z.escape(), "\\"))
		default:
			return strings.ToLower(b.String())
		}
	}
}

// next is 4.3.1.
func (z *tokenizer) next() token {
	c := z.at(0)
	switch {
	case c == '/' && z.at(1) == '*':
		n := strings.Index(z.text[z.pos+2:], "*/")
		if n < 0 {
			z.pos = len(z.text)
		} else {
			z.pos += n + 4
		}
		return token{kind: 'c'}
	case isSpace(c):
		z.pos++
		return token{kind: ' '}
	case c == '"' || c == '\'':
		return z.string()
	case c == '#' && (identByte(z.at(1)) || z.validEscape(1)):
		z.pos++
		z.name()
		return token{kind: '#'}
	case z.startsNumber():
		z.number()
		return token{kind: '1'}
	case c == '@' && z.startsIdent(1):
		z.pos++
		return token{kind: '@', name: z.name()}
	case z.startsIdent(0):
		return z.identLike()
	}
	z.pos++
	return token{kind: c}
}

// number is 4.3.12 and 4.3.3, with the unit.
func (z *tokenizer) number() {
	if !digit(z.at(0)) && z.at(0) != '.' {
		z.pos++
	}
	for digit(z.at(0)) {
		z.pos++
	}
	if z.at(0) == '.' && digit(z.at(1)) {
		z.pos++
		for digit(z.at(0)) {
			z.pos++
		}
	}
	if z.at(0)|0x20 == 'e' && (digit(z.at(1)) || (z.at(1) == '+' || z.at(1) == '-') && digit(z.at(2))) {
		z.pos += 2
		for digit(z.at(0)) {
			z.pos++
		}
	}
	if z.startsIdent(0) {
		z.name()
	} else if z.at(0) == '%' {
		z.pos++
	}
}

// string is 4.3.5.
func (z *tokenizer) string() token {
	quote := z.at(0)
	z.pos++
	t := token{kind: 's', start: z.pos}
	for z.pos < len(z.text) {
		switch c := z.at(0); {
		case c == quote:
			t.end = z.pos
			z.pos++
			return t
		case newlineByte(c):
			t.kind = 'S'
			return t
		case c == '\\' && newlineByte(z.at(1)):
			z.pos++
			z.newline()
		case c == '\\':
			z.escape()
		default:
			z.pos++
		}
	}
	t.end = z.pos
	return t
}

// identLike is 4.3.4.
func (z *tokenizer) identLike() token {
	name := z.name()
	if z.at(0) != '(' {
		return token{kind: 'i'}
	}
	z.pos++
	if name != "url" {
		return token{kind: 'f', name: name}
	}
	n := 0
	for isSpace(z.at(n)) {
		n++
	}
	if c := z.at(n); c == '"' || c == '\'' {
		return token{kind: 'f', name: name}
	}
	z.pos += n
	return z.url()
}

// url is 4.3.6.
func (z *tokenizer) url() token {
	t := token{kind: 'u', start: z.pos}
	for {
		t.end = z.pos
		c := z.at(0)
		switch {
		case z.pos >= len(z.text):
			return t
		case c == ')':
			z.pos++
			return t
		case isSpace(c):
			for isSpace(z.at(0)) {
				z.pos++
			}
			if z.pos < len(z.text) && z.at(0) != ')' {
				return z.badURL()
			}
			z.pos = min(z.pos+1, len(z.text))
			return t
		case strings.IndexByte("\"'(", c) >= 0, c != 0 && c <= 8, c == 0xb, 0xe <= c && c <= 0x1f, c == 0x7f:
			return z.badURL()
		case c == '\\' && newlineByte(z.at(1)):
			return z.badURL()
		case c == '\\':
			z.escape()
		default:
			z.pos++
		}
	}
}

// badURL is 4.3.14.
func (z *tokenizer) badURL() token {
	for z.pos < len(z.text) {
		switch {
		case z.at(0) == ')':
			z.pos++
			return token{kind: 'U'}
		case z.validEscape(0):
			z.escape()
		default:
			z.pos++
		}
	}
	return token{kind: 'U'}
}

// takesURL reports whether t is a function whose string is a URL.
func (t token) takesURL() bool { return t.kind == 'f' && (t.name == "url" || t.name == "src") }

// slowly returns the URLs of a style sheet from its tokens.
func slowly(text string) (list []span) {
	var tokens []token
	for z := (&tokenizer{text: text}); z.pos < len(text); {
		tokens = append(tokens, z.next())
	}
	context := URL
	braces := 0
	var open []bool // the brackets since the outermost function that takes strings; true if they take strings
	for i, t := range tokens {
		after := follower(tokens[i+1:], t.kind == '@')
		switch t.kind {
		case '{':
			context = URL
			open = nil
			braces++
		case '}':
			context = URL
			open = nil
			braces = max(braces-1, 0)
		case ';':
			context = URL
			open = nil
		case ')':
			open = open[:max(len(open)-1, 0)]
		case '(':
			if len(open) > 0 {
				open = append(open, false)
			}
		case '@':
			context = URL
			isURL := strings.IndexByte("sSuU", after.kind) >= 0 || after.takesURL()
			switch {
			case t.name == "import" && isURL && braces == 0:
				context = Import
			case t.name == "namespace":
				context = Namespace
			case t.name == "document":
				context = Document
			}
		case 'u':
			list = append(list, span{t.start, t.end, context})
			fallthrough
		case 'U':
			if context == Import {
				context = URL
			}
		case 'f':
			takesURL := t.takesURL()
			isImage := t.name == "image-set"
			if takesURL && after.kind == 's' {
				list = append(list, span{after.start, after.end, context})
			}
			if takesURL && context == Import {
				context = URL
			}
			if len(open) > 0 || isImage {
				open = append(open, isImage)
			}
		case 's', 'S':
			if i > 0 && ofURL(tokens[:i]) {
				continue
			}
			switch {
			case len(open) > 0:
				if open[len(open)-1] && t.kind == 's' {
					list = append(list, span{t.start, t.end, Image})
				}
			case context == Import || context == Namespace:
				if t.kind == 's' {
					list = append(list, span{t.start, t.end, context})
				}
				if context == Import {
					context = URL
				}
			}
		}
	}
	return list
}

// follower returns the first token that is not white space. With comments, it also skips these.
func follower(tokens []token, comments bool) token {
	for _, t := range tokens {
		if t.kind != ' ' && (t.kind != 'c' || !comments) {
			return t
		}
	}
	return token{}
}

// ofURL reports whether before ends with url( or src(, and white space.
func ofURL(before []token) bool {
	for _, t := range slices.Backward(before) {
		if t.kind != ' ' {
			return t.takesURL()
		}
	}
	return false
}

// The Scanner finds the URLs that the tokens of random texts contain.
func TestTokens(t *testing.T) {
	pieces := []string{`"`, `'`, `"x"`, `\`, `\41`, `\75`, `\000072`, "\\\n", "\\\r\n", "\\\"", "rl(", "url(", "URL( ",
		"src(", "image-set(", "(", ")", "{", "}", ";", " ", "\n", "\r\n", "\r", "\f", "\t", "/*", "*/", "/", "@",
		"@import ", "@im\\70 ort", "@namespace ", "@document ", "a", "e", "-", "+", ".", "1", "#", "\x00", "\x01", "é",
		"<", "u", ",", "%"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range effort.Pick(300_000, 15_000) {
		var b strings.Builder
		for range rng.IntN(14) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if got, want := spans(b.String()), slowly(b.String()); !slices.Equal(got, want) {
			t.Fatalf("URLs of %q:\ngot  %v\nwant %v", b.String(), got, want)
		}
	}
}

// spans returns the URLs that the Scanner finds.
func spans(text string) (list []span) {
	var s Scanner
	for s.Reset([]byte(text), false); s.Next(); {
		list = append(list, span{s.Start, s.End, s.Context})
	}
	return list
}
