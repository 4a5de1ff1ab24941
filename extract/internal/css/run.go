package css

import "absolink/extract/internal/byteset"

// What ends a run of bytes that stand for themselves in a string, by its quote, and in an
// unquoted url. Whole pictures and fonts stand in these.
var (
	doubleQuoted = byteset.New(func(c byte) bool { return c == '"' || c == '\\' || c < ' ' })
	singleQuoted = byteset.New(func(c byte) bool { return c == '\'' || c == '\\' || c < ' ' })
	unquoted     = byteset.New(func(c byte) bool {
		return c <= ' ' || c == '"' || c == '\'' || c == '(' || c == ')' || c == '\\' || c == 0x7f
	})
)

// quoted returns what ends a run in a string with that quote.
func quoted(quote byte) *byteset.Set {
	if quote == '"' {
		return doubleQuoted
	}
	return singleQuoted
}
