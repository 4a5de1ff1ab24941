package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/record"
)

var full = record.Record{Source: "a.eml", Part: "1.2", Type: "text/html", Placed: true, Offset: 10, End: 20, Line: 2, Column: 3,
	Element: "a", Attribute: "href", Kind: "nav", Rel: []string{"next", "nofollow"}, Raw: []byte("x&amp;y"), Value: []byte("x&y"),
	URI: []byte("http://a/x&y"), Status: "resolved", Base: "http://a/", Layer: "encapsulating", BaseFrom: "content-base", BasePart: "1",
	Warnings: []string{"port", "host-change"}}

func TestAppend(t *testing.T) {
	odd := record.Record{Source: "-", Type: "text/html", Element: "a", Attribute: "href", Kind: "nav",
		Raw: []byte("a\tb\\\"\n\xff,"), Value: []byte(""), Status: "unresolved", Layer: "none"}
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
			`"kind":"nav","raw":"a\tb\\\"\n` + "\uFFFD" + `,","value":"","status":"unresolved","base_layer":"none"}` + "\n"},
		{"csv", record.CSV, full, "a.eml,,1.2,text/html,10,20,2,3,a,href,nav,next nofollow,x&amp;y,x&y,http://a/x&y,resolved," +
			"http://a/,encapsulating,content-base,1,port host-change\n"},
		{"csv without what is unknown", record.CSV, odd, "-,,,text/html,,,,,a,href,nav,,\"a\tb\\\"\"\n\uFFFD,\",,,unresolved,,none,,,\n"},
		{"csv with a text", record.CSV, record.Record{Source: "a", Status: "invalid", Context: true, Text: "b, c"}, "a,,,,,,,,,,,,,,,invalid,,,,,,\"b, c\"\n"},
		{"jsonl with a text", record.JSONL, record.Record{Source: "a", Status: "invalid", Context: true, Text: "b"}, `{"source":"a","status":"invalid","text":"b"}` + "\n"},
		{"tsv", record.TSV, odd, "-\t\t\ttext/html\t\t\t\t\ta\thref\tnav\t\ta\\tb\\\\\"\\n\uFFFD,\t\t\tunresolved\t\tnone\t\t\t\n"},
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
	const want = "source,item,part,type,offset,end,line,column,element,attribute,kind,rel,raw,value,uri,status,base,base_layer,base_source,base_part,warnings"
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

func BenchmarkAppendJSON(b *testing.B) {
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = record.JSONL.Append(dst[:0], &full)
	}
	b.SetBytes(int64(len(dst)))
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
