package resolve

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"absolink/resolve/ascii"
	"absolink/testdata/corpus"
)

// The suites of other implementations are in the folder of outside data. A row whose answer departs
// from its document is listed in departures with the clause. A listed row that agrees fails.

type suiteCase struct {
	Op, Base, Ref, Expected, Mode string
	Target                        string
	Spec                          *string `json:"spec_says"`
	Disabled                      bool
	CurrentDocument               bool `json:"current_document"`
	DomainRoot                    bool `json:"domain_root"`
}

// suites are the files with the least number of cases in each. The project has a copy of the suites
// whose licence is as free as its own.
var suites = []struct {
	name  string
	least int
	own   bool
}{
	{"4suite-uri", 214, false}, {"addressable", 44,
		false}, {"go-resolvereference", 93, true}, {"libxml2-uri-data", 21, true},
	{"perl-uri-abs", 45, false}, {"ruby-uri", 84, true}, {"uriparser-addbase", 56, false},
}

// departure is the answer of the document if the suite has another one, and the clause.
type departure struct{ want, clause string }

const (
	removesDots = "RFC 3986 5.2.4 and 5.4.2: superfluous and complete dot segments go, also from an absolute path"
	keepsSlash  = "RFC 3986 5.2.4 step 2C: \"/../\" leaves a slash, though the path had none"
	ownSegments = "RFC 3986 5.2.3: the merge does not normalise the base, whose last segment is \"..\""
)

// departures by suite, base and reference.
var departures = map[[3]string]departure{
	{"perl-uri-abs", "http://a/b/c/d;p?q", "../../../g"}:       {"http://a/g", removesDots},
	{"perl-uri-abs", "http://a/b/c/d;p?q", "../../../../g"}:    {"http://a/g", removesDots},
	{"perl-uri-abs", "http://a/b/c/d;p?q", "/./g"}:             {"http://a/g", removesDots},
	{"perl-uri-abs", "http://a/b/c/d;p?q", "/../g"}:            {"http://a/g", removesDots},
	{"ruby-uri", "http://www.example.com/foo/..", "./"}:        {"http://www.example.com/foo/", ownSegments},
	{"ruby-uri", "http://www.example.com/foo/bar/../..", "./"}: {"http://www.example.com/foo/", ownSegments},
	{"4suite-uri", "foo:a/b", "../c"}:                          {"foo:/c", keepsSlash},
	{"4suite-uri", "zz:abc", "foo/../../../bar"}:               {"zz:/bar", keepsSlash},
	{"4suite-uri", "zz:abc", "foo/../bar"}:                     {"zz:/bar", keepsSlash},
}

func TestSuites(t *testing.T) {
	seen, read := map[[3]string]bool{}, map[string]bool{}
	for _, s := range suites {
		if corpus.Own() && !s.own {
			continue
		}
		name := s.name
		read[name] = true
		var suite struct {
			Mode  string
			Cases []suiteCase
		}
		load(t, corpus.Path("uri/"+name+".json"), &suite)
		if len(suite.Cases) < s.least {
			t.Errorf("%s: %d cases, want %d", name, len(suite.Cases), s.least)
		}
		for _, c := range suite.Cases {
			if c.Op != "" || c.Disabled && c.Expected == "f://g" { // RFC 3986 3.3; another row has f:/.//g
				continue
			}
			o := Options{Rules: RFC3986, Bare: true, CompatScheme: c.Mode == "rfc3986-compat"}
			key := [3]string{name, c.Base, c.Ref}
			got := resolveOrError(c.Base, c.Ref, o)
			d, listed := departures[key]
			want := c.Expected
			if c.Disabled && c.Spec != nil { // disabled there as wrong
				want = *c.Spec
			} else if listed {
				seen[key] = true
				if got == c.Expected {
					t.Errorf("%s: %q with %q agrees and need not be listed", name, c.Base, c.Ref)
				}
				want = d.want
			}
			if got != want {
				t.Errorf("%s: Resolve(%q, %q) = %q, want %q, spec %v", name, c.Base, c.Ref, got, want, c.Spec)
			}
		}
	}
	for key := range departures {
		if read[key[0]] && !seen[key] {
			t.Errorf("%q is listed and not in the suite", key)
		}
	}
}

// emptyTarget is the reason why a row of libxml2's table does not apply.
const emptyTarget = `RFC 3986 5.2.2: an empty reference is the base itself, "foo/.." its directory`

// TestLibxml2Normalize runs the table of a library that also removes dot segments from relative
// paths. Normalize keeps them (RFC 3986 6.2.2.3 is about URIs). So a relative row passes if it and
// its result resolve to one URI.
func TestLibxml2Normalize(t *testing.T) {
	var suite struct {
		Cases []struct{ In, Expected string }
	}
	load(t, corpus.Path("uri/libxml2-uri-parse.json"), &suite)
	if len(suite.Cases) < 18 {
		t.Errorf("%d cases, want 18", len(suite.Cases))
	}
	const base = "http://a/b/c/d/e"
	otherwise := map[string]string{"foo/..": emptyTarget}
	for _, c := range suite.Cases {
		got, want := Segments.Normalize(c.In), c.Expected
		if Split(c.In).Scheme == "" {
			got = resolveOrError(base, c.In, Options{Rules: RFC3986})
			want = resolveOrError(base, c.Expected, Options{Rules: RFC3986})
		}
		if (got == want) == (otherwise[c.In] != "") {
			t.Errorf("%q: %q, want %q, listed as %q", c.In, got, want, otherwise[c.In])
		}
	}
}

