package dom

import (
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
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
	case extract.TypeSemicolons, extract.TypeURIs, extract.TypeReports:
		e.items(t, r, value)
	case extract.TypeAngles:
		e.angles(r, value)
	case extract.TypeQuoted:
		parts := strings.Split(value, `"`)
		for i := 1; i+1 < len(parts); i += 2 {
			if strings.Contains(parts[i], "://") {
				e.add(r, parts[i])
			}
		}
	case extract.TypeGuess:
		if v := strings.Trim(value, blanks); extract.Likely(v) {
			e.add(r, v)
		}
	case extract.TypeNamed:
		if !json.IsName([]byte(strings.Trim(value, blanks))) {
			e.add(r, value)
		}
	default:
		e.add(r, value)
	}
}

// items yields the references of a list separated by semicolons.
func (e *element) items(t extract.ValueType, r Ref, value string) {
	for item := range strings.SplitSeq(value, ";") {
		item = strings.Trim(item, blanks)
		name, rest, named := strings.Cut(item, "=")
		name = lower(name)
		u := r
		switch {
		case item == "":
		case t == extract.TypeSemicolons:
			e.add(u, item)
		case t == extract.TypeURIs && named && strings.Contains(name, "uri"):
			if strings.HasPrefix(strings.Trim(name, blanks), "icon") {
				u.Kind = extract.KindRes
			}
			e.add(u, strings.Trim(rest, blanks))
		case t == extract.TypeReports && strings.HasPrefix(lower(item), "report-uri"):
			e.reports(u, item[len("report-uri"):])
		}
	}
}

// reports yields the addresses of a report-uri, up to the next policy.
func (e *element) reports(r Ref, value string) {
	value, _, _ = strings.Cut(value, ",")
	if value == "" || !strings.Contains(blanks, value[:1]) {
		return
	}
	for _, f := range fields(value) {
		e.add(r, f)
	}
}

// angles yields the targets of a Link field.
func (e *element) angles(r Ref, value string) {
	for value = strings.TrimLeft(value, blanks); value != ""; value = strings.TrimLeft(value, blanks) {
		if rest, ok := strings.CutPrefix(value, "<"); ok {
			url, after, ok := strings.Cut(rest, ">")
			if !ok {
				return
			}
			e.add(r, strings.Trim(url, blanks))
			value = after
		}
		inString, end := false, len(value)
		for i, c := range value {
			if c == '"' {
				inString = !inString
			}
			if c == ',' && !inString {
				end = i + 1
				break
			}
		}
		value = value[end:]
	}
}

// dataBlock yields the strings of a block of JSON that are URLs by role.
func (e *element) dataBlock(r Ref, role func(*json.Scanner, []byte) json.Role) {
	var s json.Scanner
	text := []byte(e.text())
	for s.Reset(text); s.Next(); {
		u := r
		v := json.AppendUnescaped(nil, text[s.Start:s.End])
		switch role(&s, v) {
		case json.Identifier:
			u.Identifier, u.Kind = true, extract.KindIdentifier
			e.add(u, string(v))
		case json.URL:
			e.add(u, string(v))
		}
	}
}

// linkedData yields the URLs of JSON-LD, whose context may have a base.
func (e *element) linkedData(r Ref) {
	var s json.Scanner
	text := []byte(e.text())
	for s.Reset(text); s.Next(); {
		v := json.AppendUnescaped(nil, text[s.Start:s.End])
		if s.LinkedData(v) == json.Base {
			r.Layer = &base.Layer{Source: base.JSONBase, Value: string(v), Outer: r.Layer}
			break
		}
	}
	e.dataBlock(r, (*json.Scanner).LinkedData)
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

// css yields the URLs of a style sheet or a list of declarations, and returns where the
// last one ends.
func (e *element) css(r Ref, text string, declarations bool) (end int) {
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
		end = s.End
	}
	return end
}
