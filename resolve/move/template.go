package move

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"absolink/resolve"
)

// The NEW of a rule and the replacement of a pattern may have placeholders: names in braces, such
// as {date}. A URI must not contain braces. So while a NEW is resolved, letters and digits stand
// for its placeholders, because they are valid in every component of a URI.

// template is the NEW of a rule: an absolute URI that may have placeholders.
type template struct {
	text  string // the resolved NEW, with its placeholders
	parts []part
}

// part is a text and the name of the placeholder after it. The name is "" if none follows.
type part struct{ text, name string }

// The names of placeholders.
const (
	nameDate   = "date"
	nameDate14 = "date14"
	nameHost   = "host"
	nameURI    = "uri"
)

// placeholderPattern matches a placeholder. Its group is the name.
var placeholderPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{([^{}]*)\}`)
})

// splitPlaceholders splits a NEW or a replacement at its placeholders. A placeholder is an error
// unless its name is allowed.
func splitPlaceholders(text string, allowed ...string) (list []part, err error) {
	at := 0
	for _, m := range placeholderPattern().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if m[0] > 0 && text[m[0]-1] == '$' {
			continue // ${name} is a group of an expression
		}
		if !slices.Contains(allowed, name) {
			why := "is not known"
			if name == nameHost || name == nameURI {
				why = "is for replacements of patterns only"
			}
			return nil, fmt.Errorf("{%s} %s: use {%s}", name, why, strings.Join(allowed, "}, {"))
		}
		list = append(list, part{text[at:m[0]], name})
		at = m[1]
	}
	if rest := placeholderPattern().ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
		return nil, fmt.Errorf("a brace stands alone: use {%s}; type %%7B and %%7D for braces",
			strings.Join(allowed, "}, {"))
	}
	return append(list, part{text[at:], ""}), nil
}

// newTemplate returns the template for text, the NEW of a rule. resolveURI resolves a reference.
func newTemplate(text string, resolveURI func(string) (string, error)) (t template, err error) {
	if i := strings.Index(text, "${"); i >= 0 {
		return t, fmt.Errorf("%q is for replacements of patterns only: use {%s}, {%s}",
			text[i:], nameDate, nameDate14)
	}
	parts, err := splitPlaceholders(text, nameDate, nameDate14)
	if err != nil {
		return t, err
	}
	mark := "absolinkname"
	for strings.Contains(strings.ToLower(text), mark) {
		mark += "x"
	}
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(p.text)
		if i < len(parts)-1 {
			b.WriteString(standIn(mark, p.name))
		}
	}
	uri, err := resolveURI(b.String())
	if err != nil {
		return t, err
	}
	for _, name := range []string{nameDate, nameDate14} {
		uri = strings.ReplaceAll(uri, standIn(mark, name), "{"+name+"}")
	}
	t.text = uri
	t.parts, err = splitPlaceholders(uri, nameDate, nameDate14)
	return t, err
}

// standIn returns the letters and digits that stand for the placeholder of a date while a NEW is
// resolved. mark must not occur in the NEW.
func standIn(mark, name string) string {
	return mark + strings.Replace(name, "date", "d", 1) + "end"
}

// dated reports whether the template has a placeholder.
func (t *template) dated() bool { return len(t.parts) > 1 }

// Dated reports whether the new side of a rule has {date} or {date14}, so that [Map.Move] needs the
// time when a document was written. The result does not change once all rules are added.
func (m *Map) Dated() bool {
	for _, t := range m.newSides {
		if t.template.dated() {
			return true
		}
	}
	for _, p := range m.patterns {
		if slices.ContainsFunc(p.to, func(p part) bool { return p.name == nameDate || p.name == nameDate14 }) {
			return true
		}
	}
	return false
}

// errNoDate means that a rule needs the date of a document, which is not known.
var errNoDate = errors.New("the replacement has a date, and the time when the document was written is not known")

// fill returns the URI of the template for a document that was written at the given time.
func (t *template) fill(written time.Time) (string, error) {
	if !t.dated() {
		return t.text, nil
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		v, err := dateText(p.name, written)
		if err != nil {
			return "", err
		}
		b.WriteString(v)
	}
	return b.String(), nil
}

// dateText returns the text for the placeholder of a date. It returns "" for the name "".
func dateText(name string, written time.Time) (string, error) {
	switch {
	case name == "":
		return "", nil
	case written.IsZero():
		return "", errNoDate
	case name == nameDate:
		return written.UTC().Format("2006-01-02"), nil
	}
	return written.UTC().Format("20060102150405"), nil
}

// pattern is a rule for URIs that match an expression.
type pattern struct {
	re  *regexp.Regexp
	to  []part
	use usage
}

// AddPattern adds a rule that replaces the first match of expr, a regular expression of package
// regexp, in an absolute URI by replacement. In replacement $1 is a group, {host} is the host of
// the URI, and {uri} is the URI, percent-encoded if a '?' precedes {uri}. {date} and {date14} are
// described at [Map]. An empty expr is an error. Other errors name the faulty part of expr or
// replacement, or a group that expr does not have.
func (m *Map) AddPattern(expr, replacement string) error {
	re, err := regexp.Compile(expr)
	if err != nil {
		return err
	}
	if expr == "" {
		return errors.New("an empty expression matches everything")
	}
	to, err := splitPlaceholders(replacement, nameDate, nameDate14, nameHost, nameURI)
	if err != nil {
		return err
	}
	if err := checkGroups(re, replacement); err != nil {
		return err
	}
	p := &pattern{re: re, to: to}
	p.use.rule = expr
	m.patterns = append(m.patterns, p)
	return nil
}

// groupPattern matches a reference to a group in a replacement, such as $1, and "$$". Package
// regexp reads replacements in the same way.
var groupPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$(?:\$|\{(\w+)\}|(\w+))`)
})

