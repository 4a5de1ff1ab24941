package list_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
)

// An input that is not a document has no links, also after one that has.
func TestNoDocument(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>", "x.bin": "\x00\x01"})
	for _, format := range []record.Format{record.Text, record.JSONL} {
		c := list.Links{LinkOptions: based(), Format: format}
		if format == record.JSONL {
			c.Fields = []string{"uri"}
		}
		one := printLinks(t, &c, "a.html").out
		c.LinkOptions = based()
		if got := printLinks(t, &c, "a.html", "x.bin", "a.html").out; got != one+one || one == "" {
			t.Errorf("%v: got %q, want %q twice", format, got, one)
		}
	}
	one := printBases(t, &list.Bases{Figure: true}, "a.html").out
	if got := printBases(t, &list.Bases{Figure: true}, "a.html", "x.bin", "a.html").out; got != one+one || one == "" {
		t.Errorf("bases: got %q, want %q twice", got, one)
	}
}

// Links without a URI are the same if their status and their value are.
func TestUniqueWithoutURI(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href='http://[/'><a href='http://[/'><a href='http://]/'><a href=x>" +
		"<a href=y><a href=x><a href='http://a.test/'><a href='HTTP://a.test'>"})
	c := list.Links{LinkOptions: new(links.Options), Format: record.TSV,
		Fields: []string{"status", "value"}, Unique: true}
	const want = "status\tvalue\ninvalid\thttp://[/\ninvalid\thttp://]/\nunresolved\tx\nunresolved\ty\n" +
		"absolute\thttp://a.test/\n"
	if got := printLinks(t, &c, "a.html").out; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A link without a base has nothing of the base of the link before it.
func TestBaseOfEachLink(t *testing.T) {
	files(t, map[string]string{"a.eml": "Content-Type: multipart/mixed; boundary=b\n\n--b\n" +
		"Content-Type: text/html\n\n" +
		"<object codebase='http://c.test/' data=x></object><a href=y><a href='http://[/'>\n--b--\n"})
	c := list.Links{LinkOptions: new(links.Options), Format: record.TSV,
		Fields: []string{"value", "base", "base_layer", "base_source", "base_part", "error"}}
	got := strings.Split(printLinks(t, &c, "a.eml").out, "\n")
	want := []string{"http://c.test/\t\tnone\t\t\t", "x\thttp://c.test/\tembedded\tcodebase\t1\t",
		"y\t\tnone\t\t\trelative link without a usable base URI", "http://[/\t\tnone\t\t\twhatwg: byte 7: "}
	if len(got) != 6 || !slices.EqualFunc(got[1:5], want, strings.HasPrefix) {
		t.Errorf("got %q, want %q after a header", got, want)
	}
}

// Standard error names inputs whose links have no base, and roots that matched nothing.
func TestNotes(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>", "b.html": "<a href='http://b.test/'>"})
	got := printLinks(t, &list.Links{LinkOptions: new(links.Options)}, "a.html", "b.html")
	if !strings.Contains(got.err, "a.html:1:9: ") || strings.Contains(got.err, "b.html:") {
		t.Errorf("standard error is %q, want a note about a.html", got.err)
	}
	if err := os.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	for root, unmatched := range map[string]bool{"d": true, ".": false} {
		find := new(links.Options)
		find.Bases.Roots = []string{root + "=http://a.test/"}
		got := printLinks(t, &list.Links{LinkOptions: find}, "b.html")
		if strings.Contains(got.err, "no document that was read lies below it") != unmatched {
			t.Errorf("root %s: standard error is %q, want that it matched nothing: %v", root, got.err, unmatched)
		}
	}
}

// The record of a page with many links comes before their records.
func TestManyLinksOfPage(t *testing.T) {
	const n = 10_000
	files(t, map[string]string{"a.html": strings.Repeat("<a href='http://a.test/d/e/f/g'>", n)})
	got := pages(t, unbased(), []string{"uri", "links"}, "a.html").out
	want := fmt.Sprintf(`{"record":"page","links":{"absolute":%d}}`, n) + "\n" +
		strings.Repeat(`{"record":"link","uri":"http://a.test/d/e/f/g"}`+"\n", n)
	if got != want {
		t.Errorf("got %d bytes that begin with %.100q, want %d", len(got), got, len(want))
	}
}

// The first record of a page tells its defect, and so does no later page.
func TestDefectsOfPages(t *testing.T) {
	files(t, map[string]string{"a.eml": "Content-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n<a href=x>\n" +
		"--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj15Pg==*\n" +
		"--b\nContent-Type: text/html\n\n<a href=z>\n--b--\n"})
	got := pages(t, unbased(), []string{"part", "error", "kinds"}, "a.eml").out
	var errors []string
	for line := range strings.Lines(got) {
		if strings.Contains(line, `"record":"page"`) {
			second := strings.Contains(line, `"part":"2","error":"`)
			errors = append(errors, fmt.Sprint(second, strings.Contains(line, `"error"`)))
		}
	}
	if want := []string{"false false", "true true", "false false"}; !slices.Equal(errors, want) {
		t.Errorf("got\n%s\nwant the error only in part 2", got)
	}
}

