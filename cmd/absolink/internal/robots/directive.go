package robots

import (
	"iter"
	"slices"
	"strings"
)

// A page gives directives to robots in meta elements. The name of such an element is "robots", or
// the name of one robot. A response gives directives in header fields X-Robots-Tag, where a name of
// a robot may come first. No standard defines the syntax. Words without a comma between them are
// read too, because a missed directive costs more than a superfluous one.

// Directives are the directives of a page, each once. A directive is a lower-case word such as
// nofollow, or a name with a value such as max-snippet:50. "none" is stored as noindex and
// nofollow.
type Directives []string

// AddMeta returns d with the directives in the content of a meta element.
func (d Directives) AddMeta(content string) Directives {
	for item := range items(content) {
		d = d.addItem(item)
	}
	return d
}

// AddField returns d with the directives of a header field X-Robots-Tag that are for all robots, or
// for the named robot. Names match in any case of letters. Directives after the name of a robot are
// for that robot, up to the next name in the field.
func (d Directives) AddField(value, robot string) Directives {
	applies := true
	for item := range items(value) {
		name, rest, named := strings.Cut(item, ":")
		name = strings.TrimSpace(name)
		if named && !hasValue(name) {
			applies = name == "*" || strings.EqualFold(name, "robots") || robot != "" && strings.EqualFold(name, robot)
			item = rest
		}
		if applies {
			d = d.addItem(item)
		}
	}
	return d
}

// Has reports whether d contains a directive.
func (d Directives) Has(directive string) bool { return slices.Contains(d, directive) }

const unavailableAfter = "unavailable_after" // its value is a date

// withValue are the directives with a value after a colon.
var withValue = []string{unavailableAfter, "max-snippet", "max-image-preview", "max-video-preview"}

// hasValue reports whether the last word of text is a directive with a value.
func hasValue(text string) bool { return slices.Contains(withValue, strings.ToLower(lastWord(text))) }

// lastWord returns the text after the last blank of s.
func lastWord(s string) string { return s[strings.LastIndexAny(s, " \t")+1:] }

// items yields the texts between commas and semicolons. The comma after the day of the week in a
// date does not end an item: "unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT".
func items(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			item, rest := cutItem(text)
			if rest != "" && endsInDay(item) {
				date, after := cutItem(rest)
				item += "," + date
				rest = after
			}
			text = rest
			item = strings.TrimSpace(item)
			if item != "" && !yield(item) {
				return
			}
		}
	}
}

// cutItem returns the text before the first comma or semicolon, and the text after it.
func cutItem(text string) (item, rest string) {
	n := strings.IndexAny(text, ",;")
	if n < 0 {
		return text, ""
	}
	return text[:n], text[n+1:]
}

// endsInDay reports whether an item ends in the day of the week of a date, as in
// "unavailable_after: Wed".
func endsInDay(item string) bool {
	n := strings.LastIndexByte(item, ':')
	if n < 0 || !strings.EqualFold(lastWord(strings.TrimSpace(item[:n])), unavailableAfter) {
		return false
	}
	day := strings.ToLower(strings.TrimSpace(item[n+1:]))
	return len(day) >= len("wed") && strings.Trim(day, "abcdefghijklmnopqrstuvwxyz") == ""
}

// addItem returns d with the directives of an item. An item consists of words, and the last word
// may have a value.
func (d Directives) addItem(item string) Directives {
	words, value, hasValue := strings.Cut(item, ":")
	list := strings.Fields(strings.ToLower(words))
	for i, word := range list {
		switch {
		case hasValue && i == len(list)-1:
			d = d.addOne(word + ":" + strings.TrimSpace(value))
		case word == "none":
			d = d.addOne("noindex").addOne("nofollow")
		default:
			d = d.addOne(word)
		}
	}
	return d
}

// addOne returns d with a directive.
func (d Directives) addOne(directive string) Directives {
	if d.Has(directive) {
		return d
	}
	return append(d, directive)
}
