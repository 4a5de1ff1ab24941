package resolve

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rfcTables are the resolution tables of the documents, with the number of rows of each.
var rfcTables = map[string]int{
	"draft-00e-c.json": 39,
	"rfc1808-5.json":   39,
	"draft-02-c.json":  43,
	"rfc2396-c.json":   42,
	"rfc3986-5.4.json": 42,
}

// rfcCase is a row. If Document is set, Want is relative to the document. Remove and Refuse are the
// results of the options of RFC 2396 5.2 step 6g. Compat is the result if a reference with the
// base's scheme is read as relative. Draft is the result of draft-00e if RFC 1808, which has the
// same algorithm, differs: in the draft a base has no fragment (3).
type rfcCase struct {
	Base, Ref, Want string
	Draft           string
	Document        bool
	Remove, Compat  string
	Refuse          bool
}

func rfcTable(t testing.TB, name string, least int) (Rules, []rfcCase) {
	t.Helper()
	var table struct {
		Rules string
		Cases []rfcCase
	}
	load(t, filepath.Join("../testdata/rfc", name), &table)
	if len(table.Cases) < least {
		t.Fatalf("%s: %d cases, want %d", name, len(table.Cases), least)
	}
	n := slices.Index(rulesNames[:], table.Rules)
	if n < 0 {
		t.Fatalf("%s: no rule set is named %q", name, table.Rules)
	}
	return Rules(n), table.Cases
}

// check resolves ref and compares; want "" means an error.
func check(t *testing.T, base, ref string, o Options, want string) {
	t.Helper()
	b, err := NewBase(base, o)
	if err != nil {
		t.Errorf("NewBase(%q, %+v): %v", base, o, err)
		return
	}
	got, err := b.Resolve(ref)
	if want == "" {
		if err == nil {
			t.Errorf("%s, base %q: Resolve(%q) = %q, want an error", o.Rules, base, ref, got)
		}
		return
	}
	if err != nil || got != want {
		t.Errorf("%s, base %q: Resolve(%q) = %q, %v, want %q", o.Rules, base, ref, got, err, want)
	}
}

func TestDocumentTables(t *testing.T) {
	const document = "http://doc.example/x?y"
	has := map[Rules]bool{WHATWG: true} // in the suites of browsers
	for name, least := range rfcTables {
		rules, cases := rfcTable(t, name, least)
		has[rules] = true
		for _, c := range cases {
			o := Options{Rules: rules, Document: document + "#old"}
			want := cmp.Or(c.Draft, c.Want)
			if c.Document {
				want = document + want
			}
			check(t, c.Base, c.Ref, o, want)
			o.Bare = true
			check(t, c.Base, c.Ref, o, want)
			if c.Refuse {
				o.ExcessDots = RemoveDots
				check(t, c.Base, c.Ref, o, c.Remove)
				o.ExcessDots = RefuseDots
				check(t, c.Base, c.Ref, o, "")
			}
			if c.Compat != "" {
				check(t, c.Base, c.Ref, Options{Rules: rules, CompatScheme: true}, c.Compat)
			}
		}
	}
	for rules := WHATWG; int(rules) < len(rulesNames); rules++ {
		if !has[rules] {
			t.Errorf("%v: put the examples of its document into a table in testdata/rfc, and the table into rfcTables",
				rules)
		}
	}
}

// TestDifferences checks the rows on which the documents differ under each of them.
func TestDifferences(t *testing.T) {
	var table struct{ Cases []map[string]*string }
	load(t, "../testdata/rfc/differences.json", &table)
	if len(table.Cases) < 10 {
		t.Fatalf("%d rows, want 10", len(table.Cases))
	}
	columns := map[string]Rules{"00e": Draft00e, "1808": Draft00e, "02": Draft02, "2396": RFC2396, "3986": RFC3986}
	for _, row := range table.Cases {
		for column, rules := range columns {
			if row[column] == nil {
				continue
			}
			base := "http://a/b/c/d;p?q"
			if column == "1808" && *row["ref"] != "" { // in RFC 1808 an empty reference keeps the fragment
				base += "#f"
			}
			want := strings.Replace(*row[column], "(current document)", "http://doc.example/", 1)
			want = strings.TrimSuffix(want, "#f")
			check(t, base, *row["ref"], Options{Rules: rules, Document: "http://doc.example/"}, want)
		}
	}
}

