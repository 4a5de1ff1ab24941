package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/testdata/effort"
)

// cuts are values of each type and their references: kind, quote if any, and decoded text.
var cuts = []struct {
	typ   place.ValueType
	value string
	want  []string
}{
	{place.TypeURL, " a b ", []string{"nav  a b "}},
	{place.TypeBlanks, " x\ty ", []string{"nav x", "nav y"}},
	{place.TypeNames, "x http://e.example/y URN:z", []string{"nav http://e.example/y", "nav URN:z"}},
	{place.TypeCommas, "x , ,y z", []string{"nav x", "nav y z"}},
	{place.TypeSemicolons, ";x ;y;", []string{"nav x", "nav y"}},
	{place.TypeSrcset, "a,b 1x, c (2,3) ,d,,", []string{"nav a,b", "nav c", "nav d"}},
	{place.TypeRefresh, "3; URL = 'a b'c", []string{"nav ' a b"}},
	{place.TypeRefresh, "0,x y ", []string{"nav x y"}},
	{place.TypeRefresh, "x", nil},
	{place.TypeRefresh, "5", nil},
	{place.TypeURIs, "name=a;action-uri= b;icon-uri=c", []string{"nav b", "res c"}},
	{place.TypeQuoted, `(P "http://c/" "d")`, []string{`nav " http://c/`}},
	{place.TypeReports, "img-src *; Report-URI e f, report-uri g;report-urix h;report-uri i",
		[]string{"nav e", "nav f", "nav g", "nav i"}},
	{place.TypeReports, "report-uri a,report-uri b , x y; report-uri c,", []string{"nav a", "nav b", "nav c"}},
	{place.TypeReports, "report-uri ;report-uri,a; report-uri\tb", []string{"nav b"}},
	{place.TypeReports, "a, report-uri", nil},
	{place.TypeCURIE, " [a:b]", nil},
	{place.TypeCURIE, "_:b", nil},
	{place.TypeNamed, "Jane Doe", nil},
	{place.TypeNamed, "x/y z", []string{"nav x/y z"}},
	{place.TypeOptional, "none", nil},
	{place.TypeOptional, "\t None\n", nil},
	{place.TypeOptional, " none.xml ", []string{"nav  none.xml "}},
	{place.TypeOptional, "./none", []string{"nav ./none"}},
	{place.TypeOptional, "", []string{"nav "}},
	{place.TypeGuess, " ./x ", []string{"nav ./x"}},
	{place.TypeGuess, "x", nil},
	{place.TypeCSS, `a:url(b\62 );c:url("d")`, []string{"nav bb", `nav " d`}},
	{place.TypeSheet, `@namespace url(n);@import 'a'`, []string{"identifier n", "nav ' a"}},
	{place.TypeScript, `f('/x', "y", 'z\x2epng')`, []string{"nav /x", "nav z.png"}},
	{place.TypeScriptURL, " JavaScript:f('%2Fx')", []string{"script /x"}},
	{place.TypeScriptURL, "javascript:f()", []string{"nav javascript:f()"}},
	{place.TypeScriptURL, "a.html", []string{"nav a.html"}},
	{place.TypeLinkedData, "{\"@context\":\"http://c/\",\"url\":\"a\\u0062\r\n\"}",
		[]string{"identifier http://c/", "nav ab\n"}},
	{place.TypeImportMap, `{"imports":{"a":"./b"}}`, []string{"nav ./b"}},
	{place.TypeImportMap, `{"imports":{"/a":"/b"},"scopes":{"c":{"/d":"../e"}},"integrity":{"f:g":"h"}}`,
		[]string{"nav /a", "nav /b", "nav c", "nav /d", "nav ../e", "nav f:g"}},
	{place.TypeSpeculation, `{"prefetch":[{"urls":["h"]}]}`, []string{"nav h"}},
	{place.TypeLinkedData, `{"image":"/a","url":["b","c"]}`, []string{"nav /a", "nav b", "nav c"}},

	// Strings that are joined with others are found only if they are absolute.
	{place.TypeScript, `h+"/a";f("/b"+c);u+='/d';g('/e')`, []string{"nav /e"}},
	{place.TypeScript, `"http://a.test"+b;c+"//d.test/";e+"http://"+f;"https://g.test/"+h`,
		[]string{"nav http://a.test", "nav https://g.test/"}},
	{place.TypeScript,
		"`/a/${b}`;`https://c.test/${d}/e f`;`${g}/h.png`;`http://${i}/j`;`https:\\/\\/k.test\\/${l}`;`/m`",
		[]string{"nav https://c.test/${d}/e f", "nav https://k.test/${l}", "nav /m"}},
	{place.TypeScriptURL, "javascript:f(h+'%2Fx','http:%2F%2Fa.test/'+b,'/y')",
		[]string{"script http://a.test/", "script /y"}},

	// Attributes that scripts read.
	{place.TypeLazy, "a", []string{"nav a"}},
	{place.TypeLazy, "a b.jpg", []string{"nav a b.jpg"}},
	{place.TypeLazy, "url(a.png)", []string{"nav a.png"}},
	{place.TypeLazy, `{"a":"/b"}`, []string{"nav /b"}},
	{place.TypeLazyText, "true", nil},
	{place.TypeLazyText, "", nil},
	{place.TypeLazyText, "Some text", nil},
	{place.TypeLazyText, "Some text: and/or. More", nil},
	{place.TypeLazyText, "and / or.jpg", nil},
	{place.TypeLazyText, "/a b.jpg", []string{"nav /a b.jpg"}},
	{place.TypeLazyText, "https://e.example/a b.png", []string{"nav https://e.example/a b.png"}},
	{place.TypeLazyText, "/a b", nil},
	{place.TypeLazyText, "a=/b&c=d.e", nil},
	{place.TypeLazyText, "a/b=c", []string{"nav a/b=c"}},
	{place.TypeLazyText, "a.b", []string{"nav a.b"}},
	{place.TypeLazyText, " /a ", []string{"nav  /a "}},
	{place.TypeLazyText, "url(/e.png)", []string{"nav /e.png"}},
	{place.TypeLazyText, `URL("a"), url( 'b' )`, []string{`nav " a`, "nav ' b"}},
	{place.TypeLazyText, "#fff url(a) no-repeat", []string{"nav a"}},
	{place.TypeLazyText, "linear-gradient(red,blue),url(a)", []string{"nav a"}},
	{place.TypeLazyText, `-webkit-image-set("a" 1x)`, []string{`nav " a`}},
	{place.TypeLazyText, "background:url(a)", []string{"nav a"}},
	{place.TypeLazyText, "/xurl(a)", []string{"nav /xurl(a)"}},
	{place.TypeLazySet, "a 1x, b 2x", []string{"nav a", "nav b"}},
	{place.TypeLazySet, "url('a') 1x, url('b') 2x", []string{"nav ' a", "nav ' b"}},
	{place.TypeLazySet, `["/a","/b"]`, []string{"nav /a", "nav /b"}},
	{place.TypeBound, "a", []string{"nav a"}},
	{place.TypeBound, "a.b+'/t.html'", nil},
	{place.TypeBound, "f(`a`)", nil},
	{place.TypeBound, `"a"`, nil},

	// JSON of an unknown kind.
	{place.TypeJSON, `{"image":{"url":"/a.png","alt":"b/c","/d":1},"n":1}`, []string{"nav /a.png"}},
	{place.TypeJSON, `["/s1.png","s2.png", "https:\/\/e.example\/h", "and/or"]`,
		[]string{"nav /s1.png", "nav s2.png", "nav https://e.example/h"}},
	{place.TypeJSON,
		`{"imageSrc":"a/b","bgURL":"c?d","HREF":"#e","src":"true","url":"Some text","srcset":"f 1x","link":"g/h"}`,
		[]string{"nav a/b", "nav c?d", "nav #e"}},
	{place.TypeJSON, ` { "a" : "/b" } `, []string{"nav /b"}},
	{place.TypeJSON, `[1,"/b"]`, []string{"nav /b"}},
	{place.TypeJSON, `[-1,"/b"]`, []string{"nav /b"}},
	{place.TypeJSON, `[{"a":["/b"]}]`, []string{"nav /b"}},
	{place.TypeJSON, `[["/b"]]`, []string{"nav /b"}},
	{place.TypeJSON, `[null,"/b"]`, []string{"nav /b"}},
	{place.TypeJSON, `[true]`, nil},
	{place.TypeJSON, `[nullable "/b"]`, nil},
	{place.TypeJSON, `[name="/b"]`, nil},
	{place.TypeJSON, `{a:"/b"}`, nil},
	{place.TypeJSON, `{{ "/b" }}`, nil},
	{place.TypeJSON, `{"a":"/b"`, nil},
	{place.TypeJSON, `["/b"`, nil},
	{place.TypeJSON, `{"a":"/b"]`, nil},
	{place.TypeJSON, `"/b"`, nil},
	{place.TypeJSON, `[]`, nil},
	{place.TypeJSON, `/b`, nil},

	{place.TypeWhole, "a ", []string{"nav a "}},
	{place.TypeWhole, "", nil},
	{place.TypeOrigin, "null", nil},
	{place.TypeCleaned, `<http://a/ b>`, []string{"nav http://a/b"}},
	{place.TypeAngles, `<a>; x="<b>,", c, < d >, <>`, []string{"nav a", "nav d", "nav "}},
	{place.TypeMailing, `(x, <a>) <b c> (d), <>, <e>`, []string{"nav bc", "nav e"}},
	{place.TypeMailing, `http://a/`, []string{"nav http://a/"}},
	{place.TypeMailing, `  http://a/b?c=1,2 (x http://n/), mailto:b@c.`,
		[]string{"nav http://a/b?c=1,2", "nav mailto:b@c"}},
	{place.TypeMailing, `http://a/,mailto:b@c,<d>,https://e/`,
		[]string{"nav http://a/", "nav mailto:b@c", "nav d", "nav https://e/"}},
	{place.TypeMailing, `Please visit http://a/b; or "http://n/" "<n>" <c>`, []string{"nav http://a/b"}},
	{place.TypeMailing, `"x, y" <a>, (b (c) <d>) http://e/`, []string{"nav a", "nav http://e/"}},
	{place.TypeMailing, `NO (not allowed), l.example, list@l.example, list:x, ://x, mailto:, http://`, nil},
	{place.TypeMailing, `(left open <a>`, nil},
	{place.TypeMailing, `"left open <a>`, nil},
	{place.TypeMailing, `<left open`, nil},
	{place.TypeMailing, `<b c> (d, <f>), <>, <e>`, []string{"nav bc", "nav e"}},
	{place.TypeLinks, `<a>;rel=icon;anchor=b;imagesrcset="c 1x, d 2x", <e>`,
		[]string{"res [icon] a", "meta [icon] b", "res [icon] c", "res [icon] d", "nav e"}},
	{place.TypeStrings, `default="a", b="c`, []string{"nav a", "nav "}},
	{place.TypeEndpoints, `{"endpoints":[{"url":"a"}]}`, []string{"nav a"}},
	{place.TypeReportURI, `max-age=1; report-uri=" a "`, []string{"nav a"}},
	{place.TypePolicyRef, `CP="x", policyref="a"`, []string{"nav a"}},
	{place.TypeAddress, ` <http://a/ b>`, []string{"nav http://a/b"}},
	{place.TypeKeyURL, `id=1; URL="http://a/ b"; preference=sign`, []string{"nav http://a/b"}},
	{place.TypeKeyURL, `id=1; url = http://a/b ;x`, []string{"nav http://a/b"}},
	{place.TypeKeyURL, `id=url`, nil},
	{place.TypeExternal, `message/external-body; access-type=URL; url="a b"`, []string{"nav ab"}},
	{place.TypeExternal, `message/external-body; access-type=anon-ftp; site="ftp.a"; directory="pub"; name="b.txt"`,
		[]string{"nav ftp://ftp.a/pub/b.txt"}},
	{place.TypeExternal, `Message/External-Body; name=b; Site=a; Access-Type=FTP`, []string{"nav ftp://a/b"}},
	{place.TypeExternal,
		`message/external-body; access-type=tftp; site=a; directory=/c//d/; name="b %/?#\"é"; mode=octet`,
		[]string{"nav tftp://a/c/d/b%20%25%2F%3F%23%22%C3%A9"}},
	{place.TypeExternal, `message/external-body; access-type=anon-ftp; site=a; directory=b`, nil},
	{place.TypeExternal, `message/external-body; access-type=anon-ftp; name=a; site=""`, nil},
	{place.TypeExternal, `message/external-body; access-type=anon-ftp; name=a; site="b/../c"`, nil},
	{place.TypeExternal, `message/external-body; access-type=local-file; name=a; site=b`, nil},
	{place.TypeExternal, `message/external-body; access-type=mail-server; server=a@b`, nil},
	{place.TypeExternal, `message/external-body; url=x`, nil},
	{place.TypeExternal, `message/external-body; access-type=URL; url*="x"; url=y`, []string{"nav x"}},
	{place.TypeExternal, `message/external-body; access-type=URL; url*0=x; url*2=y`, nil},
	{place.TypeExternal, `message/external-body; access-type=URL; url*1=x`, nil},
	{place.TypeExternal, `message/external-body; access-type=URL; url*0=x; url*0=y`, nil},
	{place.TypeExternal, `message/external-body; access-type=URL; url*-1=x; url*a=z; url=y`, []string{"nav y"}},
	{place.TypeExternal, `message/external-body; access-type=URL; url*0=x; url*2=z; url=y`, []string{"nav y"}},
	{place.TypeExternal, `message/external-body; access-type=URL; url*=iso-8859-1''caf%E9`, []string{"nav café"}},
	{place.TypeExternal, `message/external-body; access-type=URL; url*=x-nobody''caf%41`, []string{"nav cafA"}},
	{place.TypeExternal, `message/external-body; access-type=URL; url*=100%25`, []string{"nav 100%"}},
	{place.TypeExternal, `(a (b)) Message / (c) External-Body (d); access-type=URL; url=x`, []string{"nav x"}},
	{place.TypeExternal, `message/external-body/x; access-type=URL; url=x`, nil},
	{place.TypeExternal, "message/external-body; access-type*0=anon-; access-type*1=ftp; site*0=\"ftp.\"; site*1=a;\n" +
		` directory*=utf-8''%C3%A9/b; name*1="c.txt"; name*0*=utf-8''a%20`, []string{"nav ftp://ftp.a/%C3%A9/b/a%20c.txt"}},
	{place.TypeExternal, "message/external-body; access-type=ftp; site=a; name=\"b\r\n c\"",
		[]string{"nav ftp://a/b%20c"}},
	{place.TypeExternal, `text/plain; access-type=URL; url="a b"`, nil},
}

