package move_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/resolve"
	"absolink/resolve/move"
)

func TestMoveStart(t *testing.T) {
	var m move.Map
	m.Unwayback = true
	for _, rule := range [][2]string{
		{"//old.example/", "https://new.example/"},
		{"http://old.example/lists", "https://lists.example/"},
		{"http://old.example/files/", "https://files.example/f"},
		{"http://old.example/log", "https://new.example/log/{date}/"},
	} {
		if err := m.Add(rule[0], rule[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.AddPattern(`^http://(\w+)\.wiki\.example/`, "https://wiki.example/$1/"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		uri, to string
		n       int
		rule    string
		ok      bool
	}{
		{"http://old.example/a?b#c", "https://new.example/a?b#c", len("http://old.example"), "//old.example/", true},
		{"https://old.example/", "https://new.example/", len("https://old.example"), "//old.example/", true},
		{"http://old.example/lists/x", "https://lists.example/x", len("http://old.example/lists"),
			"http://old.example/lists", true},
		{"http://old.example/lists", "https://lists.example/", len("http://old.example/lists"),
			"http://old.example/lists", true},
		{"http://old.example/files/x", "https://files.example/f/x", len("http://old.example/files/"),
			"http://old.example/files/", true},
		{"http://old.example/log/x", "http://old.example/log/x", 0, "http://old.example/log", true}, // without a date
		{"http://a.wiki.example/x", "https://wiki.example/a/x", len("http://a.wiki.example/x"),
			`^http://(\w+)\.wiki\.example/`, true},
		{"http://web.archive.org/web/2016/http://other.example/x", "http://other.example/x",
			len("http://web.archive.org/web/2016/http://other.example/x"), "", true},
		{"http://web.archive.org/web/2016/http://old.example/x", "https://new.example/x",
			len("http://web.archive.org/web/2016/http://old.example/x"), "//old.example/", true},
		{"http://other.example/", "http://other.example/", 0, "", false},
	} {
		if rule, ok := m.Rule(test.uri); rule != test.rule || ok != test.ok {
			t.Errorf("Rule(%q) = %q, %t, want %q, %t", test.uri, rule, ok, test.rule, test.ok)
		}
		to, n, err := m.MoveStart(test.uri, time.Time{})
		if to != test.to || n != test.n || (err != nil) != strings.Contains(test.uri, "/log") {
			t.Errorf("MoveStart(%q) = %q, %d, %v, want %q, %d", test.uri, to, n, err, test.to, test.n)
		}
		if n > 0 && !strings.HasSuffix(to, test.uri[n:]) {
			t.Errorf("MoveStart(%q) = %q, which does not end with %q", test.uri, to, test.uri[n:])
		}
	}
}

// Rule, unlike MoveStart, does not count as a use.
func TestRuleUnused(t *testing.T) {
	var m move.Map
	for _, old := range []string{"http://a.example/", "http://b.example/"} {
		if err := m.Add(old, "http://new.example/"); err != nil {
			t.Fatal(err)
		}
	}
	if rule, ok := m.Rule("http://a.example/x"); rule != "http://a.example" || !ok {
		t.Errorf("Rule = %q, %t", rule, ok)
	}
	if _, _, err := m.MoveStart("http://b.example/x", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if unused, _ := m.Unused(); len(unused) != 1 || unused[0] != "http://a.example" {
		t.Errorf("Unused = %q, want http://a.example", unused)
	}
}

func TestDated(t *testing.T) {
	for _, test := range []struct {
		rule, pattern string
		want          bool
	}{
		{"http://new.example/", "", false},
		{"http://new.example/{date}/", "", true},
		{"http://new.example/{date14}/", "", true},
		{"http://new.example/absolinkname/{date}/", "", true},
		{"http://new.example/ABSOLINKNAMEx/{date14}/", "", true},
		{"", "http://new.example/$1", false},
		{"", "http://new.example/{host}", false},
		{"", "http://new.example/{date}/", true},
		{"", "http://new.example/{date14}/", true},
	} {
		var m move.Map
		var err error
		if test.rule != "" {
			err = m.Add("http://old.example/", test.rule)
		} else {
			err = m.AddPattern("^http://old.example/(.*)", test.pattern)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Dated(); got != test.want {
			t.Errorf("%q %q: Dated = %t, want %t", test.rule, test.pattern, got, test.want)
		}
	}
	if new(move.Map).Dated() {
		t.Error("a map without rules is dated")
	}
}

// A name in a rule is replaced, whatever else the rule contains.
func TestNamesInRules(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, text := range []string{"", "absolinkname", "absolinknamex", "absolinknamedate", "AbsolinkName"} {
		for name, want := range map[string]string{"{date}": "2020-01-02", "{date14}": "20200102030405"} {
			var m move.Map
			if err := m.Add("http://old.example/", "http://new.example/"+text+"/"+name+"/"); err != nil {
				t.Fatal(err)
			}
			got, err := m.Move("http://old.example/x", at)
			if want := "http://new.example/" + text + "/" + want + "/x"; err != nil || got != want {
				t.Errorf("%q and %s: got %q, %v, want %q", text, name, got, err, want)
			}
		}
	}
}

// Concerns returns true for each URI that the map changes or counts, and false for most others.
func TestConcerns(t *testing.T) {
	uris := []string{"http://a.test", "http://a.test/", "http://a.test/d", "http://a.test/d/e?f#g", "http://a.test/de",
		"https://a.test/d/", "https://a.test/x", "http://b.test/d", "http://b.test/", "mailto:a@a.test",
		"http://c.test?a", "HTTP://A.test/d/", "http://a.test:80/d/", "http://b.wiki.test/",
		"http://web.archive.org/web/20160102030405/http://a.test/"}
	for _, test := range []struct {
		rules  []string
		set    func(m *move.Map)
		others []string // the URIs that the map does not concern
	}{
		{nil, nil, uris},
		{[]string{"http://a.test/d/ http://n.test/"}, nil,
			[]string{"http://a.test", "http://a.test/", "http://a.test/d", "http://a.test/de", "https://a.test/x",
				"http://b.test/d", "http://b.test/", "mailto:a@a.test", "http://c.test?a", "HTTP://A.test/d/",
				"http://a.test:80/d/", "http://b.wiki.test/", uris[len(uris)-1]}},
		{[]string{"//b.test/d http://n.test/", "http://c.test http://n.test/"}, nil,
			[]string{"http://a.test", "http://a.test/", "http://a.test/d", "http://a.test/d/e?f#g", "http://a.test/de",
				"https://a.test/d/", "https://a.test/x", "http://b.test/", "mailto:a@a.test", "HTTP://A.test/d/",
				"http://a.test:80/d/", "http://b.wiki.test/", uris[len(uris)-1]}},
		{[]string{"http://a.test/d/ http://n.test/"}, func(m *move.Map) { m.Unwayback = true }, nil},
		{[]string{"http://a.test/d/ http://n.test/"}, func(m *move.Map) { m.Unwrap = true }, nil},
		{[]string{"http://a.test/d/ http://n.test/"}, func(m *move.Map) { m.StripTracking = true }, nil},
		{nil, func(m *move.Map) { m.AddPattern(`//(\w+)\.wiki\.test/`, "//wiki.test/$1/") }, nil},
	} {
		m := mapped(t, test.rules...)
		if test.set != nil {
			test.set(m)
		}
		var got []string
		for _, uri := range uris {
			if !m.Concerns([]byte(uri)) {
				got = append(got, uri)
			}
		}
		if !slices.Equal(got, test.others) {
			t.Errorf("%q does not concern %q, want %q", test.rules, got, test.others)
		}
		for _, uri := range got {
			to, err := m.Move(uri, time.Time{})
			if rule, ok := m.Rule(uri); to != uri || err != nil || ok {
				t.Errorf("%q does not concern %s, but moves it to %s by %q, %v", test.rules, uri, to, rule, err)
			}
		}
		for _, rule := range test.rules {
			old, _, _ := strings.Cut(rule, " ")
			if n, _ := m.Near(old); n > 0 {
				t.Errorf("%q counts %d URIs that it does not concern", test.rules, n)
			}
		}
	}
}

// With the other rule sets, a URI may be written in another way than the OLD of its rule.
func TestConcernsEverySpelling(t *testing.T) {
	m := new(move.Map)
	m.Options.Rules = resolve.RFC3986
	if err := m.Add("http://a.test/d/", "http://n.test/"); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"HTTP://A.test/d/", "http://a.test:80/d/", "http://b.test/"} {
		if !m.Concerns([]byte(uri)) {
			t.Errorf("Concerns(%s): got false, want true", uri)
		}
	}
	uri := []byte("http://a.test/d/e")
	m = mapped(t, "http://a.test/ http://n.test/")
	if n := testing.AllocsPerRun(10, func() { m.Concerns(uri) }); n > 0 {
		t.Errorf("Concerns allocates %v times", n)
	}
}
