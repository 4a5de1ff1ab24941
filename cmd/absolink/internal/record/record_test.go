package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/hidden"
	"absolink/cmd/absolink/internal/record"
)

var full = record.Record{Document: record.Document{Source: "a.eml", Part: "1.2", Page: "http://a/p",
	Within: true, RecordOffset: 0, Type: "text/html"}, HasPlace: true, Offset: 10, End: 20, Line: 2, Column: 3,
	Element: "a", Attribute: "href", Kind: "nav", Rel: []string{"next",
		"nofollow"}, Raw: []byte("x&amp;y"), Value: []byte("x&y"),
	URI: []byte("http://a/x&y"), Status: "resolved", Base: "http://a/",
	Layer: "encapsulating", BaseFrom: "content-base", BasePart: "1",
	Warnings: []string{"port", "host-change"}}

func TestAppend(t *testing.T) {
	odd := record.Record{Document: record.Document{Source: "-", Type: "text/html"},
		Element: "a", Attribute: "href", Kind: "nav",
		Raw: []byte("a\tb\\\"\n\xff\xfe,"), Value: []byte(""), Status: "unresolved", Layer: "none", Error: "no, base"}
	tests := []struct {
		name string
		f    record.Format
		with record.With
		r    record.Record
		want string
	}{
		{"text", record.Text, record.With{}, full, "http://a/x&y\n"},
		{"text of an unresolved one", record.Text, record.With{}, odd, ""},
		{"text of an identifier", record.Text, record.With{},
			record.Record{Status: "identifier", URI: []byte("http://a/")}, ""},
		{"jsonl", record.JSONL, record.With{}, full,
			`{"source":"a.eml","part":"1.2","page":"http://a/p","record_offset":0,"type":"text/html","offset":10,"end":20,"line":2,"column":3,` +
				`"element":"a","attribute":"href","kind":"nav","rel":["next","nofollow"],"raw":"x&amp;y","value":"x&y","uri":"http://a/x&y",` +
				`"status":"resolved","base":"http://a/","base_layer":"encapsulating","base_source":"content-base","base_part":"1",` +
				`"warnings":["port","host-change"]}` + "\n"},
		{"jsonl of an archived page", record.JSONL, record.With{}, archived,
			`{"source":"a.warc.gz","item":7,"page":"http://a/p","date":"2026-01-02T03:04:05Z","record_id":"<urn:uuid:1>",` +
				`"record_offset":123,"http_status":404,"type":"text/html","uri":"http://b/","status":"absolute"}` +
				"\n"},
		{"jsonl without what is unknown", record.JSONL, record.With{}, odd,
			`{"source":"-","type":"text/html","element":"a","attribute":"href",` +
				`"kind":"nav","raw":"a\tb\\\"\n` + "\uFFFD\uFFFD" +
				`,","value":"","status":"unresolved","base_layer":"none","error":"no, base"}` + "\n"},
		{"csv", record.CSV, record.With{}, full,
			"a.eml,,1.2,http://a/p,,,,0,,text/html,10,20,2,3,a,href,nav,next nofollow,x&amp;y,x&y,http://a/x&y," +
				"resolved," +
				"http://a/,encapsulating,content-base,1,,port host-change\n"},
		{"csv without what is unknown", record.CSV, record.With{}, odd,
			"-,,,,,,,,,text/html,,,,,a,href,nav,,\"a\tb\\\"\"\n\uFFFD\uFFFD,\",,,unresolved,,none,,,\"no, base\",\n"},
		{"csv with a text", record.CSV, record.With{Context: true},
			record.Record{Status: "invalid", Text: "b, c"}, ",,,,,,,,,,,,,,,,,,,,,,,invalid,,,,,,,\"b, c\"\n"},
		{"jsonl with a text", record.JSONL, record.With{Context: true},
			record.Record{Status: "invalid", Text: "b"}, `{"source":"","status":"invalid","text":"b"}` + "\n"},
		{"jsonl among pages", record.JSONL, record.With{Categories: true},
			record.Record{Category: record.Link,
				Status: "invalid"}, `{"record":"link","source":"","status":"invalid"}` + "\n"},
		{"jsonl of a page", record.JSONL, record.With{Pages: true}, page,
			`{"record":"page","source":"a","page":"http://a/p","base":"http://a/","base_layer":"retrieval","robots":["noindex","nofollow"],"links":{"resolved":2,"invalid":1},"kinds":{}}` + "\n"},
		{"csv of a page", record.CSV, record.With{Pages: true}, page,
			"page,a,,,http://a/p,,,,,,,,,,,,,,,,,,,http://a/,retrieval,,,,,noindex nofollow,resolved=2 invalid=1,\n"},
		{"tsv", record.TSV, record.With{}, odd,
			"-\t\t\t\t\t\t\t\t\ttext/html\t\t\t\t\ta\thref\tnav\t\ta\\tb\\\\\"\\n\uFFFD\uFFFD," +
				"\t\t\tunresolved\t\tnone\t\t\tno, base\t\n"},
		{"jsonl with control characters", record.JSONL, record.With{},
			record.Record{Status: "invalid", Raw: []byte(controls)},
			`{"source":"","raw":"a\u001b\u0000\u0007\u007f\t\u0085\u009b1m\u202e\u2066\u200f\u061c\udb40\udc41é","status":"invalid"}` + "\n"},
		{"csv with control characters", record.CSV, record.With{},
			record.Record{Status: "invalid",
				Raw: []byte(controls)}, ",,,,,,,,,,,,,,,,,," +
				"a\\x1b\\x00\\x07\\x7f\t\\u0085\\u009b1m\u202e\u2066\u200f\u061c\U000e0041é,,,invalid,,,,,,\n"},
		{"csv with control characters and a quote", record.CSV, record.With{},
			record.Record{Status: "invalid",
				Raw: []byte("\"\x1b\r\n\\x1b")}, ",,,,,,,,,,,,,,,,,,\"\"\"\\x1b\r\n\\x1b\",,,invalid,,,,,,\n"},
		{"tsv with control characters", record.TSV, record.With{},
			record.Record{Status: "invalid",
				Raw: []byte("\x1b\\x1b\t\u009b\x7f")},
			"\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\\x1b\\\\x1b\\t\\u009b\\x7f\t\t\tinvalid\t\t\t\t\t\t\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(layout(t, tt.f, tt.with).Append(nil, &tt.r)); got != tt.want {
				t.Errorf("Append:\ngot  %q\nwant %q", got, tt.want)
			}
		})
	}
}