// list returns the references that c finds in a value.
func list(c *Cutter, t place.ValueType, v string) (got []string) {
	for c.Reset(t, place.KindNav, []byte(v)); c.Next(); {
		s := c.Kind.String() + " "
		if len(c.Rel) > 0 {
			s += fmt.Sprintf("[%s] ", c.Rel)
		}
		if c.Quote != 0 {
			s += string(c.Quote) + " "
		}
		got = append(got, s+string(c.AppendValue(nil)))
	}
	return got
}

func TestCutter(t *testing.T) {
	var c Cutter
	for _, tt := range cuts {
		if got := list(&c, tt.typ, tt.value); !slices.Equal(got, tt.want) {
			t.Errorf("%s %q: got %q, want %q", tt.typ, tt.value, got, tt.want)
		}
	}
}

// The pictures of filters are in order with the other URLs of a sheet.
func TestLoaders(t *testing.T) {
	const sheet = `a{b:url(c);filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='d',sizingMethod=x);e:url(f)} /* AlphaImageLoader(src='g') */`
	c := Cutter{Loaders: true}
	want := []string{"nav c", "nav ' d", "nav f"}
	if got := list(&c, place.TypeSheet, sheet); !slices.Equal(got, want) {
		t.Errorf("%q: got %q, want %q", sheet, got, want)
	}
	c.Loaders = false
	if got := list(&c, place.TypeSheet, sheet); len(got) != 2 {
		t.Errorf("%q: got %q without loaders", sheet, got)
	}
}

