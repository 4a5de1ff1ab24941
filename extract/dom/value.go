package dom

import (
	"strings"

	"absolink/extract"
	"absolink/extract/internal/css"
)

// Values are cut by the words of the HTML Standard once more here, in strings.
// Package extract cuts them as spans of bytes; tests hold one against the other.

const blanks = "\t\n\f\r "

// cut yields a reference like r for each URL in the value.
func (e *element) cut(t extract.ValueType, r Ref, value string) {
	switch t {
	case extract.TypeBlanks:
		for _, f := range fields(value) {
			e.add(r, f)
		}
	case extract.TypeCommas:
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.Trim(item, blanks); item != "" {
				e.add(r, item)
			}
		}
	case extract.TypeSrcset:
		e.srcset(r, value)
	case extract.TypeRefresh:
		if url, ok := refreshURL(value); ok {
			e.add(r, url)
		}
	case extract.TypeCSS:
		e.css(r, value, true)
	case extract.TypeCURIE:
		if v := strings.TrimLeft(value, blanks); !strings.HasPrefix(v, "[") && !strings.HasPrefix(v, "_:") {
			e.add(r, value)
		}
	case extract.TypeNames:
		for _, f := range fields(value) {
			if strings.Contains(f, "://") || strings.HasPrefix(lower(f), "urn:") {
				e.add(r, f)
			}
		}
	default:
		e.add(r, value)
	}
}

// fields splits at ASCII white space.
func fields(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(blanks, c) })
}

// srcset yields the URLs of a srcset attribute (HTML 4.8.4.2.2), whatever their
// descriptors say.
func (e *element) srcset(r Ref, value string) {
	for {
		value = strings.TrimLeft(value, blanks+",")
		if value == "" {
			return
		}
		end := strings.IndexAny(value, blanks)
		if end < 0 {
			end = len(value)
		}
		url := strings.TrimRight(value[:end], ",")
		e.add(r, url)
		rest := value[end:]
		if len(url) == end {
			rest = afterDescriptors(rest)
		}
		value = rest
	}
}

// afterDescriptors returns what follows the comma that ends the descriptors of a
// candidate. A comma in parentheses does not.
func afterDescriptors(s string) string {
	inside := false
	for i, c := range s {
		switch {
		case c == '(':
			inside = true
		case c == ')':
			inside = false
		case c == ',' && !inside:
			return s[i+1:]
		}
	}
	return ""
}

// refreshURL returns the URL of a refresh (HTML 4.2.5.3), if it has one.
func refreshURL(value string) (url string, ok bool) {
	s := strings.TrimLeft(value, blanks)
	rest := strings.TrimLeft(s, "0123456789")
	if rest == s && !strings.HasPrefix(s, ".") {
		return "", false
	}
	rest = strings.TrimLeft(rest, "0123456789.")
	if rest == "" || !strings.ContainsAny(rest[:1], ";,"+blanks) {
		return "", false
	}
	rest = strings.TrimLeft(rest, blanks)
	if rest != "" && strings.ContainsAny(rest[:1], ";,") {
		rest = strings.TrimLeft(rest[1:], blanks)
	}
	if rest == "" {
		return "", false
	}
	return unquoted(afterURL(rest)), true
}

// afterURL returns s without "url =" at its start.
func afterURL(s string) string {
	if len(s) < 3 || lower(s[:3]) != "url" {
		return s
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(s[3:], blanks), "=")
	if !ok {
		return s
	}
	return strings.TrimLeft(rest, blanks)
}

// unquoted returns what stands in quotes at the start of s, or s without white
// space at its end.
func unquoted(s string) string {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return strings.TrimRight(s, blanks)
	}
	inner, _, _ := strings.Cut(s[1:], s[:1])
	return inner
}

// css yields the URLs of a style sheet or a list of declarations.
func (e *element) css(r Ref, text string, declarations bool) {
	var s css.Scanner
	data := []byte(text)
	for s.Reset(data, declarations); s.Next(); {
		u := r
		if s.Context == css.Namespace || s.Context == css.Document {
			u.Identifier, u.Kind = true, extract.KindIdentifier
		}
		value := data[s.Start:s.End]
		if s.Escaped {
			value = css.AppendUnescaped(nil, value, s.Quote != 0)
		}
		e.add(u, string(value))
	}
}
