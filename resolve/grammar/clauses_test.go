package grammar

import (
	"strings"
	"testing"

	"absolink/resolve/ascii"
)

// The tests of this file cover the clauses of the documents without an example in the documents,
// one per row; testdata/clauses.tsv names the rows.

// grammarClauses are rules of the collected grammars: text that each allows in a reference, and
// text that it does not allow. A row is named after the document and the rule.
var grammarClauses = []struct {
	name           string
	g              Grammar
	fits, fitsNone string
}{
	{"rfc1738 genericurl", RFC1738, "foo:bar foo:", "foo /a :x ?q //h/x"},
	{"rfc1738 scheme", RFC1738, "1a:b a+b-c.d:x HTTP://h.example/", "a_b:x é:x a%41:x"},
	{"rfc1738 schemepart", RFC1738, "foo:a;/?:@&=b foo://u:p@h.example:1/x", "foo:a#b foo:a\\b foo:~"},
	{"rfc1738 login", RFC1738, "ftp://h.example ftp://u@h.example ftp://u:p@h.example:21/ ftp://@h.example/",
		"ftp:h.example ftp:/h.example/ ftp://u:p:q@h.example/ ftp:///x"},
	{"rfc1738 user", RFC1738, "ftp://a;?&=%40@h.example/",
		"ftp://a@b@h.example/ ftp://a~@h.example/ ftp://a:b:c@h.example/"},
	{"rfc1738 password", RFC1738, "ftp://u:a;?&=%3A@h.example/ ftp://u:@h.example/",
		"ftp://u:a:b@h.example/ ftp://u:a@b@h.example/"},
	{"rfc1738 hostname", RFC1738, "ftp://h ftp://a.b.c3 ftp://3com.example ftp://a-b.c-d",
		"ftp://a..b ftp://a. ftp://.a ftp://a_b"},
	{"rfc1738 domainlabel", RFC1738, "ftp://1-a.b ftp://a--1.b", "ftp://-a.b ftp://a-.b"},
	{"rfc1738 toplabel", RFC1738, "ftp://1.a1 ftp://1.2.3.a-4", "ftp://a.1 ftp://a.1a ftp://a.-a"},
	{"rfc1738 hostnumber", RFC1738, "ftp://1.2.3.4 ftp://0000.999.1.1", "ftp://1.2.3 ftp://1.2.3.4.5 ftp://1.2.3.0x4"},
	{"rfc1738 port", RFC1738, "ftp://h:0 ftp://h:65536/", "ftp://h: ftp://h:/x ftp://h:a ftp://h:1-"},
	{"rfc1738 ftpurl", RFC1738, "ftp://h ftp://h/ ftp://h//a//b ftp://h/a;type=i",
		"ftp://h;type=i ftp://h/a;b ftp://h/a;type=i/b"},
	{"rfc1738 ftptype", RFC1738, "ftp://h/a;type=A ftp://h/a;type=d",
		"ftp://h/a;type= ftp://h/a;type=x ftp://h/a;type=ai"},
	{"rfc1738 fileurl", RFC1738, "file:///a file://localhost/a file://h.example/a/b file://h/",
		"file:/a file:a file://h file://h:1/a file://u@h/a file:///a;b"},
	{"rfc1738 httpurl", RFC1738, "http://h http://h/ http://h:80/a/b;c:@&=d?e;:@&=f",
		"http://h?q http://u@h/ http://h/a?b?c http://h/a?b/c"},
	{"rfc1738 gopherurl", RFC1738, "gopher://h gopher://h/ gopher://h/1 gopher://h/0a;/?:@&=b gopher://h/7s%09q%09+",
		"gopher://u@h/ gopher://h/1<a> gopher://h?1"},
	{"rfc1738 mailtourl", RFC1738, "mailto:a@b mailto:a%25b@c mailto:a/b?c@d", "mailto: mailto:a%b@c mailto:<a@b>"},
	{"rfc1738 newsurl", RFC1738, "news:* news:a.b-c+d_e9 news:a;/?:&=b@h.example news:1@1.2.3.4",
		"news: news:** news:1a news:a.* news:@h news:a@b@h news:<a@b>"},
	{"rfc1738 nntpurl", RFC1738, "nntp://h/a.b nntp://h:119/a/1",
		"nntp://h nntp://h/ nntp://h/* nntp://h/a/ nntp://h/a/1x nntp://u@h/a"},
	{"rfc1738 telneturl", RFC1738, "telnet://h telnet://u:p@h:23/", "telnet://h/a telnet://h? telnet:h"},
	{"rfc1738 waisdatabase", RFC1738, "wais://h/ wais://h:210/db", "wais://h wais://u@h/db wais://h/d:b"},
	{"rfc1738 waisindex", RFC1738, "wais://h/db?a;:@&=b wais://h/?q", "wais://h/db?a/b wais://h/db?a?b"},
	{"rfc1738 waisdoc", RFC1738, "wais://h/db/t/p wais://h/// wais://h/db/t/%2F",
		"wais://h/db/t wais://h/db/t/a/b wais://h/db/t/a?b"},
	{"rfc1738 prosperourl", RFC1738, "prospero://h/ prospero://h:1525//a/b prospero://h/a?:@&=b",
		"prospero://h prospero://u@h/a prospero://h/a;b"},
	{"rfc1738 fieldspec", RFC1738, "prospero://h/a;b=c;?:@&=&d prospero://h/a;=",
		"prospero://h/a; prospero://h/a;b=c=d prospero://h/a;b=c/d"},
	{"rfc1738 escape", RFC1738, "foo:%00%fF", "foo:% foo:%1 foo:%1g foo:%%20"},
	{"rfc1738 urlpath", RFC1738, "foo://h/a;/?:@&=b", "foo://h/{a} foo://h/a|b foo://h/`"},

	{"draft-00e URL-reference", Draft00e, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"draft-00e fragment", Draft00e, "#;/?:@&=+%20", "#< #a\\b #% #é"},
	{"draft-00e scheme", Draft00e, "1a:b +:b a.b-c:d HTTP://a/", "//a_b:c//"},
	{"draft-00e opaque-URL", Draft00e, "mailto:a@b urn:a:b? foo: foo:a//b", "mailto:<a@b> foo:a%b"},
	{"draft-00e net_path", Draft00e, "//h //h/ //h/a;b?c", "//h_ //h//a"},
	{"draft-00e abs_path", Draft00e, "/ /a /a//b /;p /?q", "//?/ /a|b"},
	{"draft-00e rel_path", Draft00e, "a a/b ;p ?q a;p?q ../a ./a:b", "a|b a^b"},
	{"draft-00e server", Draft00e, "foo://u:p@h.example:1/ foo:///a //@h/ //u:@h/", "//u@/ //a_b/ //u@h:x/"},
	{"draft-00e malformed server", Draft00e, "foo:a//b", "foo://a_b/ foo://u:p:q@h/ http://h:x/"},
	{"draft-00e user", Draft00e, "//a;?&=+$%40@h/", "//a[@h/ //a@b@h/"},
	{"draft-00e password", Draft00e, "//u:a;?&=+$%3A@h/", "//u:a:b@h/"},
	{"draft-00e hostname", Draft00e, "//h/ //a.b/ //1.a/", "//a..b/ //a./ //a.1/"},
	{"draft-00e domainlabel", Draft00e, "//1-a.b/ //a--b/", "//-a.b/ //a-.b/"},
	{"draft-00e hostnumber", Draft00e, "//1.2.3.4/", "//1.2.3/ //1.2.3.4.5/"},
	{"draft-00e port", Draft00e, "//h:/ //h:80/", "//h:8a/ //h:-1/"},
	{"draft-00e path", Draft00e, "/a//b/ a/b/ http://h/a", "http://h//a"},
	{"draft-00e parameters", Draft00e, "a;b;c a;b/c;d=e a;", "a;[b]"},
	{"draft-00e query", Draft00e, "a?;/?:@&=+ a?", "a?{b}"},
	{"draft-00e escaped", Draft00e, "%00%fF", "% %1 %1g"},

	{"draft-02 URL-reference", Draft02, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"draft-02 fragment", Draft02, "#;/?:@&=+%20", "#< #a\\b #% #é"},
	{"draft-02 scheme", Draft02, "1a:b +:b a.b-c:d HTTP://a/", "a_b:c"},
	{"draft-02 opaque-URL", Draft02, "mailto:a@b urn:a:b? foo: foo:a//b", "mailto:<a@b> foo:a%b"},
	{"draft-02 net_path", Draft02, "//h //h/ //h/a;b?c", "//h_ //h|/a"},
	{"draft-02 abs_path", Draft02, "/ /a /a//b /;p /?q", "/a|b"},
	{"draft-02 rel_path", Draft02, "a a/b ;p ?q a;p?q ../a ./a:b a/b:c", "a|b 1_a:b"},
	{"draft-02 server", Draft02, "foo://u:p@h.example:1/ foo:///a //@h/ //u:@h/ //h?q", "//u@/ //a_b/ //u@h:x/"},
	{"draft-02 malformed server", Draft02, "foo:a//b", "foo://a_b/ foo://u:p:q@h/ http://h:x/"},
	{"draft-02 user", Draft02, "//a;&=+$%40@h/", "//a[@h/ //a@b@h/ //a|b@h/"},
	{"draft-02 password", Draft02, "//u:a;&=+$%3A@h/", "//u:a:b@h/"},
	{"draft-02 hostname", Draft02, "//h/ //a.b/ //1.a/", "//a..b/ //a./ //a.1/"},
	{"draft-02 domainlabel", Draft02, "//1-a.b/ //a--b/", "//-a.b/ //a-.b/"},
	{"draft-02 toplabel", Draft02, "//1.a1/ //a-1/", "//a.1a/ //a.1/"},
	{"draft-02 hostnumber", Draft02, "//1.2.3.4/", "//1.2.3/ //1.2.3.4.5/"},
	{"draft-02 port", Draft02, "//h:/ //h:80/", "//h:8a/ //h:-1/"},
	{"draft-02 path_segments", Draft02, "a//b/ a;b/c;d;e http://h//a", "http://h/[a]"},
	{"draft-02 param", Draft02, "/a;b:@&=+c/d; a;;b", "a;{b}"},
	{"draft-02 query", Draft02, "a?;/?:@&=+ a?", "a?{b}"},
	{"draft-02 escaped", Draft02, "%00%fF", "% %1 %1g"},

	{"rfc2396 URI-reference", RFC2396, "http://a/b#c b#c #c #", "b#c#d http://a/b#c#"},
	{"rfc2396 fragment", RFC2396, "#;/?:@&=+$,%20", "#< #a\\b #% #é"},
	{"rfc2396 scheme", RFC2396, "a:b a+b-c.1:d HTTP://a/", "1a:b +:b a_b:c"},
	{"rfc2396 absoluteURI", RFC2396, "foo:/a foo://a foo:a", "foo: foo:#a"},
	{"rfc2396 hier_part", RFC2396, "foo:/a?b foo://h/a?b foo:/?b", "foo:/a|b foo://h/a?{b}"},
	{"rfc2396 opaque_part", RFC2396, "mailto:a@b urn:a:b? foo:a//b foo:?a", "mailto:<a@b> foo:a%b"},
	{"rfc2396 net_path", RFC2396, "//h //h/ //h/a;b?c //", "//h[/a"},
	{"rfc2396 abs_path", RFC2396, "/ /a /a//b /;p", "/a|b"},
	{"rfc2396 rel_path", RFC2396, "a a/b ;p a;p?q ../a ./a:b", "a|b ?q"},
	{"rfc2396 rel_segment", RFC2396, "a;@&=+$,b a/b:c", "1:b a_b:c"},
	{"rfc2396 reg_name", RFC2396, "//$,;:@&=+a //a_b:c/ //a..b/", "//[::1]/ //a|b"},
	{"rfc2396 server", RFC2396, "//u@h:1/ // ///a //@h/", "//a[@h/ //u@h:1%/"},
	{"rfc2396 userinfo", RFC2396, "//a:;&=+$,b@h/", "//a^b@h/"},
	{"rfc2396 escaped", RFC2396, "%00%fF", "% %1 %1g"},
	{"rfc2396 path", RFC2396, "/a//b/ foo:/a;b/c;d;e", "/a/{b}"},
	{"rfc2396 param", RFC2396, "/a;b:@&=+$,c/d; a;;b", "a;{b}"},
	{"rfc2396 query", RFC2396, "a?;/?:@&=+$, a?", "a?{b} a?b`"},
}