// TestServerWithoutPath: text after a base that is only a server never becomes a part of the
// server.
func TestServerWithoutPath(t *testing.T) {
	for _, c := range []struct {
		rules     Rules
		ref, want string
	}{
		{RFC3986, "g", "http://a/g"},
		{RFC3986, "?y", "http://a?y"},
		{RFC2396, "g", "http://a/g"},
		{RFC2396, ";x", "http://a/;x"},
		{RFC2396, "?y", "http://a?y"},
		{Draft02, "?y", "http://a?y"},
		{Draft02, "?y/../..//e", "http://a/..//e"},
		{Draft02, "?/../@e", "http://a/@e"},
		{Draft00e, "g", "http://a/g"},
		{Draft00e, "?y", "http://a/?y"},
		{Draft00e, "?@e", "http://a/?@e"},
		{Draft00e, ";@e", "http://a/;@e"},
		{Draft00e, "#s", "http://a#s"},
	} {
		check(t, "http://a", c.ref, Options{Rules: c.rules}, c.want)
		check(t, "http://a", c.ref, Options{Rules: c.rules, Bare: true}, c.want)
	}
}

// TestWhatStays are components that no rule set may change, and authorities that must not appear.
func TestWhatStays(t *testing.T) {
	const base = "http://a/b#f"
	for _, c := range []struct {
		name      string
		o         Options
		base, ref string
		want      string
	}{
		{"an absolute reference is done (draft-00e 6, 2b)",
			Options{Rules: Draft00e}, base, "http://h/a?#", "http://h/a?#"},
		{"with an empty server", Options{Rules: Draft00e}, base, "file:///etc/x", "file:///etc/x"},
		{"with dots", Options{Rules: Draft00e}, base, "http://h/./x/..;", "http://h/./x/..;"},
		{"escaped", Options{Rules: Draft00e}, base, "http://h?u@i j/a b?", "http://h?u@i j/a%20b?"},
		{"a base with an empty server", Options{Rules: Draft00e},
			"file:///home/fred/a.html", "b.html", "file:///home/fred/b.html"},
		{"its root", Options{Rules: Draft00e}, "file:///home/fred/a.html", "/b", "file:///b"},
		{"its fragment", Options{Rules: Draft00e}, "file:///home/fred/a.html", "#s", "file:///home/fred/a.html#s"},
		{"its query", Options{Rules: Draft00e}, "file:///a;p?q", "?y", "file:///a;p?y"},
		{"an empty server in a reference is absent", Options{Rules: Draft00e}, "http://a/b", "///x", "http://a/x"},
		{"a path of two slashes behind an empty server",
			Options{Rules: Draft00e}, "ftp:////evil/x", "y", "ftp:////evil/y"},
		{"the same, bare", Options{Rules: Draft00e, Bare: true}, "ftp:////evil/x", "y", "ftp:////evil/y"},
		{"a base has no fragment (draft-00e 3)", Options{Rules: Draft00e}, base, "", "http://a/b"},
		{"nor one to inherit", Options{Rules: Draft00e}, base, "#s", "http://a/b#s"},
		{"empty components of the base", Options{Rules: Draft00e}, "http://a/b;?#", "?y", "http://a/b?y"},
		{"empty components and a fragment", Options{Rules: Draft00e}, "http://a/b;?#", "#s", "http://a/b#s"},
		{"a path never begins with two slashes (3.3)",
			Options{Rules: RFC3986, Bare: true}, "foo:/", ".//@@", "foo:/.//@@"},
		{"the same, escaped", Options{Rules: RFC3986}, "foo:/", ".//@@", "foo:/.//@@"},
		{"the same, RFC 2396", Options{Rules: RFC2396, Bare: true}, "foo:/", ".//@@", "foo:/.//@@"},
		{"the same, draft-02", Options{Rules: Draft02, Bare: true}, "foo:/", ".//@@", "foo:/.//@@"},
		{"the same, draft-00e", Options{Rules: Draft00e, Bare: true}, "foo:/", "////@@", "foo:/.//@@"},
		{"compat, a scheme that is not hierarchical (5.2 step 3)", Options{Rules: RFC2396, CompatScheme: true},
			"mailto:list/a@b.example", "mailto:joe@c.example", "mailto:joe@c.example"},
		{"compat, an unknown scheme", Options{Rules: RFC2396, CompatScheme: true}, "foo://a/b", "foo:c", "foo:c"},
		{"compat, an opaque base", Options{Rules: RFC2396, CompatScheme: true}, "http:a/b", "http:c", "http:c"},
		{"compat, a hierarchical scheme", Options{Rules: RFC2396, CompatScheme: true},
			"file:///a/b", "FILE:c", "file:///a/c"},
		{"compat, RFC 3986 names no schemes", Options{Rules: RFC3986, CompatScheme: true},
			"foo://a/b", "foo:c", "foo://a/c"},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.base, c.ref, c.o, c.want) })
	}
}