var (
	archived = record.Record{Document: record.Document{Source: "a.warc.gz", Item: 7,
		Page: "http://a/p", Message: record.Message{Date: "2026-01-02T03:04:05Z"},
		RecordID: "<urn:uuid:1>", Within: true, RecordOffset: 123, HTTPStatus: 404,
		Type: "text/html"}, URI: []byte("http://b/"), Status: "absolute"}
	page = record.Record{Category: record.Page, Document: record.Document{Source: "a", Page: "http://a/p"},
		Base: "http://a/", Layer: "retrieval", Robots: []string{"noindex", "nofollow"},
		Links: []record.Count{{"resolved", 2}, {"invalid", 1}}, Kinds: []record.Count{}}
)

// layout returns the layout with the given keys, or with all keys if keys is empty.
func layout(t testing.TB, f record.Format, with record.With, keys ...string) *record.Layout {
	t.Helper()
	l, err := record.NewLayout(f, keys, with)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestHeaderFitsRows(t *testing.T) {
	const want = "source,item,part,page,message_id,date,record_id,record_offset,http_status,type,offset,end,line," +
		"column,element,attribute,kind,rel,raw,value,uri,status,base,base_layer,base_source,base_part,error,warnings"
	l := layout(t, record.CSV, record.With{})
	if got := strings.TrimSpace(l.Header()); got != want {
		t.Errorf("Header: got %q, want %q", got, want)
	}
	rows, err := csv.NewReader(bytes.NewReader(l.Append([]byte(l.Header()), &full))).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[0]) != len(rows[1]) {
		t.Fatalf("csv reader: got %d rows and error %v, want 2 of one length", len(rows), err)
	}
}

