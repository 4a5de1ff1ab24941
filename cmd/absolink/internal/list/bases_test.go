package list_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// printBases runs c over args.
func printBases(t *testing.T, c *list.Bases, args ...string) printed {
	t.Helper()
	c.LinkOptions = new(links.Options)
	return do(t, t.Context(), new(run.Options), c.LinkOptions, args,
		func(o *run.Options, stdout io.Writer) (run.Command, io.Writer, func() error) {
			out, header, err := c.Output(stdout)
			if err != nil {
				t.Fatal(err)
			}
			o.Header = header
			return c, out, c.End
		})
}

// figure is the figure of a document with these lines in its innermost box.
func figure(title, embedded, uri string) string {
	return title + `
.---------------------------------------------.
| .-----------------------------------------. |
| | .-------------------------------------. | |
| | | .---------------------------------. | | |
| | | | (5.1.1 embedded in the content) | | | |
| | | | ` + embedded + ` | | | |
| | | ` + "`---------------------------------'" + ` | | |
| | | (5.1.2 of the encapsulating entity) | | |
| | |   -                                 | | |
| | ` + "`-------------------------------------'" + ` | |
| | (5.1.3 used to retrieve)                | |
| |   -                                     | |
| ` + "`-----------------------------------------'" + ` |
| (5.1.4 default of the application)          |
|   -                                         |
` + "`---------------------------------------------'" + `
base: ` + uri + "\n\n"
}

func TestBases(t *testing.T) {
	files(t, map[string]string{"none.html": "<a href=x>", "a.html": "<base href=http://a.test/>", "a.eml": mail,
		"b.html": "<base href=http://a.test/><base href=http://b.test/>"})
	none := figure("none.html", "  -                            ", "none\nAdd --base https://…, the address of the "+
		"page. For a directory add --root DIR=https://…, for mail --default-base https://…")
	one := figure("a.html", "* base-element: http://a.test/ ", "http://a.test/")
	four := []string{"none.html", "a.eml", "a.html", "b.html"}
	tests := []struct {
		name string
		c    *list.Bases
		args []string
		want string
	}{
		{"no base", &list.Bases{}, []string{"none.html"}, none},
		{"one document", &list.Bases{}, []string{"a.html"}, one},
		{"two documents", &list.Bases{}, []string{"a.html", "none.html"},
			"a.html: http://a.test/ (embedded: base-element)\nnone.html: none\n"},
		{"a message of two documents", &list.Bases{}, []string{"a.eml"},
			"a.eml part 1: http://a.test/d/ (encapsulating: content-base)\n" +
				"a.eml part 2: http://b.test/ (encapsulating: content-base)\n"},
		{"two figures", &list.Bases{Figure: true}, []string{"a.html", "none.html"}, one + none},
		{"objects", &list.Bases{Format: record.JSONL}, []string{"a.eml", "none.html"},
			`{"source":"a.eml","part":"1","message_id":"<1@a>","subject":"News","from":"A <a@a.test>",` +
				`"type":"text/html","base":"http://a.test/d/","base_layer":"encapsulating",` +
				`"base_source":"content-base","layers":[{"layer":"encapsulating","source":"content-base",` +
				`"value":"http://a.test/d/","uri":"http://a.test/d/","used":true}]}
{"source":"a.eml","part":"2","message_id":"<1@a>","subject":"News","from":"A <a@a.test>",` +
				`"type":"text/html","base":"http://b.test/","base_layer":"encapsulating",` +
				`"base_source":"content-base","base_part":"2","layers":[{"layer":"encapsulating",` +
				`"source":"content-base","part":"2","value":"http://b.test/","uri":"http://b.test/","used":true},` +
				`{"layer":"encapsulating","source":"content-base","value":"http://a.test/d/","used":false,` +
				`"reason":"an inner layer gives the base"}]}
{"source":"none.html","type":"text/html","base_layer":"none","layers":[]}
`},
		{"rows", &list.Bases{Format: record.CSV}, []string{"a.eml", "none.html"},
			"source,item,part,page,message_id,subject,from,date,record_id,record_offset,type," +
				"base,base_layer,base_source,base_part\n" +
				"a.eml,,1,,<1@a>,News,A <a@a.test>,,,,text/html,http://a.test/d/,encapsulating,content-base,\n" +
				"a.eml,,2,,<1@a>,News,A <a@a.test>,,,,text/html,http://b.test/,encapsulating,content-base,2\n" +
				"none.html,,,,,,,,,,text/html,,none,,\n"},
		{"a summary", &list.Bases{Summary: true}, four,
			"documents  messages  layer          source        base              example\n" +
				"2          0         embedded       base-element  http://a.test/    a.html\n" +
				"1          0         none           -             -                 none.html\n" +
				"1          1         encapsulating  content-base  http://a.test/d/  a.eml part 1\n" +
				"1          1         encapsulating  content-base  http://b.test/    a.eml part 2\n"},
		{"a summary in rows", &list.Bases{Summary: true, Format: record.TSV}, four,
			"documents\tmessages\tlayer\tsource\tbase\texample\n" +
				"2\t0\tembedded\tbase-element\thttp://a.test/\ta.html\n1\t0\tnone\t\t\tnone.html\n" +
				"1\t1\tencapsulating\tcontent-base\thttp://a.test/d/\ta.eml part 1\n" +
				"1\t1\tencapsulating\tcontent-base\thttp://b.test/\ta.eml part 2\n"},
		{"a summary of nothing", &list.Bases{Summary: true}, []string{"missing.html"},
			"documents  messages  layer  source  base  example\n"},
		{"a figure of nothing", &list.Bases{}, []string{"missing.html"}, ""},
	}
	for _, tt := range tests {
		if got := printBases(t, tt.c, tt.args...); got.out != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got.out, tt.want)
		}
	}
}

