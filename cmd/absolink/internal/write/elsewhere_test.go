package write

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// A document counts for the rules that it contains, until they are used.
func TestElsewhere(t *testing.T) {
	newMap := func(olds ...string) *move.Map {
		m := new(move.Map)
		for _, old := range olds {
			if err := m.Add(old, "http://new.test/"); err != nil {
				t.Fatal(err)
			}
		}
		return m
	}
	const one, two = "1 document contains it outside of links", "2 documents contain it outside of links"
	const abc = "//a.test/ //b.test/ //c.test/"
	tests := []struct {
		olds string
		data []string
		rule string
		want string
	}{
		{"//old.test/", []string{"a http://old.test/x", "//old.test", "https://old.test/"}, "//old.test/", two},
		{"http://old.test/a/", []string{"https://old.test/a/b", "http://old.test/c"}, "http://old.test/a/", one},
		{"http://old.test/", []string{"nothing"}, "http://old.test/", ""},
		{abc, []string{"//c.test/"}, "//c.test/", one},
		{abc + " //d.test/", []string{"//c.test/"}, "//c.test/", ""},
	}
	for _, tt := range tests {
		var e elsewhere
		m := newMap(strings.Fields(tt.olds)...)
		for _, data := range tt.data {
			e.look([]byte(data), m)
		}
		if got := e.describe(tt.rule); got != tt.want {
			t.Errorf("%q with the rules %q: got %q of %s, want %q", tt.data, tt.olds, got, tt.rule, tt.want)
		}
	}
	var many elsewhere
	m := new(move.Map)
	rules := effort.Pick(20_000, 2_000)
	for i := range rules {
		if err := m.Add(fmt.Sprintf("http://old.test/%d/", i), "http://new.test/"); err != nil {
			t.Fatal(err)
		}
	}
	for range rules { // a lookup for each document would take minutes
		many.look([]byte("//old.test/0/"), m)
	}
	for i := 1; i < rules; i++ {
		if _, err := m.Move(fmt.Sprintf("http://old.test/%d/x", i), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * rules / rulesPerDocument {
		many.look([]byte("//old.test/0/"), m)
	}
	if n := many.byRule["http://old.test/0/"]; n < rules/rulesPerDocument || len(many.byRule) != 1 {
		t.Errorf("%d rules: got the documents %v", rules, many.byRule)
	}
	var e elsewhere
	m = newMap("http://old.test/")
	if _, err := m.Move("http://old.test/x", time.Time{}); err != nil {
		t.Fatal(err)
	}
	e.look([]byte("http://old.test/y"), m)
	if got := e.describe("http://old.test/"); got != "" {
		t.Errorf("a used rule: got %q, want nothing", got)
	}
	if err := m.AddPattern("test", "new"); err != nil {
		t.Fatal(err)
	}
	e.look([]byte("test"), m)
	if got := e.describe("test"); got != "" {
		t.Errorf("an expression: got %q, want nothing", got)
	}
}
