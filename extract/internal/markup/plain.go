package markup

import "absolink/extract/internal/byteset"

// PlainEnd returns the offset of the first byte of data from i on that may not stand for
// itself in an attribute: '&', carriage return, NUL, and what is not ASCII. It is the
// length of data if there is none.
func PlainEnd(data []byte, i int) int { return changed.Index(data, i) }

var changed = byteset.New(isChanged)

func isChanged(c byte) bool { return c == '&' || c == '\r' || c == 0 || c >= 0x80 }

// doubleQuoted ends the part of a value between double quotes that stands for itself: the
// quote, and what PlainEnd looks for.
var doubleQuoted = byteset.New(func(c byte) bool { return c == '"' || isChanged(c) })