func TestGrammarClauses(t *testing.T) {
	for _, c := range grammarClauses {
		t.Run(c.name, func(t *testing.T) {
			for _, ref := range strings.Fields(c.fits) {
				if err := c.g.Check(ref); err != nil {
					t.Errorf("Check(%q, %s) = %v, want none", ref, c.g, err)
				}
			}
			for _, ref := range strings.Fields(c.fitsNone) {
				if c.g.Check(ref) == nil {
					t.Errorf("Check(%q, %s) = nil, want an error", ref, c.g)
				}
			}
		})
	}
}

// characterClauses are the characters, besides letters and digits, that may replace the "*" of a
// reference: characters of the component, and characters that end it.
var characterClauses = []struct {
	name      string
	g         Grammar
	ref       string
	set, ends string
}{
	{"rfc1738 reserved and unreserved", RFC1738, "foo:x*x", "$-_.+!*'()," + ";/?:@&=", ""},
	{"rfc1738 hsegment", RFC1738, "http://h/x*x", "$-_.+!*'()," + ";:@&=", "/?"},
	{"rfc1738 search", RFC1738, "http://h/?x*x", "$-_.+!*'()," + ";:@&=", ""},
	{"rfc1738 fsegment", RFC1738, "ftp://h/x*x", "$-_.+!*'()," + "?:@&=", "/"},
	{"rfc1738 user", RFC1738, "ftp://x*x@h/", "$-_.+!*'()," + ";?&=", ":/"},
	{"rfc1738 psegment", RFC1738, "prospero://h/x*x=", "$-_.+!*'()," + "?:@&=", "/;"},
	{"rfc1738 selector", RFC1738, "gopher://h/1x*x", "$-_.+!*'()," + ";/?:@&=", ""},
	{"draft-00e urlchar", Draft00e, "a?x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-00e pchar", Draft00e, "/x*x", "$-_.!~*'()," + ":@&=+", "/;?#"},
	{"draft-00e user", Draft00e, "//x*x@h/", "$-_.!~*'()," + ";?&=+", ":/#"},
	{"draft-00e excluded", Draft00e, "foo:x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-02 urlchar", Draft02, "a?x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"draft-02 pchar", Draft02, "/x*x", "$-_.!~*'()," + ":@&=+", "/;?#"},
	{"draft-02 user", Draft02, "//x*x@h/", "$-_.!~*'()," + ";&=+", ":/?#"},
	{"draft-02 excluded", Draft02, "foo:x*x", "$-_.!~*'()," + ";/?:@&=+", "#"},
	{"rfc2396 uric", RFC2396, "a?x*x", "-_.!~*'()" + ";/?:@&=+$,", "#"},
	{"rfc2396 pchar", RFC2396, "/x*x", "-_.!~*'()" + ":@&=+$,", "/;?#"},
	{"rfc2396 userinfo", RFC2396, "//x*x@h_/", "-_.!~*'()" + ";:&=+$,", "@/?#"},
	{"rfc2396 excluded", RFC2396, "foo:x*x", "-_.!~*'()" + ";/?:@&=+$,", "#"},
	{"rfc2396 fragment", RFC2396, "#x*x", "-_.!~*'()" + ";/?:@&=+$,", ""},
	{"rfc2396 rel_segment", RFC2396, "1*x", "-_.!~*'()" + ";@&=+$,", "/?#"},
}

// TestCharacterClauses checks for each byte of ASCII, and one outside of it, whether a component
// may contain it. "%" alone is never allowed.
func TestCharacterClauses(t *testing.T) {
	for _, c := range characterClauses {
		t.Run(c.name, func(t *testing.T) {
			for b := range 129 {
				ref := strings.Replace(c.ref, "*", string([]byte{byte(b)}), 1)
				want := b < 128 && (ascii.Alnum.Has(byte(b)) ||
					strings.IndexByte(c.set+c.ends, byte(b)) >= 0)
				if err := c.g.Check(ref); (err == nil) != want {
					t.Errorf("Check(%q, %s) = %v, want valid %v", ref, c.g, err, want)
				}
			}
		})
	}
}
