package template

import (
	"bytes"

	"absolink/resolve/ascii"
)

// longestField is the length of the longest name of a merge field.
const longestField = 100

// isField reports whether all of v is a merge field in single square brackets, such as
// [unsubscribe]. Inside a URL these brackets have another meaning.
func isField(v []byte) bool {
	if len(v) < 3 || len(v) > longestField {
		return false
	}
	return v[0] == '[' && v[len(v)-1] == ']' && isName(v[1:len(v)-1])
}

// isName reports whether b is the name of a merge field: words of letters, digits and a few signs.
// The first byte is a letter or '_'.
func isName(b []byte) bool {
	if len(b) == 0 || !ascii.Letter.Has(b[0]) && b[0] != '_' {
		return false
	}
	for _, c := range b {
		if !ascii.Alnum.Has(c) && bytes.IndexByte([]byte("_-.:| "), c) < 0 {
			return false
		}
	}
	return true
}

// doublePercent returns the end of the field %%NAME%%, the expression %%=x=%% or the block %%[x]%%
// at v[i], or 0.
func doublePercent(v []byte, i int) int {
	rest := v[i+2:]
	if len(rest) > 0 && (rest[0] == '=' || rest[0] == '[') {
		mark := "=%%"
		if rest[0] == '[' {
			mark = "]%%"
		}
		return closed(v, i, mark)
	}
	n := bytes.Index(rest[:min(len(rest), longestField)], []byte("%%"))
	if n < 0 || !isName(rest[:n]) {
		return 0
	}
	return i + 2 + n + 2
}
