package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/record"
)

var full = record.Record{Source: "a.eml", Part: "1.2", Type: "text/html", Placed: true, Offset: 10, End: 20, Line: 2, Column: 3,
	Element: "a", Attribute: "href", Kind: "nav", Rel: []string{"next", "nofollow"}, Raw: []byte("x&amp;y"), Value: []byte("x&y"),
	URI: []byte("http://a/x&y"), Status: "resolved", Base: "http://a/", Layer: "encapsulating", BaseFrom: "content-base", BasePart: "1",
	Warnings: []string{"port", "host-change"}}

func TestAppend(t *testing.T) {
	odd := record.Record{Source: "-", Type: "text/html", Element: "a", Attribute: "href", Kind: "nav",
		Raw: []byte("a\tb\\\"\n\xff,"), Value: []byte(""), Status: "unresolved", Layer: "none", Error: "no, base"}
	tests := []struct {
		name string
		f    record.Format
		r    record.Record
		want string
	}{
		{"text", record.Text, full, "http://a/x&y\n"},
		{"text of an unresolved one", record.Text, odd, ""},
		{"text of an identifier", record.Text, record.Record{Status: "identifier", URI: []byte("http://a/")}, ""},
		{"jsonl", record.JSONL, full, `{"source":"a.eml","part":"1.2","type":"text/html","offset":10,"end":20,"line":2,"column":3,` +
			`"element":"a","attribute":"href","kind":"nav","rel":["next","nofollow"],"raw":"x&amp;y","value":"x&y","uri":"http://a/x&y",` +
			`"status":"resolved","base":"http://a/","base_layer":"encapsulating","base_source":"content-base","base_part":"1",` +
			`"warnings":["port","host-change"]}` + "\n"},
		{"jsonl without what is unknown", record.JSONL, odd, `{"source":"-","type":"text/html","element":"a","attribute":"href",` +
			`"kind":"nav","raw":"a\tb\\\"\n` + "\uFFFD" + `,","value":"","status":"unresolved","base_layer":"none","error":"no, base"}` + "\n"},
		{"csv", record.CSV, full, "a.eml,,1.2,,,text/html,10,20,2,3,a,href,nav,next nofollow,x&amp;y,x&y,http://a/x&y,resolved," +
			"http://a/,encapsulating,content-base,1,,port host-change\n"},
		{"csv without what is unknown", record.CSV, odd, "-,,,,,text/html,,,,,a,href,nav,,\"a\tb\\\"\"\n\uFFFD,\",,,unresolved,,none,,,\"no, base\",\n"},
		{"csv with a text", record.CSV, record.Record{Source: "a", Status: "invalid", Context: true, Text: "b, c"}, "a,,,,,,,,,,,,,,,,,,,invalid,,,,,,,\"b, c\"\n"},
		{"jsonl with a text", record.JSONL, record.Record{Source: "a", Status: "invalid", Context: true, Text: "b"}, `{"source":"a","status":"invalid","text":"b"}` + "\n"},
		{"tsv", record.TSV, odd, "-\t\t\t\t\ttext/html\t\t\t\t\ta\thref\tnav\t\ta\\tb\\\\\"\\n\uFFFD,\t\t\tunresolved\t\tnone\t\t\tno, base\t\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(tt.f.Append(nil, &tt.r)); got != tt.want {
				t.Errorf("Append:\ngot  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestHeaderFitsRows(t *testing.T) {
	const want = "source,item,part,message_id,date,type,offset,end,line,column,element,attribute,kind,rel,raw,value,uri,status,base,base_layer,base_source,base_part,error,warnings"
	if got := strings.TrimSpace(record.CSV.Header(false, false)); got != want {
		t.Errorf("Header: got %q, want %q", got, want)
	}
	rows, err := csv.NewReader(bytes.NewReader(record.CSV.Append([]byte(record.CSV.Header(false, false)), &full))).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[0]) != len(rows[1]) {
		t.Fatalf("csv reader: got %d rows and error %v, want 2 of one length", len(rows), err)
	}
}

func TestUnique(t *testing.T) {
	var in []byte
	for _, line := range []string{"a\n", "b\n", "a\n", "", "c\n", "b\n"} {
		in = record.Frame(in, []byte(line), []byte(line))
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

// What AppendString writes is JSON, and means what was given.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\x00\x1f\u2028\xff\xc3é")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(record.AppendString([]byte(nil), s), &got); err != nil {
			t.Fatalf("AppendString(%q) is no JSON: %v", s, err)
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

// Whatever the bytes, a record is one line of JSON, and one row that readers of CSV and
// TSV take apart into the columns that are named.
func FuzzAppend(f *testing.F) {
	f.Add("a.html", "x\ty", "b\"c,\xff", "\r\n \\")
	f.Fuzz(func(t *testing.T, source, element, raw, text string) {
		r := record.Record{Source: source, Element: element, Attribute: text, Rel: []string{element, text}, Raw: []byte(raw), Value: []byte(text),
			URI: []byte(raw), Status: "resolved", Base: source, Warnings: []string{raw}, Context: true, Text: text, Checked: true, Found: source}
		line := record.JSONL.Append(nil, &r)
		if !json.Valid(line) || bytes.Count(line, []byte{'\n'}) != 1 {
			t.Errorf("JSONL: got %q, want one line of JSON", line)
		}
		memo := record.Memo{}
		for _, r := range []record.Record{full, r, r, {Source: source, Part: text, Base: source, BasePart: raw}, full} {
			want := record.JSONL.Append(nil, &r)
			r.Memo = &memo
			if got := record.JSONL.Append(nil, &r); !bytes.Equal(got, want) {
				t.Errorf("JSONL after another record: got %q, want %q", got, want)
			}
		}
		columns := strings.Count(record.TSV.Header(true, true), "\t")
		line = record.TSV.Append(nil, &r)
		if n := bytes.Count(line, []byte{'\t'}); n != columns || bytes.IndexByte(line, '\n') != len(line)-1 || !utf8.Valid(line) {
			t.Errorf("TSV: got %q, want one row of UTF-8 with %d tabs", line, columns)
		}
		line = record.CSV.Append(nil, &r)
		row, err := csv.NewReader(bytes.NewReader(line)).Read()
		if err != nil || len(row) != columns+1 || !utf8.Valid(line) {
			t.Fatalf("CSV: got %q, error %v; want a row of UTF-8 of %d cells", line, err, columns+1)
		}
		want := strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") // which the reader makes of it
		if got := row[columns-1]; got != want {
			t.Errorf("CSV: got %q as the text, want %q", got, want)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, f := range []record.Format{record.Text, record.JSONL, record.CSV, record.TSV} {
		b.Run(f.String(), func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = f.Append(dst[:0], &full)
			}
			b.SetBytes(int64(len(dst)))
		})
	}
}

// With --check-files a record has one column more.
func TestFound(t *testing.T) {
	r := record.Record{Source: "p", Status: "resolved", Checked: true, Found: "http://a/x.html"}
	if got := record.TSV.Header(false, true); !strings.HasSuffix(got, "\twarnings\tfound\n") {
		t.Errorf("Header: got %q, want found in the end", got)
	}
	if got := string(record.TSV.Append(nil, &r)); !strings.HasSuffix(got, "\t\thttp://a/x.html\n") {
		t.Errorf("TSV: got %q, want the URI in the end", got)
	}
	if got, want := string(record.JSONL.Append(nil, &r)), `{"source":"p","status":"resolved","found":"http://a/x.html"}`+"\n"; got != want {
		t.Errorf("JSONL: got %s, want %s", got, want)
	}
}

// What was kept of one record does not show in the next one.
func TestMemo(t *testing.T) {
	memo := new(record.Memo)
	tests := []struct {
		name string
		r    record.Record
		want string
	}{
		{"first", record.Record{Source: "a", Item: 1, Type: "text/html", Status: "resolved", Base: "http://a/", Layer: "retrieval", Memo: memo},
			`{"source":"a","item":1,"type":"text/html","status":"resolved","base":"http://a/","base_layer":"retrieval"}`},
		{"another item", record.Record{Source: "a", Item: 2, Type: "text/html", Status: "resolved", Base: "http://a/", Layer: "retrieval", Memo: memo},
			`{"source":"a","item":2,"type":"text/html","status":"resolved","base":"http://a/","base_layer":"retrieval"}`},
		{"another part and base", record.Record{Source: "a", Item: 2, Part: "1", Type: "text/html", Status: "resolved", Base: "http://b/", Layer: "embedded", BaseFrom: "base-element", BasePart: "1", Memo: memo},
			`{"source":"a","item":2,"part":"1","type":"text/html","status":"resolved","base":"http://b/","base_layer":"embedded","base_source":"base-element","base_part":"1"}`},
		{"another type", record.Record{Source: "a", Item: 2, Part: "1", Type: "text/css", Status: "absolute", Memo: memo},
			`{"source":"a","item":2,"part":"1","type":"text/css","status":"absolute"}`},
		{"another source", record.Record{Source: "b", Status: "absolute", Memo: memo}, `{"source":"b","status":"absolute"}`},
	}
	for _, tt := range tests {
		if got := string(record.JSONL.Append(nil, &tt.r)); got != tt.want+"\n" {
			t.Errorf("%s: Append: got %swant %s", tt.name, got, tt.want)
		}
	}
}
