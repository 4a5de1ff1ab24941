package reportpage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/cmd/absolink/internal/reportpage"
	"absolink/testdata/effort"
)

// lines is a report of a refused mailbox, a web archive and a file with a problem.
const lines = `{"source":"a.mbox","item":1,"message_id":"<1>","kind":"message","bytes":10,"outcome":"rewritten","documents":1,"references":{"resolved":2},"kinds":{"nav":2},"layers":{"embedded":2},"edits":2,"signed":0,"problems":[],"base_hosts":["a.test"],"seconds":0.5}
{"source":"a.mbox","kind":"mbox","bytes":100,"messages":1,"outcome":"refused","reason":"is locked","documents":0,"references":{},"edits":0,"signed":0,"problems":[],"seconds":1}
{"source":"b.warc","item":7,"uri":"http://b.test/","kind":"html","bytes":20,"outcome":"listed","documents":1,"references":{"absolute":1,"invalid":1},"kinds":{"res":2},"layers":{"retrieval":1,"none":1},"edits":0,"signed":0,"problems":[{"line":3,"column":4,"offset":9,"text":"invalid host"}],"base_hosts":["b.test"],"seconds":0}
{"source":"b.warc","kind":"warc","bytes":3000,"records":1,"outcome":"listed","documents":0,"references":{},"edits":0,"signed":0,"problems":[],"seconds":0.001}
no JSON

{"source":"x"}
{"source":"c.html","kind":"html","bytes":0,"outcome":"listed","documents":1,"references":{"invalid":1},"edits":0,"signed":0,"problems":[{"part":"1","offset":5,"text":"invalid host"}],"seconds":0.0000005}
`

