package list_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// printed is the standard output and standard error of a run, and the entries of its inputs.
type printed struct {
	out, err string
	entries  []*report.Entry
}

// do runs a command over args. begin returns the command, the writer for its output, and a function
// that completes the output.
func do(t *testing.T, ctx context.Context, o *run.Options, find *links.Options, args []string,
	begin func(r *run.Options, out io.Writer) (run.Command, io.Writer, func() error)) printed {
	t.Helper()
	var p printed
	var stdout, stderr strings.Builder
	o.Jobs = 1
	o.Reading.MaxSize = 8 << 20
	o.Account.OnReport = func(e *report.Entry) {
		copied := *e
		p.entries = append(p.entries, &copied)
	}
	if err := o.Inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	if err := find.Prepare(&o.Inputs); err != nil {
		t.Fatal(err)
	}
	command, out, end := begin(o, &stdout)
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Do(ctx, out, command); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	p.out = stdout.String()
	p.err = stderr.String()
	return p
}

// printLinks runs c over args.
func printLinks(t *testing.T, c *list.Links, args ...string) printed {
	t.Helper()
	c.LinkOptions.Listing = true
	return do(t, t.Context(), new(run.Options), c.LinkOptions, args,
		func(o *run.Options, stdout io.Writer) (run.Command, io.Writer, func() error) {
			if err := c.Prepare(o, false); err != nil {
				t.Fatal(err)
			}
			out, end := c.Output(stdout)
			return c, out, end
		})
}

