package json

import "bytes"

// Scripts build URLs from pieces, as in h + "/api" or "/a".concat(b). The base of a single piece is
// unknown. A '+' marks such a piece, before or after the string or its round brackets. The brackets
// of concat also mark one.

// groups are the open brackets, the innermost last.
type groups struct {
	open   [maxGroups]group
	depth  int
	deeper int // number of open brackets beyond the end of open
}

const maxGroups = 32

// group is the content of a pair of brackets.
type group uint8

const (
	other   group = iota // arguments, an index, a block
	operand              // an operand in round brackets
	joined               // a string, or a choice of strings, that is joined with others
)

// joined reports whether a string in the innermost brackets is joined with others.
func (g *groups) joined() bool {
	return g.deeper == 0 && g.depth > 0 && g.open[g.depth-1] == joined
}

func (g *groups) push(kind group) {
	if g.depth == maxGroups {
		g.deeper++
		return
	}
	g.open[g.depth] = kind
	g.depth++
}

func (g *groups) pop() {
	switch {
	case g.deeper > 0:
		g.deeper--
	case g.depth > 0:
		g.depth--
	}
}

// isWord reports whether c is a byte of a name. A round bracket after a name holds arguments.
func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// blanksEnd returns the offset after the white space and comments at i.
func blanksEnd(data []byte, i int) int {
	for i < len(data) {
		rest := data[i:]
		switch {
		case rest[0] <= ' ':
			i++
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return len(data)
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(data)
			}
			i += 2 + n + 2
		default:
			return i
		}
	}
	return i
}
