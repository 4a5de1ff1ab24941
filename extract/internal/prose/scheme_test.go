package prose

import (
	"strings"
	"testing"
)

// A word that runs into a known scheme is not part of the URI (RFC 3986 Section 3.1 would allow
// it).
func TestFindGlued(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"behind a dot", "mark it as spam.https://h.example/t/1", "https://h.example/t/1"},
		{"behind letters", "hahahttp://h.example/b", "http://h.example/b"},
		{"in other letters", "HaHaHTTPS://h.example/b", "HTTPS://h.example/b"},
		{"behind digits", "step1http://h.example/ 31mhttp://h.example/2", "http://h.example/|http://h.example/2"},
		{"behind a word that is no scheme",
			".http://h.example/1 +http://h.example/2 -http://h.example/3 1-http://h.example/4",
			"http://h.example/1|http://h.example/2|http://h.example/3|http://h.example/4"},
		{"behind other letters than ASCII",
			"日本http://h.example/1 éhttp://h.example/2 👉http://h.example/3 _http://h.example/4",
			"http://h.example/1|http://h.example/2|http://h.example/3|http://h.example/4"},
		{"behind a scheme", "httphttp://h.example/ svnhttps://h.example/", "http://h.example/|https://h.example/"},
		{"a part of a scheme", "svn+ssh://h.example/ git+https://h.example/ x-http://h.example/ coap+ws://h.example/",
			"svn+ssh://h.example/|git+https://h.example/|x-http://h.example/|coap+ws://h.example/"},
		{"schemes that end alike",
			"sftp://h.example/ SFTP://h.example/ xsftp://h.example/ tftp://h.example/ gsiftp://h.example/ shttp://" +
				"h.example/ ldaps://h.example/",
			"sftp://h.example/|SFTP://h.example/|sftp://h.example/|tftp://h.example/|gsiftp://h.example/|shttp://" +
				"h.example/|ldaps://h.example/"},
		{"words that end alike", "profile://x/ legit://x/ goodnews://x/ https2://x/ hxxp://x/",
			"profile://x/|legit://x/|goodnews://x/|https2://x/|hxxp://x/"},
		{"behind a dot only", "see.git://h.example/ see.file:///etc/x see.news://h.example/ see.foo://h.example/",
			"git://h.example/|file:///etc/x|news://h.example/|see.foo://h.example/"},
		{"mail addresses", "writemailto:a@h.example or.mailto:b@h.example isMailto:true data-mailto:c@h.example",
			"mailto:a@h.example|mailto:b@h.example"},
		{"other schemes without //", "hotel:5 acid:x@y gossip:a@b return:x http:x xhttp:y", ""},
		{"in quotes", "\"spam.https://h.example/1\" \"hahahttp://h.example/a\nb\"",
			"https://h.example/1|http://h.example/ab"},
		{"in angle brackets, where the writer has said so", "<hahahttp://h.example/b>", "hahahttp://h.example/b"},
		{"a port", "localhost:8080//x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, false), "|"); got != c.want {
				t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
			}
			if got := strings.Join(found(c.text, true), "|"); got != c.want {
				t.Errorf("Find(%q), abbreviated\ngot  %q\nwant %q", c.text, got, c.want)
			}
			walkAlike(t, c.text)
		})
	}
}

// Before a scheme that may be glued every word is cut off, in every surrounding.
func TestFindGluedEverywhere(t *testing.T) {
	for _, scheme := range glued {
		for _, word := range []string{"a", "Z", "9", "spam.", "a.b.",
			"1.", "...", "a-b", "a+b", "x1", strings.Repeat("word", 50)} {
			for _, around := range [][2]string{{"", ""}, {"(", ")"}, {"\"", "\""},
				{"日本", "。"}, {"> ", "\n> x"}, {"<a> ", " <b>"}, {": ", " :"}} {
				uri := scheme + "://h.example/p"
				text := around[0] + word + uri + around[1]
				got := found(text, false)
				longest := scheme
				for _, l := range longer {
					if strings.EqualFold(word+scheme, l) {
						longest = l
					}
				}
				if len(got) != 1 || got[0] != longest+"://h.example/p" && !isGlued(word[len(word)-1:]+scheme) {
					t.Errorf("Find(%q) = %q, want %q", text, got, uri)
				}
				walkAlike(t, text)
			}
		}
	}
}

// isGlued reports whether word is a scheme of the list.
func isGlued(word string) bool {
	for _, g := range glued {
		if strings.EqualFold(g, word) {
			return true
		}
	}
	return false
}
