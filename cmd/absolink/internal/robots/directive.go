package robots

import (
	"iter"
	"slices"
	"strings"
)

// A page gives directives to robots in metas named robots or after one robot, and in header fields
// X-Robots-Tag, which may begin with the name of a robot. No standard defines their syntax. Words
// without a comma between them are read too: a missed directive costs more than a superfluous one.

// Directives are the directives of a page, each once: lower-case words such as nofollow, or a name
// with a value such as max-snippet:50. "none" is stored as noindex and nofollow.
type Directives []string

// AddMeta adds the directives in the content of a meta element.
func (d Directives) AddMeta(content string) Directives {
	for item := range items(content) {
		d = d.add(item)
	}
	return d
}

// AddField adds the directives of a header field X-Robots-Tag for all robots, or for the robot with
// this name, in any case. The name of a robot applies up to the next name in the field.
func (d Directives) AddField(value, robot string) Directives {
	ours := true
	for item := range items(value) {
		name, rest, named := strings.Cut(item, ":")
		name = strings.TrimSpace(name)
		if named && !takesValue(name) {
			ours = name == "*" || strings.EqualFold(name, "robots") || robot != "" && strings.EqualFold(name, robot)
			item = rest
		}
		if ours {
			d = d.add(item)
		}
	}
	return d
}

// Has reports whether d contains a directive.
func (d Directives) Has(name string) bool { return slices.Contains(d, name) }

// valued are the directives with a value after a colon.
var valued = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

func takesValue(name string) bool { return slices.Contains(valued, strings.ToLower(lastWord(name))) }

// lastWord returns the text after the last blank of s.
func lastWord(s string) string { return s[strings.LastIndexAny(s, " \t")+1:] }

// items yields the texts between commas and semicolons. The comma after the day of the week in a
// date does not end a text: "unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT".
func items(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			item, rest := cutItem(text)
			if rest != "" && endsInDay(item) {
				date, after := cutItem(rest)
				item, rest = item+","+date, after
			}
			text = rest
			item = strings.TrimSpace(item)
			if item != "" && !yield(item) {
				return
			}
		}
	}
}

func cutItem(text string) (item, rest string) {
	n := strings.IndexAny(text, ",;")
	if n < 0 {
		return text, ""
	}
	return text[:n], text[n+1:]
}

// endsInDay reports whether an item ends in the day of the week that begins a date.
func endsInDay(item string) bool {
	n := strings.LastIndexByte(item, ':')
	if n < 0 || !strings.EqualFold(lastWord(strings.TrimSpace(item[:n])), valued[0]) {
		return false
	}
	day := strings.ToLower(strings.TrimSpace(item[n+1:]))
	return len(day) >= len("wed") && strings.Trim(day, "abcdefghijklmnopqrstuvwxyz") == ""
}

// add adds the directives of an item: words, the last perhaps with a value.
func (d Directives) add(item string) Directives {
	words, value, ok := strings.Cut(item, ":")
	list := strings.Fields(strings.ToLower(words))
	for i, word := range list {
		switch {
		case ok && i == len(list)-1:
			d = d.one(word + ":" + strings.TrimSpace(value))
		case word == "none":
			d = d.one("noindex").one("nofollow")
		default:
			d = d.one(word)
		}
	}
	return d
}

func (d Directives) one(name string) Directives {
	if d.Has(name) {
		return d
	}
	return append(d, name)
}