// Records have the requested keys, in the requested order.
func TestFields(t *testing.T) {
	r := archived
	r.URI = []byte("http://u@www.a.co.uk:80/x")
	r.Message.Subject = "hello, you"
	tests := []struct {
		f    record.Format
		keys string
		with record.With
		want string
	}{
		{record.JSONL, "uri page", record.With{}, `{"uri":"http://u@www.a.co.uk:80/x","page":"http://a/p"}` + "\n"},
		{record.JSONL, "part", record.With{}, "{}\n"},
		{record.JSONL, "host domain subject record_offset", record.With{},
			`{"host":"www.a.co.uk","domain":"a.co.uk","subject":"hello, you","record_offset":123}` + "\n"},
		{record.JSONL, "host domain", record.With{Pages: true}, `{"record":"page","host":"a"}` + "\n"},
		{record.CSV, "subject item part", record.With{}, "\"hello, you\",7,\n"},
		{record.TSV, "status http_status", record.With{}, "absolute\t404\n"},
		{record.JSONL, "status", record.With{Categories: true}, `{"record":"link","status":"absolute"}` + "\n"},
		{record.JSONL, "status record", record.With{Categories: true}, `{"status":"absolute","record":"link"}` + "\n"},
	}
	for _, tt := range tests {
		r.Category = ""
		if tt.with.Categories {
			r.Category = record.Link
		}
		if tt.with.Pages {
			r.Category = record.Page
		}
		if got := string(layout(t, tt.f, tt.with, strings.Fields(tt.keys)...).Append(nil, &r)); got != tt.want {
			t.Errorf("%v of %s: got %q, want %q", tt.f, tt.keys, got, tt.want)
		}
	}
	if got, want := layout(t, record.TSV, record.With{}, "uri", "page").Header(), "uri\tpage\n"; got != want {
		t.Errorf("Header: got %q, want %q", got, want)
	}
}

func TestFieldsRefused(t *testing.T) {
	tests := []struct {
		f    record.Format
		key  string
		want string
	}{
		{record.JSONL, "urii", `--fields: records have no "urii"; did you mean uri?`},
		{record.JSONL, "wholly", `--fields: records have no "wholly"; "absolink help links" names all`},
		{record.JSONL, "page", "--fields: page is given twice: give it once"},
		{record.JSONL, "found", "--fields: found needs --check-files: add it"},
		{record.CSV, "kinds", "--fields: kinds needs --pages: add it"},
		{record.CSV, "hosts", "--fields: hosts needs --pages: add it"},
		{record.JSONL, "domains", "--fields: domains needs --pages: add it"},
		{record.CSV, "record", "--fields: record needs --pages or --stream: add one"},
		{record.Text, "uri", "--fields needs --format jsonl, csv, tsv or arrow"},
	}
	for _, tt := range tests {
		if _, err := record.NewLayout(tt.f, []string{"page", tt.key}, record.With{}); err == nil ||
			err.Error() != tt.want {
			t.Errorf("NewLayout(%v, %s): got error %v, want %s", tt.f, tt.key, err, tt.want)
		}
	}
}

// An object with all keys is the same in both ways of writing it.
func TestWholeObjectIsItsKeys(t *testing.T) {
	for _, with := range []record.With{{}, {Context: true}, {Checked: true}, {Categories: true}, {Pages: true}} {
		keys := strings.Split(strings.TrimSpace(layout(t, record.CSV, with).Header()), ",")
		whole, chosen := layout(t, record.JSONL, with), layout(t, record.JSONL, with, keys...)
		for _, r := range []record.Record{full, archived} {
			r.Error, r.Message = "why", record.Message{ID: "<i>", Date: "d"}
			if with.Categories || with.Pages {
				r.Category = record.Link
			}
			if with.Context {
				r.Message.Subject, r.Message.From, r.Text = "s", "f", "t"
			}
			if with.Checked {
				r.Found = "http://a/f"
			}
			if got, want := whole.Append(nil, &r), chosen.Append(nil, &r); !bytes.Equal(got, want) {
				t.Errorf("Append with %+v:\ngot  %s\nwant %s", with, got, want)
			}
		}
	}
}

func TestDomain(t *testing.T) {
	for host, want := range map[string]string{
		"a.test":         "a.test",
		"x.www.a.co.uk.": "a.co.uk",
		"WWW.A.Com":      "a.com",
		"[::1]":          "",
		"127.0.0.1":      "",
		"co.uk":          "",
		"localhost":      "",
		"a..b":           "",
		"":               "",
	} {
		if got := record.Domain(host); got != want {
			t.Errorf("Domain(%q): got %q, want %q", host, got, want)
		}
	}
}

