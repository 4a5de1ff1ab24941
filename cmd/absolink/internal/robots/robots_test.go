package robots_test

import (
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/robots"
)

func TestAllowed(t *testing.T) {
	// The examples of RFC 9309 5.1, 5.2 and 2.2.
	const simple = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
		"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
		"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n" +
		"User-Agent: quxbot\n\nEOF"
	const merged = "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n"
	tests := []struct {
		name, file, token, path string
		want                    bool
	}{
		{"5.1: any, suffix", simple, "otherbot", "/a/b.gif", false},
		{"5.1: any, suffix not at the end", simple, "otherbot", "/a/b.gif?x", true},
		{"5.1: any, folder", simple, "otherbot", "/example/x", false},
		{"5.1: any, allowed", simple, "otherbot", "/publications/x", true},
		{"5.1: any, no rule", simple, "otherbot", "/x", true},
		{"5.1: foobot, nothing", simple, "foobot", "/publications/", false},
		{"5.1: foobot, but a page", simple, "foobot", "/example/page.html", true},
		{"5.1: foobot, but a picture", simple, "foobot", "/example/allowed.gif", true},
		{"5.1: first of two agents", simple, "barbot", "/example/page.html", false},
		{"5.1: second of two agents", simple, "bazbot", "/example/page.html", false},
		{"5.1: second, the rules for all don't count", simple, "bazbot", "/example/other.html", true},
		{"5.1: a group without rules", simple, "quxbot", "/example/page.html", true},
		{"5.2: the longest match", "user-agent: *\nallow: /example/page/\ndisallow: /example/page/disallowed.gif\n",
			"a", "/example/page/disallowed.gif", false},
		{"2.2.1: groups are merged, first", merged, "examplebot", "/bar", false},
		{"2.2.1: groups are merged, last", merged, "examplebot", "/baz/x", false},
		{"2.2.1: another token", merged, "Example", "/baz", true},
		{"2.2.1: a version behind the token", "user-agent: absolink/1.0\ndisallow: /", "absolink", "/x", false},
		{"2.2.2: equal length, allow wins", "user-agent: *\ndisallow: /a\nallow: /a", "a", "/a", true},
		{"2.2.2: equal length, in the other order", "user-agent: *\nallow: /a\ndisallow: /a", "a", "/a", true},
		{"2.2.2: case of the path counts", "user-agent: *\ndisallow: /Foo", "a", "/foo", true},
		{"2.2.2: robots.txt itself", "user-agent: *\ndisallow: /", "a", "/robots.txt", true},
		{"2.2.2: octets beyond ASCII", "user-agent: *\ndisallow: /foo/bar/ツ", "a", "/foo/bar/%E3%83%84", false},
		{"2.2.2: escaped octets", "user-agent: *\ndisallow: /foo/bar/%E3%83%84", "a", "/foo/bar/ツ", false},
		{"2.2.2: an unreserved octet escaped",
			"user-agent: *\ndisallow: /foo/bar/%62%61%7A", "a", "/foo/bar/baz", false},
		{"2.2.3: a star", "user-agent: *\ndisallow: /this/*/exactly", "a", "/this/is/exactly/x", false},
		{"2.2.3: a star, no match", "user-agent: *\ndisallow: /this/*/exactly", "a", "/this/exactly", true},
		{"2.2.3: the end", "user-agent: *\ndisallow: /x$", "a", "/x", false},
		{"2.2.3: behind the end", "user-agent: *\ndisallow: /x$", "a", "/xy", true},
		{"2.2.3: star and end", "user-agent: *\ndisallow: /*.php$", "a", "/b.php.php", false},
		{"2.2.3: a star escaped", "user-agent: *\ndisallow: /path/file-with-a-%2A.html",
			"a", "/path/file-with-a-*.html", false},
		{"2.2.3: a star escaped on both sides", "user-agent: *\ndisallow: /path/file-with-a-%2A.html",
			"a", "/path/file-with-a-%2a.html", false},
		{"2.2.3: a star in the path only", "user-agent: *\ndisallow: /a*b", "a", "/a*b", false},
		{"2.2.3: a dollar escaped", "user-agent: *\ndisallow: /path/foo-%24", "a", "/path/foo-$", false},
		{"2.2.4: other lines do not end a group", "user-agent: a\nsitemap: /x\ndisallow: /y", "a", "/y", false},
		{"rules before any group", "disallow: /\nuser-agent: b\ndisallow: /b", "a", "/x", true},
		{"an empty disallow", "user-agent: *\ndisallow:", "a", "/x", true},
		{"a comment behind a rule", "user-agent: * # all\ndisallow: /x # not this", "a", "/x", false},
		{"a byte order mark", "\xef\xbb\xbfuser-agent: *\ndisallow: /x", "a", "/x", false},
		{"CRLF", "user-agent: *\r\ndisallow: /x\r\n", "a", "/x", false},
		{"CR", "user-agent: *\rdisallow: /x\r", "a", "/x", false},
		{"blanks around", " User-Agent : * \n Disallow : /x ", "a", "/x", false},
		{"a page instead", "<!DOCTYPE html><p>Not found: disallow", "a", "/x", true},
		{"nothing", "", "a", "/x", true},
		{"beyond the limit", "user-agent: *\n" + strings.Repeat("# padding\n", robots.MaxSize/10) + "disallow: /x",
			"a", "/x", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := robots.Parse([]byte(tt.file), tt.token).Allowed(tt.path); got != tt.want {
				t.Errorf("Parse(%.80q, %q).Allowed(%q): got %v, want %v", tt.file, tt.token, tt.path, got, tt.want)
			}
		})
	}
}

func TestNone(t *testing.T) {
	var none *robots.Rules
	if !none.Allowed("/x") {
		t.Error("no rules: Allowed(/x): got false, want true")
	}
}

func TestToken(t *testing.T) {
	for agent, want := range map[string]string{"absolink/1.0 (+http://x/)": "absolink",
		"My-Bot_a 2": "My-Bot_a", "1x": "", "": ""} {
		if got := robots.Token(agent); got != want {
			t.Errorf("Token(%q): got %q, want %q", agent, got, want)
		}
	}
}

// Allowed returns the same for a path and for the path with other escapes of unreserved octets.
func FuzzParse(f *testing.F) {
	f.Add("user-agent: *\ndisallow: /a*b$\nallow: /", "/axb")
	f.Add("User-Agent: absolink\nDisallow: /%7ejoe/%e3", "/~joe/ã")
	f.Add("disallow: %\nuser-agent", "%%2%")
	f.Fuzz(func(t *testing.T, file, path string) {
		rules := robots.Parse([]byte(file), "absolink")
		var escaped strings.Builder
		for i := range len(path) {
			if c := path[i]; 'a' <= c && c <= 'z' && (i < 2 ||
				path[i-1] != '%' && path[i-2] != '%') && (i < 1 || path[i-1] != '%') {
				escaped.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
			} else {
				escaped.WriteByte(c)
			}
		}
		if path == "/robots.txt" {
			return
		}
		if got, want := rules.Allowed(escaped.String()), rules.Allowed(path); got != want {
			t.Errorf("Parse(%q).Allowed(%q) = %v, but of %q it is %v", file, escaped.String(), got, path, want)
		}
	})
}
