package cli_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"absolink/cmd/absolink/internal/record"
)

// These tests are not in package e2e, because its tests start their program thousands of times and
// the validator takes milliseconds to start.

// repository is the top of the repository.
const repository = "../../../../"

// recordSchema is the output of "absolink help records --schema".
func recordSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text := do(t, "", "help", "records", "--schema").out
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
		for _, d := range []done{
			do(t, "", slices.Concat([]string{"extract", "--pages", "--context", dir}, more)...),
			do(t, "", slices.Concat([]string{"extract", "--root",
				dir + "=http://example.com/", "--check-files", dir}, more)...),
			do(t, dir+"\nnothere\n", "extract", "-q", "--stream", "--report",
				"-", "--fields", "source,uri,host,domain,subject", "--units", "-"),
			do(t, dir+"\n", "extract", "-q", "--stream", "--pages", "--edges", "--units", "-"),
			do(t, "", "base", "-q", "--format", "jsonl", dir),
		} {
			n += valid(t, schema, d.out)
		}
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

// The examples of the keys fit the schema.
func TestExamplesFitSchema(t *testing.T) {
	s := recordSchema(t)
	object := "{"
	ofPages := []string{"robots", "links", "kinds", "hosts", "domains"}
	for i := range record.Keys {
		if k := &record.Keys[i]; !slices.Contains(ofPages, k.Name) {
			object += `"` + k.Name + `":` + k.Example + ","
		}
	}
	if valid(t, s, strings.TrimSuffix(object, ",")+"}\n") != 1 {
		t.Error("no record of examples")
	}
}
