package grammar

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"absolink/resolve"
)

// grammarKeys are the names of the grammars in the table of examples.
var grammarKeys = map[string]Grammar{
	"1738": RFC1738, "rfc1738": RFC1738, "00e": Draft00e, "draft-00e": Draft00e,
	"draft-02": Draft02, "2396": RFC2396, "rfc2396": RFC2396, "rfc3986": RFC3986,
}

// schemeCase is an example of RFC 1738 or of the later documents. Valid is one verdict, of RFC
// 1738, or one per grammar.
type schemeCase struct {
	URL, Scheme string
	Valid       json.RawMessage
	ByGrammar   map[string]bool `json:"valid_by_grammar"`
	Commands    []string        `json:"ftp_cmds"`
	User        *string
	Password    *string
	Host        *string
	Typecode    *string
	Gtype       *string
	Selector    *string
	Search      *string
	Gopherplus  *string
	Group       *string
	Article     *string
	Hsoname     *string
	Port        *int `json:"port_default"`
	Fields      map[string]string
}

func schemeCases(t *testing.T) []schemeCase {
	var table struct{ Cases []schemeCase }
	data, err := os.ReadFile("../../testdata/rfc/schemes.json")
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) < 66 {
		t.Fatalf("%d cases, want 66", len(table.Cases))
	}
	return table.Cases
}

// verdicts returns the expected verdict of each grammar.
func (c *schemeCase) verdicts(t *testing.T) map[string]bool {
	if c.ByGrammar != nil {
		return c.ByGrammar
	}
	var one bool
	if json.Unmarshal(c.Valid, &one) == nil {
		return map[string]bool{"rfc1738": one}
	}
	var each map[string]bool
	if err := json.Unmarshal(c.Valid, &each); err != nil {
		t.Fatal(err)
	}
	return each
}

// otherwise are verdicts that depart from the table, with the reason.
var otherwise = map[string]string{
	"http://u?x@h.example/ draft-02": otherMeaning,
	"http://u?x@h.example/ rfc2396":  otherMeaning,
	"ftp://u?x@h.example/ draft-02":  otherMeaning,
	"ftp://u?x@h.example/ rfc2396":   otherMeaning,
}

const otherMeaning = `the table speaks of a user "u?x"; the string itself fits the grammar, with host "u" and a query`

func TestSchemeVerdicts(t *testing.T) {
	for _, c := range schemeCases(t) {
		for name, want := range c.verdicts(t) {
			g, ok := grammarKeys[name]
			if !ok {
				t.Fatalf("unknown grammar %q", name)
			}
			if otherwise[c.URL+" "+g.String()] != "" {
				want = !want
			}
			if err := g.Check(c.URL); (err == nil) != want {
				t.Errorf("Check(%q, %s) = %v, want valid %v", c.URL, g, err, want)
			}
		}
	}
}

// value returns a component, or nil.
func value(list []Component, name string) *string {
	for _, c := range list {
		if c.Name == name {
			return &c.Value
		}
	}
	return nil
}

func TestSchemeComponents(t *testing.T) {
	for _, c := range schemeCases(t) {
		list, _ := Components(c.URL)
		if got := value(list, "scheme"); got == nil || *got != c.Scheme {
			t.Errorf("Components(%q) has scheme %v, want %q", c.URL, got, c.Scheme)
		}
		wants := map[string]*string{
			"user": c.User, "password": c.Password, "host": c.Host, "search": c.Search, "selector": c.Selector,
			"gopher+": c.Gopherplus, "group": c.Group, "message-id": c.Article, "hsoname": c.Hsoname,
		}
		if c.Scheme == "ftp" && c.Typecode != nil {
			wants["type"] = c.Typecode
		}
		if c.Gtype != nil {
			wants["type"] = c.Gtype
		}
		for name, want := range c.Fields {
			wants[name] = &want
		}
		for name, want := range wants {
			if got := value(list, name); want != nil && (got == nil || *got != *want) {
				t.Errorf("Components(%q) = %q, want %s %q", c.URL, list, name, *want)
			}
		}
		if len(c.Commands) > 0 {
			checkCommands(t, c, list)
		}
	}
}

func checkCommands(t *testing.T, c schemeCase, list []Component) {
	var got []string
	for _, x := range list {
		switch x.Name {
		case "cwd":
			got = append(got, "CWD "+x.Value)
		case "name":
			got = append(got, "RETR "+x.Value)
		}
	}
	if strings.Join(got, "|") != strings.Join(c.Commands, "|") {
		t.Errorf("Components(%q) = %q: commands %q, want %q", c.URL, list, got, c.Commands)
	}
}

