package columns_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/columns"
	"absolink/cmd/absolink/internal/record"
	"absolink/testdata/effort"
)

// keys are the keys of generated records: of all types, and shared by a document or not.
var keys = []string{"record", "source", "item", "page", "offset", "kind", "rel", "raw", "uri", "links", "status",
	"type"}

// generator generates records and the rows that they become, as in JSON.
type generator struct {
	*rand.Rand
	doc  record.Document
	rows []map[string]any
}

// text returns a text of any length. Most texts are short and alike.
func (g *generator) text() string {
	switch g.IntN(12) {
	case 0:
		return ""
	case 1:
		return strings.Repeat("é\u0000€😀", g.IntN(200))
	case 2:
		return fmt.Sprintf("http://a.test/%d/%d", g.Uint64(), g.Uint64())
	}
	return fmt.Sprint("t", g.IntN(4))
}

// known sets a value of the last row, if there is one.
func (g *generator) known(key string, v any, known bool) {
	if known {
		g.rows[len(g.rows)-1][key] = v
	}
}

// next returns the next record.
func (g *generator) next() *record.Record {
	if g.IntN(6) == 0 {
		g.doc = record.Document{Source: g.text(), Page: g.text(), Item: g.IntN(3) * (g.IntN(1<<29) + 1), Type: g.text()}
	}
	r := &record.Record{Category: record.Link, Document: g.doc}
	g.rows = append(g.rows, make(map[string]any))
	if g.IntN(40) == 0 {
		r = &record.Record{Category: record.Unit, Document: g.doc}
	} else {
		r.Kind = []string{"", "nav", "embed"}[g.IntN(3)]
		r.HasPlace = g.IntN(2) == 0
		r.Offset = g.Int64()
		g.known("offset", json.Number(fmt.Sprint(r.Offset)), r.HasPlace)
		for range g.IntN(4) {
			r.Rel = append(r.Rel, g.text())
		}
		g.known("rel", r.Rel, len(r.Rel) > 0)
		if g.IntN(3) > 0 {
			r.Raw = []byte(g.text())
			r.URI = []byte(g.text())
		}
		g.known("raw", string(r.Raw), r.Raw != nil)
		g.known("uri", string(r.URI), len(r.URI) > 0)
		if g.IntN(5) == 0 {
			r.Category = record.Page
			r.Links = []record.Count{}
			counts := make(map[string]any)
			for i := range g.IntN(3) {
				n := g.IntN(1 << 30)
				r.Links = append(r.Links, record.Count{Name: fmt.Sprint("n", i), N: n})
				counts[fmt.Sprint("n", i)] = json.Number(fmt.Sprint(n))
			}
			g.known("links", counts, true)
		}
	}
	g.known("record", string(r.Category), true)
	g.known("source", r.Source, r.Category != record.Unit)
	g.known("page", r.Page, r.Page != "")
	g.known("item", json.Number(fmt.Sprint(r.Item)), r.Item > 0)
	g.known("type", r.Type, r.Type != "")
	g.known("kind", r.Kind, r.Kind != "")
	return r
}