// An empty reference has an empty text, and no key is missing.
func TestEmptyReference(t *testing.T) {
	wide := "\xff\xfe"
	for _, c := range "<html><a href>" {
		wide += string(c) + "\x00"
	}
	for _, text := range []string{"<a href>", "<a href=''>", "<a href= >", wide} {
		files(t, map[string]string{"a.html": text})
		c := list.Links{LinkOptions: based(), Format: record.JSONL, Fields: []string{"raw", "value", "uri"}}
		const want = `{"raw":"","value":"","uri":"http://a.test/d/"}` + "\n"
		if got := printLinks(t, &c, "a.html").out; got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Standard error has the problems of a document.
func TestProblems(t *testing.T) {
	files(t, map[string]string{"cut.eml": strings.TrimSuffix(mail, "--b--\n")})
	if got := printLinks(t, &list.Links{LinkOptions: new(links.Options)}, "cut.eml").err; !strings.Contains(got,
		"no final boundary") {
		t.Errorf("links: standard error is %q, want the problem", got)
	}
	if got := printBases(t, &list.Bases{}, "cut.eml").err; !strings.Contains(got, "no final boundary") {
		t.Errorf("bases: standard error is %q, want the problem", got)
	}
}

// Columns are a stream of Arrow messages, which ends with an empty message.
func TestColumns(t *testing.T) {
	files(t, map[string]string{"a.html": page})
	got := printLinks(t, &list.Links{LinkOptions: based(), Format: record.Arrow, Fields: []string{"uri"}}, "a.html").out
	if !strings.HasPrefix(got, "\xff\xff\xff\xff") || !strings.HasSuffix(got, "\xff\xff\xff\xff\x00\x00\x00\x00") ||
		!strings.Contains(got, "http://a.test/d/x") {
		t.Errorf("got %q, want a stream of columns", got)
	}
}

// The entry of an input has its page, if the records have it.
func TestPageOfEntry(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>"})
	for _, field := range []string{"page", "uri"} {
		c := list.Links{Format: record.JSONL, Fields: []string{field}}
		find := new(links.Options)
		find.Bases.Retrieval = "http://a.test/d/p"
		c.LinkOptions = find
		got := printLinks(t, &c, "a.html")
		if page := got.entries[0].Subject.Page; (page == "http://a.test/d/p") != (field == "page") {
			t.Errorf("with the field %s the entry has the page %q", field, page)
		}
	}
}

// A long base shifts its own line, and no other.
func TestWideSummary(t *testing.T) {
	long := "http://a.test/" + strings.Repeat("x", 60)
	files(t, map[string]string{"a.html": "<base href=" + long + ">", "b.html": "<base href=http://b.test/>"})
	lines := strings.Split(printBases(t, &list.Bases{Summary: true}, "a.html", "b.html").out, "\n")
	if len(lines) != 4 || strings.Index(lines[0], "example") != strings.Index(lines[2], "b.html") ||
		strings.Index(lines[0], "example")-strings.Index(lines[0], "base") != 60+2 {
		t.Errorf("the lines are\n%s\nwant columns of at most 60 characters", strings.Join(lines, "\n"))
	}
}

// A field has the same value alone as among all fields.
func TestFieldAlone(t *testing.T) {
	files(t, map[string]string{
		"a.html": "<base href='http://b.test/c/'><meta name=robots content=noindex><a rel=next href=x>text</a>\n" +
			"<img src=y>",
		"a.eml": "Message-ID: <1@a.test>\nSubject: s\nFrom: a@a.test\nDate: Thu, 01 Jan 1970 00:00:00 +0000\n" +
			"Content-Type: text/html\nContent-Base: http://c.test/\n\n<a href=x>text</a>",
		"a.http": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <z>; rel=next\r\n\r\n<a href=x>",
	})
	table := func(fields ...string) [][]string {
		o := &links.Options{LinkText: true, Bases: links.Bases{Default: "http://d.test/"}}
		c := list.Links{LinkOptions: o, Format: record.CSV, Fields: fields, Pages: true}
		out := printLinks(t, &c, "a.html", "a.eml", "a.http").out
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	names := slices.DeleteFunc(record.Names(), func(name string) bool {
		return name == "found" // it needs --check-files
	})
	whole := table(names...)
	if !slices.Equal(whole[0], names) || len(whole) < 9 {
		t.Fatalf("got %q, want a table with the columns %q", whole, names)
	}
	for i, name := range names {
		var want []string
		for _, row := range whole {
			want = append(want, row[i])
		}
		var got []string
		alone := table(name)
		column := slices.Index(alone[0], name) // the key record may come first
		for _, row := range alone {
			got = append(got, row[column])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s alone: got %q, want %q", name, got, want)
		}
	}
}
