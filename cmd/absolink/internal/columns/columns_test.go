package columns_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/arrow/arrowtest"
	"absolink/cmd/absolink/internal/columns"
	"absolink/cmd/absolink/internal/record"
	"absolink/testdata/effort"
)

// layout returns one of the format Arrow.
func layout(t testing.TB, keys ...string) *record.Layout {
	t.Helper()
	l, err := record.NewLayout(record.Arrow, keys, record.With{Pages: true, Units: true})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rows returns the batches of a stream as JSON.
func rows(t *testing.T, stream []byte) (list []string) {
	t.Helper()
	batches, err := arrowtest.Read(string(stream))
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range batches {
		var lines []string
		for _, row := range batch {
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		list = append(list, "["+strings.Join(lines, "\n,")+"\n]")
	}
	return list
}

// Frames in pieces of any length are rows; a unit ends a batch, and the dictionaries of the
// next one begin anew.
func TestWriter(t *testing.T) {
	l := layout(t, "page", "source", "item", "rel", "uri", "links")
	var frames []byte
	for _, r := range []record.Record{
		{Category: record.Page, Document: record.Document{Page: "p", Source: "s"},
			Links: []record.Count{{Name: "resolved", N: 300}}},
		{Category: record.Link, Document: record.Document{Page: "p", Source: "s", Item: 1 << 30},
			Rel: []string{"next", "a\xff\xfe"}, URI: []byte("http://a/\xff"), Status: "resolved"},
		{Category: record.Unit, Unit: "u", Status: "done", Sums: record.Sums{Pages: 1, Links: 1}},
		{Category: record.Page, Document: record.Document{Page: "q", Source: "s"},
			Links: []record.Count{}, Error: "why"},
	} {
		frames = l.Append(frames, &r)
	}
	want := []string{`[{"dead_count":null,"error":null,"item":null,"link_count":null,"links":{"resolved":300},"page":"p","page_count":null,"record":"page","rel":null,"source":"s","status":null,"unit":null,"uri":null}
,{"dead_count":null,"error":null,"item":1073741824,"link_count":null,"links":null,"page":"p","page_count":null,"record":"link","rel":["next","a` + "\uFFFD\uFFFD" + `"],"source":"s","status":null,"unit":null,"uri":"http://a/` + "\uFFFD" + `"}
,{"dead_count":0,"error":null,"item":null,"link_count":1,"links":null,"page":null,"page_count":1,"record":"unit","rel":null,"source":null,"status":"done","unit":"u","uri":null}
]`, `[{"dead_count":null,"error":null,"item":null,"link_count":null,"links":{},"page":"q","page_count":null,"record":"page","rel":null,"source":"s","status":null,"unit":null,"uri":null}
]`}
	for _, step := range []int{1, 7, len(frames)} {
		var out bytes.Buffer
		w := columns.NewWriter(&out, l)
		for rest := frames; len(rest) > 0; rest = rest[min(step, len(rest)):] {
			if n, err := w.Write(rest[:min(step, len(rest))]); err != nil || n != min(step, len(rest)) {
				t.Fatalf("Write: got %d, %v", n, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, out.Bytes()); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("in pieces of %d bytes:\ngot  %s\nwant %s", step, got, want)
		}
	}
}

// With units there are the columns status and error, in which other rows have values only if
// those keys were asked for.
func TestStatusAndError(t *testing.T) {
	link := record.Record{Category: record.Link, Status: "invalid", Error: "why"}
	dead := record.Record{Category: record.Dead, Unit: "u", Error: "cut"}
	unit := record.Record{Category: record.Unit, Unit: "u", Status: "failed", Error: "gone"}
	tests := []struct{ keys, want string }{
		{"uri", "[[null null] [null cut] [failed gone]]"},
		{"status", "[[invalid null] [null cut] [failed gone]]"},
		{"uri error", "[[null why] [null cut] [failed gone]]"},
		{"error status", "[[invalid why] [null cut] [failed gone]]"},
	}
	for _, tt := range tests {
		l := layout(t, strings.Fields(tt.keys)...)
		var out bytes.Buffer
		w := columns.NewWriter(&out, l)
		for _, r := range []record.Record{link, dead, unit} {
			w.Write(l.Append(nil, &r))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var list []struct{ Status, Error any }
		if err := json.Unmarshal([]byte(strings.Join(rows(t, out.Bytes()), "")), &list); err != nil {
			t.Fatal(err)
		}
		var got [][2]any
		for _, r := range list {
			got = append(got, [2]any{r.Status, r.Error})
		}
		if got := strings.ReplaceAll(fmt.Sprint(got), "<nil>", "null"); got != tt.want {
			t.Errorf("--fields %s: got %s, want %s", tt.keys, got, tt.want)
		}
	}
}

// closed closes w and returns the batches that it wrote to out.
func closed(t *testing.T, w *columns.Writer, out fmt.Stringer) [][]arrowtest.Row {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	batches, err := arrowtest.Read(out.String())
	if err != nil {
		t.Fatal(err)
	}
	return batches
}

// Many rows are several batches, which use the same memory in turn.
func TestBatches(t *testing.T) {
	l := layout(t, "page", "uri", "rel", "kind", "offset")
	var out bytes.Buffer
	w := columns.NewWriter(&out, l)
	var frame []byte
	n := effort.Pick(2<<16+1, 9000)
	host := "http://a/" + effort.Pick("", strings.Repeat("x", 500)+"/") // long rows, so a batch has few
	for i := range n {
		r := record.Record{Category: record.Link, Document: record.Document{Page: "p"},
			URI: fmt.Appendf(nil, "%s%d", host, i), Rel: []string{"r", fmt.Sprint(i)},
			Kind: fmt.Sprint("k", i%3), Offset: int64(i), HasPlace: i%2 > 0}
		frame = l.Append(frame[:0], &r)
		w.Write(frame)
	}
	batches := closed(t, w, &out)
	if got := len(batches); got != 3 {
		t.Errorf("%d rows: got %d batches, want 3", n, got)
	}
	i := 0
	for _, b := range batches {
		for _, r := range b {
			number := strconv.Itoa(i)
			var offset any // a null in every other row
			if i%2 > 0 {
				offset = int64(i)
			}
			rel, _ := r["rel"].([]any)
			if r["page"] != "p" || r["uri"] != host+number || r["kind"] != "k"+strconv.Itoa(i%3) ||
				!slices.Equal(rel, []any{"r", number}) || r["offset"] != offset {
				t.Fatalf("row %d: got %+v", i, r)
			}
			i++
		}
	}
	if i != n {
		t.Errorf("got %d rows, want %d", i, n)
	}
}

// A batch ends at 65,536 rows.
func TestManyRows(t *testing.T) {
	l := layout(t, "offset")
	row := l.Append(nil, &record.Record{Category: record.Link})
	var out strings.Builder
	w := columns.NewWriter(&out, l)
	for range 65_537 {
		w.Write(row)
	}
	batches := closed(t, w, &out)
	if len(batches) != 2 || len(batches[0]) != 65_536 || len(batches[1]) != 1 {
		t.Errorf("65,537 rows: got %d batches, the first of %d rows; want 2 and 65,536", len(batches), len(batches[0]))
	}
}

// A batch ends at 2 MB of frames.
func TestLargeRows(t *testing.T) {
	l := layout(t, "raw")
	row := l.Append(nil, &record.Record{Category: record.Link, Raw: make([]byte, 100_000)})
	wants := effort.Pick(map[int]int{1: 1, 20: 1, 21: 1, 22: 2, 42: 2, 43: 3}, map[int]int{1: 1, 21: 1, 22: 2})
	for n, want := range wants {
		var out strings.Builder
		out.Grow((n + 1) * 101_000)
		w := columns.NewWriter(&out, l)
		for range n {
			w.Write(row)
		}
		batches := closed(t, w, &out)
		if got := len(batches); got != want {
			t.Errorf("%d rows of 100 KB: got %d batches, want %d", n, got, want)
		}
	}
}

// Records of units that follow each other end a batch each, wherever the category stands.
func TestUnitsInARow(t *testing.T) {
	for _, fields := range []string{"record", "uri record", "record page", "page uri record kind"} {
		l := layout(t, strings.Fields(fields)...)
		var out bytes.Buffer
		w := columns.NewWriter(&out, l)
		for _, category := range []record.Category{record.Unit, record.Unit, record.Link, record.Link,
			record.Unit, record.Unit} {
			w.Write(l.Append(nil, &record.Record{Category: category}))
		}
		if got := w.Waiting(); got != 0 {
			t.Errorf("%s: got %d rows that wait after a unit, want none", fields, got)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := len(rows(t, out.Bytes())); got != 4 {
			t.Errorf("%s: got %d batches, want 4", fields, got)
		}
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrors(t *testing.T) {
	l := layout(t, "uri")
	w := columns.NewWriter(full{}, l)
	frame := l.Append(nil, &record.Record{Category: record.Unit, Unit: "u"})
	if _, err := w.Write(frame); !errors.Is(err, errFull) {
		t.Errorf("Write: got error %v, want %v", err, errFull)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: got error %v, want %v", err, errFull)
	}
	w = columns.NewWriter(new(bytes.Buffer), l)
	if _, err := w.Write([]byte{0, 0, 0, 1, 9}); err == nil {
		t.Error("Write of what is no frame: got no error, want one")
	}
}