// stream returns a stream of n records, and its rows.
func stream(t *testing.T, seed uint64, n int) ([]byte, []map[string]any) {
	l, err := record.NewLayout(record.Arrow, keys, record.With{Pages: true})
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	var out bytes.Buffer
	w := columns.NewWriter(&out, l)
	var frames []byte
	for range n {
		frames = l.Append(frames, g.next())
		if g.IntN(3) == 0 || len(g.rows) == n {
			step := 1 + g.IntN(len(frames))
			for rest := frames; len(rest) > 0; rest = rest[min(step, len(rest)):] {
				if _, err := w.Write(rest[:min(step, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			clear(frames) // the Writer keeps nothing of it
			frames = frames[:0]
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), g.rows
}

// same compares JSON of rows, in which nulls may stand, with the rows.
func same(t *testing.T, name string, text []byte, want []map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for i, row := range want {
		var got map[string]any
		if err := d.Decode(&got); err != nil {
			t.Errorf("%s: row %d of %d: %v in %.300s", name, i, len(want), err, text)
			return
		}
		for key, v := range got {
			if v == nil {
				delete(got, key)
			}
		}
		if list, ok := row["rel"].([]string); ok {
			var values []any
			for _, v := range list {
				values = append(values, v)
			}
			row["rel"] = values
		}
		if !reflect.DeepEqual(got, row) {
			t.Errorf("%s: row %d: got %.400v, want %.400v", name, i, got, row)
			return
		}
	}
	if d.More() {
		t.Errorf("%s: got more than %d rows", name, len(want))
	}
}

// shapes are the number of rows of the streams, from none to many batches.
var shapes = append([]int{0, 1, 2, 7, 8, 9, 40, 64, 65, 300}, effort.Pick([]int{1000, 2000}, []int{600})...)

// The rows of a stream are the records, in a reader that accepts only whole and valid streams.
func TestShapes(t *testing.T) {
	for i, n := range shapes {
		out, want := stream(t, uint64(i), n)
		var text []byte
		for _, batch := range rows(t, out) {
			text = append(text, strings.Trim(strings.ReplaceAll(batch, "\n,{", "\n{"), "[]\n")...)
		}
		same(t, fmt.Sprintf("%d rows", n), text, want)
	}
}

// pyarrow, polars and DuckDB read the same rows.
func TestReaders(t *testing.T) {
	python := os.Getenv("ABSOLINK_ARROW")
	if python == "" {
		python = "python3"
		if err := exec.Command(python, "-c", "import pyarrow, polars, duckdb").Run(); err != nil {
			t.Skip("python3 has not pyarrow, polars and duckdb: install them, or set ABSOLINK_ARROW to another Python")
		}
	}
	dir := t.TempDir()
	wants := make(map[string][]map[string]any)
	for i, n := range shapes {
		name := filepath.Join(dir, fmt.Sprint(i))
		out, want := stream(t, uint64(i), n)
		wants[name] = want
		if err := os.WriteFile(name, out, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(python, "-c", readers, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range wants {
		for _, reader := range []string{"pyarrow", "polars", "duckdb"} {
			text, err := os.ReadFile(name + "." + reader)
			if err != nil {
				t.Fatal(err)
			}
			same(t, reader, text, want)
		}
	}
}

// readers reads each stream of a folder with each library, and writes JSON lines beside it. polars
// has structs for the pairs of a map, pyarrow and DuckDB have what they know as maps.
const readers = `
import sys, os, json, pyarrow, pyarrow.ipc, polars, duckdb

def pairs(v):
    if v is None or isinstance(v, dict):
        return v
    return {p['key']: p['value'] for p in v} if v and isinstance(v[0], dict) else dict(v)

def save(name, reader, rows):
    with open(name + '.' + reader, 'w') as f:
        for row in rows:
            f.write(json.dumps({**row, 'links': pairs(row['links'])}) + '\n')

for i in sorted(os.listdir(sys.argv[1])):
    name = os.path.join(sys.argv[1], i)
    table = pyarrow.ipc.open_stream(name).read_all()
    table.validate(full=True)
    assert str(table.schema.field('links').type) == 'map<string, int64>', table.schema
    assert str(table.schema.field('rel').type) == 'list<item: string>', table.schema
    assert str(table.schema.field('page').type) == 'dictionary<values=string, indices=int32, ordered=0>'
    save(name, 'pyarrow', table.to_pylist())
    save(name, 'polars', polars.read_ipc_stream(name).to_dicts())
    stream = pyarrow.ipc.open_stream(name)
    names = stream.schema.names
    save(name, 'duckdb', (dict(zip(names, row)) for row in duckdb.sql('FROM stream').fetchall()))
`