func TestUnique(t *testing.T) {
	var in []byte
	for _, line := range []string{"a\n", "b\n", "a\n", "", "c\n", "b\n"} {
		in = record.AppendFrame(in, []byte(line), nil, []byte(line))
	}
	var got bytes.Buffer
	u := &record.Unique{W: &got}
	if _, err := bytes.NewReader(nil).WriteTo(u); err != nil {
		t.Fatal(err)
	}
	one := iotest.OneByteReader(bytes.NewReader(in))
	buf := make([]byte, 64)
	for {
		n, err := one.Read(buf)
		u.Write(buf[:n])
		if err != nil {
			break
		}
	}
	if want := "a\nb\nc\n"; got.String() != want {
		t.Errorf("Unique: got %q, want %q", got.String(), want)
	}
}

// Add decides about lines with a URI that fits, and the key about all others.
func TestUniqueAdd(t *testing.T) {
	var in []byte
	for _, f := range [][3]string{{"k", "old", "1"}, {"k", "new", "2"}, {"k", "new", "3"}, {"k", "", "4"},
		{"k", "", "5"}, {"l", "long", "6"}, {"l", "long", "7"}} {
		in = record.AppendFrame(in, []byte(f[0]), []byte(f[1]), []byte(f[2]))
	}
	for size := range len(in) {
		var got bytes.Buffer
		var asked []string
		u := &record.Unique{W: &got, Add: func(uri []byte) (bool, bool) {
			asked = append(asked, string(uri))
			return string(uri) == "new" && len(asked) == 2, string(uri) != "long"
		}}
		for part := range slices.Chunk(in, size+1) {
			u.Write(part)
		}
		if want := "246"; got.String() != want {
			t.Errorf("pieces of %d bytes: got the lines %s, want %s", size+1, got.String(), want)
		}
		if want := []string{"old", "new", "new", "long", "long"}; !slices.Equal(asked, want) {
			t.Errorf("pieces of %d bytes: Add got %q, want %q", size+1, asked, want)
		}
	}
}

// controls are characters that a terminal obeys or hides.
const controls = "a\x1b\x00\x07\x7f\t\u0085\u009b1m\u202e\u2066\u200f\u061c\U000e0041é"

// AppendString writes valid JSON that decodes to the given text.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\x00\x1f\u2028\xff\xc3é")
	f.Add("1234567\x7f1234567\u009b\u202e\U000e0041x")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		text := record.AppendString([]byte(nil), s)
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("AppendString(%q) is no JSON: %v", s, err)
		}
		if bytes.ContainsFunc(text, hidden.Rune) {
			t.Errorf("AppendString(%q): got %q, which has characters that are not shown", s, text)
		}
		var want strings.Builder
		for _, r := range s {
			want.WriteRune(r)
		}
		if got != want.String() {
			t.Errorf("AppendString(%q): got %q, want %q", s, got, want.String())
		}
	})
}

// visible returns s with the escapes that CSV and TSV have for control characters.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t' || r == '\r' || r == '\n' || !unicode.IsControl(r):
			b.WriteRune(r)
		case r <= 0x7f:
			b.WriteString("\\x" + strconv.FormatInt(int64(0x100+r), 16)[1:])
		default:
			b.WriteString("\\u" + strconv.FormatInt(int64(0x10000+r), 16)[1:])
		}
	}
	return b.String()
}