// Only the names of RFC 1738 Section 4 are reserved, in any case.
func TestReservedSchemes(t *testing.T) {
	for scheme, reserved := range map[string]string{
		"afs": "Andrew File System global file names", "mid": "Message identifiers for electronic mail",
		"cid": "Content identifiers for MIME body parts", "nfs": "Network File System (NFS) file names",
		"tn3270": "Interactive 3270 emulation sessions", "mailserver": "Access to data available from mail servers",
		"z39.50":  "Access to ANSI Z39.50 services",
		"x-lab":   "Experimental schemes, by mutual agreement between parties",
		"z39.50r": "", "x": "", "https": "",
	} {
		for _, name := range []string{scheme, strings.ToUpper(scheme)} {
			list, _ := Components(name + ":a")
			got := ""
			for _, c := range list {
				if c.Name == "reserved" {
					got = c.Value
				}
			}
			if got != reserved {
				t.Errorf("Components(%q): reserved for %q, want %q", name+":a", got, reserved)
			}
		}
	}
}

func TestComponents(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"ftp://@h.example/", "scheme=ftp user= host=h.example port=21 name="},
		{"ftp://u:@h.example:2121/a//b;type=a",
			"scheme=ftp user=u password= host=h.example port=2121 cwd=a cwd= name=b type=a"},
		{"http://h.example/a/b?c", "scheme=http host=h.example port=80 path=a/b search=c"},
		{"http://h.example", "scheme=http host=h.example port=80"},
		{"ftp://h.example?q", "scheme=ftp host=h.example port=21"},
		{"ftp://h.example", "scheme=ftp host=h.example port=21"},
		{"gopher://h.example/", "scheme=gopher host=h.example port=70 type=1"},
		{"gopher://h.example/%41s", "scheme=gopher host=h.example port=70 type=%41 selector=s"},
		{"gopher://h.example/7s%09q%09+", "scheme=gopher host=h.example port=70 type=7 selector=s search=q gopher+=+"},
		{"gopher://h.example/1s%09%09$", "scheme=gopher host=h.example port=70 type=1 selector=s search= gopher+=$"},
		{"news:*", "scheme=news group=*"},
		{"mailto:a@b.example", "scheme=mailto address=a@b.example"},
		{"nntp://h.example/g.x/12", "scheme=nntp host=h.example port=119 group=g.x article=12"},
		{"telnet://u:p@h.example/", "scheme=telnet user=u password=p host=h.example port=23"},
		{"wais://h.example/db/t/p", "scheme=wais host=h.example port=210 database=db wtype=t wpath=p"},
		{"wais://h.example/db?q", "scheme=wais host=h.example port=210 database=db search=q"},
		{"file://localhost/a/b", "scheme=file host= path=a/b"},
		{"file:///a/b", "scheme=file host= path=a/b"},
		{"prospero://h.example//p/n;A=1;B=2", "scheme=prospero host=h.example port=1525 hsoname=/p/n A=1 B=2"},
		{"X-lab:1?2", "scheme=x-lab reserved=Experimental schemes, by mutual agreement between parties path=1 query=2"},
		{"cid:x@y", "scheme=cid reserved=Content identifiers for MIME body parts path=x@y"},
		{"https://u@h.example:8443/a?b#c", "scheme=https user=u host=h.example port=8443 path=/a query=b fragment=c"},
		{"urn:a:b?", "scheme=urn path=a:b query="},
	} {
		list, _ := Components(c.url)
		var got []string
		for _, x := range list {
			got = append(got, x.Name+"="+x.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("Components(%q)\ngot  %s\nwant %s", c.url, strings.Join(got, " "), c.want)
		}
	}
}

func TestQuoteByte(t *testing.T) {
	for b, want := range map[byte]string{'!': "'!'", '~': "'~'", ' ': "the byte 0x20",
		0x7f: "the byte 0x7F", 0xe4: "the byte 0xE4", '\n': "the byte 0x0A"} {
		if got := quoteByte(b); got != want {
			t.Errorf("quoteByte(%#x) = %s, want %s", b, got, want)
		}
	}
}

