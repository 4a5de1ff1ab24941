package list_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
)

// pages prints args with a record for each page.
func pages(t *testing.T, find *links.Options, fields []string, args ...string) printed {
	t.Helper()
	return printLinks(t, &list.Links{LinkOptions: find, Format: record.JSONL, Pages: true, Fields: fields}, args...)
}

// The record of a page stands before the records of its links, and counts them.
func TestPages(t *testing.T) {
	cut := strings.TrimSuffix(mail, "--b--\n")
	files(t, map[string]string{"a.html": page, "none.html": "<p>", "a.eml": mail, "cut.eml": cut,
		"robots.html": `<meta name=robots content="nofollow,x">`})
	const link = `{"record":"link","base_layer":"none"}` + "\n"
	const unresolved = `{"record":"link","base_layer":"none","error":"relative link without a usable base URI"}` +
		"\n"
	// of the mail: the page of the message is its header, the page of a part is header and content
	const message = `"links":{"absolute":1},"kinds":{"meta":1}}
{"record":"link","base_layer":"none"}
{"record":"page","part":"1","base":"http://a.test/d/","base_layer":"encapsulating","links":{"resolved":1},` +
		`"kinds":{"nav":1}}
{"record":"link","part":"1","base":"http://a.test/d/","base_layer":"encapsulating"}
{"record":"page","part":"2","base":"http://b.test/","base_layer":"encapsulating",` +
		`"links":{"resolved":1,"absolute":1},"kinds":{"nav":1,"meta":1}}
{"record":"link","part":"2","base_layer":"none"}
{"record":"link","part":"2","base":"http://b.test/","base_layer":"encapsulating"}
`
	const heading = `{"record":"page","base":"http://a.test/d/","base_layer":"encapsulating",`
	tests := []struct {
		file, want string
		pages      int
	}{
		{"a.html", `{"record":"page","base_layer":"none",` +
			`"links":{"absolute":1,"same-document":1,"unresolved":3,"invalid":1},"kinds":{"nav":5,"res":1}}` + "\n" +
			unresolved + unresolved + link + link +
			`{"record":"link","base_layer":"none",` +
			`"error":"whatwg: byte 7: an IPv6 address without a closing bracket"}` + "\n" + unresolved, 1},
		{"none.html", `{"record":"page","base_layer":"none","links":{},"kinds":{}}` + "\n", 1},
		{"robots.html", `{"record":"page","base_layer":"none","robots":["nofollow","x"],"links":{},"kinds":{}}` + "\n",
			1},
		{"a.eml", heading + message, 3},
		{"cut.eml", heading + `"error":"no final boundary",` + message, 3},
	}
	fields := []string{"part", "base", "base_layer", "error", "robots", "links", "kinds"}
	for _, tt := range tests {
		got := pages(t, unbased(), fields, tt.file)
		if got.out != tt.want || got.entries[0].Links.Pages != tt.pages {
			t.Errorf("%s: got %d pages\n%s\nwant %d\n%s",
				tt.file, got.entries[0].Links.Pages, got.out, tt.pages, tt.want)
		}
	}
}

// A page counts the links to each host, in the order of the first links, and to each domain. Links
// of the kind identifier, and URIs without a host, do not count.
func TestPageHosts(t *testing.T) {
	files(t, map[string]string{"a.html": `<a href=http://www.a.co.uk/1><a href=http://b.test/>
<a href=http://www.a.co.uk?2><a href=http://a.co.uk/><img src=http://1.2.3.4/>
<a href=mailto:m@c.test><a href=x><p itemtype=http://d.test/><a href=http://1.2.3.4/x>`,
		"b.html": "<a href=http://b.test/>", "c.html": "<p>"})
	tests := []struct {
		fields []string
		want   string
	}{
		{[]string{"hosts", "domains"}, `{"record":"page","hosts":{"www.a.co.uk":2,"b.test":1,"a.co.uk":1,"1.2.3.4":2},` +
			`"domains":{"a.co.uk":3,"b.test":1}}
{"record":"page","hosts":{"b.test":1},"domains":{"b.test":1}}
{"record":"page","hosts":{},"domains":{}}
`},
		{[]string{"domains"}, `{"record":"page","domains":{"a.co.uk":3,"b.test":1}}
{"record":"page","domains":{"b.test":1}}
{"record":"page","domains":{}}
`},
	}
	for _, tt := range tests {
		got := pages(t, unbased(), tt.fields, "a.html", "b.html", "c.html").out
		got = strings.ReplaceAll(got, `{"record":"link"}`+"\n", "")
		if got != tt.want {
			t.Errorf("%q: got\n%s\nwant\n%s", tt.fields, got, tt.want)
		}
	}
}

func unbased() *links.Options { return new(links.Options) }

