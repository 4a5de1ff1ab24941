package site

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/flag"
	"absolink/extract"
	"absolink/resolve/ascii"
)

// Keep selects the links that stay absolute in a site with relative links, because search engines
// and other sites read them. The zero value selects all classes of [KeepNames]. Keep is a
// pflag.Value.
type Keep struct {
	given bool
	names []string
}

// keeps are the classes of links that Keep accepts. contains reports whether the link l of a LINK
// or META element belongs to the class. tag is the tag of that element.
var keeps = []struct {
	name     string
	contains func(l *extract.Link, tag []byte) bool
}{
	{"canonical", func(l *extract.Link, _ []byte) bool { return hasToken(l.Rel, "canonical") }},
	{"hreflang", func(l *extract.Link, tag []byte) bool {
		return hasToken(l.Rel, "alternate") && hreflang().Match(tag)
	}},
	{"og", func(l *extract.Link, tag []byte) bool { return l.Element == "meta" && openGraph().Match(tag) }},
	{"amp", func(l *extract.Link, _ []byte) bool { return hasToken(l.Rel, "amphtml") }},
	{"oembed", func(l *extract.Link, tag []byte) bool {
		return hasToken(l.Rel, "alternate") && oembed().Match(tag)
	}},
	{"self", func(l *extract.Link, _ []byte) bool { return hasToken(l.Rel, "self") }},
}

// Patterns for attributes of a tag.
var (
	hreflang = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[\s"'/]hreflang\s*=`)
	})
	openGraph = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[\s"'/](property|name)\s*=\s*["']?\s*(og|twitter):`)
	})
	oembed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[\s"'/]type\s*=\s*["']?\s*(application/json|text/xml|application/xml)\+oembed`)
	})
)

// hasToken reports whether list, the value of an attribute, has the token. Case does not matter.
func hasToken(list, token string) bool {
	for t := range ascii.Space.Split(list) {
		if strings.EqualFold(t, token) {
			return true
		}
	}
	return false
}

// KeepNames returns the names of the classes that a Keep accepts. The value "none" is not a class.
func KeepNames() (names []string) {
	for _, k := range keeps {
		names = append(names, k.name)
	}
	return names
}

// Given reports whether Set was called.
func (k *Keep) Given() bool { return k.given }

// String returns the names in the form that Set accepts.
func (k *Keep) String() string {
	switch {
	case !k.given:
		return strings.Join(KeepNames(), ",")
	case len(k.names) == 0:
		return "none"
	}
	return strings.Join(k.names, ",")
}

// Type returns the placeholder of the value in the help text.
func (k *Keep) Type() string { return "LIST" }

// Set accepts names separated by commas, or "none".
func (k *Keep) Set(text string) error {
	var names []string
	if text != "none" {
		for name := range strings.SplitSeq(text, ",") {
			name = strings.TrimSpace(name)
			if !slices.Contains(KeepNames(), name) {
				return fmt.Errorf("%q: %w", name, flag.Choose(name, append(KeepNames(), "none")))
			}
			names = append(names, name)
		}
	}
	k.given, k.names = true, names
	return nil
}

// Covers reports whether l stays absolute. data is the document that contains l.
func (k *Keep) Covers(data []byte, l *extract.Link) bool {
	if l.Element != "link" && l.Element != "meta" {
		return false
	}
	tag := tagAround(data, l.Span)
	for _, class := range keeps {
		if (!k.given || slices.Contains(k.names, class.name)) && class.contains(l, tag) {
			return true
		}
	}
	return false
}

// tagAround returns the tag of a link or meta element around a span of data, up to 4 KiB on each
// side.
func tagAround(data []byte, at extract.Span) []byte {
	const longest = 4 << 10
	start := max(at.Start-longest, 0)
	if i := bytes.LastIndexByte(data[start:at.Start], '<'); i >= 0 {
		start += i
	}
	end := min(at.End+longest, len(data))
	if i := bytes.IndexByte(data[at.End:end], '>'); i >= 0 {
		end = at.End + i
	}
	return data[start:end]
}
