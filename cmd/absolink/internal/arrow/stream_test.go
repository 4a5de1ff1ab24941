package arrow_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/arrow"
	"absolink/cmd/absolink/internal/arrow/arrowtest"
	"absolink/testdata/interrupt"
)

var fields = []arrow.Field{
	{Name: "text", Type: arrow.Text},
	{Name: "repeated", Type: arrow.Repeated},
	{Name: "number", Type: arrow.Number},
	{Name: "list", Type: arrow.TextList},
	{Name: "map", Type: arrow.NumbersMap},
}

func int32s(list ...uint32) (b []byte) {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func int64s(list ...int64) (b []byte) {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

func texts(list ...string) arrow.Array {
	ends := []uint32{0}
	for i := range list {
		ends = append(ends, uint32(len(strings.Join(list[:i+1], ""))))
	}
	return arrow.Array{Len: len(list), Buffers: [][]byte{nil, int32s(ends...), []byte(strings.Join(list, ""))}}
}

func numbers(list ...int64) arrow.Array {
	return arrow.Array{Len: len(list), Buffers: [][]byte{nil, int64s(list...)}}
}

// batch returns the columns of fields, with three rows. The second row is null, except its text.
// The texts of the first and the last row are the values of the dictionary, too.
func batch(list ...string) []arrow.Array {
	nulls := []byte{0b101}
	dictionary := texts(list[0], list[2])
	items := texts("a", "", "\u00e9")
	pairs := arrow.Array{Len: 2, Buffers: [][]byte{nil},
		Children: []arrow.Array{texts("k", "l"), numbers(1<<62, -1)}}
	return []arrow.Array{
		texts(list...),
		{Len: 3, Nulls: 1, Buffers: [][]byte{nulls, int32s(0, 0, 1)}, Dictionary: &dictionary},
		{Len: 3, Nulls: 1, Buffers: [][]byte{nulls, int64s(7, 0, -7)}},
		{Len: 3, Nulls: 1, Buffers: [][]byte{nulls, int32s(0, 3, 3, 3)}, Children: []arrow.Array{items}},
		{Len: 3, Nulls: 1, Buffers: [][]byte{nulls, int32s(0, 0, 0, 2)}, Children: []arrow.Array{pairs}},
	}
}

// wantRows are the rows of batch.
func wantRows(list ...string) []arrowtest.Row {
	return []arrowtest.Row{
		{"text": list[0], "repeated": list[0], "number": int64(7), "list": []any{"a", "", "\u00e9"},
			"map": map[string]any{}},
		{"text": list[1], "repeated": nil, "number": nil, "list": nil, "map": nil},
		{"text": list[2], "repeated": list[2], "number": int64(-7), "list": []any{},
			"map": map[string]any{"k": int64(1 << 62), "l": int64(-1)}},
	}
}

// written returns the stream of some batches of three texts.
func written(t *testing.T, batches ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w := arrow.NewWriter(&out, fields)
	if out.Len() > 0 {
		t.Error("NewWriter has written")
	}
	for _, b := range batches {
		if err := w.Write(3, batch(b...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Each type with nulls, and texts of many lengths.
func TestTypes(t *testing.T) {
	tests := map[string][]string{
		"empty": {"", "", ""},
		"short": {"a", "b", "c"},
		"long":  {strings.Repeat("ab", 100_000), "", strings.Repeat("c", 65_536)},
	}
	for n := range 100 {
		tests[fmt.Sprint("length ", n)] = []string{strings.Repeat("a", n), strings.Repeat("b", 100-n), "c"}
	}
	for name, list := range tests {
		got, err := arrowtest.Read(written(t, list))
		if want := [][]arrowtest.Row{wantRows(list...)}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %.300v and error %v, want %.300v", name, got, err, want)
		}
	}
}

// A dictionary is written again only if it has changed.
func TestDictionaries(t *testing.T) {
	first := []string{"a", "x", "b"}
	sizeOf := func(more ...[]string) int { return len(written(t, append([][]string{first}, more...)...)) }
	without := sizeOf()
	same := sizeOf(first)
	tests := []struct {
		name    string
		batches [][]string
		want    int // dictionaries after the first batch
	}{
		{"the same", [][]string{{"a", "y", "b"}}, 0},
		{"another value", [][]string{{"a", "x", "c"}}, 1},
		{"other lengths of the same bytes", [][]string{{"ab", "x", ""}}, 1},
		{"another and back", [][]string{{"a", "x", "c"}, {"a", "y", "b"}}, 2},
		{"another twice", [][]string{{"a", "x", "c"}, {"a", "y", "c"}}, 1},
	}
	perDictionary := sizeOf([]string{"a", "x", "c"}) - same
	if perDictionary <= 0 {
		t.Fatalf("another dictionary adds %d bytes, want more than none", perDictionary)
	}
	for _, tt := range tests {
		stream := written(t, append([][]string{first}, tt.batches...)...)
		if got := len(stream) - without - len(tt.batches)*(same-without); got != tt.want*perDictionary {
			t.Errorf("%s: got %d bytes of dictionaries, want %d of %d bytes", tt.name, got, tt.want, perDictionary)
		}
		got, err := arrowtest.Read(stream)
		want := [][]arrowtest.Row{wantRows(first...)}
		for _, b := range tt.batches {
			want = append(want, wantRows(b...))
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v and error %v, want %v", tt.name, got, err, want)
		}
	}
}

// The metadata has names of any length, and any number of fields.
func TestSchema(t *testing.T) {
	columns := batch("a", "b", "c")
	for n := range fields {
		for length := range 20 {
			list := slices.Clone(fields[:n+1])
			list[n].Name = strings.Repeat("x", length)
			var out bytes.Buffer
			w := arrow.NewWriter(&out, list)
			if err := errors.Join(w.Write(3, columns[:n+1]), w.Close()); err != nil {
				t.Fatal(err)
			}
			got, err := arrowtest.Read(out.String())
			if err != nil {
				t.Fatalf("%+v: got error %v", list, err)
			}
			want := wantRows("a", "b", "c")[0][fields[n].Name]
			if v, ok := got[0][0][list[n].Name]; !ok || !reflect.DeepEqual(v, want) {
				t.Errorf("%+v: got %v, want %v", list, got, want)
			}
		}
	}
}

// A stream without batches is the schema and the end. A stream that was cut has no end.
func TestEnd(t *testing.T) {
	stream := written(t)
	if got, err := arrowtest.Read(stream); len(got) > 0 || err != nil {
		t.Errorf("no batch: got %v and error %v, want none", got, err)
	}
	const end = "\xff\xff\xff\xff\x00\x00\x00\x00"
	if !strings.HasSuffix(stream, end) || strings.Count(stream, "\xff\xff\xff\xff") != 2 {
		t.Errorf("got %q, want a schema and %q", stream, end)
	}
	stream = written(t, []string{"a", "b", "c"})
	for n := range stream {
		if _, err := arrowtest.Read(stream[:n]); err == nil {
			t.Errorf("%d of %d bytes: got no error, want one", n, len(stream))
		}
	}
}

// Each message is one write, and its error is returned: the schema, the dictionary, the batch, the
// end.
func TestErrors(t *testing.T) {
	const writes = 4
	for n := range writes + 1 {
		w := arrow.NewWriter(&interrupt.Writer{W: io.Discard, Left: n}, fields)
		err := w.Write(3, batch("a", "b", "c"))
		if (err != nil) != (n < writes-1) {
			t.Errorf("Write, after %d writes: got error %v", n, err)
		}
		if err == nil {
			err = w.Close()
		}
		if want := n < writes; errors.Is(err, interrupt.ErrWrite) != want {
			t.Errorf("after %d writes: got error %v, want one: %t", n, err, want)
		}
	}
	if err := arrow.NewWriter(&interrupt.Writer{W: io.Discard}, fields).Close(); !errors.Is(err, interrupt.ErrWrite) {
		t.Errorf("Close: got error %v, want %v", err, interrupt.ErrWrite)
	}
}
