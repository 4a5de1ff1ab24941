//go:build unix

package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/arrow/arrowtest"
	"absolink/cmd/absolink/internal/cli"
)

// batches returns the rows of an Arrow stream without their nulls, as they are in JSON, batch by
// batch. The error says why the stream is not whole.
func batches(t *testing.T, stream string) (list [][]map[string]any, err error) {
	t.Helper()
	read, err := arrowtest.Read(stream)
	for _, batch := range read {
		var rows []map[string]any
		for _, row := range batch {
			maps.DeleteFunc(row, func(_ string, v any) bool { return v == nil })
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, object(t, string(line)))
		}
		list = append(list, rows)
	}
	return list, err
}

// For each kind of input, the rows equal the records of JSON lines, key by key.
func TestArrowIsRecords(t *testing.T) {
	flags := []string{"--pages", "--context", "--lazy", "-q"}
	dir := repository + "testdata/corpus"
	_, lines, _ := runs(t, "", slices.Concat([]string{"extract", "--format", "jsonl", dir}, flags)...)
	_, stream, _ := runs(t, "", slices.Concat([]string{"extract", "--format", "arrow", dir}, flags)...)
	list, err := batches(t, stream)
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Concat(list...)
	n := 0
	for line := range strings.Lines(lines) {
		if n >= len(rows) || !reflect.DeepEqual(rows[n], object(t, line)) {
			t.Fatalf("row %d of %d: got %v, want %s", n, len(rows), rows[min(n, len(rows)-1)], line)
		}
		n++
	}
	if n < 200 || n != len(rows) {
		t.Errorf("got %d rows of %d records, want as many, and 200 at least", len(rows), n)
	}
}

// With --stream, a batch ends with the record of its unit, which counts the rows before it.
func TestArrowStream(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "a.mbox", []byte(letters(500, relative)))
	save(t, "damaged.mbox",
		[]byte("From a@b.test Thu Jan  1 00:00:00 1970\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n"+
			"\nPGEgaHJlZj0ie\n"))
	save(t, "b.html", []byte("<a href=x>"))
	units := []string{"a.mbox", "nothere", "damaged.mbox", "b.html"}
	code, stream, _ := runs(t, strings.Join(units, "\n")+"\n", "extract", "-q",
		"--stream", "--pages", "--format", "arrow", "--fields", "uri,item", "--units", "-")
	list, err := batches(t, stream)
	if err != nil || code != cli.ExitUnread || len(list) != len(units) {
		t.Fatalf("got %d batches, code %d and error %v, want one a unit, %d and none",
			len(list), code, err, cli.ExitUnread)
	}
	want := [][5]any{{"done", nil, 500., 500., 0.}, {"failed", "no such file or directory", 0., 0., 1.},
		{"done", nil, 1., 0., 1.}, {"done", nil, 1., 1., 0.}}
	for i, rows := range list {
		sorts := make(map[any]float64)
		for _, row := range rows {
			sorts[row["record"]]++
		}
		last := rows[len(rows)-1]
		if got := [5]any{last["status"], last["error"], last["page_count"], last["link_count"],
			last["dead_count"]}; got != want[i] || last["unit"] != units[i] {
			t.Errorf("unit %v: got %v, want %s and %v", last["unit"], got, units[i], want[i])
		}
		if got := [5]any{last["status"], last["error"], sorts["page"], sorts["link"], sorts["dead"]}; got != want[i] ||
			sorts["unit"] != 1 {
			t.Errorf("unit %s: got %v rows, want %v", units[i], sorts, want[i])
		}
	}
	if dead := list[1][0]; dead["record"] != "dead" ||
		dead["unit"] != "nothere" || dead["error"] != "no such file or directory" {
		t.Errorf("got the row %v, want what has failed", dead)
	}
}

