package page_test

import (
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/page"
	"absolink/extract/internal/readingtest"
)

func feedDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8, Find: (*page.Finder).Feed}
}

func linksetDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8,
		Find: func(f *page.Finder) { page.Linkset(&f.Text) }}
}

func TestFeed(t *testing.T) {
	const html = ` utf8 quote='\x00' bare=1 / quote='\x00' sheet literal`
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"members of the feed", `{"feed_url":"a","hubs":[{"url":"b"}],"author":{"avatar":"c"},"icon":["d"],"url":"e"}`,
			[]string{
				`13-14 feed@feed_url service "a" in url "u" token=2 sheet`,
				`32-33 hub@url service "b" in url "u" token=2 sheet`,
				`57-58 author@avatar res "c" in url "u" token=2 sheet`}},
		{"extensions", `{"_x":{"items":[{"url":"a"}]},"items":[{"_y":{"authors":[{"url":"b"}]},"x":{"url":"c"}}]}`, nil},
		{"identifiers", `{"version":"https://jsonfeed.org/version/1","items":[{"id":"x"},{"id":"a:b"}]}`,
			[]string{
				`12-42 feed@version identifier "https://jsonfeed.org/version/1" layer=-1 identifier listed` +
					` absolute token=2 sheet`,
				`71-74 item@id identifier "a:b" layer=-1 identifier listed absolute token=2 sheet`}},
		{"a late url", `{"items":[{"content_html":"<a href=x>","url":"http://i/"}]}`, []string{
			`35-36 a@href nav "x" in feed-link "http://i/" in url "u"` + html,
			`46-55 item@url nav "http://i/" in url "u" token=2 sheet`}},
		{"items do not share a url", `{"items":[{"url":"http://i/"},{"content_html":"<a href=x>"}]}`, []string{
			`18-27 item@url nav "http://i/" in url "u" token=2 sheet`,
			`55-56 a@href nav "x" in url "u"` + html}},
		{"a relative url", `{"home_page_url":"http://h/","items":[{"url":"i","content_html":"<a href=x>"}]}`, []string{
			`18-27 feed@home_page_url nav "http://h/" in url "u" token=2 sheet`,
			`46-47 item@url nav "i" in url "u" token=2 sheet`,
			`73-74 a@href nav "x" in feed-link "i" in url "u"` + html}},
		{"a late home page", `{"items":[{"content_html":"<a href=x>"}],"home_page_url":"h"}`, []string{
			`35-36 a@href nav "x" in feed-link "h" in url "u"` + html,
			`58-59 feed@home_page_url nav "h" in url "u" token=2 sheet`}},
		{"the url of an author is no base", `{"items":[{"authors":[{"url":"http://a/"}],"content_html":"<a href=x>"}]}`,
			[]string{
				`30-39 author@url nav "http://a/" in url "u" token=2 sheet`,
				`67-68 a@href nav "x" in url "u"` + html}},
		{"escapes", `{"items":[{"content_html":"<p \u0061=b>\n<a href=\"\u0078\/y&amp;\"><style>a{b:url(z)}<\/style>"}]}`,
			[]string{
				`51-65 a@href nav "x/y&" in url "u" utf8 / quote='\x00' sheet literal`,
				`83-84 style@ res "z" in url "u" utf8 token=1 sheet / quote='\x00' sheet literal`}},
		{"invalid bytes", "{\"icon\":\"\xff\",\"items\":[{\"content_html\":\"\xff<a href=x>\",\"url\":\"y\"}]}",
			[]string{
				`9-10 feed@icon res "` + "\ufffd" + `" in url "u" broken token=2 sheet`,
				`47-48 a@href nav "x" in feed-link "y" in url "u"` + html,
				`58-59 item@url nav "y" in url "u" token=2 sheet`}},
		{"not JSON", `<a href=x>`, nil},
		{"cut off", `{"icon":"a","items":[{"content_html":"<a href=x>`, []string{
			`9-10 feed@icon res "a" in url "u" token=2 sheet`}},
	} {
		d := feedDoc(tt.data)
		d.Layer = &base.Layer{Source: base.URL, Value: "u"}
		got := strings.Join(d.Described(), "\n")
		if want := strings.Join(tt.want, "\n"); got != want {
			t.Errorf("%s: %s\n%s\nwant\n%s", tt.name, tt.data, got, want)
		}
	}
}

func TestLinkset(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"contexts", `{"linkset":[{"anchor":"a","next":[{"href":"b"},{"href":"c"}],"icon":[{"href":"d"}]},{"hub":[{"href":"e"}]}]}`,
			`23-24 context@anchor meta "a" listed token=2 sheet|43-44 target@href nav "b" rel="next" listed token=2 sheet|` +
				`56-57 target@href nav "c" rel="next" listed token=2 sheet|78-79 target@href res "d" rel="icon" listed token=2 sheet|` +
				`101-102 target@href service "e" rel="hub" listed token=2 sheet`},
		{"escapes", `{"linkset":[{"anchor":"\/\u0061"}]}`, `23-31 context@anchor meta "/a" listed token=2 sheet`},
		{"no targets", `{"linkset":[{"next":{"href":"a"},"x":[{"y":[{"href":"b"}]}],"href":"c","z":[{"anchor":"d"}]}],"href":"e"}`, ""},
		{"no linkset", `{"x":[{"anchor":"a","next":[{"href":"b"}]}]}`, ""},
	} {
		d := linksetDoc(tt.data)
		if got := strings.Join(d.Described(), "|"); got != tt.want {
			t.Errorf("%s: %s\n%s\nwant\n%s", tt.name, tt.data, got, tt.want)
		}
	}
}

// A script of type application/json is a configuration only directly after the tag of
// amp-analytics.
func TestAnalyticsScript(t *testing.T) {
	const config = `<script type=application/json>{"requests":{"a":"/x"}}</script>`
	long := strings.Repeat(" ", 4096)
	for _, tt := range []struct {
		before string
		want   bool
	}{
		{"<amp-analytics>", true},
		{"<AMP-Analytics type=x>\n", true},
		{"<amp-analytics a='<b>'>\n<!-- c -->\n<!-- <d> -->", true},
		{"<amp-analytics", false},
		{"<amp-analytics-x>", false},
		{"<amp-analytics><p>", false},
		{"<amp-analytics>x", false},
		{"<amp-analytics>" + config, false},
		{"<amp-analytics>" + long, false},
		{"<!-- <amp-analytics> -->", false},
		{"-->", false},
		{"<p title='<amp-analytics>'>", false},
		{"", false},
	} {
		want := 0
		if tt.want {
			want = 1
		} else if strings.HasSuffix(tt.before, config) {
			want = 1 // the first one counts
		}
		n := 0
		for r := range htmlDoc(tt.before + config).Refs() {
			n++
			if r.Element != "script" || r.Attr != "" || r.ListOnly || string(r.Value) != "/x" {
				t.Errorf("%.40q: %+v", tt.before, r)
			}
		}
		if n != want {
			t.Errorf("%.40q: %d references, want %d", tt.before, n, want)
		}
	}
}
