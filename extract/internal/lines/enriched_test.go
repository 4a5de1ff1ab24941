package lines_test

import (
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

func TestEnrichedText(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"bare", "See http://a.example/b. Or not.", "4 nav http://a.example/b"},
		{"emphasized", "<bold>http://a.example/b</bold>", "6 nav http://a.example/b"},
		{"a command inside", "http://a.<Italic>example</italic>/b c", "0 nav http://a.example/b"},
		{"in brackets", "<<http://a.example/\nb>", "2 nav http://a.example/b"},
		{"in brackets of richtext", "<lt>http://a.example/<nl>b>", "4 nav http://a.example/b"},
		{"richtext line end", "http://a.example/<nl>b", "0 nav http://a.example/"},
		{"parameter", "<color><param>http://n.example/</param>http://a.example/</color>", "39 nav http://a.example/"},
		{"comment", "<comment>http://n.example/<x></COMMENT>http://a.example/", "39 nav http://a.example/"},
		{"unclosed comment", "<comment>http://a.example/", "9 nav http://a.example/"},
		{"no command", "<http://a.example/> <a b> < http://b.example/",
			"1 nav http://a.example/, 28 nav http://b.example/"},
		{"cut command", "http://a.example/ <bold", "0 nav http://a.example/"},
		{"relative", "<bold>b.html</bold>", ""},
	}
	for _, tt := range tests {
		d := enriched(tt.data)
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

// FuzzEnrichedText: commands around text without brackets do not matter.
func FuzzEnrichedText(f *testing.F) {
	f.Add("see http://a.example/b, mailto:c@d.example", 7)
	f.Add("\"http://a.example/\nb\"\u20ac\xff", 12)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if strings.ContainsAny(text, "<>") || at < 0 || at > len(text) || at < len(text) && text[at] >= 0x80 {
			return
		}
		values := func(format func(string) *readingtest.Doc, s string) (list []string) {
			d := format(s)
			d.Charset = "utf-8"
			for r := range d.Refs() {
				list = append(list, string(r.Value))
			}
			return list
		}
		want := strings.Join(values(plain, text), " ")
		marked := "<bold>" + text[:at] + "<param>http://n.example/</param></x-y>" + text[at:] + "</bold>"
		if strings.HasPrefix(text, "\ufeff") {
			return // a byte order mark after a command is not one
		}
		if got := strings.Join(values(enriched, marked), " "); got != want {
			t.Errorf("Refs(%q) = %q, want %q", marked, got, want)
		}
	})
}
