package template

import (
	"bytes"

	"absolink/extract/internal/byteset"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Program code may contain the marks of HTML: the "-->" in <?php while ($n-->0) ?> ends a comment
// of HTML, but not the piece. So [Code] cuts each piece by the rules of its own language, and does
// not parse HTML.
//
// Style sheets and scripts contain braces that look like marks. A mark that is never closed does
// not begin a piece, except for <?php. In a script or style sheet, a mark with braces begins a
// piece only if its closing mark is in the same script or style sheet. So Code searches for their
// tags.

// Code appends those pieces of data that may hold code, in the order of their offsets. The forms
// are <?php ?>, <?= ?>, <? ?>, <% %>, {{ }}, {% %} and {# #}. Without pieces it allocates nothing.
func Code(dst []text.Span, data []byte) []text.Span {
	l := lexer{data: data}
	pairs := codes.In(data)
	for i := pairs.From(0); i < len(data); i = pairs.From(i + 1) {
		if end := l.piece(i); end > 0 {
			dst = append(dst, text.Span{Start: i, End: end})
			i = end - 1
		}
	}
	return dst
}

// codes has the first two bytes of each opening mark. It also has other pairs, such as "{?", which
// [lexer.piece] rejects. On a processor without AVX2, package byteset searches for '{', '?' and '%'
// instead: each opening mark has one of them.
var codes = byteset.NewPair("<{", "?%{#", "{?%")

// lexer cuts pieces out of data.
type lexer struct {
	data []byte
	next [len(texts)]int // offset of the next occurrence of each of texts, plus one; 0 if unknown

	unclosedPHP bool // a string or comment in a piece of PHP was never closed
}

// texts are closing marks, and the tags of scripts and style sheets. The lexer keeps the next
// offset of each one, so that it searches the data only once for each.
var texts = [...]string{
	closesPHP: "?>", closesPercent: "%>", closesRemark: "--%>", closesVariable: "}}", closesNote: "--}}",
	closesBlock: "%}", closesComment: "#}", scriptStart: "<script", scriptEnd: "</script",
	styleStart: "<style", styleEnd: "</style",
}

const (
	closesPHP = iota
	closesPercent
	closesRemark
	closesVariable
	closesNote
	closesBlock
	closesComment
	scriptStart
	scriptEnd
	styleStart
	styleEnd
)

// at returns the offset of the first occurrence of a text at or after i, or the length of data. For
// each text, i must not be less than in an earlier call.
func (l *lexer) at(i, text int) int {
	if n := l.next[text] - 1; n >= i {
		return n
	}
	n := len(l.data)
	if i < n {
		if k := l.index(i, text); k >= 0 {
			n = i + k
		}
	}
	l.next[text] = n + 1
	return n
}

// index is bytes.Index for texts[n] from i on. Upper and lower case are equal in tags.
func (l *lexer) index(i, n int) int {
	if n >= scriptStart {
		return text.IndexFold(l.data[i:], texts[n])
	}
	return bytes.Index(l.data[i:], []byte(texts[n]))
}

// behind returns the offset after the first occurrence of a text at or after i, or 0.
func (l *lexer) behind(i, text int) int {
	if n := l.at(i, text); n < len(l.data) {
		return n + len(texts[text])
	}
	return 0
}

// piece returns the end of the piece that begins with one of codes at i, or 0.
func (l *lexer) piece(i int) int {
	switch string(l.data[i : i+2]) {
	case "<?":
		return l.php(i + 2)
	case "<%":
		if bytes.HasPrefix(l.data[i+2:], []byte("--")) {
			if end := l.behind(i+4, closesRemark); end > 0 {
				return end
			}
		}
		return l.behind(i+2, closesPercent)
	case "{#":
		if end := l.behind(i+2, closesComment); end > 0 && !l.leaves(i, end) {
			return end
		}
	case "{%":
		if !escapes(l.data[i+1:]) {
			return l.expression(i, closesBlock)
		}
	case "{{":
		if bytes.HasPrefix(l.data[i+2:], []byte("!--")) {
			if end := l.behind(i+2, closesNote); end > 0 && !l.leaves(i, end) {
				return end
			}
		}
		return l.expression(i, closesVariable)
	}
	return 0
}

// php returns the end of the code that begins at i, after "<?". It returns 0 if it is not PHP.
func (l *lexer) php(i int) int {
	rest := l.data[i:]
	switch {
	case text.HasPrefixFold(rest, "php") && (len(rest) == 3 || ascii.Space.Has(rest[3])):
		end, _ := phpEnd(l.data, i+3)
		return end
	case len(rest) > 0 && (rest[0] == '=' || ascii.Space.Has(rest[0])):
		first := l.behind(i, closesPHP)
		if first == 0 {
			return 0
		}
		if l.unclosedPHP {
			return first // phpEnd might read to the end of data again
		}
		if end, closed := phpEnd(l.data, i); closed {
			return end
		}
		l.unclosedPHP = true
		return first // an apostrophe in other text, such as <? don't ?>, is not a string of PHP
	}
	return 0
}

// expression returns the end of the piece with an expression whose opening mark is at i, or 0. Some
// languages end it at the first closing mark. In others a mark in a string or in braces does not
// count. expression takes the longer piece, unless it is much longer.
func (l *lexer) expression(i, mark int) int {
	end := l.behind(i+2, mark)
	if end == 0 || l.leaves(i, end) || beginsWithEndTag(l.data[i+2:end]) {
		return 0
	}
	if longer := balanced(l.data[:min(len(l.data), end+longestOverrun)], i+2, texts[mark]); longer > end &&
		!l.leaves(i, longer) {
		return longer
	}
	return end
}

// longestOverrun is the number of bytes after the first closing mark that are searched for another
// one.
const longestOverrun = 1024

// beginsWithEndTag reports whether an end tag of HTML follows the opening mark of a piece. rest is
// the piece after this mark. A page about templates has such marks, as in <code>{{</code>. Only
// Hugo has expressions that begin like an end tag, as in {{</name>}}. There the '>' of the tag is
// directly before the closing mark.
func beginsWithEndTag(rest []byte) bool {
	if !bytes.HasPrefix(rest, []byte("</")) || !ascii.Letter.Has(rest[2]) {
		return false
	}
	return bytes.IndexByte(near(rest), '>')+len(">}}") != len(rest)
}

// leaves reports whether a script or style sheet that began before start ends before end.
func (l *lexer) leaves(start, end int) bool {
	return l.leavesElement(start, end, scriptStart, scriptEnd) || l.leavesElement(start, end, styleStart, styleEnd)
}

// leavesElement is leaves for one kind of element. startTag and endTag are indexes in texts.
func (l *lexer) leavesElement(start, end, startTag, endTag int) bool {
	n := l.at(start, endTag)
	return n < end && l.at(start, startTag) > n
}

// balanced returns the offset after the first closing mark from i on that is neither in a string
// nor in braces, or 0.
func balanced(data []byte, i int, mark string) int {
	depth := 0
	for i < len(data) {
		c := data[i]
		switch {
		case depth == 0 && bytes.HasPrefix(data[i:], []byte(mark)):
			i += len(mark)
			for mark == "}}" && i < len(data) && data[i] == '}' { // {{{x}}}
				i++
			}
			return i
		case c == '"' || c == '\'':
			i = phpString(data, i)
			continue
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		}
		i++
	}
	return 0
}