func resolveOrError(base, ref string, o Options) string {
	b, err := NewBase(base, o)
	if err != nil {
		return err.Error()
	}
	got, err := b.Resolve(ref)
	if err != nil {
		return err.Error()
	}
	return got
}

// TestRoyFielding runs the test pages of the author of the RFCs: rows marked R under RFC2396, and
// rows marked X under the algorithm of RFC 1808.
func TestRoyFielding(t *testing.T) {
	var suite struct {
		Cases []struct {
			Base, Ref string
			Results   []struct {
				Value string
				By    []string
			}
		}
	}
	load(t, corpus.Path("uri/roytests.json"), &suite)
	if least := corpus.Least(103, 60); len(suite.Cases) < least {
		t.Fatalf("%d cases, want %d", len(suite.Cases), least)
	}
	for _, c := range suite.Cases {
		for _, by := range []struct {
			mark  string
			rules Rules
		}{{"R", RFC2396}, {"X", Draft00e}} {
			var wants []string
			for _, r := range c.Results {
				if strings.Contains(" "+strings.Join(r.By, " ")+" ", " "+by.mark+" ") {
					wants = append(wants, strings.Replace(r.Value, "(current document)", "http://doc.example/", 1))
				}
			}
			got := resolveOrError(c.Base, c.Ref, Options{Rules: by.rules, Document: "http://doc.example/"})
			if len(wants) > 0 && !strings.Contains("\n"+strings.Join(wants, "\n")+"\n", "\n"+got+"\n") {
				t.Errorf("%s, base %q: Resolve(%q) = %q, want one of %q", by.rules, c.Base, c.Ref, got, wants)
			}
		}
	}
}

// queryWriter is an Options.Charset.
type queryWriter func(dst, query []byte) []byte

func (w queryWriter) AppendQuery(dst, query []byte) []byte { return w(dst, query) }

// queryIn returns the writer of queries in a charset. It is the standard's percent-encode after
// encoding: a character that the charset does not have becomes a decimal character reference, which
// is also percent-encoded.
func queryIn(e encoding.Encoding) queryWriter {
	return func(dst, query []byte) []byte {
		for _, r := range string(query) {
			out, err := e.NewEncoder().Bytes([]byte(string(r)))
			if err != nil {
				dst = fmt.Appendf(dst, "%%26%%23%d%%3B", r)
				continue
			}
			for _, c := range out {
				if class[c]&encSpecialQuery != 0 {
					dst = ascii.AppendPercent(dst, c)
				} else {
					dst = append(dst, c)
				}
			}
		}
		return dst
	}
}

// TestChromiumPages resolves the references of the corpus' pages in the charset of their page. The
// results equal the results of Chromium when the oracles were made.
func TestChromiumPages(t *testing.T) {
	refs := oracleRefs(t)
	d := loadDepartures(t, "Chromium")
	bases, set := map[string]*Base{}, setName("charsets")
	n := 0
	for _, r := range refs {
		if r.resolved == nil || r.Tag == "base" || r.Tag == "form" && r.ref == "" {
			continue
		}
		n++
		got, _ := pageBase(t, bases, r).Resolve(r.ref)
		d.note(t, set, webCase{r.base, r.ref}, got, "Chromium", *r.resolved)
	}
	if least := corpus.Least(30_000, 700); n < least {
		t.Errorf("%d references, want %d", n, least)
	}
	d.checkCounts(t, engine{name: "Chromium", version: d.Version}, set)
}

// pageBase is the base of a reference's page in its charset, made once.
func pageBase(t *testing.T, bases map[string]*Base, r oracleRef) *Base {
	t.Helper()
	key := r.base + " " + r.charset
	if bases[key] != nil {
		return bases[key]
	}
	o := Options{}
	if e, err := htmlindex.Get(r.charset); err == nil && r.charset != "UTF-8" {
		o.Charset = queryIn(e)
	}
	b, err := NewBase(r.base, o)
	if err != nil {
		t.Fatal(err)
	}
	bases[key] = b
	return b
}

// encoderLacks are the charsets for which x/text cannot pass the row.
var encoderLacks = map[string]string{
	"iso-2022-jp": "x/text escapes nothing: the standard's encoder refuses U+000E and has JIS X 0201 Roman",
	"gb18030":     "x/text has U+E5E5, which the standard leaves out",
	"shift_jis":   "x/text lacks the standard's mapping of U+2212 to 0x817C",
}

// TestPercentEncoding runs the standard's rows for queries in legacy charsets.
func TestPercentEncoding(t *testing.T) {
	var rows []any
	load(t, corpus.Path("whatwg/percent-encoding.json"), &rows)
	n := 0
	for _, row := range rows {
		c, ok := row.(map[string]any)
		if !ok {
			continue
		}
		for charset, want := range c["output"].(map[string]any) {
			n++
			o := Options{}
			if charset != "utf-8" {
				e, err := htmlindex.Get(charset)
				if err != nil {
					t.Fatal(err)
				}
				o.Charset = queryIn(e)
			}
			got := resolveOrError("http://h/", "?"+c["input"].(string), o)
			if _, known := encoderLacks[charset]; known {
				if got == "http://h/?"+want.(string) {
					t.Errorf("%s agrees and need not be listed", charset)
				}
				continue
			}
			if got != "http://h/?"+want.(string) {
				t.Errorf("%s: Resolve(%q) = %q, want %q", charset,
					"?"+c["input"].(string), got, "http://h/?"+want.(string))
			}
		}
	}
	if n < 16 {
		t.Errorf("%d rows, want 16", n)
	}
}