// The entry of an input counts its documents, and has the hosts of their bases.
func TestBasesEntry(t *testing.T) {
	files(t, map[string]string{"a.eml": mail})
	e := printBases(t, &list.Bases{}, "a.eml").entries[0]
	if got := e.Links.Hosts(); e.Links.Documents != 2 || !slices.Equal(got, []string{"a.test", "b.test"}) {
		t.Errorf("got %d documents and the hosts %q, want 2, a.test and b.test", e.Links.Documents, got)
	}
	if e.Result.Outcome() != report.Listed {
		t.Errorf("the outcome is %v, want %v", e.Result.Outcome(), report.Listed)
	}
}

// All parts of a message repeat the layers around them. A long value is written in full once, and
// then cut.
func TestBasesCut(t *testing.T) {
	long := "http://a.test/" + strings.Repeat("x", 300)
	part := "--b\nContent-Type: text/html\n\n<p>\n"
	files(t, map[string]string{"a.eml": "Content-Base: " + long + "\nContent-Type: multipart/mixed; boundary=b\n\n" +
		part + part + "--b--\n"})
	out := printBases(t, &list.Bases{Format: record.JSONL}, "a.eml").out
	first, second, _ := strings.Cut(out, "\n")
	if !strings.Contains(first, `"value":"`+long+`","uri":"`+long+`","used":true}`) {
		t.Errorf("the first part has not the whole value: %s", first)
	}
	short := long[:200]
	if !strings.Contains(second, `"value":"`+short+`","uri":"`+short+`","used":true,"cut":true}`) {
		t.Errorf("the second part has not the first 200 characters alone: %s", second)
	}
}

// A URI is cut if a layer before it was seen, also if the value of its own layer is short.
func TestBasesCutURI(t *testing.T) {
	long := "http://a.test/" + strings.Repeat("x", 300) + "/"
	part := "--c\nContent-Type: text/html\n\n<p>\n"
	files(t, map[string]string{"a.eml": "Content-Base: " + long + "\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Location: sub/\nContent-Type: multipart/mixed; boundary=c\n\n" + part + part + "--c--\n--b--\n"})
	_, second, _ := strings.Cut(printBases(t, &list.Bases{Format: record.JSONL}, "a.eml").out, "\n")
	want := `"value":"sub/","uri":"` + long[:200] + `","used":true,"cut":true}`
	if !strings.Contains(second, want) {
		t.Errorf("got\n%s\nwant %s in it", second, want)
	}
}

// The items of a mailbox or web archive have their numbers, offsets and dates.
func TestBasesOfItems(t *testing.T) {
	response := "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>"
	archive := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/p\r\n"+
		"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		len(response), response)
	message := "From a@b.test Thu Jan  1 00:00:00 1970\nMessage-ID: <1@a>\nContent-Type: text/html\n\n<p>\n\n"
	files(t, map[string]string{"a.warc": archive, "box": message + message})
	c := list.Bases{Format: record.TSV}
	got := printBases(t, &c, "a.warc", "box").out
	_, got, _ = strings.Cut(got, "\n")
	want := "a.warc\t1\t\thttp://a.test/p\t\t\t\t2026-01-02T03:04:05Z\t<urn:uuid:1>\t0\ttext/html\t" +
		"http://a.test/p\tretrieval\twarc-target-uri\t\n" +
		"box\t1\t1\t\t<1@a>\t\t\t\t\t0\ttext/html\t\tnone\t\t\n" +
		fmt.Sprintf("box\t2\t1\t\t<1@a>\t\t\t\t\t%d\ttext/html\t\tnone\t\t\n", len(message))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	links := list.Links{LinkOptions: based(), Format: record.JSONL,
		Pages: true, Fields: []string{"http_status", "type"}}
	const page = `{"record":"page","http_status":404,"type":"text/html"}` + "\n"
	if got := printLinks(t, &links, "a.warc").out; got != page {
		t.Errorf("of the page: got %s, want %s", got, page)
	}
}
