package json

import "bytes"

// Scripts put URLs together from pieces, as h + "/api" or "/a".concat(b). What one string of them
// is relative to is not known. A '+' tells, before or behind the string or the round brackets that
// it stands in; and so do the brackets of concat.

// groups are the brackets that are open, the innermost last.
type groups struct {
	open   [maxGroups]group
	depth  int
	deeper int // how many more are open than open holds
}

const maxGroups = 32

// group is what a bracket encloses.
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

// isWord reports whether c is a byte of a name, behind which a round bracket holds arguments.
func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// blanksEnd returns the offset behind the white space and comments at i.
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