// oddURIs are references with characters that some places cannot hold, at one end or inside.
var oddURIs = func() (list []string) {
	for _, odd := range []string{"", "a", "url=", "URL", ",", ";", "'", `"`, "(", ")", "`", "{x}", "*",
		"*/", "/*", "--", "$", "|", "^", "~", "=", "&amp;", "%2C", "x:y", "?q", "#f", ".", "..", "www."} {
		for _, start := range []string{"", "./", "../", "/", "//h/", "http://h.test/", "https://h.test/a/"} {
			for _, end := range []string{"", "x", "x.html", "/", "/x.png?y#z"} {
				list = append(list, start+odd+end, start+"m"+odd+end)
			}
		}
	}
	return list
}()

// TestHolds writes references into values of each type. A place that holds a reference must be read
// back as this reference, and the other references of the value must not change.
func TestHolds(t *testing.T) {
	n, held := 0, 0
	for _, tt := range cuts {
		var c Cutter
		var parts []Part
		for c.Reset(tt.typ, place.KindNav, []byte(tt.value)); c.Next(); {
			parts = append(parts, c.Part)
		}
		for i, p := range parts {
			if p.Kind == place.KindIdentifier || tt.typ >= place.TypeWhole ||
				tt.typ == place.TypeCURIE || tt.typ == place.TypeNames || tt.typ == place.TypeQuoted {
				continue // never written, or only as a whole URI
			}
			at := escape.Context{List: p.List, Token: p.Token, Inner: p.Quote, Sheet: true}
			for k, uri := range oddURIs {
				if k%effort.Pick(1, 3) > 0 {
					continue // 3 divides no length of the lists that oddURIs combines
				}
				n++
				if !at.Holds([]byte(uri)) || uri == "" {
					continue
				}
				held++
				written := tt.value[:p.Start] + string(at.Append(nil, []byte(uri))) + tt.value[p.End:]
				want := slices.Clone(tt.want)
				before := want[i][:strings.LastIndex(want[i], string(valueOf(&c, tt.typ, tt.value, i)))]
				want[i] = before + string(at.Fit([]byte(uri)))
				if got := list(&c, tt.typ, written); !slices.Equal(got, want) {
					t.Errorf("%s %q with %q: %q has %q, want %q", tt.typ, tt.value, uri, written, got, want)
				}
			}
		}
	}
	if n < effort.Pick(20_000, 6000) || held < n/2 {
		t.Errorf("%d references of %d are held, want at least half of more", held, n)
	}
}

