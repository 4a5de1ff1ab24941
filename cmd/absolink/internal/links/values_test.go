package links

import (
	"strings"
	"testing"
)

// of returns the list that the flag of a property takes.
func of(by property) *Values { return &Values{by: by} }

func TestValues(t *testing.T) {
	tests := []struct {
		by       property
		set      string
		has, not string // values that match, and values that do not
	}{
		{byElement, "a, IMG", "a A img", "p aa"},
		{byElement, "!a,img", "p", "a IMG"},
		{byKind, "nav,res", "nav res", "form"},
		{byStatus, "!resolved", "absolute invalid", "resolved"},
		{byHost, "example.org", "example.org EXAMPLE.ORG", "www.example.org example.org.test"},
		{byHost, ".example.org", "example.org www.example.org", "anexample.org"},
		{byHost, "[::1]", "[::1]", "::1"},
		{byScheme, "http,https", "http HTTPS", "ftp"},
	}
	for _, tt := range tests {
		v := of(tt.by)
		if err := v.Set(tt.set); err != nil {
			t.Errorf("Set(%q): %v", tt.set, err)
			continue
		}
		for _, value := range strings.Fields(tt.has) {
			if !v.has(value) {
				t.Errorf("%q has %q: got false, want true", tt.set, value)
			}
		}
		for _, value := range strings.Fields(tt.not) {
			if v.has(value) {
				t.Errorf("%q has %q: got true, want false", tt.set, value)
			}
		}
		again := of(tt.by)
		if err := again.Set(v.String()); err != nil || again.String() != v.String() {
			t.Errorf("Set(%q) of what String gave: %q and error %v", v.String(), again.String(), err)
		}
	}
}

// A value that no link can have is refused. The error says what to type instead.
func TestValuesRefused(t *testing.T) {
	tests := []struct {
		by        property
		set, want string
	}{
		{byElement, "a,,b", `"a,,b": a value is missing`},
		{byElement, "!", `"!": a value is missing`},
		{byKind, "link", `"link": use nav (leads to another document), res (`},
		{byKind, "nva", `"nva": did you mean nav? Use nav, res`},
		{byScheme, "http://a", `"http://a" is more than a scheme; type http`},
		{byHost, "http://a.test/x", `"http://a.test/x" is a URL; type its host, a.test`},
		{byHost, "*.a.test", `"*.a.test": * is not a wildcard here; type .a.test for that host and all hosts below it`},
		{byHost, "a.test:80", `"a.test:80" is not a host; type www.example.org`},
	}
	for _, tt := range tests {
		v := of(tt.by)
		if err := v.Set(tt.set); err == nil || !strings.HasPrefix(err.Error(), tt.want) || v.isSet() {
			t.Errorf("Set(%q): got error %v and the list %q, want %s", tt.set, err, v, tt.want)
		}
	}
}

func TestHasOne(t *testing.T) {
	tests := []struct {
		set, rel string
		want     bool
	}{
		{"next,UGC", "nofollow ugc", true},
		{"next", "nofollow", false},
		{"next", "", false},
		{"!nofollow", "NoFollow noopener", false},
		{"!nofollow", "next", true},
		{"!nofollow", "", true},
	}
	for _, tt := range tests {
		v := of(byRel)
		if err := v.Set(tt.set); err != nil {
			t.Fatal(err)
		}
		if got := v.hasAny(strings.Fields(tt.rel)); got != tt.want {
			t.Errorf("%s of a link with rel %q: got %v, want %v", tt.set, tt.rel, got, tt.want)
		}
	}
}
