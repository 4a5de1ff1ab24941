package markup

import "absolink/extract/internal/byteset"

// PlainEnd returns the offset of the first byte of data from i on that may not be literal in an
// attribute: '&', carriage return, NUL, or a byte above ASCII. It is the length of data if all
// bytes are literal.
func PlainEnd(data []byte, i int) int { return changed.Index(data, i) }

var changed = byteset.New(isChanged)

func isChanged(c byte) bool { return c == '&' || c == '\r' || c == 0 || c >= 0x80 }

// doubleQuoted ends the literal part of a value in double quotes: at the quote, or at a byte that
// PlainEnd finds.
var doubleQuoted = byteset.New(func(c byte) bool { return c == '"' || isChanged(c) })