// valueOf returns the reference in part i of a value.
func valueOf(c *Cutter, typ place.ValueType, v string, i int) []byte {
	c.Reset(typ, place.KindNav, []byte(v))
	for range i + 1 {
		c.Next()
	}
	return c.AppendValue(nil)
}

// FuzzCutter: a value of any type comes to an end, its parts are inside it, and plain parts are the
// bytes of their spans.
func FuzzCutter(f *testing.F) {
	for _, tt := range cuts {
		f.Add(uint8(tt.typ), tt.value)
	}
	f.Fuzz(func(t *testing.T, typ uint8, v string) {
		var c Cutter
		kind := place.ValueType(typ) % (place.TypeExternal + 1)
		n := 0
		for c.Reset(kind, place.KindNav, []byte(v)); c.Next(); n++ {
			if c.Start < 0 || c.End < c.Start || c.End > len(v) || n > len(v)+1 {
				t.Fatalf("%s %q: part %d at %v", kind, v, n, c.Span)
			}
			if s := string(c.AppendValue(nil)); c.Plain() && s != v[c.Start:c.End] {
				t.Errorf("%s %q: %v says %q", kind, v, c.Span, s)
			}
		}
	})
}

// People write hosts without a scheme. Such a value does not name a file of the site.
func TestIsHost(t *testing.T) {
	for v, want := range map[string]bool{"www.a.test": true, "WWW.a.test/b": true,
		"$a.test/b": true, "": false, "a.test": false, "/www.a": false, "wwwa": false, "a$": false} {
		if got := IsHost([]byte(v)); got != want {
			t.Errorf("IsHost(%q): got %v, want %v", v, got, want)
		}
	}
}