// files writes files into a new directory, which becomes the current one.
func files(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// based returns options with the base http://a.test/d/.
func based() *links.Options {
	return &links.Options{Bases: links.Bases{Policy: base.Policy{Force: "http://a.test/d/"}}}
}

// page has six links. The value on the second line is in windows-1252, and the last but one is
// invalid.
const page = "<a rel='next  NOFOLL\vW' href=x>\n<a href='y\xe9'><img src=#f><a href='http://b.test/?a&amp;b'>" +
	"<a href='http://[/'><a href='x'>"

func TestLinks(t *testing.T) {
	files(t, map[string]string{"a.html": page})
	tests := []struct {
		name string
		c    list.Links
		want string
	}{
		{"lines", list.Links{},
			"http://a.test/d/x\nhttp://a.test/d/y%C3%A9\nhttp://a.test/d/#f\nhttp://b.test/?a&b\nhttp://a.test/d/x\n"},
		{"each URI once", list.Links{Unique: true},
			"http://a.test/d/x\nhttp://a.test/d/y%C3%A9\nhttp://a.test/d/#f\nhttp://b.test/?a&b\n"},
		{"the place and the reference", list.Links{Format: record.JSONL, Fields: []string{"offset", "end", "line",
			"column", "element", "attribute", "kind", "rel", "raw", "value"}},
			`{"offset":29,"end":30,"line":1,"column":30,"element":"a","attribute":"href","kind":"nav",` +
				`"rel":["next","NOFOLL\u000bW"],"raw":"x","value":"x"}
{"offset":41,"end":43,"line":2,"column":10,"element":"a","attribute":"href","kind":"nav","raw":"y�","value":"yé"}
{"offset":54,"end":56,"line":2,"column":23,"element":"img","attribute":"src","kind":"res","raw":"#f","value":"#f"}
{"offset":66,"end":88,"line":2,"column":35,"element":"a","attribute":"href","kind":"nav",` +
				`"raw":"http://b.test/?a&amp;b","value":"http://b.test/?a&b"}
{"offset":99,"end":108,"line":2,"column":68,"element":"a","attribute":"href","kind":"nav",` +
				`"raw":"http://[/","value":"http://[/"}
{"offset":119,"end":120,"line":2,"column":88,"element":"a","attribute":"href","kind":"nav","raw":"x","value":"x"}
`},
		{"the absolute URI", list.Links{Format: record.JSONL, Fields: []string{"status", "base", "base_layer",
			"base_source", "warnings", "error"}, Unique: true},
			`{"status":"resolved","base":"http://a.test/d/","base_layer":"forced","base_source":"option"}
{"status":"resolved","base":"http://a.test/d/","base_layer":"forced","base_source":"option",` +
				`"warnings":["invalid-utf8"]}
{"status":"same-document","base":"http://a.test/d/","base_layer":"forced","base_source":"option"}
{"status":"absolute","base":"http://a.test/d/","base_layer":"forced","base_source":"option"}
{"status":"invalid","base":"http://a.test/d/","base_layer":"forced","base_source":"option",` +
				`"error":"whatwg: byte 7: an IPv6 address without a closing bracket"}
`},
		{"columns", list.Links{Format: record.CSV, Fields: []string{"uri", "status", "offset", "line"}},
			"uri,status,offset,line\nhttp://a.test/d/x,resolved,29,1\nhttp://a.test/d/y%C3%A9,resolved,41,2\n" +
				"http://a.test/d/#f,same-document,54,2\nhttp://b.test/?a&b,absolute,66,2\n,invalid,99,2\n" +
				"http://a.test/d/x,resolved,119,2\n"},
		{"each row once", list.Links{Format: record.TSV, Fields: []string{"line", "uri"}, Unique: true},
			"line\turi\n1\thttp://a.test/d/x\n2\thttp://a.test/d/y%C3%A9\n2\thttp://a.test/d/#f\n" +
				"2\thttp://b.test/?a&b\n2\t\n"},
		{"an offset alone", list.Links{Format: record.JSONL, Fields: []string{"offset", "source", "type"}},
			`{"offset":29,"source":"a.html","type":"text/html"}
{"offset":41,"source":"a.html","type":"text/html"}
{"offset":54,"source":"a.html","type":"text/html"}
{"offset":66,"source":"a.html","type":"text/html"}
{"offset":99,"source":"a.html","type":"text/html"}
{"offset":119,"source":"a.html","type":"text/html"}
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.LinkOptions = based()
			got := printLinks(t, &tt.c, "a.html")
			if got.out != strings.ReplaceAll(tt.want, `\ufffd`, "\ufffd") {
				t.Errorf("got\n%s\nwant\n%s", got.out, tt.want)
			}
			if e := got.entries[0]; e.Links.ByStatus.Sum() != 6 || e.Result.Outcome() != report.Listed {
				t.Errorf("the entry is %v with %d links, want 6", e.Result.Outcome(), e.Links.ByStatus.Sum())
			}
		})
	}
}

// Prepare refuses combinations that have no meaning, and names the flag to change.
func TestPrepareRefuses(t *testing.T) {
	tests := []struct {
		name     string
		c        list.Links
		set      func(*run.Options, *links.Options)
		terminal bool
		want     string // empty if the options are accepted
	}{
		{"lines", list.Links{}, nil, true, ""},
		{"keys of lines", list.Links{Fields: []string{"uri"}}, nil, false,
			"--fields needs --format jsonl, csv, tsv or arrow"},
		{"the text of lines", list.Links{},
			func(_ *run.Options, l *links.Options) { l.LinkText = true }, false,
			"--context needs --format jsonl, csv, tsv or arrow"},
		{"the text of records", list.Links{Format: record.JSONL},
			func(_ *run.Options, l *links.Options) { l.LinkText = true }, false, ""},
		{"a stream without units", list.Links{Format: record.JSONL, Stream: true}, nil, false,
			"--stream needs --units FILE: it prints records about units"},
		{"a stream of lines", list.Links{Stream: true}, units, false, "--stream needs --format jsonl or arrow"},
		{"a stream of rows", list.Links{Format: record.CSV, Stream: true}, units, false,
			"--stream needs --format jsonl or arrow"},
		{"a stream of objects", list.Links{Format: record.JSONL, Stream: true}, units, true, ""},
		{"a stream of columns", list.Links{Format: record.Arrow, Stream: true}, units, false, ""},
		{"a stream without repeats", list.Links{Format: record.JSONL, Stream: true, Unique: true}, units, false,
			"--stream gives each unit its own records, and --unique drops some: leave one of them out"},
		{"columns on a terminal", list.Links{Format: record.Arrow}, nil, true,
			"--format arrow is for programs: send it to a file or a pipe"},
		{"columns and a report", list.Links{Format: record.Arrow},
			func(o *run.Options, _ *links.Options) { o.Account.Report = "-" }, false,
			"--format arrow cannot hold the report of --report -: give --format jsonl"},
		{"objects and a report", list.Links{Format: record.JSONL},
			func(o *run.Options, _ *links.Options) { o.Account.Report = "-" }, false, ""},
		{"columns and a report in a file", list.Links{Format: record.Arrow},
			func(o *run.Options, _ *links.Options) { o.Account.Report = "r" }, false, ""},
		{"a stream without seen links", list.Links{Format: record.JSONL, Stream: true, Seen: "s"}, units, false,
			"--stream gives each unit its own records, and --seen drops some: leave one of them out"},
		{"pages without seen links", list.Links{Format: record.JSONL, Pages: true, Seen: "s"}, nil, false,
			"--pages counts all links of a page, and --seen drops some: leave one of them out"},
		{"seen lines", list.Links{Seen: "s"}, nil, false, ""},
		{"answers without repeats", list.Links{Format: record.JSONL, Pipe: true, Unique: true}, nil, false, ""},
		{"answers in rows", list.Links{Format: record.TSV, Pipe: true}, nil, false, ""},
		{"answers in lines", list.Links{Pipe: true}, nil, false, "--stream needs --format jsonl or arrow"},
		{"the status of lines", list.Links{},
			func(_ *run.Options, l *links.Options) { setStatus(t, l, "invalid") }, false,
			"--status invalid: these links have no absolute URI to print: add --format jsonl"},
		{"the status of records", list.Links{Format: record.JSONL},
			func(_ *run.Options, l *links.Options) { setStatus(t, l, "invalid") }, false, ""},
		{"a robot for nothing", list.Links{Format: record.JSONL},
			func(_ *run.Options, l *links.Options) { l.Reading.Options.Robot = "x" }, false,
			"--robot-name needs --rel or --pages: add one"},
		{"a robot for pages", list.Links{Format: record.JSONL, Pages: true},
			func(_ *run.Options, l *links.Options) { l.Reading.Options.Robot = "x" }, false, ""},
		{"pages as lines", list.Links{Pages: true}, nil, false,
			"--pages needs --format jsonl, csv, tsv or arrow"},
		{"pages without repeats", list.Links{Format: record.CSV, Pages: true, Unique: true}, nil, false,
			"--pages counts all links of a page, and --unique drops some: leave one of them out"},
		{"edges of pages and units", list.Links{Format: record.JSONL, Stream: true, Pages: true, Edges: true}, units,
			false, ""},
		{"edges without pages", list.Links{Format: record.JSONL, Stream: true, Edges: true}, units, false,
			"--edges counts the links of the pages of units: add --stream and --pages"},
		{"edges without units", list.Links{Format: record.JSONL, Pages: true, Edges: true}, nil, false,
			"--edges counts the links of the pages of units: add --stream and --pages"},
		{"an unknown key", list.Links{Format: record.CSV, Fields: []string{"urn"}}, nil, false,
			"--fields: records have no \"urn\"; did you mean uri?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := new(run.Options)
			tt.c.LinkOptions = new(links.Options)
			if tt.set != nil {
				tt.set(o, tt.c.LinkOptions)
			}
			err := tt.c.Prepare(o, tt.terminal)
			if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
				t.Errorf("Prepare: got error %v, want %q", err, tt.want)
			}
		})
	}
}

// setStatus sets --status.
func setStatus(t *testing.T, o *links.Options, status string) {
	t.Helper()
	c := new(cobra.Command)
	o.RegisterLinkFlags(c)
	if err := c.ParseFlags([]string{"--status", status}); err != nil {
		t.Fatal(err)
	}
}

func units(o *run.Options, _ *links.Options) { o.Inputs.Units = "units" }

// Prepare tells the run what the output needs.
func TestPrepare(t *testing.T) {
	o := run.Options{}
	o.Inputs.Units = "units"
	c := list.Links{LinkOptions: new(links.Options), Format: record.Arrow, Stream: true, Fields: []string{"text"}}
	if err := c.Prepare(&o, false); err != nil {
		t.Fatal(err)
	}
	if !o.Account.Stream.On || !o.Inputs.MarkUnitEnds || o.Account.Stream.Columns == nil || !o.Account.ResultsOnStdout {
		t.Errorf("of columns: got %+v, want a stream of columns", o.Account)
	}
	if c.Unique || o.Header != "" || o.Account.HelpfulFlags == nil {
		t.Errorf("of columns: got unique %v, the header %q and %v", c.Unique, o.Header, o.Account.HelpfulFlags != nil)
	}
	if !c.LinkOptions.LinkText {
		t.Error("the key text does not ask for the text of links")
	}
	c = list.Links{LinkOptions: new(links.Options), Format: record.CSV, Fields: []string{"uri", "host"}}
	o = run.Options{}
	if err := c.Prepare(&o, false); err != nil {
		t.Fatal(err)
	}
	if o.Account.Stream.On || o.Inputs.MarkUnitEnds || o.Account.Stream.Columns != nil || o.Header != "uri,host\n" {
		t.Errorf("of rows: got %+v and the header %q", o.Account, o.Header)
	}
	for _, pipe := range []bool{false, true} {
		for _, format := range []record.Format{record.JSONL, record.TSV} {
			c := list.Links{LinkOptions: new(links.Options), Format: format, Fields: []string{"uri"}, Pipe: pipe}
			if !pipe {
				c.Seen = "s"
			}
			o := run.Options{}
			if err := c.Prepare(&o, false); err != nil {
				t.Fatal(err)
			}
			header := map[bool]string{true: "uri\n"}[format == record.TSV && !pipe]
			if c.Unique == pipe || o.Account.Stream.On != (pipe && format == record.JSONL) || o.Header != header {
				t.Errorf("of %v, pipe %v: got unique %v, stream %v and the header %q", format, pipe, c.Unique,
					o.Account.Stream.On, o.Header)
			}
		}
	}
	if c.LinkOptions.LinkText {
		t.Error("the text of links is asked for, and no record has it")
	}
}

// An interrupted run fails its inputs and prints nothing of them.
func TestLinksInterrupted(t *testing.T) {
	files(t, map[string]string{"a.html": page})
	ctx, cancel := context.WithCancel(t.Context())
	c := list.Links{LinkOptions: based()}
	p := do(t, ctx, new(run.Options), c.LinkOptions, []string{"a.html"},
		func(o *run.Options, stdout io.Writer) (run.Command, io.Writer, func() error) {
			if err := c.Prepare(o, false); err != nil {
				t.Fatal(err)
			}
			cancel()
			out, end := c.Output(stdout)
			return &c, out, end
		})
	if p.out != "" {
		t.Errorf("the output is %q, want none", p.out)
	}
	for _, e := range p.entries {
		if e.Result.Outcome() == report.Listed {
			t.Error("the input counts as listed")
		}
	}
}

// The lines of a document are written in pieces, and none is lost or moved.
func TestManyLinks(t *testing.T) {
	var text, want strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "<a href=%d>", i)
		fmt.Fprintf(&want, "http://a.test/d/%d\n", i)
	}
	files(t, map[string]string{"a.html": text.String()})
	if got := printLinks(t, &list.Links{LinkOptions: based()}, "a.html").out; got != want.String() {
		t.Errorf("got %d bytes of lines, want %d", len(got), want.Len())
	}
}

// The links of a message name their part and the fields of the message. Its header is a document.
func TestMessage(t *testing.T) {
	files(t, map[string]string{"a.eml": mail, "b.eml": strings.Replace(mail, "/d/", "/e/", 1)})
	c := list.Links{LinkOptions: new(links.Options), Format: record.TSV,
		Fields: []string{"source", "part", "message_id", "subject", "from", "type", "uri", "base_part"}}
	const want = "source\tpart\tmessage_id\tsubject\tfrom\ttype\turi\tbase_part\n" +
		"a.eml\t\t<1@a>\tNews\tA <a@a.test>\ttext/rfc822-headers\thttp://a.test/d/\t\n" +
		"a.eml\t1\t<1@a>\tNews\tA <a@a.test>\ttext/html\thttp://a.test/d/x\t\n" +
		"a.eml\t2\t<1@a>\tNews\tA <a@a.test>\ttext/rfc822-headers\thttp://b.test/\t\n" +
		"a.eml\t2\t<1@a>\tNews\tA <a@a.test>\ttext/html\thttp://b.test/y\t2\n" +
		"b.eml\t\t<1@a>\tNews\tA <a@a.test>\ttext/rfc822-headers\thttp://a.test/e/\t\n" +
		"b.eml\t1\t<1@a>\tNews\tA <a@a.test>\ttext/html\thttp://a.test/e/x\t\n" +
		"b.eml\t2\t<1@a>\tNews\tA <a@a.test>\ttext/rfc822-headers\thttp://b.test/\t\n" +
		"b.eml\t2\t<1@a>\tNews\tA <a@a.test>\ttext/html\thttp://b.test/y\t2\n"
	if got := printLinks(t, &c, "a.eml", "b.eml").out; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// mail is a message of two pages, the second with its own base.
const mail = "Message-ID: <1@a>\nFrom: A <a@a.test>\nSubject: News\nContent-Base: http://a.test/d/\n" +
	"Content-Type: multipart/mixed; boundary=b\n\n" +
	"--b\nContent-Type: text/html\n\n<a href=x>\n" +
	"--b\nContent-Type: text/html\nContent-Base: http://b.test/\n\n<a href=y>\n--b--\n"

// Links that have no base and the flags that matched nothing are named at the end of a run.
func TestLinksSayMore(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>"})
	for want, sameHost := range map[string]bool{
		"a.html:1:9: x is relative, and the address of the page is unknown. Add --base": false,
		"--same-host": true} {
		find := new(links.Options)
		find.Choice.SameHost = sameHost
		got := printLinks(t, &list.Links{LinkOptions: find}, "a.html")
		if !strings.Contains(got.err, want) {
			t.Errorf("links: standard error is %q, want %q in it", got.err, want)
		}
	}
}

// The error of a link without a base says that the base is too long, if it is.
func TestErrorOfLongBase(t *testing.T) {
	for _, size := range []int{100, 40 << 10} {
		files(t, map[string]string{"a.html": "<base href=http://a.test/" + strings.Repeat("x", size) + "/><a href=y>"})
		c := list.Links{LinkOptions: new(links.Options), Format: record.JSONL, Fields: []string{"attribute", "error"}}
		got := printLinks(t, &c, "a.html").out
		if strings.Contains(got, "bytes") != (size > 1000) {
			t.Errorf("with a base of %d bytes: got\n%s", size, got)
		}
	}
}

// A key has the same values with --fields, with and without other keys.
func TestEachKey(t *testing.T) {
	files(t, map[string]string{"a.html": page, "b.html": "<base href='http://c.test/'><p>x<a href=y>text</a>"})
	table := func(fields ...string) [][]string {
		c := &list.Links{LinkOptions: based(), Format: record.TSV, Fields: fields}
		var rows [][]string
		for line := range strings.Lines(printLinks(t, c, "a.html", "b.html").out) {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
		return rows
	}
	keys := append(table()[0], "text", "host", "domain")
	all := table(keys...)
	if len(all) != 9 { // with the header
		t.Fatalf("got %d rows, want 9", len(all))
	}
	for i, key := range keys {
		for r, row := range table(key) {
			if row[0] != all[r][i] {
				t.Errorf("--fields %s, row %d: got %q, want %q", key, r, row[0], all[r][i])
			}
		}
	}
}
