package resolve

import (
	"strings"
	"testing"
)

// The tables of this file hold the clauses of the documents that no example of theirs
// shows, one a row; testdata/clauses.tsv names the rows.

// grammarClauses are rules of the collected grammars: what each lets a reference hold,
// and what none of its kind holds. A row is named after the document and the rule.
var grammarClauses = []struct {
	name           string
	g              Grammar
	fits, fitsNone string
}{
	{"rfc1738 genericurl", GrammarRFC1738, "foo:bar foo:", "foo /a :x ?q //h/x"},
	{"rfc1738 scheme", GrammarRFC1738, "1a:b a+b-c.d:x HTTP://h.example/", "a_b:x é:x a%41:x"},
	{"rfc1738 schemepart", GrammarRFC1738, "foo:a;/?:@&=b foo://u:p@h.example:1/x", "foo:a#b foo:a\\b foo:~"},
	{"rfc1738 login", GrammarRFC1738, "ftp://h.example ftp://u@h.example ftp://u:p@h.example:21/ ftp://@h.example/", "ftp:h.example ftp:/h.example/ ftp://u:p:q@h.example/ ftp:///x"},
	{"rfc1738 user", GrammarRFC1738, "ftp://a;?&=%40@h.example/", "ftp://a@b@h.example/ ftp://a~@h.example/ ftp://a:b:c@h.example/"},
	{"rfc1738 password", GrammarRFC1738, "ftp://u:a;?&=%3A@h.example/ ftp://u:@h.example/", "ftp://u:a:b@h.example/ ftp://u:a@b@h.example/"},
	{"rfc1738 hostname", GrammarRFC1738, "ftp://h ftp://a.b.c3 ftp://3com.example ftp://a-b.c-d", "ftp://a..b ftp://a. ftp://.a ftp://a_b"},
	{"rfc1738 domainlabel", GrammarRFC1738, "ftp://1-a.b ftp://a--1.b", "ftp://-a.b ftp://a-.b"},
	{"rfc1738 toplabel", GrammarRFC1738, "ftp://1.a1 ftp://1.2.3.a-4", "ftp://a.1 ftp://a.1a ftp://a.-a"},
	{"rfc1738 hostnumber", GrammarRFC1738, "ftp://1.2.3.4 ftp://0000.999.1.1", "ftp://1.2.3 ftp://1.2.3.4.5 ftp://1.2.3.0x4"},
	{"rfc1738 port", GrammarRFC1738, "ftp://h:0 ftp://h:65536/", "ftp://h: ftp://h:/x ftp://h:a ftp://h:1-"},
	{"rfc1738 ftpurl", GrammarRFC1738, "ftp://h ftp://h/ ftp://h//a//b ftp://h/a;type=i", "ftp://h;type=i ftp://h/a;b ftp://h/a;type=i/b"},
	{"rfc1738 ftptype", GrammarRFC1738, "ftp://h/a;type=A ftp://h/a;type=d", "ftp://h/a;type= ftp://h/a;type=x ftp://h/a;type=ai"},
	{"rfc1738 fileurl", GrammarRFC1738, "file:///a file://localhost/a file://h.example/a/b file://h/", "file:/a file:a file://h file://h:1/a file://u@h/a file:///a;b"},
	{"rfc1738 httpurl", GrammarRFC1738, "http://h http://h/ http://h:80/a/b;c:@&=d?e;:@&=f", "http://h?q http://u@h/ http://h/a?b?c http://h/a?b/c"},
	{"rfc1738 gopherurl", GrammarRFC1738, "gopher://h gopher://h/ gopher://h/1 gopher://h/0a;/?:@&=b gopher://h/7s%09q%09+", "gopher://u@h/ gopher://h/1<a> gopher://h?1"},
	{"rfc1738 mailtourl", GrammarRFC1738, "mailto:a@b mailto:a%25b@c mailto:a/b?c@d", "mailto: mailto:a%b@c mailto:<a@b>"},
	{"rfc1738 newsurl", GrammarRFC1738, "news:* news:a.b-c+d_e9 news:a;/?:&=b@h.example news:1@1.2.3.4", "news: news:** news:1a news:a.* news:@h news:a@b@h news:<a@b>"},
	{"rfc1738 nntpurl", GrammarRFC1738, "nntp://h/a.b nntp://h:119/a/1", "nntp://h nntp://h/ nntp://h/* nntp://h/a/ nntp://h/a/1x nntp://u@h/a"},
	{"rfc1738 telneturl", GrammarRFC1738, "telnet://h telnet://u:p@h:23/", "telnet://h/a telnet://h? telnet:h"},
	{"rfc1738 waisdatabase", GrammarRFC1738, "wais://h/ wais://h:210/db", "wais://h wais://u@h/db wais://h/d:b"},
	{"rfc1738 waisindex", GrammarRFC1738, "wais://h/db?a;:@&=b wais://h/?q", "wais://h/db?a/b wais://h/db?a?b"},
	{"rfc1738 waisdoc", GrammarRFC1738, "wais://h/db/t/p wais://h/// wais://h/db/t/%2F", "wais://h/db/t wais://h/db/t/a/b wais://h/db/t/a?b"},
	{"rfc1738 prosperourl", GrammarRFC1738, "prospero://h/ prospero://h:1525//a/b prospero://h/a?:@&=b", "prospero://h prospero://u@h/a prospero://h/a;b"},
	{"rfc1738 fieldspec", GrammarRFC1738, "prospero://h/a;b=c;?:@&=&d prospero://h/a;=", "prospero://h/a; prospero://h/a;b=c=d prospero://h/a;b=c/d"},
	{"rfc1738 escape", GrammarRFC1738, "foo:%00%fF", "foo:% foo:%1 foo:%1g foo:%%20"},
	{"rfc1738 urlpath", GrammarRFC1738, "foo://h/a;/?:@&=b", "foo://h/{a} foo://h/a|b foo://h/`"},

	{"draft-00e URL-reference", GrammarDraft00e, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"draft-00e fragment", GrammarDraft00e, "#;/?:@&=+%20", "#< #a\\b #% #é"},
	{"draft-00e scheme", GrammarDraft00e, "1a:b +:b a.b-c:d HTTP://a/", "//a_b:c//"},
	{"draft-00e opaque-URL", GrammarDraft00e, "mailto:a@b urn:a:b? foo: foo:a//b", "mailto:<a@b> foo:a%b"},
	{"draft-00e net_path", GrammarDraft00e, "//h //h/ //h/a;b?c", "//h_ //h//a"},
	{"draft-00e abs_path", GrammarDraft00e, "/ /a /a//b /;p /?q", "//?/ /a|b"},
	{"draft-00e rel_path", GrammarDraft00e, "a a/b ;p ?q a;p?q ../a ./a:b", "a|b a^b"},
	{"draft-00e server", GrammarDraft00e, "foo://u:p@h.example:1/ foo:///a //@h/ //u:@h/", "//u@/ //a_b/ //u@h:x/"},
	{"draft-00e malformed server", GrammarDraft00e, "foo:a//b", "foo://a_b/ foo://u:p:q@h/ http://h:x/"},
	{"draft-00e user", GrammarDraft00e, "//a;?&=+$%40@h/", "//a[@h/ //a@b@h/"},
	{"draft-00e password", GrammarDraft00e, "//u:a;?&=+$%3A@h/", "//u:a:b@h/"},
	{"draft-00e hostname", GrammarDraft00e, "//h/ //a.b/ //1.a/", "//a..b/ //a./ //a.1/"},
	{"draft-00e domainlabel", GrammarDraft00e, "//1-a.b/ //a--b/", "//-a.b/ //a-.b/"},
	{"draft-00e hostnumber", GrammarDraft00e, "//1.2.3.4/", "//1.2.3/ //1.2.3.4.5/"},
	{"draft-00e port", GrammarDraft00e, "//h:/ //h:80/", "//h:8a/ //h:-1/"},
	{"draft-00e path", GrammarDraft00e, "/a//b/ a/b/ http://h/a", "http://h//a"},
	{"draft-00e parameters", GrammarDraft00e, "a;b;c a;b/c;d=e a;", "a;[b]"},
	{"draft-00e query", GrammarDraft00e, "a?;/?:@&=+ a?", "a?{b}"},
	{"draft-00e escaped", GrammarDraft00e, "%00%fF", "% %1 %1g"},

	{"draft-02 URL-reference", GrammarDraft02, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"draft-02 fragment", GrammarDraft02, "#;/?:@&=+%20", "#< #a\\b #% #é"},
	{"draft-02 scheme", GrammarDraft02, "1a:b +:b a.b-c:d HTTP://a/", "a_b:c"},
	{"draft-02 opaque-URL", GrammarDraft02, "mailto:a@b urn:a:b? foo: foo:a//b", "mailto:<a@b> foo:a%b"},
	{"draft-02 net_path", GrammarDraft02, "//h //h/ //h/a;b?c", "//h_ //h|/a"},
	{"draft-02 abs_path", GrammarDraft02, "/ /a /a//b /;p /?q", "/a|b"},
	{"draft-02 rel_path", GrammarDraft02, "a a/b ;p ?q a;p?q ../a ./a:b a/b:c", "a|b 1_a:b"},
	{"draft-02 server", GrammarDraft02, "foo://u:p@h.example:1/ foo:///a //@h/ //u:@h/ //h?q", "//u@/ //a_b/ //u@h:x/"},
	{"draft-02 malformed server", GrammarDraft02, "foo:a//b", "foo://a_b/ foo://u:p:q@h/ http://h:x/"},
	{"draft-02 user", GrammarDraft02, "//a;&=+$%40@h/", "//a[@h/ //a@b@h/ //a|b@h/"},
	{"draft-02 password", GrammarDraft02, "//u:a;&=+$%3A@h/", "//u:a:b@h/"},
	{"draft-02 hostname", GrammarDraft02, "//h/ //a.b/ //1.a/", "//a..b/ //a./ //a.1/"},
	{"draft-02 domainlabel", GrammarDraft02, "//1-a.b/ //a--b/", "//-a.b/ //a-.b/"},
	{"draft-02 toplabel", GrammarDraft02, "//1.a1/ //a-1/", "//a.1a/ //a.1/"},
	{"draft-02 hostnumber", GrammarDraft02, "//1.2.3.4/", "//1.2.3/ //1.2.3.4.5/"},
	{"draft-02 port", GrammarDraft02, "//h:/ //h:80/", "//h:8a/ //h:-1/"},
	{"draft-02 path_segments", GrammarDraft02, "a//b/ a;b/c;d;e http://h//a", "http://h/[a]"},
	{"draft-02 param", GrammarDraft02, "/a;b:@&=+c/d; a;;b", "a;{b}"},
	{"draft-02 query", GrammarDraft02, "a?;/?:@&=+ a?", "a?{b}"},
	{"draft-02 escaped", GrammarDraft02, "%00%fF", "% %1 %1g"},

	{"rfc2396 URI-reference", GrammarRFC2396, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"rfc2396 fragment", GrammarRFC2396, "#;/?:@&=+$,%20", "#< #a\\b #% #é"},
	{"rfc2396 scheme", GrammarRFC2396, "a:b a+b-c.1:d HTTP://a/", "1a:b +:b a_b:c"},
	{"rfc2396 absoluteURI", GrammarRFC2396, "foo:/a foo://a foo:a", "foo: foo:#a"},
	{"rfc2396 hier_part", GrammarRFC2396, "foo:/a?b foo://h/a?b foo:/?b", "foo:/a|b foo://h/a?{b}"},
	{"rfc2396 opaque_part", GrammarRFC2396, "mailto:a@b urn:a:b? foo:a//b foo:?a", "mailto:<a@b> foo:a%b"},
	{"rfc2396 net_path", GrammarRFC2396, "//h //h/ //h/a;b?c //", "//h[/a"},
	{"rfc2396 abs_path", GrammarRFC2396, "/ /a /a//b /;p", "/a|b"},
	{"rfc2396 rel_path", GrammarRFC2396, "a a/b ;p a;p?q ../a ./a:b", "a|b ?q"},
	{"rfc2396 rel_segment", GrammarRFC2396, "a;@&=+$,b a/b:c", "1:b a_b:c"},
	{"rfc2396 reg_name", GrammarRFC2396, "//$,;:@&=+a //a_b:c/ //a..b/", "//[::1]/ //a|b"},
	{"rfc2396 server", GrammarRFC2396, "//u@h:1/ // ///a //@h/", "//a[@h/ //u@h:1%/"},
	{"rfc2396 userinfo", GrammarRFC2396, "//a:;&=+$,b@h/", "//a^b@h/"},
	{"rfc2396 escaped", GrammarRFC2396, "%00%fF", "% %1 %1g"},
	{"rfc2396 path", GrammarRFC2396, "/a//b/ foo:/a;b/c;d;e", "/a/{b}"},
	{"rfc2396 param", GrammarRFC2396, "/a;b:@&=+$,c/d; a;;b", "a;{b}"},
	{"rfc2396 query", GrammarRFC2396, "a?;/?:@&=+$, a?", "a?{b} a?b`"},
}

