package command_test

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve"
)

// body returns the body of a request.
func body(mediaType, text string) *serve.Body {
	return &serve.Body{Given: input.Given{At: strings.NewReader(text), Size: int64(len(text)), Type: mediaType}}
}

// A request does the work of a command. Its flags stand in the query.
func TestPrepareFor(t *testing.T) {
	const mail = "Content-Type: text/html\nContent-Base: http://a.test/\n\n<a href=x>\n"
	tests := []struct {
		command   string
		format    record.Format
		flags     string
		mediaType string
		body      string
		want      string
	}{
		{"extract", record.Text, "base=http://a.test/", "text/html", "<a href=x>", "http://a.test/x\n"},
		{"extract", record.Text, "", "message/rfc822", mail, "http://a.test/\nhttp://a.test/x\n"},
		{"extract", record.Text, "element=a", "message/rfc822", mail, "http://a.test/x\n"},
		{"extract", record.CSV, "fields=raw,uri&unique=true&base=http://a.test/", "text/html", "<a href=x><img src=x>",
			"raw,uri\nx,http://a.test/x\n"},
		{"extract", record.JSONL, "fields=uri&strip-fragment=true", "text/html", "<a href=http://a.test/#f>",
			`{"uri":"http://a.test/"}` + "\n"},
		{"base", record.Text, "", "message/rfc822", mail,
			"- part 1: http://a.test/ (encapsulating: content-base)\n"},
		{"base", record.JSONL, "", "text/html", "<p>",
			`{"source":"-","type":"text/html","base_layer":"none","layers":[]}` + "\n"},
		{"rewrite", record.Text, "base=http://a.test/", "text/html", "<p>\n<A href=x>",
			"<p>\n<A href=http://a.test/x>"},
		{"rewrite", record.Text, "map=http://a.test/%3Dhttp://b.test/", "text/html", "<a href=http://a.test/x>",
			"<a href=http://b.test/x>"},
		{"resolve", record.Text, "base=http://a/b/c/d;p?q&rules=rfc2396", "text/plain", "g\n../../../g\n",
			"http://a/b/c/g\nhttp://a/../g\n"},
		{"resolve", record.Text, "", "application/json",
			`{"base":"http://a/b","ref":"g"}` + "\n" + `{"base":"http://c/","ref":"h"}` + "\n",
			"http://a/g\nhttp://c/h\n"},
	}
	for _, tt := range tests {
		flags, err := url.ParseQuery(strings.ReplaceAll(tt.flags, ";", "%3B"))
		if err != nil {
			t.Fatal(err)
		}
		call, err := command.PrepareFor(1<<20)(tt.command, tt.format, flags)
		if err != nil {
			t.Errorf("%s?%s: got error %v", tt.command, tt.flags, err)
			continue
		}
		for range 2 { // a call is for many bodies
			var out strings.Builder
			r, err := call.Do(t.Context(), body(tt.mediaType, tt.body), &out)
			if err != nil || r == nil {
				t.Errorf("%s?%s: got error %v", tt.command, tt.flags, err)
			} else if out.String() != tt.want {
				t.Errorf("%s?%s: got %q, want %q", tt.command, tt.flags, out.String(), tt.want)
			}
		}
	}
}