// TestCheck gives the verdicts of RFC 1738, draft-00e, draft-02, RFC 2396 and RFC 3986, in that
// order: "." for valid, otherwise the offset of the wrong byte.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ ref, want string }{
		{"http://a/b/c?d", ". . . . ."},
		{"http://a/b#c", "10 . . . ."},
		{"", "0 . . . ."},
		{"#s", "0 . . . ."},
		{"g", "0 . . . ."},
		{"../g", "0 . . . ."},
		{"?y", "0 . . 0 ."},
		{"a b", "0 1 1 1 1"},
		{"http://a/b c", "10 10 10 10 10"},
		{"http://a/%zz", "9 9 9 9 9"},
		{"http://a/%4", "9 9 9 9 9"},
		{"http://a/é", "9 9 9 9 9"},
		{"http:", "5 . . 5 ."},
		{"1a:b", ". . . 2 2"},
		{"a/b:c", "0 . . . ."},
		{"http://a_b/", "8 8 8 . ."},
		{"http://1.2.3.4:80/", ". . . . ."},
		{"http://1.2.3/", "11 11 11 . ."},
		{"http://[::1]/", "7 7 7 7 ."},
		{"http://[v1.x:y]/", "7 7 7 7 ."},
		{"http://[::g]/", "7 7 7 7 7"},
		{"http://[::1/", "7 7 7 7 7"},
		{"http://a:8x/", "10 10 10 . 10"},
		{"http://a:/", "9 . . . ."},
		{"http://a-/", "8 8 8 . ."},
		{"http://a./", "9 9 9 . ."},
		{"x://a,b/", ". 5 5 . ."},
		{"x:///p", ". . . . ."},
		{"mailto:a@b.example", ". . . . ."},
		{"http://a/b?c|d", "12 12 12 12 12"},
		{"http://a/$,", ". . . . ."},
		{"http://a/~", "9 . . . ."},
		{"http://u:p@a/", "7 . . . ."},
		{"http://u:p:q@a/", "7 10 10 . ."},
		{"x://u:p:q@a/", ". 7 7 . ."},
		{"//localhost//x", "0 12 . . ."},
		{"//localhost/x//", "0 . . . ."},
		{"http://localhost//", ". 17 . . ."},
		{"a//b", "0 . . . ."},
		{"nntp://localhost/*", "17 . . . ."},
		{"nntp://localhost/a.b/1", ". . . . ."},
		{"news:*", ". . . . ."},
		{"news:*a", "5 . . . ."},
		{"foo://a_b:x/", ". 7 7 . 10"},
		{"http://a/[", "9 9 9 9 9"},
		{"http://a/'()!*", ". . . . ."},
		{"http://a\x00/", "8 8 8 8 8"},
	} {
		var got []string
		for _, g := range All {
			err := g.Check(c.ref)
			var e *resolve.Error
			if err == nil {
				got = append(got, ".")
			} else if errors.As(err, &e) {
				got = append(got, strconv.Itoa(e.Offset))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("Check(%q) = %s, want %s", c.ref, strings.Join(got, " "), c.want)
			for _, g := range All {
				t.Log(g.Check(c.ref))
			}
		}
	}
}

// FuzzCheck: a complaint names a byte of the input or its end. A reference that RFC 2396 allows has
// only its characters. The components of a URL contain no more than the URL.
func FuzzCheck(f *testing.F) {
	for _, c := range grammarClauses {
		f.Add(c.fits)
		f.Add(c.fitsNone)
	}
	for _, s := range []string{"http://[v1.a]:8@b:c/\x00é", "ftp://u:p@h/%2F;type=a",
		"gopher://h/1%09%09+", "wais://h/a?b", "news:a@b", "prospero://h/a;b=c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, g := range All {
			err := g.Check(s)
			var e *resolve.Error
			if errors.As(err, &e) && (e.Offset < 0 || e.Offset > len(s)) {
				t.Errorf("Check(%q, %s): %v", s, g, err)
			}
			if err == nil &&
				strings.ContainsFunc(s, func(r rune) bool {
					return r <= ' ' ||
						r > '~' || strings.ContainsRune("<>\"{}|\\^`", r)
				}) {
				t.Errorf("Check(%q, %s) allows an excluded character", s, g)
			}
		}
		list, err := Components(s)
		if (err == nil) != (RFC1738.Check(s) == nil) {
			t.Errorf("Components(%q): %v, Check: %v", s, err, RFC1738.Check(s))
		}
		for _, c := range list {
			if c.Name != "reserved" && len(c.Value) > len(s) {
				t.Errorf("Components(%q) = %q", s, list)
			}
		}
	})
}