func TestGrammarClauses(t *testing.T) {
	for _, c := range grammarClauses {
		t.Run(c.name, func(t *testing.T) {
			for _, ref := range strings.Fields(c.fits) {
				if err := Check(ref, c.g); err != nil {
					t.Errorf("Check(%q, %s) = %v, want none", ref, c.g, err)
				}
			}
			for _, ref := range strings.Fields(c.fitsNone) {
				if Check(ref, c.g) == nil {
					t.Errorf("Check(%q, %s) = nil, want an error", ref, c.g)
				}
			}
		})
	}
}

// characterClauses are the characters, beside letters and digits, that may stand for the
// "*" of a reference: those of the component, and those that end it.
var characterClauses = []struct {
	name      string
	g         Grammar
	ref       string
	set, ends string
}{
	{"rfc1738 reserved and unreserved", GrammarRFC1738, "foo:x*x", "$-_.+!*'()," + ";/?:@&=", ""},
	{"rfc1738 hsegment", GrammarRFC1738, "http://h/x*x", "$-_.+!*'()," + ";:@&=", "/?"},
	{"rfc1738 search", GrammarRFC1738, "http://h/?x*x", "$-_.+!*'()," + ";:@&=", ""},
	{"rfc1738 fsegment", GrammarRFC1738, "ftp://h/x*x", "$-_.+!*'()," + "?:@&=", "/"},
	{"rfc1738 user", GrammarRFC1738, "ftp://x*x@h/", "$-_.+!*'()," + ";?&=", ":/"},
	{"rfc1738 psegment", GrammarRFC1738, "prospero://h/x*x=", "$-_.+!*'()," + "?:@&=", "/;"},
	{"rfc1738 selector", GrammarRFC1738, "gopher://h/1x*x", "$-_.+!*'()," + ";/?:@&=", ""},
	{"draft-00e urlchar", GrammarDraft00e, "a?x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-00e pchar", GrammarDraft00e, "/x*x", "$-_.!~*'()," + ":@&=+", "/;?#"},
	{"draft-00e user", GrammarDraft00e, "//x*x@h/", "$-_.!~*'()," + ";?&=+", ":/#"},
	{"draft-00e excluded", GrammarDraft00e, "foo:x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-02 urlchar", GrammarDraft02, "a?x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-02 pchar", GrammarDraft02, "/x*x", "$-_.!~*'()," + ":@&=+", "/;?#"},
	{"draft-02 user", GrammarDraft02, "//x*x@h/", "$-_.!~*'()," + ";&=+", ":/?#"},
	{"draft-02 excluded", GrammarDraft02, "foo:x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"rfc2396 uric", GrammarRFC2396, "a?x*x", "-_.!~*'()" + ";/?:@&=+$,", "#"},
	{"rfc2396 pchar", GrammarRFC2396, "/x*x", "-_.!~*'()" + ":@&=+$,", "/;?#"},
	{"rfc2396 userinfo", GrammarRFC2396, "//x*x@h_/", "-_.!~*'()" + ";:&=+$,", "@/?#"},
	{"rfc2396 excluded", GrammarRFC2396, "foo:x*x", "-_.!~*'()" + ";/?:@&=+$,", "#"},
	{"rfc2396 fragment", GrammarRFC2396, "#x*x", "-_.!~*'()" + ";/?:@&=+$,", ""},
	{"rfc2396 rel_segment", GrammarRFC2396, "1*x", "-_.!~*'()" + ";@&=+$,", "/?#"},
}

// TestCharacterClauses asks for each byte of ASCII, and one outside of it, whether it may
// stand in a component. "%" alone never may.
func TestCharacterClauses(t *testing.T) {
	for _, c := range characterClauses {
		t.Run(c.name, func(t *testing.T) {
			for b := range 129 {
				ref := strings.Replace(c.ref, "*", string([]byte{byte(b)}), 1)
				want := b < 128 && (isAlpha(byte(b)) || isDigit(byte(b)) || strings.IndexByte(c.set+c.ends, byte(b)) >= 0)
				if err := Check(ref, c.g); (err == nil) != want {
					t.Errorf("Check(%q, %s) = %v, want valid %v", ref, c.g, err, want)
				}
			}
		})
	}
}

// stepClauses are steps of the algorithms, each with the bases or references that tell it
// from its neighbours. Want "" is an error.
var stepClauses = []struct {
	name, base, ref string
	o               Options
	want            string
}{
	{"draft-00e 6 step 1, no base", "", "g", Options{Rules: Draft00e}, ""},
	{"draft-00e 6 step 1, no base, absolute", "", "http://a/g", Options{Rules: Draft00e}, "http://a/g"},
	{"draft-00e 6 step 2a, empty", "http://a/b;p?q", "", Options{Rules: Draft00e}, "http://a/b;p?q"},
	{"draft-00e 6 step 2b, scheme", "http://a/b", "ftp:../g", Options{Rules: Draft00e}, "ftp:../g"},
	{"draft-00e 6 step 2c, inherited scheme", "foo://a/b", "//h/./g", Options{Rules: Draft00e}, "foo://h/./g"},
	{"draft-00e 6 step 3, server", "http://u@a:1/b", "g", Options{Rules: Draft00e}, "http://u@a:1/g"},
	{"draft-00e 6 step 4, slash", "http://a/b/c", "/g/../h", Options{Rules: Draft00e}, "http://a/g/../h"},
	{"draft-00e 6 step 5a, parameters", "http://a/b/c;p?q", ";x", Options{Rules: Draft00e}, "http://a/b/c;x"},
	{"draft-00e 6 step 5b, query", "http://a/b/c;p?q", "?y", Options{Rules: Draft00e}, "http://a/b/c;p?y"},
	{"draft-00e 6 step 5b, neither", "http://a/b/c;p?q", "#s", Options{Rules: Draft00e}, "http://a/b/c;p?q#s"},
	{"draft-00e 6 step 6, last segment", "http://a/b/c", "g;x", Options{Rules: Draft00e}, "http://a/b/g;x"},
	{"draft-00e 6 step 6a, dot segments", "http://a/b/c", "./g/././h/.i/j.", Options{Rules: Draft00e}, "http://a/b/g/h/.i/j."},
	{"draft-00e 6 step 6b, dot at the end", "http://a/b/c", "g/.", Options{Rules: Draft00e}, "http://a/b/g/"},
	{"draft-00e 6 step 6c, leftmost first", "http://a/b/c", "d/e/../../../f/../g", Options{Rules: Draft00e}, "http://a/g"},
	{"draft-00e 6 step 6c, excess", "http://a/b/c", "../../../g", Options{Rules: Draft00e}, "http://a/../../g"},
	{"draft-00e 6 step 6d, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: Draft00e}, "http://a/b/d/"},
	{"draft-00e 6, parameters are no path", "ftp://a/b/c;type=d/e", "g", Options{Rules: Draft00e}, "ftp://a/b/g"},
	{"draft-00e 4.3, order of components", "http://a/b", "g;p;q?r;s?t#u?v#w", Options{Rules: Draft00e}, "http://a/g;p;q?r;s?t#u?v#w"},
	{"draft-00e 4.3.1, server up to the slash", "http://a/b", "//h?x/y?z", Options{Rules: Draft00e}, "http://h?x/y?z"},
	{"draft-00e 4.3.3, empty parameters", "http://a/b;p?q", ";?y", Options{Rules: Draft00e}, "http://a/b;p?y"},
	{"draft-00e 4.3.4, empty query", "http://a/b;p?q", "?", Options{Rules: Draft00e}, "http://a/b;p?q"},
	{"draft-00e 4.3.2, dot before a colon", "http://a/b", "./this:that", Options{Rules: Draft00e}, "http://a/this:that"},

	{"draft-02 5.2 step 1, undefined and empty", "http://a/b?q", "g?#", Options{Rules: Draft02}, "http://a/g?#"},
	{"draft-02 5.2 step 2, empty", "http://a/b", "", Options{Rules: Draft02, Document: "http://d/"}, "http://d/"},
	{"draft-02 5.2 step 2, empty query", "http://a/b?q", "?", Options{Rules: Draft02, Document: "http://d/"}, "http://a/?"},
	{"draft-02 5.2 step 3, scheme", "http://a/b", "http:../g", Options{Rules: Draft02}, "http:../g"},
	{"draft-02 5.2 step 4, network path", "foo://a/b", "//h/../g?y", Options{Rules: Draft02}, "foo://h/../g?y"},
	{"draft-02 5.2 step 4, no server", "foo:/a/b", "g", Options{Rules: Draft02}, "foo:/a/g"},
	{"draft-02 5.2 step 5, absolute path", "http://a/b/c", "/g/../h", Options{Rules: Draft02}, "http://a/g/../h"},
	{"draft-02 5.2 step 6a, last segment", "http://a/b/c;p?q/r", "g", Options{Rules: Draft02}, "http://a/b/g"},
	{"draft-02 5.2 step 6b, empty path", "http://a/b/c;p?q", ";x", Options{Rules: Draft02}, "http://a/b/;x"},
	{"draft-02 5.2 step 6c, query in the buffer", "http://a/b/c", "g?y/../../h", Options{Rules: Draft02}, "http://a/h"},
	{"draft-02 5.2 step 6d, dots in the query", "http://a/b/c", "g?y/./x", Options{Rules: Draft02}, "http://a/b/g?y/x"},
	{"draft-02 5.2 step 6e, dot at the end", "http://a/b/c", "g/.", Options{Rules: Draft02}, "http://a/b/g/"},
	{"draft-02 5.2 step 6f, leftmost first", "http://a/b/c", "d/e/../../../f/../g", Options{Rules: Draft02}, "http://a/g"},
	{"draft-02 5.2 step 6g, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: Draft02}, "http://a/b/d/"},
	{"draft-02 5.2 step 6h, first question mark", "http://a/b/c", "g?x?y/z", Options{Rules: Draft02}, "http://a/b/g?x?y/z"},
	{"draft-02 5.2 step 6i, no query left", "http://a/b/c", "?y/..", Options{Rules: Draft02}, "http://a/b/"},
	{"draft-02 5.2 step 7, recombined", "foo://h", "?y#z", Options{Rules: Draft02}, "foo://h?y#z"},
	{"draft-02 5.2, the query of the base", "http://a/b?x/../y", "?z", Options{Rules: Draft02}, "http://a/?z"},

	{"draft-02 B, no scheme by its grammar", "http://a/b", "a_b:c/d", Options{Rules: Draft02}, "http://a/a_b:c/d"},
	{"draft-02 5, unsuitable base", "mailto:a@b", "g", Options{Rules: Draft02}, ""},
	{"draft-00e 4.2, unsuitable base", "mailto:a@b", "g", Options{Rules: Draft00e}, ""},
	{"draft-00e 4.1, no scheme before a colon", "http://a/b", "g/a:b", Options{Rules: Draft00e}, "http://a/g/a:b"},

	{"rfc2396 5.2 step 1, undefined and empty", "http://a/b?q", "g?#", Options{Rules: RFC2396}, "http://a/g?#"},
	{"rfc2396 5.2 step 2, empty", "http://a/b", "", Options{Rules: RFC2396, Document: "http://d/x?y"}, "http://d/x?y"},
	{"rfc2396 5.2 step 2, fragment", "http://a/b", "#s", Options{Rules: RFC2396, Document: "http://d/x?y"}, "http://d/x?y#s"},
	{"rfc2396 5.2 step 2, empty query", "http://a/b?q", "?", Options{Rules: RFC2396, Document: "http://d/"}, "http://a/?"},
	{"rfc2396 5.2 step 3, scheme", "http://a/b", "http:../g", Options{Rules: RFC2396}, "http:../g"},
	{"rfc2396 5.2 step 3, inherited scheme", "foo://a/b", "g", Options{Rules: RFC2396}, "foo://a/g"},
	{"rfc2396 5.2 step 3, work-around", "http://a/b/c", "http:../g", Options{Rules: RFC2396, CompatScheme: true}, "http://a/g"},
	{"rfc2396 5.2 step 4, network path", "foo://a/b", "//h/../g?y", Options{Rules: RFC2396}, "foo://h/../g?y"},
	{"rfc2396 5.2 step 4, no authority", "foo:/a/b", "g", Options{Rules: RFC2396}, "foo:/a/g"},
	{"rfc2396 5.2 step 4, authority", "http://u@a:1/b", "g", Options{Rules: RFC2396}, "http://u@a:1/g"},
	{"rfc2396 5.2 step 5, absolute path", "http://a/b/c", "/g/../h", Options{Rules: RFC2396}, "http://a/g/../h"},
	{"rfc2396 5.2 step 6a, last segment", "http://a/b/c;p?q/r", "g", Options{Rules: RFC2396}, "http://a/b/g"},
	{"rfc2396 5.2 step 6b, empty path", "http://a/b/c;p?q", ";x", Options{Rules: RFC2396}, "http://a/b/;x"},
	{"rfc2396 5.2 step 6c, dot segments", "http://a/b/c", "./g/././h/.i/j.", Options{Rules: RFC2396}, "http://a/b/g/h/.i/j."},
	{"rfc2396 5.2 step 6d, dot at the end", "http://a/b/c", "g/.", Options{Rules: RFC2396}, "http://a/b/g/"},
	{"rfc2396 5.2 step 6e, leftmost first", "http://a/b/c", "d/e/../../../f/../g", Options{Rules: RFC2396}, "http://a/g"},
	{"rfc2396 5.2 step 6f, dots at the end", "http://a/b/c", "d/e/..", Options{Rules: RFC2396}, "http://a/b/d/"},
	{"rfc2396 5.2 step 6g, kept", "http://a/b/c", "../../g", Options{Rules: RFC2396}, "http://a/../g"},
	{"rfc2396 5.2 step 6g, removed", "http://a/b/c", "../../g", Options{Rules: RFC2396, ExcessDots: RemoveDots}, "http://a/g"},
	{"rfc2396 5.2 step 6g, refused", "http://a/b/c", "../../g", Options{Rules: RFC2396, ExcessDots: RefuseDots}, ""},
	{"rfc2396 5.2 step 6h, the path alone", "http://a/b/c", "g?y/../x#s/../t", Options{Rules: RFC2396}, "http://a/b/g?y/../x#s/../t"},
	{"rfc2396 5.2 step 7, recombined", "foo://h", "?y#z", Options{Rules: RFC2396}, "foo://h?y#z"},
	{"rfc2396 5.2, the query of the base", "http://a/b?x", "?z", Options{Rules: RFC2396}, "http://a/?z"},
	{"rfc2396 5, dot before a colon", "http://a/b", "./this:that", Options{Rules: RFC2396}, "http://a/this:that"},
	{"rfc2396 5, unsuitable base", "mailto:a@b", "g", Options{Rules: RFC2396}, ""},
	{"rfc2396 4.1, a second crosshatch", "http://a/b", "g#s#t", Options{Rules: RFC2396}, "http://a/g#s#t"},
	{"rfc2396 4.3, the authority wins", "http://a/b", "//g//h", Options{Rules: RFC2396}, "http://g//h"},
	{"rfc2396 2.4.2, what is escaped stays so", "http://a/b", "%7e%2f%25", Options{Rules: RFC2396}, "http://a/%7e%2f%25"},
	{"rfc2396 2.4.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%", Options{Rules: RFC2396}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25"},
	{"draft-02 2.3.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%\x7f", Options{Rules: Draft02}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25%7F"},
	{"draft-00e 2.3.3, excluded characters are escaped", "http://a/b", "g <\"{}|\\^[]`>%\x7fé", Options{Rules: Draft00e}, "http://a/g%20%3C%22%7B%7D%7C%5C%5E[]%60%3E%25%7F%C3%A9"},
}

func TestStepClauses(t *testing.T) {
	for _, c := range stepClauses {
		t.Run(c.name, func(t *testing.T) { check(t, c.base, c.ref, c.o, c.want) })
	}
}
