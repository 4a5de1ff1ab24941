package extract

import (
	"slices"
	"strings"
	"testing"
)

// The meta elements for robots are found where a base element would count, also after links.
func TestRobots(t *testing.T) {
	const robots = `<meta name=robots content=nofollow>`
	tests := []struct {
		name   string
		format Format
		data   string
		robot  string
		want   []string
	}{
		{"none", HTML, `<meta name=author content=nofollow><meta content=nofollow><meta name=robots>`, "", nil},
		{"one", HTML, robots, "", []string{"nofollow"}},
		{"letter case and blanks", HTML, `<META NAME=" RoBots " CONTENT=" NOINDEX, NoFollow ">`,
			"", []string{" NOINDEX, NoFollow "}},
		{"character references", HTML, `<meta name="rob&#111;ts" content="no&#x66;ollow">`, "", []string{"nofollow"}},
		{"content first", HTML, `<meta content=none name=robots>`, "", []string{"none"}},
		{"a repeated attribute", HTML, `<meta name=robots content=a content=b name=author>`, "", []string{"a"}},
		{"behind the links", HTML, `<body><a href=x>x</a>` + robots, "", []string{"nofollow"}},
		{"several", HTML, robots + `<meta name=robots content=noindex>`, "", []string{"nofollow", "noindex"}},
		{"of another robot", HTML, `<meta name=googlebot content=nofollow>`, "", nil},
		{"of the robot", HTML, `<meta name=GoogleBot content=nofollow><meta name=otherbot content=x>` + robots,
			"googlebot", []string{"nofollow", "nofollow"}},
		{"noscript", HTML, `<noscript>` + robots + `</noscript>`, "", []string{"nofollow"}},
		{"comment", HTML, `<!-- ` + robots + ` -->`, "", nil},
		{"template", HTML, `<template>` + robots + `</template>`, "", nil},
		{"text", HTML,
			`<title>` + robots + `</title><textarea>` + robots + `</textarea><script>` + robots + `</script>`, "", nil},
		{"srcdoc", HTML, `<iframe srcdoc="<meta name=robots content=nofollow>"></iframe>`, "", nil},
		{"svg", HTML, `<svg><desc>` + robots + `</desc></svg>`, "", []string{"nofollow"}},
		{"UTF-16", HTML, "\xff\xfe" + strings.Join(strings.Split(robots, ""), "\x00") + "\x00",
			"", []string{"nofollow"}},
		{"XHTML", XHTML,
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="robots" content="nofollow"/></head></html>`,
			"", []string{"nofollow"}},
		{"XHTML with a prefix", XHTML,
			`<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:meta name="robots" content="nofollow"/></h:html>`,
			"", []string{"nofollow"}},
		{"XML of another language", XML, `<meta name="robots" content="nofollow"/>`, "", nil},
		{"text", Plain, robots, "", nil},
	}
	for _, tt := range tests {
		d := &Doc{Format: tt.format, Data: []byte(tt.data), Options: Options{Robot: tt.robot, Comments: true}}
		for range 2 { // the document is read twice
			if got := d.Robots(); !slices.Equal(got, tt.want) {
				t.Errorf("%s: Robots of %q: got %q, want %q", tt.name, tt.data, got, tt.want)
			}
			for range d.Refs() {
			}
		}
	}
}
