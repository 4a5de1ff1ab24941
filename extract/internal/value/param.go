package value

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Parameters of header fields.

// quotedEnd returns the offset after the string whose opening quote is b[i].
func quotedEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
}

// nextParam reads ";" name [ "=" value ] at i. The span of a quoted value excludes the quotes, and
// next is the offset after the parameter. ok is false if there is no parameter at i.
func nextParam(b []byte, i int) (name []byte, value text.Span, next int, ok bool) {
	for i = text.SkipBlank(b, i); i < len(b) && b[i] == ';'; i = text.SkipBlank(b, i) {
		i = text.SkipBlank(b, i+1)
		start := i
		for i < len(b) && !ascii.Space.Has(b[i]) && b[i] != '=' && b[i] != ';' && b[i] != ',' {
			i++
		}
		name = b[start:i]
		i = text.SkipBlank(b, i)
		if i < len(b) && b[i] == '=' {
			value, i = paramValue(b, text.SkipBlank(b, i+1))
			return name, value, i, true
		}
		if len(name) > 0 {
			return name, text.Span{Start: i, End: i}, i, true
		}
	}
	return nil, text.Span{}, i, false
}

// paramValue reads the value of a parameter at i.
func paramValue(b []byte, i int) (value text.Span, next int) {
	if i < len(b) && b[i] == '"' {
		next = quotedEnd(b, i)
		end := next
		if b[end-1] == '"' && end-1 > i {
			end--
		}
		return text.Span{Start: i + 1, End: end}, next
	}
	value = text.Span{Start: i, End: i}
	for i < len(b) && b[i] != ';' && b[i] != ',' {
		i++
	}
	value.End = i
	return text.Trimmed(b, value), i
}

// findParam returns the span of the value of the first parameter with a name, at or after i. name
// must be in lower case. Commas may separate parameters, like semicolons.
func findParam(b []byte, i int, name string) (value text.Span, ok bool) {
	for i < len(b) {
		var paramName []byte
		paramName, value, i = scanParam(b, i)
		if paramName != nil && text.IsFold(paramName, name) {
			return value, true
		}
	}
	return text.Span{}, false
}

// scanParam reads the parameter at i, and returns the offset after it and its separator. name is
// nil if the parameter has no value.
func scanParam(b []byte, i int) (name []byte, value text.Span, next int) {
	start := text.SkipBlank(b, i)
	for i = start; i < len(b) && b[i] != '=' && b[i] != ';' && b[i] != ','; i++ {
	}
	end := i
	if i < len(b) && b[i] == '=' {
		value, i = paramValue(b, text.SkipBlank(b, i+1))
		name = bytes.TrimRight(b[start:end], " \t")
	}
	for i < len(b) && b[i] != ';' && b[i] != ',' {
		i++
	}
	return name, value, i + 1
}

// unquoted returns the content of a quoted string without its escapes.
func unquoted(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out = append(out, s[i])
	}
	return out
}
