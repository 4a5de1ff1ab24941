package command

import (
	"net/url"
	"regexp/syntax"
	"slices"
	"testing"
)

// The size of an expression is about that of its program, and never much smaller.
func TestProgramSize(t *testing.T) {
	for _, expr := range []string{"", "a", "abc", `^https?://([^/]+)/.*\.(png|jpe?g)$`, "(a?){900}", "(a?){3,}",
		"a{2,5}", "(ab|cd|ef)*", "[a-z]+[0-9]{10,20}", "((a{3}){3}){3}",
		`\bword\b`, "(?i)straße", ".{0,1000}", "(|a){5}"} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := programSize(expr), len(prog.Inst); got+4 < want || got > 2*want+4 {
			t.Errorf("programSize(%q): got %d, want about %d", expr, got, want)
		}
	}
	if got := programSize("(a?){900}"); got != 3601 {
		t.Errorf("programSize((a?){900}): got %d, want 3601 as help says", got)
	}
	if got := programSize("(a"); got != 0 {
		t.Errorf("programSize of what is no expression: got %d, want 0", got)
	}
}

// What a request may have of expressions is the sum of all.
func TestCheckExpressions(t *testing.T) {
	half := "a{1000}"
	for _, tt := range []struct {
		flags url.Values
		ok    bool
	}{
		{url.Values{}, true},
		{url.Values{"match": {half}}, true},
		{url.Values{"match": {half, half}}, false},
		{url.Values{"match": {half}, "no-match": {half}}, false},
		{url.Values{"match": {half}, "map-regex": {half + "=http://n.test/"}}, false},
		{url.Values{"map-regex": {"a=http://n.test/" + half}}, true},
		{url.Values{"match": slices.Repeat([]string{"."}, 900)}, true},
		{url.Values{"select": {"a[href^='/x']"}}, true},
		{url.Values{"select": {"a[href#=(x)]"}}, false},
		{url.Values{"select": {"a:Matches(x)"}}, false},
		{url.Values{"select": {"a:matchesOwn(x)"}}, false},
		{url.Values{"match": {"(a"}}, true}, // which is refused where it is set
	} {
		if err := checkExpressions(tt.flags); (err == nil) != tt.ok {
			t.Errorf("checkExpressions(%v): got error %v, want none: %v", tt.flags, err, tt.ok)
		}
	}
}
