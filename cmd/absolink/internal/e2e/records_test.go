package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
)

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

// The help describes each value in the code, and no other.
func TestValuesAreDescribed(t *testing.T) {
	layers, sources := make(map[string]bool), make(map[string]bool)
	for s := base.None; s <= base.Forced; s++ {
		layers[s.Box()] = true
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
		"cmd/absolink/internal/links/check.go", "cmd/absolink/internal/links/cleaning.go",
		"cmd/absolink/internal/list/links.go"} {
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
		for _, v := range record.Values()[key] {
			if !got[v.Name] {
				t.Errorf("%s: %q is described, and the code does not have it", key, v.Name)
			}
			delete(got, v.Name)
			if !strings.HasSuffix(v.Meaning, ".") || v.Example == "" {
				t.Errorf("%s %s: %q with the example %q, want a sentence and an example",
					key, v.Name, v.Meaning, v.Example)
			}
		}
		for name := range got {
			t.Errorf("%s: %q is not described", key, name)
		}
	}
}

// The topic and the schema have all keys.
func TestRecordsHelp(t *testing.T) {
	_, text, _ := runs(t, "", "help", "records")
	schema := record.Schema()
	for i := range record.Keys {
		k := &record.Keys[i]
		if !strings.Contains(text, "`"+k.Name+"`") || !bytes.Contains(schema, []byte(`"`+k.Name+`": {`)) {
			t.Errorf("%s is missing in the text or in the schema", k.Name)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 130 && !strings.HasPrefix(line, "  python3 -c") {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
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