// checkGroups returns an error if the replacement refers to a group that re does not have. Package
// regexp would replace it by nothing.
func checkGroups(re *regexp.Regexp, replacement string) error {
	for _, m := range groupPattern().FindAllStringSubmatch(replacement, -1) {
		name := m[1] + m[2]
		n, err := strconv.Atoi(name)
		switch {
		case name == "" || err == nil && n <= re.NumSubexp() || re.SubexpIndex(name) >= 0:
		case err == nil:
			return fmt.Errorf("%s: the expression has no such group; its last is $%d", m[0], re.NumSubexp())
		default:
			return fmt.Errorf("%s: the expression has no such group; write ${1} before a letter, $$ for a dollar sign",
				m[0])
		}
	}
	return nil
}

// replace returns uri with the match of the pattern replaced. match holds the offsets of the match
// and of its groups.
func (p *pattern) replace(uri string, match []int, written time.Time, o resolve.Options) (string, error) {
	dst := []byte(uri[:match[0]])
	query := false
	for _, part := range p.to {
		dst = p.re.ExpandString(dst, part.text, uri, match)
		query = query || strings.Contains(part.text, "?")
		switch part.name {
		case nameHost:
			dst = append(dst, hostOf(uri)...)
		case nameURI:
			if query {
				dst = append(dst, escapeComponent(uri)...)
				continue
			}
			dst = append(dst, uri...)
		default:
			v, err := dateText(part.name, written)
			if err != nil {
				return "", err
			}
			dst = append(dst, v...)
		}
	}
	dst = append(dst, uri[match[1]:]...)
	b, err := resolve.NewBase("", o)
	if err != nil {
		return "", err
	}
	to, err := b.Resolve(string(dst))
	if err != nil {
		return "", fmt.Errorf("its replacement is not an absolute URI: %w", err)
	}
	return to, nil
}

// hostOf returns the host of a URI, without a port.
func hostOf(uri string) string {
	a := resolve.Split(uri).Authority
	a = a[strings.LastIndexByte(a, '@')+1:]
	if i := strings.LastIndexByte(a, ':'); i >= 0 && !strings.HasSuffix(a, "]") {
		a = a[:i]
	}
	return a
}

// escapeComponent percent-encodes all characters that are not unreserved (RFC 3986 2.3).
func escapeComponent(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		switch c := uri[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
