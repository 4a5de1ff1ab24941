package resolve

import (
	"path/filepath"
	"strings"
	"testing"
)

// rfcTables are the resolution tables of the documents, with how many rows each has.
var rfcTables = map[string]int{
	"draft-00e-c.json": 39,
	"rfc1808-5.json":   39,
	"draft-02-c.json":  43,
	"rfc2396-c.json":   42,
	"rfc3986-5.4.json": 42,
}

// rfcCase is a row. Want is relative to the document where Document is set; Remove
// and Refuse are what the options of RFC 2396 5.2 step 6g give, Compat what reading
// a reference of the base's scheme as relative gives.
type rfcCase struct {
	Base, Ref, Want string
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
	var r Rules
	if err := r.Set(table.Rules); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r, table.Cases
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
	for name, least := range rfcTables {
		rules, cases := rfcTable(t, name, least)
		for _, c := range cases {
			o := Options{Rules: rules, Document: document + "#old"}
			want := c.Want
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
}

// TestDifferences holds the rows on which the documents differ against each of them.
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
			if column == "1808" {
				base += "#f"
			}
			want := strings.Replace(*row[column], "(current document)", "http://doc.example/", 1)
			check(t, base, *row["ref"], Options{Rules: rules, Document: "http://doc.example/"}, want)
		}
	}
}

// TestServerWithoutPath: what follows a base that is a server alone never becomes a part
// of the server.
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
