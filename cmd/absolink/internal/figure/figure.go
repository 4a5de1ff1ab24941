// Package figure draws the figure of RFC 2396 Section 5.1: the boxes that lie
// around a document, and what fills each.
package figure

import (
	"strings"
	"unicode/utf8"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
)

// The boxes of the figure, innermost first, by the name of their layer.
var boxes = []struct{ layer, title string }{
	{"embedded", "5.1.1 embedded in the content"},
	{"encapsulating", "5.1.2 of the encapsulating entity"},
	{"retrieval", "5.1.3 used to retrieve"},
	{"default", "5.1.4 default of the application"},
}

// Append appends the figure of one document as text. The step that gives the base
// is marked with *, the others say why they do not.
func Append(dst []byte, title string, steps []base.Step, uri string) []byte {
	var inner []string
	for _, box := range boxes {
		lines := append(inner, "("+box.title+")")
		some := false
		for _, s := range steps {
			if s.Layer.Source.Layer() == box.layer {
				lines, some = append(lines, describe(s)...), true
			}
		}
		if !some {
			lines = append(lines, "  -")
		}
		inner = frame(lines)
	}
	for _, s := range steps {
		if s.Layer.Source == base.Forced {
			inner = append(inner, describe(s)...)
		}
	}
	if uri == "" {
		uri = "none"
	}
	dst = append(dst, console.Printable(title)+"\n"...)
	for _, l := range inner {
		dst = append(append(dst, l...), '\n')
	}
	return append(dst, "base: "+console.Printable(uri)+"\n\n"...)
}

// describe gives the lines of one step.
func describe(s base.Step) []string {
	mark := "  "
	if s.Used {
		mark = "* "
	}
	name := s.Layer.Source.String()
	if s.Layer.Source == base.Forced {
		name = "--force-base"
	}
	if s.Layer.Part != "" {
		name += " of part " + s.Layer.Part
	}
	lines := []string{mark + name + ": " + console.Printable(s.Layer.Value)}
	if s.URI != "" && s.URI != s.Layer.Value {
		lines = append(lines, "    = "+console.Printable(s.URI))
	}
	if s.Reason != "" {
		lines = append(lines, "    "+s.Reason)
	}
	return lines
}

// frame draws a box around lines.
func frame(lines []string) []string {
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	out := []string{"." + strings.Repeat("-", width+2) + "."}
	for _, l := range lines {
		out = append(out, "| "+l+strings.Repeat(" ", width-utf8.RuneCountInString(l))+" |")
	}
	return append(out, "`"+strings.Repeat("-", width+2)+"'")
}
