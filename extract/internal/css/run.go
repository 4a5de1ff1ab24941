package css

import "absolink/extract/internal/byteset"

// These bytes end a run of literal bytes in a string, by its quote, and in an unquoted url. The
// runs can be long: whole pictures and fonts are stored in them.
var (
	doubleQuoted = byteset.New(func(c byte) bool { return c == '"' || c == '\\' || c < ' ' })
	singleQuoted = byteset.New(func(c byte) bool { return c == '\'' || c == '\\' || c < ' ' })
	unquoted     = byteset.New(func(c byte) bool {
		return c <= ' ' || c == '"' || c == '\'' || c == '(' || c == ')' || c == '\\' || c == 0x7f
	})
)

// quoted returns the bytes that end a run in a string with that quote.
func quoted(quote byte) *byteset.Set {
	if quote == '"' {
		return doubleQuoted
	}
	return singleQuoted
}
