package json

import (
	"strings"
	"testing"
)

// A URL with names in braces: where the first name begins, and how much is a URL by itself.
func TestVariables(t *testing.T) {
	for _, tt := range []struct {
		v, start, prefix, literal string
	}{
		{"", "", "", ""},
		{"/a?b", "/a?b", "/a?b", "/a?b"},
		{"http://h/s?q={t}&p={p?}", "http://h/s?q=", "http://h/s", "http://h/s?q="},
		{"http://h/s#q={t}", "http://h/s#q=", "http://h/s", "http://h/s#q="},
		{"http://h/a/b{t}/c", "http://h/a/b", "http://h/a/", "http://h/a/"},
		{"http://h/{t}?a={b}", "http://h/", "http://h/", "http://h/"},
		{"http://h?a={b}", "http://h?a=", "http://h", "http://h?a="},
		{"http://{h}/a", "http://", "", ""},
		{"//{h}/a", "//", "", ""},
		{"{t}/a", "", "", ""},
		{"/pv?u=${t}", "/pv?u=", "/pv", "/pv?u="},
		{"/pv/$x/${t}", "/pv/$x/", "/pv/$x/", "/pv/$x/"},
		{"?q={t}", "?q=", "", "?q="},
		{"a//{t}", "a//", "a//", "a//"},
	} {
		v := []byte(tt.v)
		if got := tt.v[:VariablesStart(v)]; got != tt.start {
			t.Errorf("VariablesStart(%q) ends %q, want %q", v, got, tt.start)
		}
		if got := tt.v[:VariablesPrefix(v)]; got != tt.prefix {
			t.Errorf("VariablesPrefix(%q) is %q, want %q", v, got, tt.prefix)
		}
		if got := tt.v[:VariablesLiteral(v)]; got != tt.literal {
			t.Errorf("VariablesLiteral(%q) is %q, want %q", v, got, tt.literal)
		}
	}
}

func TestAnalytics(t *testing.T) {
	for _, tt := range []struct{ config, want string }{
		{`{"requests":{"a":"https://h/a","b":"/b?u=${t}","c":"${a}&x","d":"d","e":{"baseUrl":"./e","origin":"/x"}}}`,
			"https://h/a, {/b?u=${t}}, ./e"},
		{`{"requests":{"a":["/x"],"e":{"x":{"baseUrl":"/y"}}},"x":{"requests":{"a":"/z"}},"vars":{"url":"/v"}}`, ""},
		{`{"requestOrigin":"https://h/","requests":{"a":"/a","b":"http://h/b"}}`, "https://h/, http://h/b"},
		{`{"requests":{"a":"/a"},"vars":{"requestOrigin":"https://h/"}}`, "/a"},
		{`{"requests":{"a":"/a"},"x":"requestOrigin"}`, "/a"},
		{`{"transport":{"iframe":"//h/i","beacon":"/x"},"configRewriter":{"url":"/r","x":"/x"}}`, "//h/i, /r"},
		{`{"transport":"/x","configRewriter":"/x","requestOrigin":{"x":"/y"},"requests":"/z"}`, ""},
		{`["requests","/x"]`, ""},
	} {
		var got []string
		var s Scanner
		for s.Reset([]byte(tt.config)); s.Next(); {
			value := tt.config[s.Start:s.End]
			switch s.Analytics([]byte(value), HasOrigin([]byte(tt.config))) {
			case URL:
				got = append(got, value)
			case Variables:
				got = append(got, "{"+value+"}")
			}
		}
		if list := strings.Join(got, ", "); list != tt.want {
			t.Errorf("Analytics in %s: %s, want %s", tt.config, list, tt.want)
		}
	}
}

func TestContainerAt(t *testing.T) {
	const data = `{"a":[{"b":"x"}]}`
	var s Scanner
	for s.Reset([]byte(data)); s.Next(); {
	}
	s.Reset([]byte(data))
	s.Next() // a
	s.Next() // b
	for depth, want := range []int{0, 5, 6, -1} {
		if got := s.ContainerAt(depth); got != want {
			t.Errorf("ContainerAt(%d) = %d, want %d", depth, got, want)
		}
	}
	if got := s.ContainerAt(-1); got != -1 {
		t.Errorf("ContainerAt(-1) = %d, want -1", got)
	}
}

func TestAppendFirst(t *testing.T) {
	for _, tt := range []struct {
		s, want string
		n       int
	}{{`\/a`, "/", 2}, {`\u0041b`, "A", 6}, {`\ud83d\ude00x`, "\U0001f600", 12}, {`\`, `\`, 1}, {`\"`, `"`, 2}} {
		if out, n := AppendFirst([]byte("x"), []byte(tt.s)); string(out) != "x"+tt.want || n != tt.n {
			t.Errorf("AppendFirst(%q) = %q, %d, want %q, %d", tt.s, out[1:], n, tt.want, tt.n)
		}
	}
}