// A stream that was cut differs from a stream without rows.
func TestArrowEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "empty.html", []byte("<p>"))
	code, stream, _ := runs(t, "", "extract", "--format", "arrow", "empty.html")
	if list, err := batches(t, stream); code != cli.ExitDone || err != nil || len(list) != 0 {
		t.Errorf("no rows: got code %d, %d batches and error %v, want 0, none and none", code, len(list), err)
	}
	save(t, "a.html", []byte(strings.Repeat("<a href=x>", 200)))
	_, stream, _ = runs(t, "", "extract", "--format", "arrow", "a.html")
	if _, err := batches(t, stream[:len(stream)/2]); err == nil {
		t.Error("half of a stream: got no error, want one")
	}
	r, w := io.Pipe() // a consumer that goes away
	r.Close()
	if code := absolink([]string{"extract", "--format", "arrow", "a.html"},
		nil, w, io.Discard); code != cli.ExitDefects {
		t.Errorf("nobody reads: got code %d, want %d", code, cli.ExitDefects)
	}
	if code := absolink([]string{"extract", "--format", "arrow", "a.html"},
		nil, failing{}, io.Discard); code != cli.ExitDefects {
		t.Errorf("the disk is full: got code %d, want %d", code, cli.ExitDefects)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// arrowPython returns a Python that reads columns: the one named by ABSOLINK_ARROW, or python3.
func arrowPython(t *testing.T) string {
	t.Helper()
	const modules = "import pyarrow, polars, duckdb"
	if name := os.Getenv("ABSOLINK_ARROW"); name != "" {
		if err := exec.Command(name, "-c", modules).Run(); err != nil {
			t.Fatalf("ABSOLINK_ARROW is %s, which has not pyarrow, polars and duckdb: %v", name, err)
		}
		return name
	}
	if err := exec.Command("python3", "-c", modules).Run(); err != nil {
		t.Skip("python3 has not pyarrow, polars and duckdb (pip install them): ABSOLINK_ARROW may name one that has")
	}
	return "python3"
}

// The commands in "absolink help links" turn columns into Parquet, and the Parquet file holds the
// records.
func TestArrowConsumers(t *testing.T) {
	python := arrowPython(t)
	t.Chdir(t.TempDir())
	flags := []string{"-q", "--pages", "--context", repository + "testdata/corpus", repository + "testdata/mbox"}
	_, stream, _ := runs(t, "", slices.Concat([]string{"extract", "--format", "arrow"}, flags)...)
	_, want, _ := runs(t, "", slices.Concat([]string{"extract", "--format", "jsonl"}, flags)...)
	save(t, "links.arrow", []byte(stream))
	n := 0
	topic, _ := help.Find("links")
	for _, line := range shellCommands(topic.Markdown()) {
		rest, ok := strings.CutPrefix(line, "python3 -c ")
		if !ok {
			continue
		}
		n++
		os.Remove("links.parquet")
		if out, err := exec.Command("sh", "-c", python+" -c "+rest).CombinedOutput(); err != nil {
			t.Errorf("%s%v\n%s", line, err, out)
			continue
		}
		out, err := exec.Command(python, "-c", parquetLines).Output()
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Collect(strings.Lines(string(out)))
		i := 0
		for one := range strings.Lines(want) {
			if i >= len(got) || !reflect.DeepEqual(object(t, got[i]), object(t, one)) {
				t.Errorf("%srow %d of %d: got %.400s, want %s", line, i, len(got), got[min(i, len(got)-1)], one)
				break
			}
			i++
		}
		if i < 200 {
			t.Errorf("%s%d rows were compared, want 200 at least", line, i)
		}
	}
	if n != 3 {
		t.Errorf("%d lines were run, want 3", n)
	}
}

// DuckDB and polars read the lines of a stream with all kinds of records.
func TestStreamConsumers(t *testing.T) {
	python := arrowPython(t)
	t.Chdir(t.TempDir())
	save(t, "a.html", []byte("<a href=http://a.test/x>"))
	save(t, "b.mbox", []byte(letters(3, absolute)))
	_, lines, _ := runs(t, "a.html\nnothere\nb.mbox\n", "extract",
		"-q", "--stream", "--pages", "--report", "-", "--units", "-")
	save(t, "links.jsonl", []byte(lines))
	out, err := exec.Command(python, "-c", streamSums).CombinedOutput()
	want := "duckdb 3 4 4 1\npolars 3 4 4 1\n"
	if err != nil || string(out) != want {
		t.Errorf("got %v and %s, want %s", err, out, want)
	}
}

// streamSums prints the number of units in links.jsonl, and the pages, links and dead records that
// they count.
const streamSums = `
import duckdb, polars
sums = "count(*), sum(page_count), sum(link_count), sum(dead_count)"
print("duckdb", *duckdb.sql(f"SELECT {sums} FROM 'links.jsonl' WHERE record = 'unit'").fetchall()[0])
t = polars.read_ndjson("links.jsonl", infer_schema_length=None).filter(polars.col("record") == "unit")
print("polars", t.height, *t.select(polars.sum("page_count", "link_count", "dead_count")).row(0))
`

// DuckDB reads a stream with the commands of "absolink help crawls", unchanged.
func TestCrawlsInDuckDB(t *testing.T) {
	python := arrowPython(t)
	t.Chdir(t.TempDir())
	save(t, "crawl/a.warc", []byte(webRecord(1)+webRecord(2)))
	save(t, "units", []byte("crawl/a.warc\nnothere\n"))
	rows := map[string][]string{ // expected rows of a command, by a word of it
		"record = 'link'": {"http://example.test/d1/l1", "http://example.test/d2/l2"},
		"record = 'page'": {"http://example.test/d1/", "{resolved=1}"},
		`_stream("stream`: {"crawl/a.warc", "done", "failed", "no such file or directory"},
		"'stream.jsonl'":  {"crawl/a.warc", "done", "failed", "no such file or directory"},
	}
	topic, _ := help.Find("crawls")
	_, lines, _ := strings.Cut(topic.Markdown(), "DuckDB reads")
	_, lines, _ = strings.Cut(lines, "```sh\n")
	lines, _, _ = strings.Cut(lines, "```")
	for _, line := range shellCommands(lines) {
		command := strings.Replace(line, "python3 ", python+" ", 1)
		out, err := exec.Command("sh", "-c", command).CombinedOutput()
		if strings.HasPrefix(line, "absolink ") {
			if code := exitOf(err); code != cli.ExitDone && code != cli.ExitUnread {
				t.Errorf("%sgot exit code %d\n%s", line, code, out)
			}
			continue
		}
		for word, want := range rows {
			if !strings.Contains(line, word) {
				continue
			}
			delete(rows, word)
			for _, cell := range want {
				if err != nil || !strings.Contains(string(out), cell) {
					t.Errorf("%sgot %v and\n%swant %s among it", line, err, out, cell)
				}
			}
		}
	}
	if len(rows) > 0 {
		t.Errorf("no line has %v", slices.Collect(maps.Keys(rows)))
	}
}

// DuckDB, polars and pandas read the answer to units with the commands of "absolink help units",
// unchanged.
func TestUnitsInPython(t *testing.T) {
	python := arrowPython(t)
	t.Chdir(t.TempDir())
	save(t, "a.warc", []byte(webRecord(1)+webRecord(2)))
	save(t, "units", []byte("a.warc\n"))
	topic, _ := help.Find("units")
	_, lines, _ := strings.Cut(topic.Markdown(), "DuckDB, polars and pandas read")
	_, lines, _ = strings.Cut(lines, "```\n")
	lines, _, _ = strings.Cut(lines, "```")
	n := 0
	for _, line := range shellCommands(lines) {
		out, err := exec.Command("sh", "-c", strings.Replace(line, "python3 ", python+" ", 1)).CombinedOutput()
		if err != nil {
			t.Errorf("%sgot %v\n%s", line, err, out)
		}
		if strings.HasPrefix(line, "absolink ") {
			continue
		}
		n++
		for _, cell := range []string{"http://example.test/d1/ ", "http://example.test/d1/l1",
			"http://example.test/d2/l2"} {
			if !strings.Contains(string(out), cell) {
				t.Errorf("%sgot\n%swant %s among it", line, out, cell)
			}
		}
	}
	if n != 3 {
		t.Errorf("%d lines were run, want 3", n)
	}
}

// exitOf returns the exit code of a command, from its error.
func exitOf(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// parquetLines prints the rows of links.parquet as JSON lines.
const parquetLines = `
import json, pyarrow.parquet
for row in pyarrow.parquet.read_table('links.parquet').to_pylist():
    for key in ('links', 'kinds'):
        if row[key] is not None:
            row[key] = {p['key']: p['value'] for p in row[key]} if row[key] and isinstance(row[key][0], dict) else dict(row[key])
    print(json.dumps({k: v for k, v in row.items() if v is not None}))
`
