package lines_test

import (
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

func TestPlainText(t *testing.T) {
	tests := []struct {
		name    string
		flow    string // parameters of the media type
		charset string
		data    string
		want    string
	}{
		{"bare", "", "", "See http://a.example/b. Or not.", "4 nav http://a.example/b"},
		{"in brackets", "", "", "<URL:http://a.example/\n b>", "5 nav http://a.example/b"},
		{"mail address", "", "", "<mailto:a@b.example>", "1 nav mailto:a@b.example"},
		{"abbreviated", "", "", "www.a.example/b", ""},
		{"relative", "", "", "<b.html> ../c", ""},
		{"letters", "", "", "http://müller.example/Österreich, x", "0 nav http://müller.example/Österreich"},
		{"letters, windows-1252", "", "windows-1252",
			"\xabhttp://m\xfcller.example/\xd6\xbb", "1 nav http://müller.example/Ö"},
		{"letters, flowed", "flowed delsp", "", "http://a.example/\u00e9 \r\nt\u00e9", "0 nav http://a.example/été"},
		{"scheme in brackets", "", "", "<file:/home/fred/bio.txt>", "1 nav file:/home/fred/bio.txt"},
		{"markup", "", "", `<a href="http://a.example/b?c&amp;d">`, "9 nav http://a.example/b?c&amp;d"},
		{"windows-1252", "", "windows-1252", "\xabhttp://a.example/b\xbb", "1 nav http://a.example/b"},
		{"UTF-16", "", "", string(readingtest.UTF16("http://a.example/", false)), "2 nav http://a.example/"},
		{"byte order mark", "", "", "\xef\xbb\xbfhttp://a.example/", "3 nav http://a.example/"},
		{"quoted, fixed", "", "", "> <http://a.example/b\r\n> c>", "3 nav http://a.example/bc"},
		{"quoted, flowed, blanks between marks", "flowed", "",
			"> > <http://a.example/b\r\n> > c>", "5 nav http://a.example/bc"},
		{"glued to a word", "", "", "as spam.https://a.example/b", "8 nav https://a.example/b"},
		{"undeclared ISO-2022-JP", "", "", "\x1b$B$3\x1b(Bhttp://a.example/b", "8 nav http://a.example/b"},
		{"quoted, flowed", "flowed", "", "> <http://a.example/b \r\n> c>", "3 nav http://a.example/bc"},
		{"soft break ends it", "flowed", "", "http://a.example/b \r\nc", "0 nav http://a.example/b"},
		{"delsp", "flowed delsp", "", "x http://a.example/b \r\nc \nd e", "2 nav http://a.example/bcd"},
		{"delsp in a quote", "flowed delsp", "", ">> http://a.example/b \r\n>> c d", "3 nav http://a.example/bc"},
		{"delsp, other depth", "flowed delsp", "", "> http://a.example/b \r\n>> c d", "2 nav http://a.example/b"},
		{"delsp, stuffed", "flowed delsp", "", " http://a.example/b \r\n c", "1 nav http://a.example/bc"},
		{"hard break", "flowed delsp", "", "http://a.example/b\r\nc", "0 nav http://a.example/b"},
		{"signature", "flowed delsp", "", "http://a.example/b\r\n-- \r\nc", "0 nav http://a.example/b"},
		{"signature behind a soft line", "flowed delsp", "",
			"http://a.example/b \r\n-- \r\nc", "0 nav http://a.example/b"},
		{"delsp, windows-1252", "flowed delsp", "windows-1252",
			"\xe4 http://a.example/b \r\nc\xe4", "2 nav http://a.example/bcä"},
	}
	for _, tt := range tests {
		d := plain(tt.data)
		if tt.flow != "" {
			d = flowed(tt.data, tt.flow == "flowed delsp")
		}
		d.Charset = tt.charset
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

// A robots.txt names sitemaps by references that may be relative.
func TestRobotsTxt(t *testing.T) {
	tests := []struct{ name, charset, data, want string }{
		{"relative", "", "Sitemap: /s.xml", "9 nav /s.xml"},
		{"absolute", "", "Sitemap: http://a.example/s.xml\n", "9 nav http://a.example/s.xml"},
		{"network-path", "", "Sitemap: //b.example/s.xml", "9 nav //b.example/s.xml"},
		{"a name", "", "sitemap:s.xml.gz\r\n", "8 nav s.xml.gz"},
		{"dots", "", "Sitemap: ../s.xml\nSitemap: ./t.xml", "9 nav ../s.xml, 27 nav ./t.xml"},
		{"a folder", "", "Sitemap: maps/s.xml?a=1&b", "9 nav maps/s.xml?a=1&b"},
		{"letter case and blanks", "", "\t SITEMAP\t:\t/s.xml \t\n", "12 nav /s.xml"},
		{"among others, in their order", "",
			"# see http://a.example/\nUser-agent: *\nSitemap: /s.xml\nDisallow: /x\n\rSitemap: http://a.example/" +
				"t\rSitemap: /u", "6 nav http://a.example/, 47 nav /s.xml, 77 nav http://a.example/t, 105 nav /u"},
		{"a comment", "", "#Sitemap: /s.xml\nSitemap: /t.xml # /u", "26 nav /t.xml"},
		{"a byte order mark", "", "\xef\xbb\xbfSitemap: /s.xml", "12 nav /s.xml"},
		{"letters", "", "Sitemap: /é.xml", "9 nav /é.xml"},
		{"windows-1252", "windows-1252", "Sitemap: /\xe9.xml", "9 nav /é.xml"},
		{"a host without a scheme", "",
			"Sitemap: www.a.example/s.xml\nSitemap: a.example/s.xml\nSitemap: www.a.example", ""},
		{"no value", "", "Sitemap:\nSitemap: #\nSitemap", ""},
		{"several words", "", "Sitemap: see /s.xml", ""},
		{"another field", "", "Allow: /s.xml\nSitemaps: /s.xml", ""},
	}
	for _, tt := range tests {
		d := robots(tt.data)
		d.Charset = tt.charset
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
	d := plain("Sitemap: /s.xml")
	if got := listed(t, d); len(got) != 0 {
		t.Errorf("in another text: got %q, want none", got)
	}
}
