package value

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Attributes that scripts read have no fixed format. They hold a URL, the CSS of a background, an
// object of settings or a word, and the value shows which.

// plainType returns the type of the value. t is the type of its place: TypeJSON, TypeBound, or a
// type from TypeLazy on. If the value has no reference, plainType moves c to the end of the value.
func (c *Cutter) plainType(t place.ValueType) place.ValueType {
	v := text.Stripped(c.value)
	lazy := t >= place.TypeLazy
	switch {
	case (lazy || t == place.TypeJSON) && isJSON(v):
		return place.TypeJSON
	case lazy && callsURL(v):
		return place.TypeCSS
	case t == place.TypeLazySet:
		return place.TypeSrcset
	case t == place.TypeLazy, t == place.TypeLazyText && json.IsURLText(v), t == place.TypeBound && !json.HasQuote(v):
		switch t {
		case place.TypeLazyText:
			c.list = escape.Text
		case place.TypeBound:
			c.list = escape.Unquoted
		}
		if c.Loaders {
			return place.TypeScriptURL
		}
		return place.TypeURL
	}
	c.at = len(c.value) + 1
	return place.TypeURL
}

// isJSON reports whether v begins and ends like an object or an array of JSON.
func isJSON(v []byte) bool {
	if len(v) < 2 || v[0] != '{' && v[0] != '[' {
		return false
	}
	inside := text.Stripped(v[1 : len(v)-1])
	if v[0] == '{' {
		return v[len(v)-1] == '}' && len(inside) > 0 && inside[0] == '"'
	}
	if v[len(v)-1] != ']' || len(inside) == 0 {
		return false
	}
	switch c := inside[0]; {
	case c == '"', c == '{', c == '[', c == '-', '0' <= c && c <= '9':
		return true
	}
	for _, word := range []string{"true", "false", "null"} {
		if rest, ok := bytes.CutPrefix(inside, []byte(word)); ok {
			return len(rest) == 0 || rest[0] == ',' || ascii.Space.Has(rest[0])
		}
	}
	return false
}

// callsURL reports whether v is a CSS value that calls url() or image-set().
func callsURL(v []byte) bool {
	for _, name := range []string{"url(", "image-set("} {
		for i := 0; ; i++ {
			n := text.IndexFold(v[i:], name)
			if n < 0 {
				break
			}
			i += n
			if i == 0 || ascii.Space.Has(v[i-1]) || bytes.IndexByte([]byte(",(:;-"), v[i-1]) >= 0 {
				return true
			}
		}
	}
	return false
}