// A document that is too large to be held back has the same records as a small one.
func TestLargePage(t *testing.T) {
	body := strings.Repeat(page, 3)
	for _, around := range []struct{ name, before string }{
		{"page", ""},
		{"page with robots", "<meta name=robots content=nofollow>"},
		{"message", "Content-Type: text/html\nContent-Base: http://a.test/\n\n"},
	} {
		t.Run(around.name, func(t *testing.T) {
			small := around.before + body
			large := small + strings.Repeat(" ", 1<<20)
			files(t, map[string]string{"small": small, "large": large})
			fields := []string{"uri", "status", "base", "base_layer", "robots",
				"links", "kinds", "hosts", "domains", "offset"}
			got := pages(t, unbased(), fields, "large")
			want := pages(t, unbased(), fields, "small")
			if got.out != want.out {
				t.Errorf("of 1 MB: got\n%s\nwant, as of the small one,\n%s", got.out, want.out)
			}
			namedCounts(t, got.out)
			if g, w := got.entries[0].Links.ByStatus, want.entries[0].Links.ByStatus; g != w {
				t.Errorf("the entry of 1 MB counts %v, want %v", g, w)
			}
		})
	}
}

// If the records of a page are too large to be held back, they are the same as those of a small
// page.
func TestManyRecords(t *testing.T) {
	body := "/><meta name=robots content=nofollow>" + strings.Repeat(page, 600)
	long := strings.Repeat("x", 1500)
	files(t, map[string]string{"small": "<base href=http://a.test/" + body,
		"large": "<base href=http://a.test/" + long + body})
	fields := []string{"uri", "status", "base", "base_layer", "robots", "links", "kinds", "hosts", "domains"}
	got := pages(t, unbased(), fields, "large")
	if len(got.out) < 9_000_000 {
		t.Fatalf("got %d bytes, want more than 8 MB, which are held back", len(got.out))
	}
	want := pages(t, unbased(), fields, "small")
	if out := strings.ReplaceAll(got.out, long, ""); out != want.out {
		t.Errorf("got\n%.2000s\nwant, as of small records,\n%.2000s", out, want.out)
	}
	namedCounts(t, want.out)
	if g, w := got.entries[0].Links.ByStatus, want.entries[0].Links.ByStatus; g != w {
		t.Errorf("the entry counts %v, want %v", g, w)
	}
}

// A page has its defect, however many records it has.
func TestManyRecordsOfDefect(t *testing.T) {
	part := func(links int) string {
		text := "<base href=http://a.test/" + strings.Repeat("x", 1500) + "/>" + strings.Repeat("<a href=y>", links)
		page := base64.StdEncoding.EncodeToString([]byte(text))
		return "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!" + page
	}
	files(t, map[string]string{"small.eml": part(3), "large.eml": part(3000)})
	for _, name := range []string{"small.eml", "large.eml"} {
		got := pages(t, unbased(), []string{"error", "uri", "status", "base", "links"}, name)
		if name == "large.eml" && len(got.out) < 9_000_000 {
			t.Fatalf("got %d bytes, want more than 8 MB, which are held back", len(got.out))
		}
		if want := `{"record":"page","error":"bytes that are not base64",`; !strings.HasPrefix(got.out, want) {
			t.Errorf("%s: got %.100s, want %s", name, got.out, want)
		}
	}
}

// namedCounts checks that each page of out counts the links that follow it.
func namedCounts(t *testing.T, out string) {
	t.Helper()
	var rest map[string]int
	for line := range strings.Lines(out) {
		var r struct {
			Record, Status string
			Links          map[string]int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Record == "page" {
			if len(rest) > 0 {
				t.Errorf("before %s: the page has also counted %v", line, rest)
			}
			rest = r.Links
			continue
		}
		rest[r.Status]--
		if rest[r.Status] == 0 {
			delete(rest, r.Status)
		}
	}
	if len(rest) > 0 {
		t.Errorf("the last page has also counted %v", rest)
	}
}

// The first page of an input has the defects of the input. A later page has only its own.
func TestPageErrors(t *testing.T) {
	record := func(length, page string) string {
		return "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.test/\r\nContent-Type: text/html\r\n" +
			"Content-Length: " + length + "\r\n\r\n" + page + "\r\n\r\n"
	}
	mailWithDefects := "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>\n" +
		"--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n!PGEgaHJlZj14Pg==\n--b--\n"
	mailbox := "From a@a.test Mon Jan  1 00:00:00 2001\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n<a href=x>\nFrom \n" +
		"--b\nContent-Type: text/html\n\n<a href=y>\n--b--\n\n"
	files(t, map[string]string{
		"a.mbox": mailbox,
		"a.warc": record("99", "<a href=x>") + record("10", "<a href=y>"),
		"b.warc": record("10", "<a href=x>") + record("99", "<a href=y>") + record("10", "<a href=z>"),
		"a.eml":  mailWithDefects,
	})
	for name, want := range map[string][]bool{"a.warc": {true, false}, "b.warc": {false, true, false},
		"a.eml": {false, true}, "a.mbox": {true, false, false}} {
		got := pages(t, unbased(), []string{"error", "links"}, name)
		n := 0
		for line := range strings.Lines(got.out) {
			var r struct {
				Record, Error string
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if r.Record != "page" {
				continue
			}
			if n >= len(want) || (r.Error != "") != want[n] {
				t.Errorf("%s: page %d has the error %q, want one: %v", name, n+1, r.Error, want)
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%s: got %d pages, want %d:\n%s", name, n, len(want), got.out)
		}
	}
}