// The result has the account of each body alone.
func TestResult(t *testing.T) {
	call, err := command.PrepareFor(100)("extract", record.Text, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		body    string
		outcome report.Outcome
		links   int
		reason  string
	}{
		{"<a href=x><a href=y>", report.Listed, 2, ""},
		{"<a href=x>", report.Listed, 1, ""},
		{strings.Repeat("<a href=x>", 11), report.Skipped, 0, "larger than --max-size"},
	} {
		r, err := call.Do(t.Context(), body("text/html", tt.body), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		outcome := r.Entry.Result.Outcome()
		if got := r.Entry.Links.ByStatus.Sum(); outcome != tt.outcome || got != tt.links ||
			r.Totals.Inputs.N != 1 || !strings.Contains(r.Reason, tt.reason) {
			t.Errorf("%s: got %v with %d links of %d inputs, %q; want %v and %d",
				tt.body, outcome, got, r.Totals.Inputs.N, r.Reason, tt.outcome, tt.links)
		}
	}
}

// SetBase replaces the base of the flags for the next bodies.
func TestSetBase(t *testing.T) {
	for _, tt := range []struct{ name, mediaType, body, want string }{
		{"extract", "text/html", "<a href=x>", "http://b.test/x\n"},
		{"rewrite", "text/html", "<a href=x>", "<a href=http://b.test/x>"},
		{"resolve", "text/plain", "x\n", "http://b.test/x\n"},
		{"base", "text/html", "<p>", "-: http://b.test/ (retrieval: option)\n"},
	} {
		call, err := command.PrepareFor(1<<20)(tt.name, record.Text, url.Values{"base": {"http://a.test/"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Do(t.Context(), body(tt.mediaType, tt.body), io.Discard); err != nil {
			t.Fatal(err)
		}
		var usage *flag.Error
		if err := call.SetBase("x"); !errors.As(err, &usage) {
			t.Errorf("%s: SetBase to x: got error %v, want a *flag.Error", tt.name, err)
		}
		if err := call.SetBase("http://b.test/"); err != nil {
			t.Errorf("%s: SetBase: got error %v", tt.name, err)
		}
		var out strings.Builder
		if _, err := call.Do(t.Context(), body(tt.mediaType, tt.body), &out); err != nil || out.String() != tt.want {
			t.Errorf("%s: after SetBase got %q and error %v, want %q", tt.name, out.String(), err, tt.want)
		}
	}
}

// A query is refused as the command line is, before a body is read.
func TestPrepareForRefuses(t *testing.T) {
	long := strings.Repeat("a{1000}", 3)
	for _, tt := range []struct {
		command string
		format  record.Format
		flags   url.Values
		want    string
	}{
		{"extract", record.Text, url.Values{"none": {"x"}}, "none"},
		{"extract", record.Text, url.Values{"base": {"x"}}, "--base"},
		{"extract", record.Text, url.Values{"pages": {"true"}}, "--pages needs --format"},
		{"extract", record.Text, url.Values{"type": {"x"}}, "type"},
		{"extract", record.Text, url.Values{"match": {long}}, "--match: the expressions of a request may have 2000"},
		{"rewrite", record.Text, url.Values{"map-regex": {long + "=/"}}, "--map-regex: the expressions"},
		{"extract", record.Text, url.Values{"match": {"("}}, "match"},
		{"extract", record.Text, url.Values{"type": {"script"}}, "--type script: string literals"},
		{"extract", record.Text, url.Values{"max-depth": {"0"}}, "--max-depth 0: at least 1"},
		{"base", record.Text, url.Values{"excess-dots": {"keep"}}, "--excess-dots has no meaning under whatwg"},
		{"rewrite", record.Text, url.Values{"robot-name": {"x"}}, "--robot-name needs --rel"},
		{"rewrite", record.Text, url.Values{"dry-run": {"true"}}, "--dry-run is not a parameter"},
		{"resolve", record.CSV, url.Values{"components": {"true"}}, "--components"},
	} {
		_, err := command.PrepareFor(1<<20)(tt.command, tt.format, tt.flags)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v: got error %v, want %q", tt.command, tt.flags, err, tt.want)
		}
	}
}

// extract returns the command extract with the flags and arguments of a line, and what it refuses.
func extract(t *testing.T, line string) (*command.Extract, error) {
	t.Helper()
	x := new(command.Extract)
	c := &cobra.Command{Use: "extract"}
	x.Register(c)
	if err := c.ParseFlags(strings.Fields(line)); err != nil {
		t.Fatal(err)
	}
	if err := x.Prepare(false); err != nil {
		return x, err
	}
	_, err := x.Start(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, c.Flags().Args())
	return x, err
}

// A command line that cannot be carried out is refused before anything is read.
func TestRefusedFlags(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"page", ""},
		{"--jobs 0 page", "--jobs 0: at least 1 is needed"},
		{"--jobs 1 page", ""},
		{"--max-depth 1 page", ""},
		{"--timeout 0 page", "--timeout 0s: more is needed"},
		{"--timeout 1 page", ""},
		{"--check-fragments auto page", "--check-fragments needs --check-files"},
		{"-q -v page", "-q and -v exclude each other"},
		{"-v page", ""},
		{"--type script --scripts page", ""},
		{"--check-files page", "--check-files needs --root"},
		{"--header x http://a.test/", "--header"},
		{"--same-scheme compat page", "--same-scheme has no meaning under whatwg"},
		{"--same-scheme compat --rules rfc3986 page", ""},
		{"--units u --format text page", "--units names all inputs"},
		{"- -", "standard input (-) is given twice"},
		{"--context page", "--context needs --format"},
		{"--report - --format arrow page", "--format arrow cannot hold the report of --report -"},
	} {
		_, err := extract(t, tt.line)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("extract %s: got error %v, want %q", tt.line, err, tt.want)
		}
	}
}

// Flags set options that other flags decide, too.
func TestDerivedOptions(t *testing.T) {
	x, err := extract(t, "--units u --max-size 1K --scripts -v --report r")
	if err != nil {
		t.Fatal(err)
	}
	if x.List.Format != record.JSONL {
		t.Errorf("the format of units is %v, want %v", x.List.Format, record.JSONL)
	}
	if x.Run.Reading.MaxSize != 1<<10 || x.Links.Reading.Limits.Leaf != 1<<10 {
		t.Errorf("--max-size 1K gives %d and %d", x.Run.Reading.MaxSize, x.Links.Reading.Limits.Leaf)
	}
	if !x.Run.Reading.Scripts || !x.Links.Targets.AllFragments || !x.Links.Envelopes || x.Run.Jobs != 0 {
		t.Errorf("got %+v, want scripts, all fragments, envelopes and jobs by the number of processors", x.Run)
	}
	if x, err = extract(t, "--units u --format csv -j 3"); err != nil {
		t.Fatal(err)
	}
	if x.List.Format != record.CSV || x.Run.Jobs != 3 || x.Links.Envelopes || x.Links.Targets.AllFragments {
		t.Errorf("of --format csv -j 3: got %v and %d jobs", x.List.Format, x.Run.Jobs)
	}
}

// --summary and --figure of base exclude each other and need their formats.
func TestBasePrepare(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"", ""}, {"--summary --format csv", ""}, {"--figure", ""}, {"--format jsonl", ""},
		{"--summary --figure", "exclude each other"},
		{"--summary --format jsonl", "--summary needs --format text, csv or tsv"},
		{"--figure --format csv", "--figure needs --format text"},
	} {
		x := new(command.Base)
		c := &cobra.Command{Use: "base"}
		x.Register(c)
		if err := c.ParseFlags(strings.Fields(tt.line)); err != nil {
			t.Fatal(err)
		}
		err := x.Prepare()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("base %s: got error %v, want %q", tt.line, err, tt.want)
		}
	}
}