// Whatever its bytes are, a record is one line of JSON. In CSV and TSV it is one row, which readers
// split into the named columns.
func FuzzAppend(f *testing.F) {
	f.Add("a.html", "x\ty", "b\"c,\xff", "\r\n \\")
	f.Fuzz(func(t *testing.T, source, element, raw, text string) {
		r := record.Record{Document: record.Document{Source: source, Page: raw, RecordID: text}, Element: element,
			Attribute: text, Rel: []string{element, text}, Raw: []byte(raw), Value: []byte(text),
			URI: []byte(raw), Status: "resolved", Base: source, Warnings: []string{raw}, Text: text, Found: source}
		all := record.With{Context: true, Checked: true}
		json1 := layout(t, record.JSONL, all)
		line := json1.Append(nil, &r)
		if !json.Valid(line) || bytes.Count(line, []byte{'\n'}) != 1 {
			t.Errorf("JSONL: got %q, want one line of JSON", line)
		}
		memo := record.Memo{}
		for _, r := range []record.Record{full, r, r,
			{Document: record.Document{Source: source, Part: text}, Base: source, BasePart: raw}, full, archived} {
			want := json1.Append(nil, &r)
			r.Memo = &memo
			if got := json1.Append(nil, &r); !bytes.Equal(got, want) {
				t.Errorf("JSONL after another record: got %q, want %q", got, want)
			}
		}
		rows := layout(t, record.TSV, all)
		columns := strings.Count(rows.Header(), "\t")
		line = rows.Append(nil, &r)
		if n := bytes.Count(line, []byte{'\t'}); n != columns ||
			bytes.IndexByte(line, '\n') != len(line)-1 || !utf8.Valid(line) {
			t.Errorf("TSV: got %q, want one row of UTF-8 with %d tabs", line, columns)
		}
		line = layout(t, record.CSV, all).Append(nil, &r)
		row, err := csv.NewReader(bytes.NewReader(line)).Read()
		if err != nil || len(row) != columns+1 || !utf8.Valid(line) {
			t.Fatalf("CSV: got %q, error %v; want a row of UTF-8 of %d cells", line, err, columns+1)
		}
		want := strings.ReplaceAll(string([]rune(text)), "\r\n", "\n") // the reader normalizes line ends
		want = visible(want)
		if got := row[columns-1]; got != want {
			t.Errorf("CSV: got %q as the text, want %q", got, want)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, f := range []record.Format{record.Text, record.JSONL, record.CSV, record.TSV} {
		b.Run(f.String(), func(b *testing.B) {
			var dst []byte
			l := layout(b, f, record.With{})
			b.ReportAllocs()
			for b.Loop() {
				dst = l.Append(dst[:0], &full)
			}
			b.SetBytes(int64(len(dst)))
		})
	}
}

// With --check-files a record has one more column.
func TestFound(t *testing.T) {
	r := record.Record{Document: record.Document{Source: "p"}, Status: "resolved", Found: "http://a/x.html"}
	checked := record.With{Checked: true}
	rows, objects := layout(t, record.TSV, checked), layout(t, record.JSONL, checked)
	if got := rows.Header(); !strings.HasSuffix(got, "\twarnings\tfound\n") {
		t.Errorf("Header: got %q, want found in the end", got)
	}
	if got := string(rows.Append(nil, &r)); !strings.HasSuffix(got, "\t\thttp://a/x.html\n") {
		t.Errorf("TSV: got %q, want the URI in the end", got)
	}
	if got, want := string(objects.Append(nil, &r)), `{"source":"p","status":"resolved","found":"http://a/x.html"}`+
		"\n"; got != want {
		t.Errorf("JSONL: got %s, want %s", got, want)
	}
}

// The cached values of one record do not appear in the next record.
func TestMemo(t *testing.T) {
	memo := new(record.Memo)
	tests := []struct {
		name string
		r    record.Record
		want string
	}{
		{"first", record.Record{Document: record.Document{Source: "a", Item: 1, Type: "text/html"},
			Status: "resolved", Base: "http://a/", Layer: "retrieval", Memo: memo},
			`{"source":"a","item":1,"type":"text/html","status":"resolved","base":"http://a/","base_layer":"retrieval"}`},
		{"another item",
			record.Record{Document: record.Document{Source: "a", Item: 2, Type: "text/html"},
				Status: "resolved", Base: "http://a/", Layer: "retrieval", Memo: memo},
			`{"source":"a","item":2,"type":"text/html","status":"resolved","base":"http://a/","base_layer":"retrieval"}`},
		{"another part and base",
			record.Record{Document: record.Document{Source: "a", Item: 2, Part: "1", Type: "text/html"},
				Status: "resolved", Base: "http://b/", Layer: "embedded",
				BaseFrom: "base-element", BasePart: "1", Memo: memo},
			`{"source":"a","item":2,"part":"1","type":"text/html","status":"resolved","base":"http://b/","base_layer":"embedded","base_source":"base-element","base_part":"1"}`},
		{"another type",
			record.Record{Document: record.Document{Source: "a", Item: 2, Part: "1", Type: "text/css"},
				Status: "absolute", Memo: memo},
			`{"source":"a","item":2,"part":"1","type":"text/css","status":"absolute"}`},
		{"another source", record.Record{Document: record.Document{Source: "b"}, Status: "absolute", Memo: memo},
			`{"source":"b","status":"absolute"}`},
	}
	objects := layout(t, record.JSONL, record.With{})
	for _, tt := range tests {
		if got := string(objects.Append(nil, &tt.r)); got != tt.want+"\n" {
			t.Errorf("%s: Append: got %swant %s", tt.name, got, tt.want)
		}
	}
}

// The host of a page is taken from its normalized URI, like the host of a link.
func TestPageHost(t *testing.T) {
	tests := []struct{ page, host, domain string }{
		{"http://a.test/x", "a.test", "a.test"},
		{"HTTP://Www.Bücher.CO.UK:80/x", "www.xn--bcher-kva.co.uk", "xn--bcher-kva.co.uk"},
		{"http://u:p@a.test?x", "a.test", "a.test"},
		{"urn:pageinfo:http://a.test/", "", ""},
		{"/relative", "", ""},
	}
	l := layout(t, record.CSV, record.With{Pages: true}, "page", "host", "domain")
	for _, tt := range tests {
		r := record.Record{Category: record.Page, Document: record.Document{Page: tt.page}}
		if got, want := string(l.Append(nil, &r)), "page,"+tt.page+","+tt.host+","+tt.domain+"\n"; got != want {
			t.Errorf("page %s: got %q, want %q", tt.page, got, want)
		}
	}
}

// A host may have characters that JSON escapes. Records have hosts and domains only on request.
func TestPageHosts(t *testing.T) {
	r := record.Record{Category: record.Page,
		Hosts: []record.Count{{"a\"b\xff", 2}, {"c", 1}}, Domains: []record.Count{}}
	tests := []struct {
		f      record.Format
		fields []string
		want   string
	}{
		{record.JSONL, []string{"hosts", "domains"}, `{"record":"page","hosts":{"a\"b\uFFFD":2,"c":1},"domains":{}}`},
		{record.CSV, []string{"hosts", "domains"}, "page,\"a\"\"b\uFFFD=2 c=1\","},
		{record.JSONL, nil, `{"record":"page","source":""}`},
	}
	for _, tt := range tests {
		got := string(layout(t, tt.f, record.With{Pages: true}, tt.fields...).Append(nil, &r))
		if want := strings.ReplaceAll(tt.want, `\uFFFD`, "\uFFFD") + "\n"; got != want {
			t.Errorf("%v of %q: got %swant %s", tt.f, tt.fields, got, want)
		}
	}
}

// ValidUTF8 is utf8.Valid, for texts of any length with an invalid or wide character anywhere.
func TestValidUTF8(t *testing.T) {
	for n := range 70 {
		for at := range n + 1 {
			for _, c := range []string{"", "\xff", "\x80", "\u00e9", "\U0001F600", "\xc3", "\x7f"} {
				text := []byte(strings.Repeat("a", at) + c + strings.Repeat("b", n-at))
				if got, want := record.ValidUTF8(text), utf8.Valid(text); got != want {
					t.Errorf("ValidUTF8(%q): got %v, want %v", text, got, want)
				}
			}
		}
	}
}

// Only the URI and status of a link can be printed without its other values.
func TestDescribesLinks(t *testing.T) {
	for fields, want := range map[string]bool{"uri": false, "page uri": false, "host domain status uri": false,
		"record source item part page message_id subject from date record_id record_offset http_status type": false,
		"uri offset": true, "element": true, "rel": true, "raw": true, "value uri": true, "base": true,
		"error": true, "warnings": true, "text": true, "line": true} {
		for _, format := range []record.Format{record.JSONL, record.TSV, record.Arrow} {
			l, err := record.NewLayout(format, strings.Fields(fields), record.With{Units: true, Categories: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := l.DescribesLinks(); got != want {
				t.Errorf("DescribesLinks of %s with %s: got %v, want %v", format, fields, got, want)
			}
		}
	}
}
