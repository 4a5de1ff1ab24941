package lines_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/place"
	"absolink/testdata/corpus"
)

// headed returns "field kind [rel] value" of each reference of a heading.
func headed(t *testing.T, data string) (list []string) {
	t.Helper()
	d := heading(data)
	for r := range d.Refs() {
		if r.Element != "header" || !r.ListOnly {
			t.Errorf("Refs(%q): element %q, ListOnly %t, want header, true", data, r.Element, r.ListOnly)
		}
		s := r.Attr + " " + r.Kind.String()
		if r.Rel != "" {
			s += " [" + r.Rel + "]"
		}
		list = append(list, s+" "+string(r.Value))
	}
	return list
}

func TestHeading(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"none", "Subject: http://a.example/\nReceived: from <http://b.example/>\n", ""},
		{"any case, blank before the colon", "LOCATION : x\n", "location nav x"},
		{"no line end", "Location: x", "location nav x"},
		{"CR alone", "Subject: y\rLocation: x\r", "location nav x"},
		{"empty", "Location:\nLocation: \n\t\nLink:\nRefresh:\n", ""},
		{"line that is no field", "Location\nLocation: x\n", "location nav x"},
		{"folded", "Content-Location: http://a.example/\r\n b/c\r\nX: y\r\n",
			"content-location meta http://a.example/b/c"},
		{"quoted", "Content-Base: \"http://a.example/ b\"\n", "content-base meta http://a.example/b"},
		{"in brackets", "Archived-At: <http://a.example/1>\n", "archived-at nav http://a.example/1"},
		{"prefix", "Content-Base: <URL:http://a.example/>\n", "content-base meta http://a.example/"},
		{"encoded word", "Content-Location: =?utf-8?q?x=5Fy?=\n", "content-location meta x_y"},
		{"broken encoded word", "Content-Location: =?x-none?q?x?=\n", ""},
		{"snapshot", "Snapshot-Content-Location: http://a.example/\nX-URL: b\nX-Original-URL: c\n",
			"snapshot-content-location meta http://a.example/, x-url meta b, x-original-url meta c"},
		{"list", "List-Unsubscribe: <mailto:a@b.example?subject=x>,\r\n\t<http://b.example/u>\n",
			"list-unsubscribe service mailto:a@b.example?subject=x, list-unsubscribe service http://b.example/u"},
		{"list with comments", "List-Help: <ftp://a.example/l.txt> (FTP, <b>), <mailto:l@a.example> (Mail)\n",
			"list-help nav ftp://a.example/l.txt, list-help nav mailto:l@a.example"},
		{"blanks in brackets", "List-Owner: < http://a.example/\n b >\n", "list-owner nav http://a.example/b"},
		{"list with no URL", "List-Post: NO (not allowed)\nList-Archive: a.example\n", ""},
		{"list without brackets",
			"List-Archive: http://a.example/\nLIST-HELP: see\n https://b.example/?x=1,2, mailto:l@b.example (Mail)\n",
			"list-archive nav http://a.example/, list-help nav https://b.example/?x=1,2, list-help nav " +
				"mailto:l@b.example"},
		{"other lists", "List-URL: <http://a.example/>\nList-Software: http://b.example/\nList-Id: <http.n.example>\n",
			"list-url nav http://a.example/, list-software nav http://b.example/"},
		{"list in encoded words",
			"List-Unsubscribe: =?utf-8?q?=3Chttps=3A//h=2Eexample/u=3Fdocument=5Fid=3D2?=\r\n " +
				"=?utf-8?q?79=26email=3Du=2540e=2Eexample=3E?=\r\n",
			"list-unsubscribe service https://h.example/u?document_id=279&email=u%40e.example"},
		{"several addresses",
			"X-URL: http://h.example/a, http://i.example/b\nArchived-At: <http://h.example/c>,<http://i.example/d>\n" +
				"X-Original-URL: http://h.example/e; http://i.example/f (old)\nX-RSS-URL: http://h.example/g http://" +
				"i.example/h\nX-Archive-URL: http://h.example/i,\n http://i.example/j,\n\thttp://k.example/k\n",
			"x-url meta http://h.example/a, x-url meta http://i.example/b, archived-at nav http://h.example/c, " +
				"archived-at nav http://i.example/d, x-original-url meta http://h.example/e, x-original-url meta " +
				"http://i.example/f, " +
				"x-rss-url nav http://h.example/g, x-rss-url nav http://i.example/h, x-archive-url nav http://" +
				"h.example/i, x-archive-url nav http://i.example/j, x-archive-url nav http://k.example/k"},
		{"one address with another in it",
			"X-URL: http://h.example/?u=http://i.example/,b\nX-RSS-URL: http://h.example/web/\n http://i.example/\n" +
				"X-Archive-URL: http://h.example/a,b,\n c\n",
			"x-url meta http://h.example/?u=http://i.example/,b, x-rss-url nav http://h.example/web/http://i.example/" +
				", x-archive-url nav http://h.example/a,b,c"},
		{"list in brackets, encoded",
			"List-Archive: <=?us-ascii?B?aHR0cDovL2EuZXhhbXBsZS8?=>, =?UTF-8?Q?http://b.example/?=\nList-Owner: " +
				"(=?utf-8?q?x?=) <mailto:a@b.example>\n",
			"list-archive nav http://a.example/, list-archive nav http://b.example/, list-owner nav " +
				"mailto:a@b.example"},
		{"list in encoded words of other charsets",
			"List-Help: =?iso-8859-1*en?q?http://a.example/=E9?=\nList-Post: =?x-none?q?http://b.example/?=\n" +
				"List-Archive: =?shift_jis?b?aHR0cDovL2MuZXhhbXBsZS+Owg==?=\n",
			"list-help nav http://a.example/\u00e9, list-post service http://b.example/, list-archive nav http://" +
				"c.example/篠"},
		{"no encoded words",
			"List-Help: <http://a.example/?q=?utf-8?q?x?=>\nList-Archive: <http://a.example/=?y>, <http://b.example/" +
				"?=?x?q?y z?=>, =?none?q?=E9?=\n",
			"list-help nav http://a.example/?q=?utf-8?q?x?=, list-archive nav http://a.example/=?y, list-archive nav " +
				"http://b.example/?=?x?q?yz?="},
		{"archives and feeds",
			"X-Archive-URL: https://h.example/a\nX-Mailman-Archive: <https://h.example/\n b>\nX-RSS-URL: " +
				"=?utf-8?q?https=3A//h.example/f?=\nX-RSS-Feed: \"http://h.example/g\"\nURL: http://h.example/h\n",
			"x-archive-url nav https://h.example/a, x-mailman-archive nav https://h.example/b, x-rss-url nav https://" +
				"h.example/f, x-rss-feed nav http://h.example/g, url nav http://h.example/h"},
		{"words before an address",
			"X-Mailman-Archive: see https://h.example/a\nX-RSS-URL: The feed: https://h.example/b\nX-Archive-URL: " +
				"Archive at <https://h.example/\n c>\nX-URL: My page\n http://h.example/d\nArchived-At: " +
				"=?utf-8?q?see_http=3A//h.example/e?=\n",
			"x-mailman-archive nav https://h.example/a, x-rss-url nav https://h.example/b, x-archive-url nav https://" +
				"h.example/c, x-url meta http://h.example/d, archived-at nav http://h.example/e"},
		{"no words before an address",
			"X-URL: (old) http://h.example/a b\nX-RSS-URL: /b?u=http://i.example/ c\nX-Archive-URL: \" http://" +
				"h.example/d\"\nArchived-At: a b/c\n",
			"x-url meta http://h.example/ab, x-rss-url nav /b?u=http://i.example/c, x-archive-url nav http://" +
				"h.example/d, archived-at nav ab/c"},
		{"archived at, encoded in brackets", "Archived-At: <=?utf-8?q?http=3A//a.example/1?=>\n",
			"archived-at nav http://a.example/1"},
		{"complaints",
			"X-Complaints-To: abuse@h.example\nX-Report-Abuse: Please report it here: https://h.example/d.\n" +
				"X-CSA-Complaints: =?utf-8?q?see_https://h.example/e?=\nReported-URI: http://h.example/f\n",
			"x-report-abuse nav https://h.example/d, x-csa-complaints nav https://h.example/e, reported-uri nav " +
				"http://h.example/f"},
		{"encoded in ASCII that is other characters",
			"List-Help: <=?utf-7?q?http://a.example/+AOk-?=>, <=?hz-gb-2312?q?http://b.example/~{<:~}?=>\n",
			"list-help nav http://a.example/é, list-help nav http://b.example/己"},
		{"key", "OpenPGP: id=12345678;\r\n\turl=\"http://a.example/\r\n key.asc\"; preference=signencrypt\nOpenPGP: " +
			"url=http://b.example/k\nOpenPGP: id=url\n",
			"openpgp service http://a.example/key.asc, openpgp service http://b.example/k"},
		{"key in angle brackets", "OpenPGP: id=1; url=<http://a.example/k>\nOpenPGP: url=\"< http://b.example/k >\"\n" +
			"OpenPGP: url=<http://c.example/k\nOpenPGP: url=<>\n",
			"openpgp service http://a.example/k, openpgp service http://b.example/k, openpgp service " +
				"<http://c.example/k"},
		{"external body on a host",
			"Content-Type: message/external-body; access-type=anon-ftp;\n site=\"ftp.h.example\"; directory=\"pub\"; " +
				"name=\"a.txt\"\n", "content-type res ftp://ftp.h.example/pub/a.txt"},
		{"list left open", "List-Archive: <http://a.example/1>, <http://a.example/2\n",
			"list-archive nav http://a.example/1"},
		{"links that Heritrix found",
			"outlink: http://a.example/x L a/@href\r\nOutlink: /i.png E img/@src\r\noutlink: /y X =JS_MISC\r\n" +
				"outlink:  dns:a.example P\r\noutlink: /z R Location:\r\noutlink: /f F form/@action\r\noutlink: w\r\n" +
				"outlink:\r\nvia: http://b.example/\r\n",
			"outlink nav http://a.example/x, outlink res /i.png, outlink script /y, outlink service dns:a.example, " +
				"outlink nav /z, outlink form /f, outlink nav w"},
		{"one click", "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n", ""},
		{"external body", "Content-Type: message/external-body; access-type=URL;\n URL=\"http://a.example/\n  b\"\n",
			"content-type res http://a.example/b"},
		{"external body by other means", "Content-Type: message/external-body; access-type=anon-ftp; url=x\n", ""},
		{"other type", "Content-Type: text/html; access-type=url; url=x\n", ""},
		{"encoded words in charsets of mail",
			"List-Help: <=?cp932?Q?http=3A//h.test/=95=5C?=>, <=?x-ibm850?B?aHR0cDovL2gudGVzdC+C?=>\nList-Owner: " +
				"<=?hz-gb-2312?Q?http=3A//h.test/~{1m~}=1B?=>\n",
			"list-help nav http://h.test/表, list-help nav http://h.test/é, list-owner nav http://h.test/表\x1b"},
		{"encoded words in charsets that are not known",
			"List-Help: <=?iso-2022-cn?Q?http=3A//h.test/=E9=E9?=>, <=?replacement?Q?=E9=E9?=>, <=?x-foo?Q?=E9?=>\n",
			"list-help nav =?iso-2022-cn?Q?http=3A//h.test/=E9=E9?=, list-help nav =?replacement?Q?=E9=E9?=, " +
				"list-help nav =?x-foo?Q?=E9?="},
		{"comments", "Content-Location: (old) http://o.test/1/x.png (a picture)\nContent-Base: <http://o.test/> (b)\n",
			"content-location meta http://o.test/1/x.png, content-base meta http://o.test/"},
		{"comments and folds", "Content-Location: http://o.test/a_\r\n (b)\r\n (c) (d)\r\n",
			"content-location meta http://o.test/a_(b)(c)"},
		{"parentheses", "Content-Location: wiki/Foo_(bar)\nX-URL: (a)b\n",
			"content-location meta wiki/Foo_(bar), x-url meta (a)b"},
		{"a comment alone", "Content-Location: (old)\n", ""},
		{"refresh", "Refresh: 5; url='x y'\nRefresh: 5\n", "refresh nav x y"},
		{"link", `Link: <a>; rel="next"; title="<x>, y", </b?,>;rel=icon;REL=next , <c>` + "\n",
			"link nav [next] a, link res [icon] /b?,, link nav c"},
		{"link with anchor", `Link: <a>; anchor="#x"; rel="describedby next"` + "\n",
			"link identifier [describedby next] a, link meta [describedby next] #x"},
		{"link with empty target", "Link: <>; rel=self\n", "link service [self] "},
		{"link with junk", "Link: x, <a>y; rel=next, ;, <b>;;rel = \"n\\ext\" z\n", "link nav a, link nav [next] b"},
		{"link with a bracket", "Link: <a>; rel=(x, <b>\n", "link nav [(x] a, link nav b"},
		{"link left open", "Link: <a>; rel=\"x, <b>\n", "link nav [x, <b>] a"},
		{"link with blanks", "Link: < /cat.jpg wut\r\n wut >; rel=prefetch\nURI: <a b>\n",
			"link res [prefetch] /cat.jpg wut wut, uri nav a b"},
		{"link with pictures",
			`Link: <b>; rel=preload; as=image; imagesrcset="p1.png 1x, p2.png 2x"; imagesizes=1px, <>;anchor=x;rel=preload;imagesrcset=y` + "\n",
			"link res [preload] b, link res [preload] p1.png, link res [preload] p2.png, link res [preload] , link " +
				"meta [preload] x, link res [preload] y"},
		{"link with pictures before its anchor", `Link: <b>; imagesrcset="y, z"; anchor=x; imagesrcset=w` + "\n",
			"link nav b, link res y, link res z, link meta x"},
		{"UTF-8", "Link: </caf\u00e9>; rel=next\nLocation: /\u65e5\n",
			"link nav [next] /caf\u00e9, location nav /\u65e5"},
		{"Latin-1", "Link: </caf\xe9\x80>; rel=next, </\xc3\xa9>\nLocation: /\u65e5\n",
			"link nav [next] /caf\u00e9\u0080, link nav /\u00c3\u00a9, location nav /\u65e5"},
		{"uri", "URI: <a>, <b>;vary=x\n", "uri nav a, uri nav b"},
		{"services", "SourceMap: a\nX-SourceMap: b\nX-Pingback: c\nX-XRDS-Location: d\nDestination: /e\n",
			"sourcemap service a, x-sourcemap service b, x-pingback service c, x-xrds-location service d, " +
				"destination service /e"},
		{"strings", "Speculation-Rules: \"/a.json\", \"b\"\nReporting-Endpoints: x=\"https://a.example/r\", y=\"/s\"\n",
			"speculation-rules service /a.json, speculation-rules service b, reporting-endpoints service https://" +
				"a.example/r, reporting-endpoints service /s"},
		{"groups of endpoints",
			"Report-To: {\"group\":\"url\",\"max_age\":1,\"url\":\"no\",\"endpoints\":[{\"url\":\"https:\\/\\/" +
				"a.example/r\",\"priority\":1},{\"url\":\"/s\"}]},\r\n {\"endpoints\":[{\"url\":\"t\"}]}\nNEL: " +
				"{\"report_to\":\"url\"}\n",
			"report-to service https://a.example/r, report-to service /s, report-to service t"},
		{"policy", "Content-Security-Policy: img-src https://a.example; Report-URI /r  https://b.example/; report-to " +
			"x\n",
			"content-security-policy service /r, content-security-policy service https://b.example/"},
		{"pins", "Public-Key-Pins: max-age=1; report-uri=\"http://a.example/r\"; pin-sha256=\"x=\"\nExpect-CT: " +
			"max-age=1, report-uri=\"/x\"\n",
			"public-key-pins service http://a.example/r, expect-ct service /x"},
		{"p3p", "P3P: CP=\"NOI, DSP\", policyref=\"/w3c/p3p.xml\"\n", "p3p service /w3c/p3p.xml"},
		{"origins", "Referer: http://a.example/b\nOrigin: null\nAccess-Control-Allow-Origin: *\n",
			"referer identifier http://a.example/b"},
	}
	for _, tt := range tests {
		if got := strings.Join(headed(t, tt.data), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

// The span of a reference in a field contains neither comments nor delimiters.
func TestHeadingSpans(t *testing.T) {
	const data = "Content-Base: (old) <http://o.test/ 1/> (b)\r\nContent-Location: \"p q\" (c)\r\nX-URL: http://" +
		"o.test/\r\n\tx (d)\r\n"
	want := []string{"http://o.test/ 1/", "p q", "http://o.test/\r\n\tx"}
	d := heading(data)
	var got []string
	for r := range d.Refs() {
		got = append(got, data[r.Start:r.End])
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("references of %q stand at %q, want %q", data, got, want)
	}
}

// linkCase is one case of the suites of Link fields: a list of references with a link type each, or
// the target or anchor of a single reference.
type linkCase struct {
	Header string
	Refs   []struct{ URI, Rel string }
	Result struct {
		Target    *string `json:"target_string"`
		Context   *string `json:"context_string"`
		Relations string  `json:"relations_string"`
	}
}

// wants returns a target, or an anchor, with one link type each.
func (c *linkCase) wants() (targets, anchors []string) {
	for _, r := range c.Refs {
		targets = append(targets, r.URI+" "+r.Rel)
	}
	if c.Result.Target != nil {
		targets = related(targets, *c.Result.Target, c.Result.Relations)
	}
	if c.Result.Context != nil {
		anchors = append(anchors, *c.Result.Context)
	}
	return targets, anchors
}

// related appends the URI once for each link type.
func related(list []string, uri, rel string) []string {
	if rel == "" {
		return append(list, uri+" ")
	}
	for r := range strings.FieldsSeq(rel) {
		list = append(list, uri+" "+r)
	}
	return list
}

// otherLinks are the cases with another result here, and the reason.
var otherLinks = map[string]string{
	"http-link-header 5":  "a fold in the middle of a word leaves its blank in a link type (RFC 9112 section 5.2)",
	"http-link-header 6":  "the same",
	"http-link-header 31": "expects what a second field holds that the case does not have",
}

func TestLinkSuites(t *testing.T) {
	for name, least := range map[string]int{"http-link-header": 32, "jgarber-link-header": 25} {
		data, err := os.ReadFile(corpus.Path("link/" + name + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []linkCase }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if len(file.Cases) < least {
			t.Fatalf("%s: %d cases, want at least %d", name, len(file.Cases), least)
		}
		for i, c := range file.Cases {
			name := fmt.Sprintf("%s %d", name, i)
			if failure := c.check(); (failure != "") != (otherLinks[name] != "") {
				t.Errorf("%s: links of %q %s, listed as different: %q", name, c.Header, failure, otherLinks[name])
			}
		}
	}
}

// check describes what is wrong with the links of the case; "" means nothing.
func (c *linkCase) check() string {
	var targets, anchors []string
	d := heading("Link: " + c.Header)
	d.Charset = "utf-8"
	for r := range d.Refs() {
		if r.Kind == place.KindMeta {
			anchors = append(anchors, string(r.Value))
		} else {
			targets = related(targets, string(r.Value), r.Rel)
		}
	}
	wantTargets, wantAnchors := c.wants()
	if wantTargets != nil && !slices.Equal(targets, wantTargets) ||
		wantAnchors != nil && !slices.Equal(anchors, wantAnchors) {
		return fmt.Sprintf("are %q and anchors %q, want %q and %q", targets, anchors, wantTargets, wantAnchors)
	}
	return ""
}

// FuzzHeading: spans are in order and within the heading; nothing is edited.
func FuzzHeading(f *testing.F) {
	f.Add([]byte("Link: <a>; rel=\"x\\\"\", <b>;anchor=c\r\nContent-Location: <x\r\n y>\r\n"))
	f.Add([]byte("Refresh: 0;url='x\nP3P: policyref=\"a\nList-Help: <\xff>(,<x>\nContent-Type: message/external-body;" +
		"access-type=url;url= x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := heading(string(data))
		last := 0
		for r := range d.Refs() {
			if r.Start < last || r.End < r.Start || r.End > len(data) {
				t.Fatalf("%q: span %v after %d", data, r.Span, last)
			}
			if bytes.ContainsAny(r.Value, "\r\n") || !r.ListOnly {
				t.Errorf("%q: value %q, ListOnly %t", data, r.Value, r.ListOnly)
			}
			last = r.Start
		}
	})
}

// Each byte of a field that is not UTF-8 is a character of Latin-1, wherever it is.
func TestLatin1(t *testing.T) {
	for c := rune(0x80); c <= 0xff; c++ {
		b := string([]byte{byte(c)})
		for _, path := range []string{"X", "aX", "aXbX", "XXb"} {
			in := "Location: " + strings.ReplaceAll(path, "X", b) + "\n"
			want := []string{"location nav " + strings.ReplaceAll(path, "X", string(c))}
			if got := headed(t, in); !slices.Equal(got, want) {
				t.Errorf("Refs(%q): got %q, want %q", in, got, want)
			}
		}
	}
}