// However a URL is cut into pieces, in whatever order and form, it is the same URL (RFC 2231
// Sections 3 and 4.1).
func TestExternalPieces(t *testing.T) {
	const url = "ftp://cs.utk.example/pub/b.tar"
	quote := func(n int, s string) string { return fmt.Sprintf(`URL*%d="%s"`, n, s) }
	token := func(n int, s string) string { return fmt.Sprintf(`url*%d = %s `, n, s) }
	encode := func(n int, s string) string {
		label := ""
		if n == 0 {
			label = "us-ascii'en'"
		}
		return fmt.Sprintf("Url*%d*=%s%s", n, label, strings.ReplaceAll(strings.ReplaceAll(s, "/", "%2F"), ":", "%3a"))
	}
	var c Cutter
	for _, forms := range [][]func(int, string) string{
		{quote}, {token}, {encode}, {quote, token}, {encode, quote}, {encode, token, quote},
	} {
		for size := 1; size <= len(url); size++ {
			for _, backwards := range []bool{false, true} {
				var pieces []string
				for at := 0; at < len(url); at += size {
					n := len(pieces)
					pieces = append(pieces, forms[n%len(forms)](n, url[at:min(at+size, len(url))]))
				}
				if backwards {
					slices.Reverse(pieces)
				}
				v := "message/external-body; access-type=URL;\r\n " + strings.Join(pieces, ";\r\n ")
				if got := list(&c, place.TypeExternal, v); !slices.Equal(got, []string{"nav " + url}) {
					t.Errorf("%q: %q, want %q", v, got, url)
				}
			}
		}
	}
}
