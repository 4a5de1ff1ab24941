package unpack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/mime"
	"absolink/testdata/effort"
)

// planOf returns the page of a message with the page html and two parts: a.png has the
// Content-Location of a field, b.png the Content-ID b@x.
func planOf(t *testing.T, heading, html, location string) *Page {
	t.Helper()
	text := heading + "Content-Type: multipart/related; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n" + html + "\n" +
		"--b\nContent-Type: image/png\nContent-Location: " + location + "\n\na\n" +
		"--b\nContent-Type: image/png\nContent-ID: <b@x>\nContent-Disposition: inline; filename=b.png\n\nb\n--b--\n"
	m, err := mime.Parse(strings.NewReader(text), int64(len(text)), mime.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Plan(m, Options{})
	if err != nil {
		t.Fatalf("Plan of %q: %v", text, err)
	}
	return p
}

// places are the ways to write a reference in a page.
var places = []string{
	`<img src="%s">`, `<img src='%s'>`, `<a href="%s">`, `<input type=image src="%s">`, `<object data="%s">`,
	`<p style="background:url('%s')">`, `<iframe srcdoc="<img src='%s'>">`,
}

// White space around a reference does not belong to the name, whether or not a part has this name.
func TestPlanWhiteSpace(t *testing.T) {
	blanks := effort.Pick([]string{"", " ", "  ", "\t", "\n", "\r\n", "\f", "&#32;", "&#9;", "&#10;", " \n\t "},
		[]string{"", " ", "&#10;", " \n\t "})
	for _, layers := range []struct{ heading, location string }{
		{"", "a.png"},
		{"Content-Location: http://e.test/d/\n", "a.png"},
		{"Content-Base: http://e.test/d/\n", "http://e.test/d/a.png"},
	} {
		for _, reference := range []struct{ value, file string }{
			{"a.png", "a.png"}, {"a.png#f", "a.png#f"}, {"cid:b@x", "b.png"}, {"CID:b%40x", "b.png"},
		} {
			for _, place := range places {
				for _, before := range blanks {
					for _, after := range blanks {
						if strings.Contains(place, "url(") && strings.ContainsAny(before+after, "\r\n\f&") {
							continue // no string of CSS holds it
						}
						if !effort.Whole() && before != "" && after != "" && before != after {
							continue
						}
						html := fmt.Sprintf(place, before+reference.value+after)
						page := planOf(t, layers.heading, html, layers.location)
						got := strings.TrimSpace(string(page.Files[0].Data))
						want := fmt.Sprintf(place, reference.file)
						if got != want || page.Missing != 0 || len(page.Files) != 3 {
							t.Fatalf("with %+v, %q becomes %q, %d missing; want %q",
								layers, html, got, page.Missing, want)
						}
					}
				}
			}
		}
		for _, before := range blanks {
			for _, after := range blanks {
				html := `<img src="` + before + "cid:gone" + after + `">`
				if p := planOf(t, layers.heading, html, layers.location); p.Missing != 1 {
					t.Errorf("%q: %d are missing, want 1", html, p.Missing)
				}
			}
		}
	}
}

// FuzzPlan plans pages with references of any bytes: nothing of it panics, and the names of the
// files differ.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{"a.png ", " a.png", "a.p\nng", "cid:b@x ", "a.png# ",
		"#", " ", "A.PNG", "./a.png", "cid:", "&#32;a.png\x00", `x"><img src=a.png>`} {
		f.Add(seed, "a.png", false)
		f.Add(seed, "http://e.test/a.png", true)
	}
	f.Fuzz(func(t *testing.T, reference, location string, based bool) {
		if strings.ContainsAny(location, "\r\n") ||
			strings.ContainsAny(reference, "\r\n") && strings.Contains(reference, "--") {
			t.Skip("another message")
		}
		heading := ""
		if based {
			heading = "Content-Location: http://e.test/\n"
		}
		text := heading + "Content-Type: multipart/related; boundary=b\n\n" +
			"--b\nContent-Type: text/html\n\n<img src=\"" + reference + "\">\n" +
			"--b\nContent-Type: image/png\nContent-Location: " + location + "\n\na\n--b--\n"
		m, err := mime.Parse(strings.NewReader(text), int64(len(text)), mime.Limits{})
		if err != nil {
			return
		}
		p, err := Plan(m, Options{})
		if err != nil {
			return
		}
		names := make([]string, 0, len(p.Files))
		for _, file := range p.Files {
			names = append(names, strings.ToLower(file.Name))
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(p.Files) {
			t.Errorf("two files of %q have one name", text)
		}
	})
}