func TestSummary(t *testing.T) {
	var s reportpage.Summary
	var bad []string
	note := func(n int, err error) { bad = append(bad, fmt.Sprint(n)) }
	if err := s.AddReport(strings.NewReader(lines), note); err != nil {
		t.Fatal(err)
	}
	if err := s.AddRecords(strings.NewReader(`{"record":"page","source":"p"}
{"source":"p","status":"resolved","uri":"http://u@h.test:80/x"}
{"source":"p","status":"unresolved"}
[]
{}
{"source":"p","uri":"mailto:a@b.test"}`), note); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(bad, " "); got != "5 7 4 5" {
		t.Errorf("bad lines: got %s, want 5 7 of the report and 4 5 of the records", got)
	}
	var out bytes.Buffer
	if err := s.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, out.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"lines":13,"bad_lines":4,"inputs":3,"bytes":3100,"messages":1,"records":1,"documents":3,"references":5,"edits":0,`,
		`"problems":2,"seconds":1.0010005,`,
		`"outcomes":[{"outcome":"listed","inputs":2,"bytes":3000,"items":1},{"outcome":"refused","inputs":1,"bytes":100,"items":1},{"outcome":"rewritten","inputs":0,"bytes":0,"items":0}]`,
		`"references_by_status":[{"name":"invalid","number":2},{"name":"resolved","number":2},{"name":"absolute","number":1}]`,
		`"references_by_kind":[{"name":"nav","number":2},{"name":"res","number":2}]`,
		`"references_by_layer":[{"name":"embedded","number":2},{"name":"none","number":1},{"name":"retrieval","number":1}]`,
		`"base_hosts":{"groups":[{"text":"a.test","number":1},{"text":"b.test","number":1}],"others":0}`,
		`"link_records":3,"link_hosts":{"groups":[{"text":"h.test:80","number":1}],"others":0}`,
		`"problems_by_text":{"groups":[{"text":"invalid host","number":2,"places":["b.warc:3:4: item 7","c.html, part 1, offset 5"]}],"others":0}`,
		`"reasons":{"groups":[{"text":"refused: is locked","number":1,"places":["a.mbox"]}],"others":0}`,
		`"slowest":[{"source":"a.mbox","bytes":100,"seconds":1},{"source":"b.warc","bytes":3000,"seconds":0.001},{"source":"c.html","bytes":0,"seconds":5e-7}]`,
		`"largest":[{"source":"b.warc","bytes":3000,"seconds":0.001},{"source":"a.mbox","bytes":100,"seconds":1}]`,
		`"sizes":[{"from":0,"below":2,"inputs":1},`,
	} {
		if !strings.Contains(compact.String(), want) {
			t.Errorf("WriteJSON: got %s, want it to have %s", &compact, want)
		}
	}
}

// The numbers of wrapped links add up, and a negative number is no line of a report.
func TestWrapped(t *testing.T) {
	var s reportpage.Summary
	const lines = `{"source":"a","outcome":"listed","wrapped":2}
{"source":"b","outcome":"listed","wrapped":3}
{"source":"c","outcome":"listed","wrapped":-1}`
	bad := 0
	if err := s.AddReport(strings.NewReader(lines), func(int, error) { bad++ }); err != nil {
		t.Fatal(err)
	}
	var out, page bytes.Buffer
	if err := errors.Join(s.WriteJSON(&out), s.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	if s.Wrapped != 5 || bad != 1 || !strings.Contains(out.String(), `"wrapped": 5`) ||
		!strings.Contains(page.String(), "links that stay wrapped</dt><dd>5</dd>") {
		t.Errorf("got %d wrapped links, %d bad lines, %s", s.Wrapped, bad, &out)
	}
}

// Lines that are too long are named, and the other lines count.
func TestLongLine(t *testing.T) {
	var s reportpage.Summary
	parts := []io.Reader{strings.NewReader(`{"outcome":"`)}
	mebibyte := strings.Repeat("x", 1<<20)
	for range 16 {
		parts = append(parts, strings.NewReader(mebibyte))
	}
	parts = append(parts, strings.NewReader("\"}\n"+`{"source":"b","outcome":"listed"}`))
	long := io.MultiReader(parts...)
	var bad []int
	if err := s.AddReport(long, func(n int, err error) { bad = append(bad, n) }); err != nil ||
		!slices.Equal(bad, []int{1}) || s.Inputs != 1 {
		t.Errorf("Read: error %v, bad lines %v and %d inputs, want line 1 and 1 input", err, bad, s.Inputs)
	}
}

// The page and the memory stay small, even if millions of lines all differ.
func TestMemory(t *testing.T) {
	effort.Only(t)
	const n = 30_000
	var s reportpage.Summary
	pad := strings.Repeat("<&\x01é", 60)
	for i := range n {
		quoted, _ := json.Marshal(fmt.Sprint(i, pad))
		line := fmt.Sprintf(`{"source":%s,"outcome":"failed","reason":%[1]s,"bytes":%d,"references":{%[1]s:1},"problems":[{"text":%[1]s}],"base_hosts":[%[1]s],"seconds":%[2]d}`, quoted, i)
		if err := s.AddReport(strings.NewReader(line), func(int, error) { t.Fatal("a bad line") }); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 32<<20 {
		t.Errorf("%d lines: %d bytes are held, want at most 32 MiB", n, m.HeapAlloc)
	}
	var page bytes.Buffer
	if err := s.WriteHTML(&page); err != nil || page.Len() > 2_000_000 {
		t.Errorf("WriteHTML: %d bytes and error %v, want less than 2 MB", page.Len(), err)
	}
}

// Text of a report never becomes markup: the page has the same elements and attributes for all
// texts.
func FuzzPage(f *testing.F) {
	for _, s := range []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`,
		"</style><script>", "{{.}}", "\x00\u202e]]>", "'`${x}", "&lt;b>", "</table><p>"} {
		f.Add(s, s)
	}
	want := elements(f, "x", "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := elements(t, a, b); got != want {
			t.Errorf("texts %q and %q: got elements\n%s\nwant\n%s", a, b, got, want)
		}
	})
}

// elements returns the elements and attributes of the page of a report. The texts of the report are
// "x" and a, and "x" and b. Widths are left out.
func elements(t testing.TB, a, b string) string {
	quote := func(s string) string {
		q, err := json.Marshal("x" + s)
		if err != nil {
			t.Fatal(err)
		}
		return string(q)
	}
	x, y := quote(a), quote(b)
	var s reportpage.Summary
	report := `{"source":` + x + `,"outcome":` + y + `,"reason":` + x +
		`,"bytes":1,"references":{` + y + `:1},"kinds":{` + x + `:1},"layers":{` + y +
		`:1},"problems":[{"part":` + y + `,"text":` + x + `}],"base_hosts":[` + x + `],"seconds":1}`
	failed := func(n int, err error) { t.Fatalf("line %d: %v", n, err) }
	if err := s.AddReport(strings.NewReader(report), failed); err != nil {
		t.Fatal(err)
	}
	if err := s.AddRecords(strings.NewReader(`{"source":"p","uri":"http://h/"}`), failed); err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := s.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for z := html.NewTokenizer(&page); ; {
		switch z.Next() {
		case html.ErrorToken:
			return list.String()
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken, html.CommentToken:
			token := z.Token()
			fmt.Fprintf(&list, "%v %s", token.Type, token.Data)
			for _, attr := range token.Attr {
				fmt.Fprintf(&list, " %s=%q", attr.Key, attr.Val)
			}
			list.WriteByte('\n')
		}
	}
}
