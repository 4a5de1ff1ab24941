package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
)

// recordSchema is the output of "absolink help records --schema".
func recordSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	_, text, _ := runs(t, "", "help", "records", "--schema")
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("records", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("records")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// valid checks each line against the schema, and returns the number of lines.
func valid(t *testing.T, schema *jsonschema.Schema, lines string) (n int) {
	t.Helper()
	for line := range strings.Lines(lines) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = schema.Validate(v)
		}
		n++
		if err != nil {
			t.Errorf("%.500s: %v", line, err)
			return n
		}
	}
	return n
}

// A key has values of one type in all records of a stream. Otherwise DuckDB and polars refuse the
// stream.
func TestKeysHaveOneType(t *testing.T) {
	_, text, _ := runs(t, "", "help", "records", "--schema")
	types := make(map[string]string)
	forms, _ := object(t, text)["anyOf"].([]any)
	for _, f := range forms {
		form := f.(map[string]any)
		for key, v := range form["properties"].(map[string]any) {
			typ, _ := v.(map[string]any)["type"].(string)
			if typ == "" {
				typ = "string" // of constants
			}
			if was := types[key]; was != "" && was != typ {
				t.Errorf("%s of records of the sort %v: got the type %s, want %s as in others",
					key, form["title"], typ, was)
			}
			types[key] = typ
		}
	}
	if len(types) < 40 || types["links"] != "object" || types["link_count"] != "integer" {
		t.Errorf("got the types %v, want 40 at least, with links and link_count", types)
	}
}

// All output fits the schema: the output for the corpora, with every option that finds more.
func TestRecordsFitSchema(t *testing.T) {
	schema := recordSchema(t)
	corpora := []string{repository + "testdata/corpus", repository + "testdata/torture",
		repository + "testdata/mbox", repository + "mime/warc/testdata"}
	if dir := os.Getenv("ABSOLINK_CORPUS"); dir != "" {
		corpora = append(corpora, dir)
	}
	more := []string{"-q", "--lazy", "--scripts", "--comments", "--bare-hosts", "--format", "jsonl"}
	n := 0
	for _, dir := range corpora {
		_, out, _ := runs(t, "", slices.Concat([]string{"extract", "--pages", "--context", dir}, more)...)
		n += valid(t, schema, out)
		_, out, _ = runs(t, "",
			slices.Concat([]string{"extract", "--root", dir + "=http://example.com/", "--check-files", dir}, more)...)
		n += valid(t, schema, out)
		_, out, _ = runs(t, dir+"\nnothere\n", "extract", "-q", "--stream", "--report",
			"-", "--fields", "source,uri,host,domain,subject", "--units", "-")
		n += valid(t, schema, out)
		_, out, _ = runs(t, "", "base", "-q", "--format", "jsonl", dir)
		n += valid(t, schema, out)
	}
	if n < 1000 {
		t.Errorf("%d records were validated, want 1000 at least", n)
	}
	for _, line := range []string{`{"kind":"new"}`, `{"record":"page","uri":"http://a/"}`,
		`{"record":"unit","unit":"a","status":"resolved","page_count":0,"link_count":0,"dead_count":0}`,
		`{"warnings":[]}`, `{"unknown":1}`, `{"item":"1"}`,
		`{"record":"page","links":{"nav":1}}`, `{"record":"dead"}`} {
		v, _ := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if schema.Validate(v) == nil {
			t.Errorf("%s fits the schema", line)
		}
	}
}

// The help describes each value in the code, and no other.
func TestValuesAreDescribed(t *testing.T) {
	layers, sources := make(map[string]bool), make(map[string]bool)
	for s := base.None; s <= base.Forced; s++ {
		layers[s.Layer()] = true
		sources[cmp.Or(s.String(), "option")] = true
	}
	kinds, statuses, warnings := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for k := extract.Kind(0); k.String() != ""; k++ {
		kinds[k.String()] = true
	}
	for s := extract.Status(0); s.String() != ""; s++ {
		statuses[s.String()] = true
	}
	literal := regexp.MustCompile(`append\((?:dst|w|r\.(?:chunks\.)?warnings|slices\.Clip\(l\.Warnings\)), "([a-z0-9?-]+)"|(?:hostChange|script|misleadingUser|invalidUTF8)\s+= "([a-z0-9-]+)"|warn\(l, "([a-z?-]+)"`)
	for _, name := range []string{"resolve/warning.go", "extract/links.go", "cmd/absolink/internal/links/finder.go",
		"cmd/absolink/internal/links/check.go", "cmd/absolink/internal/list/links.go"} {
		source, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(source), -1) {
			warnings[cmp.Or(m[1], m[2], m[3])] = true
		}
	}
	for _, d := range []extract.Defect{extract.BaseInNoScript, extract.BaseLate,
		extract.BaseData, extract.BaseRepeated, extract.CharsetConflict} {
		warnings[string(d)] = true // defects that are also warnings of references
	}
	for key, got := range map[string]map[string]bool{"base_layer": layers,
		"base_source": sources, "kind": kinds, "status": statuses, "warnings": warnings} {
		for _, v := range record.Values[key] {
			if !got[v.Name] {
				t.Errorf("%s: %q is described, and the code does not have it", key, v.Name)
			}
			delete(got, v.Name)
			if !strings.HasSuffix(v.Means, ".") || v.Example == "" {
				t.Errorf("%s %s: %q with the example %q, want a sentence and an example",
					key, v.Name, v.Means, v.Example)
			}
		}
		for name := range got {
			t.Errorf("%s: %q is not described", key, name)
		}
	}
}

// The text and the schema have the same keys, and each example fits the schema.
func TestRecordsHelp(t *testing.T) {
	_, text, _ := runs(t, "", "help", "records")
	schema := record.Schema()
	for i := range record.Keys {
		k := &record.Keys[i]
		if !strings.Contains(text, "\n  "+k.Name+"  (") || !strings.Contains(text, "\n      "+k.Example+"\n") ||
			!bytes.Contains(schema, []byte(`"`+k.Name+`": {`)) {
			t.Errorf("%s is missing in the text or in the schema", k.Name)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 130 && !strings.HasPrefix(line, "  python3 -c") {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	s := recordSchema(t)
	object := "{"
	for i := range record.Keys {
		if k := &record.Keys[i]; k.Name != "robots" && k.Name != "links" && k.Name != "kinds" {
			object += `"` + k.Name + `":` + k.Example + ","
		}
	}
	if valid(t, s, strings.TrimSuffix(object, ",")+"}\n") != 1 {
		t.Error("no record of examples")
	}
}

// object returns the JSON object in a line.
func object(t *testing.T, line string) (r map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return r
}
