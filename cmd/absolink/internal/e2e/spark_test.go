//go:build linux

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/record"
)

// cluster is a standalone cluster of Spark: a master, and workers on 127.0.0.1, .2 and .3.
type cluster struct {
	dir     string
	python  string
	master  string // its address
	home    string
	web     int // port of the job's answers
	driver  *exec.Cmd
	workers map[string]*exec.Cmd
}

// The job of "absolink spark", on a cluster, gives the same result as one run without an engine,
// whatever is killed or repeated.
func TestSpark(t *testing.T) {
	c := newCluster(t)
	t.Chdir(c.dir)
	files := crawlFiles(t, c.dir)
	_, units, _ := runs(t, "", append([]string{"units", "--absolute", "--size", "48K"}, files...)...)
	if n := strings.Count(units, "\n"); n < 25 {
		t.Fatalf("%d units, want 25 at least", n)
	}
	want := oneRun(t, files)
	program, err := exec.LookPath("absolink")
	if err != nil {
		t.Fatal(err)
	}
	_, job, _ := runs(t, "", "spark")
	// The sums are small here. A crawl has more of them, and Spark adds them up.
	save(t, "linkgraph.py", []byte(strings.Replace(job, "HELD = 16 << 20", "HELD = 0", 1)))
	save(t, "units", []byte(units))

	copied := filepath.Join(c.dir, "copy", "absolink") // a test program acts by its name
	save(t, copied, []byte(read(t, program)))
	if err := os.Chmod(copied, 0o755); err != nil {
		t.Fatal(err)
	}
	slow := fmt.Appendf(nil, "#!/bin/sh\nsleep 0.4\nexec %s \"$@\"\n", copied)

	t.Run("a worker and its executor are killed", func(t *testing.T) {
		save(t, "absolink", slow)
		c.configure(t, "spark.ui.enabled true", "spark.ui.port "+strconv.Itoa(c.web), "spark.cores.max 2")
		ended, log := c.submit(t)
		done := c.killAfter(t, 5, ended)
		if err := <-ended; err != nil || !strings.Contains(read(t, log), "Lost executor") {
			t.Fatalf("the job: got %v, want success although an executor is lost\n%s", err, read(t, log))
		}
		t.Logf("killed after %d of %d units", done, strings.Count(units, "\n"))
		compare(t, c.tables(t), want)
		nothingRuns(t, c.dir)
	})

	t.Run("a straggler is repeated, and a file is not there", func(t *testing.T) {
		save(t, "absolink", fmt.Appendf(nil, straggler, c.dir, program))
		missing := filepath.Join(c.dir, "nothere.warc")
		save(t, "units", []byte(units+missing+"\n"+missing+"\n"))
		c.configure(t, "spark.speculation true", "spark.speculation.interval 100ms",
			"spark.speculation.quantile 0.5", "spark.speculation.minTaskRuntime 1s")
		ended, log := c.submit(t)
		if err := <-ended; fmt.Sprint(err) != "exit status 1" ||
			!strings.Contains(read(t, log), missing+": no such file") ||
			!strings.Contains(read(t, log), missing+": listed twice, read once") {
			t.Fatalf("the job: got %v, want status 1 and the name of the file that is missing\n%s", err, read(t, log))
		}
		got := c.tables(t)
		lost := fmt.Sprintf(`{"error":"no such file or directory","unit":%q}`, missing)
		i := slices.Index(got["dead"], lost)
		if i < 0 {
			t.Fatalf("dead: got %q, want %s among them", got["dead"], lost)
		}
		got["dead"] = slices.Delete(got["dead"], i, i+1)
		compare(t, got, want)
		text := read(t, "out/summary.json")
		summary := object(t, text)
		if failed := fmt.Sprint(summary["failed"]); summary["attempts"] != 4. ||
			!strings.Contains(failed, missing) || summary["links"] != float64(len(want["links"])) {
			t.Errorf("summary.json: got %s, want 4 attempts, %s as failed and %d links",
				text, missing, len(want["links"]))
		}
		nothingRuns(t, c.dir, strings.TrimSpace(read(t, "3/pid")))
	})

	t.Run("the driver is killed, and the job goes on", func(t *testing.T) {
		save(t, "absolink", slow)
		save(t, "units", []byte(units))
		c.configure(t)
		ended, log := c.submit(t)
		var done []string
		for len(done) < 5 && len(ended) == 0 {
			time.Sleep(5 * time.Millisecond)
			done, _ = filepath.Glob("out/_parts/*.json")
		}
		kill(c.driver)
		if err := <-ended; err == nil {
			t.Fatalf("the job ended before it could be killed\n%s", read(t, log))
		}
		nothingRuns(t, c.dir)
		done, _ = filepath.Glob("out/_parts/*.json")
		ended, log = c.resume(t)
		if err := <-ended; err != nil {
			t.Fatalf("the job goes on: got %v, want success\n%s", err, read(t, log))
		}
		compare(t, c.tables(t), want)
		for _, name := range done {
			part := strings.TrimSuffix(filepath.Base(name), "-0-0.json")
			if pages, _ := filepath.Glob("out/pages/" + part + "-*.parquet"); len(pages) != 1 {
				t.Errorf("the finished part %s was read again: it has the pages %q, want one file", part, pages)
			}
		}
		if total := strings.Count(units, "\n"); len(done) >= total {
			t.Errorf("killed after %d of %d units, want fewer", len(done), total)
		}
	})

	t.Run("an index", func(t *testing.T) {
		name := filepath.Join(c.dir, "b.warc.gz")
		_, records, _ := runs(t, "", "units", "--size", "1", name)
		var index strings.Builder
		for record := range strings.Lines(records) {
			at := strings.Split(record, "\t")
			fmt.Fprintf(&index, "com,example)/ 20260102030405 {\"filename\": %q, \"offset\": %q, \"length\": %q}\n",
				"b.warc.gz", at[1], at[2])
		}
		save(t, "units", []byte(index.String()+strings.SplitAfter(index.String(), "\n")[0]))
		save(t, "absolink", []byte(read(t, program)))
		save(t, "linkgraph.py", []byte(job)) // which adds up the sums without Spark
		c.configure(t, "spark.master local[2]")
		os.RemoveAll("out")
		ended, log := c.resume(t, "--units-format", "cdxj", "--prefix", c.dir)
		if err := <-ended; err != nil || strings.Count(read(t, log), ": listed twice, read once") != 1 {
			t.Fatalf("the job: got %v, want success and a unit that is listed twice\n%s", err, read(t, log))
		}
		compare(t, c.tables(t), rowsOf(t, name))
	})

	t.Run("workers without pyarrow, and with a full disk", func(t *testing.T) {
		name := filepath.Join(c.dir, "b.warc.gz")
		_, records, _ := runs(t, "", "units", "--size", "1", name)
		save(t, "units", []byte(records)) // so many small units count as an index
		os.RemoveAll("out")
		wrapper := filepath.Join(c.dir, "worker")
		save(t, wrapper, fmt.Appendf(nil, "#!/bin/sh\nPYTHONPATH=%s/modules:$PYTHONPATH exec %s \"$@\"\n",
			c.dir, c.python))
		if err := os.Chmod(wrapper, 0o755); err != nil {
			t.Fatal(err)
		}
		const again = ". Help that, and give the same command: it goes on\n"
		for _, tt := range []struct{ module, code, want string }{
			{"pyarrow.py", "raise ModuleNotFoundError(\"No module named 'pyarrow'\")\n",
				"linkgraph.py: a task ended: ModuleNotFoundError: No module named 'pyarrow'" + again},
			{"sitecustomize.py", fullDisk,
				"linkgraph.py: a task ended: OSError: [Errno 28] No space left on device" + again},
		} {
			os.RemoveAll("modules")
			save(t, "modules/"+tt.module, []byte(tt.code))
			c.configure(t, "spark.master local[1]", "spark.pyspark.driver.python "+c.python,
				"spark.pyspark.python "+wrapper)
			ended, log := c.resume(t)
			if err := <-ended; fmt.Sprint(err) != "exit status 1" || !strings.Contains(read(t, log), tt.want) {
				t.Fatalf("%s: got %v, want status 1 and %s\n%s", tt.module, err, tt.want, read(t, log))
			}
		}
		c.configure(t, "spark.master local[1]")
		ended, log := c.resume(t)
		if err := <-ended; err != nil {
			t.Fatalf("the job goes on: got %v, want success\n%s", err, read(t, log))
		}
		compare(t, c.tables(t), rowsOf(t, name))
		if parts, _ := filepath.Glob("out/pages/*-*.parquet"); len(parts) == 0 || len(parts) > 2 {
			t.Errorf("got the parts %q, want one or two", parts)
		}
	})
}

// fullDisk is a module of Python that each worker loads. Then no task can write Parquet.
const fullDisk = `
import pyarrow.parquet
def write_table(self, *args, **kwargs):
    raise OSError(28, "No space left on device")
pyarrow.parquet.ParquetWriter.write_table = write_table
`

// If absolink answers a unit under another name, the answer is not read. Then the unit fails, and
// the units before it are written. A unit that is listed twice is read once, a blank one never.
func TestSparkTrailer(t *testing.T) {
	sparkJob(t)
	for _, name := range []string{"a", "b", "c"} {
		save(t, name+".html", []byte("<a href=http://"+name+".test/>"))
	}
	want := `["http://a.test/"]
[{"failed": [{"unit": "b.html", "error": "records of it are lost"}], "twice": ["a.html"]}]
`
	if got := sparkPart(t, `("a.html", 2), ("\t", 1), ("\ufeff", 1), ("b.html", 1)`, `
linkgraph.command = lambda flags: ["sh", "-c", 'sed -u s/b.html/c.html/ | "$0" "$@"', *command(flags)]`, `
print(json.dumps(pq.read_table("out/links")["uri"].to_pylist()))
print(json.dumps(notes))`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// If a unit fails, the other units of its part are written, and none of them is read again. It does
// not matter whether records of the failed unit were written before.
func TestSparkSpoilt(t *testing.T) {
	sparkJob(t)
	save(t, "a.html", []byte("<a href=http://a.test/>"))
	save(t, "c.html", []byte("<a href=http://c.test/>"))
	var large bytes.Buffer
	for i := range 200_000 {
		fmt.Fprintf(&large, "<a href=http://b.test/%d>", i)
	}
	save(t, "b.html", large.Bytes())
	save(t, "b2.html", large.Bytes())
	const show = `
found = files.get_file_info(linkgraph.fs.FileSelector(top, recursive=True))
print(sorted({f.path.split("/")[-2] for f in found if f.extension == "parquet"}))
uris = pq.read_table("out/links")["uri"].to_pylist()
print(uris[0], len(uris), uris[-1], [f["unit"] for f in notes[0]["failed"]])
print(*asked)`
	const tables = "['links', 'pages']\n"
	const lost = tables + "http://a.test/ 2 http://c.test/ ['b.html', 'b2.html']\n"
	const all = tables + "http://a.test/ 400002 http://b.test/199999 []\n" // large units have their own files
	tests := []struct{ size, rows, want string }{
		{"9000000", "1000", lost + "a b b2 c\n"},
		{"9000000", "1000000", lost + "a b b2 c\n"},
		{"1000000000", "1000", all + "a b b2 c\n"},
	}
	for _, tt := range tests {
		os.RemoveAll("out")
		change := `
asked = []
def read(self, unit, read=linkgraph.Absolink.read):
    asked.append(unit.removesuffix(".html"))
    return read(self, unit)
linkgraph.Absolink.read = read
linkgraph.command = lambda flags: [sys.executable, "-c", """` + cutOutput + `""", "` + tt.size + `", *command(flags)]
linkgraph.ROWS = ` + tt.rows
		if got := sparkPart(t, `("a.html", 1), ("b.html", 1), ("b2.html", 1), ("c.html", 1)`, change, show); got != tt.want {
			t.Errorf("%s bytes, %s rows: got %s\nwant %s", tt.size, tt.rows, got, tt.want)
		}
	}
}

// If a task fails within a unit, it does not read the unit to its end. absolink ends with the task.
func TestSparkTaskFails(t *testing.T) {
	sparkJob(t)
	save(t, "a.html", []byte("<a href=http://a.test/>"))
	script := `
import linkgraph, os
linkgraph.SparkFiles.get = lambda name: name
command = linkgraph.command
linkgraph.command = lambda flags: ["sh", "-c", '"$0" "$@"; exec cat /dev/zero', *command(flags)]
def add(self, batches):
    raise OSError(28, "No space left on device")
linkgraph.Tables.add = add
try:
    linkgraph.write_part(os.getcwd() + "/out", "x", [("a.html", 1)], ())
except OSError as e:
    print(e)`
	out, err := exec.Command(sparkPython(t), "-c", script).CombinedOutput()
	if want := "[Errno 28] No space left on device\n"; err != nil || string(out) != want {
		t.Errorf("got %v, %s\nwant %s", err, out, want)
	}
}

// cutOutput is a Python program that runs a command. It kills the command after a number of bytes.
const cutOutput = `
import os, subprocess, sys
left = int(sys.argv[1])
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
while left and (data := os.read(process.stdout.fileno(), min(left, 65536))):
    left -= os.write(1, data)
process.kill()
`

// sparkJob enters a new directory with linkgraph.py.
func sparkJob(t *testing.T) {
	t.Helper()
	sparkPython(t)
	t.Chdir(t.TempDir())
	_, job, _ := runs(t, "", "spark")
	save(t, "linkgraph.py", []byte(job))
}

// sparkPart runs Python without Spark: it writes a part of out with the units. The lines change
// come before, and the lines show after.
func sparkPart(t *testing.T, units, change, show string) string {
	t.Helper()
	script := `
import json, linkgraph, os, resource, sys, pyarrow.parquet as pq
linkgraph.SparkFiles.get = lambda name: name
command = linkgraph.command
files, top = linkgraph.filesystem(os.getcwd() + "/out")` + change + `
linkgraph.begin(files, top, {})
linkgraph.write_part(top, "x", [` + units + `], ())
done = linkgraph.finished(files, top).values()
notes = [json.load(open(f"out/_parts/{name}-{failed}-{twice}.json")) for failed, twice, name in done]` + show
	out, err := exec.Command(sparkPython(t), "-c", script).CombinedOutput()
	if err != nil {
		t.Errorf("got %v", err)
	}
	return string(out)
}

// A task needs no more memory for a large unit: 256 MB at most, with absolink.
func TestSparkMemory(t *testing.T) {
	sparkJob(t)
	f, err := os.Create("large.warc")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := strings.Repeat("<p>Pages have some text between their links.</p><a href=/a/b/c/d?e=f>x</a>", 200)
	for i := range 256 << 20 / len(text) {
		if _, err := f.WriteString(crawlRecord(i, text)); err != nil {
			t.Fatal(err)
		}
	}
	// The resource usage of a child also counts the memory of Python, of which it was a copy.
	got := sparkPart(t, `("large.warc", 1)`, `
def end(self, end=linkgraph.Absolink.end):
    global below
    with open(f"/proc/{self.process.pid}/status") as f:
        below = next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))
    return end(self)
linkgraph.Absolink.end = end`, `
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(pq.ParquetDataset("out/links").read(["status"]).num_rows, own // 1024, below // 1024)`)
	var rows, own, below int
	fmt.Sscan(got, &rows, &own, &below)
	t.Logf("%d MiB of Python, %d MiB of absolink, %d rows", own, below, rows)
	if rows < 1_000_000 || own+below > 256_000_000>>20 {
		t.Errorf("got %q, want 1,000,000 rows at least and 256 MB at most", got)
	}
}

// A directory that is not of this job is refused with the reason.
func TestSparkManifest(t *testing.T) {
	sparkJob(t)
	const job = `{"version": "1", "flags": ["--kind", "nav"], "units": {"number": 2, "hash": "x"}}`
	tests := []struct{ name, manifest, job, want string }{
		{"new", "", job, ""},
		{"the same", job, job, ""},
		{"other flags", job, strings.Replace(job, "nav", "res", 1), "out belongs to another job: its flags was " +
			`['--kind', 'nav'], and is now ['--kind', 'res']`},
		{"another version", job, strings.Replace(job, `"1"`, `"2"`, 1), "out belongs to another job: its version was " +
			`1, and is now 2`},
		{"other units", job, strings.Replace(job, `"x"`, `"y"`, 1), "out belongs to another job: its units was " +
			`{'number': 2, 'hash': 'x'}, and is now {'number': 2, 'hash': 'y'}`},
		{"cut", job[:40], job, "out/manifest.json is cut or damaged: remove out, or give another directory"},
		{"empty", "\n", job, "out/manifest.json is cut or damaged: remove out, or give another directory"},
		{"not an object", "7", job, "out/manifest.json is cut or damaged: remove out, or give another directory"},
		{"foreign", "-", job, "out exists and has no manifest.json: give another directory"},
	}
	var jobs, want []string
	for i, tt := range tests {
		dir := fmt.Sprintf("%d/", i)
		switch tt.manifest {
		case "":
		case "-":
			save(t, dir+"out/file", nil)
		default:
			save(t, dir+"out/manifest.json", []byte(tt.manifest))
		}
		jobs = append(jobs, tt.job)
		reason := "None"
		if tt.want != "" {
			reason = "linkgraph.py: " + tt.want
		}
		want = append(want, reason)
	}
	out, err := exec.Command(sparkPython(t), append([]string{"-c", beginJobs}, jobs...)...).CombinedOutput()
	got := strings.Split(string(out), "\n")
	for i, tt := range tests {
		if err != nil || at(got, i) != want[i] {
			t.Errorf("%s: got %v, %s\nwant %s", tt.name, err, at(got, i), want[i])
		}
	}
}

// beginJobs begins a job in the directory out of each of the directories 0, 1, …, and prints why
// it is refused.
const beginJobs = `
import json, linkgraph, os, sys
for i, job in enumerate(sys.argv[1:]):
    os.makedirs(str(i), exist_ok=True)
    os.chdir(str(i))
    files, _ = linkgraph.filesystem(os.getcwd())
    try:
        print(linkgraph.begin(files, "out", json.loads(job)))
    except SystemExit as e:
        print(e)
    os.chdir("..")
`

// The manifest of a job has no secrets of its flags. A job may go on with other ones.
func TestSparkSecrets(t *testing.T) {
	sparkJob(t)
	const print = "import linkgraph, sys; print(*linkgraph.without_secrets(sys.argv[1:]))"
	for _, tt := range []struct{ flags, want string }{
		{"", ""},
		{"--kind nav -H A:b --header C:d --header=E:f -HG:h --kind res",
			"--kind nav -H --header --header -H --kind res"},
		{"-vHA:b -vH C:d --kind nav", "-vH -vH --kind nav"},
		{"--units-format cdxj --prefix https://u:p@a.test/c?sig=1 --kind nav",
			"--units-format cdxj --prefix https://a.test/c --kind nav"},
		{"--prefix=https://a.test/?sig=1", "--prefix=https://a.test/"},
		{"--prefix /data/what?", "--prefix /data/what?"},
		{"--map http://a.test/?b=http://c.test/", "--map http://a.test/?b=http://c.test/"},
	} {
		args := append([]string{"-c", print}, strings.Fields(tt.flags)...)
		out, err := exec.Command(sparkPython(t), args...).CombinedOutput()
		if err != nil || string(out) != tt.want+"\n" {
			t.Errorf("without_secrets of %s: got %v, %s\nwant %s", tt.flags, err, out, tt.want)
		}
	}
}

// Readers of Parquet see the files of a part, whatever the path of its unit is. Parts have
// different names. If most units are ranges of less than 1 MB, 200 of them are a part.
func TestSparkParts(t *testing.T) {
	sparkJob(t)
	units := []string{"/tmp/a.warc", "/tmp/b.warc", "_a", "a", "..", "./.a", "???", strings.Repeat("_", 99),
		strings.Repeat("/a", 99), "/tmp/a:warc"}
	parts := sparkParts(t, units)
	if len(parts) != len(units) {
		t.Fatalf("got %d parts, want one for each of %d units", len(parts), len(units))
	}
	seen := make(map[string]bool)
	for i, part := range parts {
		name, count, _ := strings.Cut(part, " ")
		if strings.ContainsAny(name[:1], "._") || len(name) > 77 || seen[name] || count != "1" {
			t.Errorf("%q: got the part %s, want a name of its own that does not begin with . or _", units[i], part)
		}
		seen[name] = true
	}
	for _, tt := range []struct {
		unit string // its number replaces %d
		want string // units of each part
	}{
		{"a.warc\t%d\t999999", "200 200 1"},
		{"a.warc\t%d\t999999\t1\t1", "200 200 1"},
		{"\"a\\tb\"\t%d\t1", "200 200 1"},
		{"http://a.test/?x\t%d\t7", "200 200 1"},
		{"a.warc\t%d\t1000000", strings.TrimSpace(strings.Repeat("1 ", 401))},
		{"a.warc %d", strings.TrimSpace(strings.Repeat("1 ", 401))},
	} {
		var units, got []string
		for i := range 401 {
			units = append(units, fmt.Sprintf(tt.unit, i))
		}
		for _, part := range sparkParts(t, units) {
			_, count, _ := strings.Cut(part, " ")
			got = append(got, count)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("401 units as %q: got parts of %s units, want %s", tt.unit, got, tt.want)
		}
	}
}

// sparkParts returns the name and the number of units of each part of a list, without Spark.
func sparkParts(t *testing.T, units []string) []string {
	t.Helper()
	save(t, "units", []byte(strings.Join(units, "\n")+"\n"))
	const script = `
import linkgraph
from unittest import mock
spark = mock.Mock()
spark.sparkContext.parallelize = lambda parts, tasks: parts
for name, units in linkgraph.read_list(spark, "units")[0]:
    print(name, len(units))`
	out, err := exec.Command(sparkPython(t), "-c", script).CombinedOutput()
	if err != nil {
		t.Fatalf("got %v\n%s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// Flags that would break the job are refused before Spark is asked.
func TestSparkFlags(t *testing.T) {
	python := sparkPython(t)
	t.Chdir(t.TempDir())
	_, job, _ := runs(t, "", "spark")
	save(t, "linkgraph.py", []byte(job))
	const csv = "--units-format csv: tasks do not see the header; make lines of path, offset and length"
	tests := []struct{ flags, want string }{
		{"--kind nav --format jsonl", "--format: leave it out, the job sets it"},
		{"--fields=uri", "--fields: leave it out, the job sets it"},
		{"-j 4 --pages", "--pages, -j: leave it out, the job sets it"},
		{"--prefix http://a.test/ --units-format csv", csv},
		{"--units-format=csv", csv},
	}
	for _, tt := range tests {
		out, err := exec.Command(python,
			append([]string{"linkgraph.py", "units", "out"}, strings.Fields(tt.flags)...)...).CombinedOutput()
		if want := "linkgraph.py: " + tt.want + "\n"; fmt.Sprint(err) != "exit status 1" || string(out) != want {
			t.Errorf("%s: got %v, %s\nwant exit status 1, %s", tt.flags, err, out, want)
		}
	}
}

// The printed job is the tested one, and short.
func TestSparkPrints(t *testing.T) {
	code, job, stderr := runs(t, "", "spark")
	if n := strings.Count(job, "\n"); code != cli.ExitDone || stderr != "" || n < 100 || n > 323 {
		t.Errorf("got code %d, %d lines and %q, want 0, 323 at most and nothing", code, n, stderr)
	}
	tables := regexp.MustCompile(`(?m)^    "(pages|links|dead)": "([a-z_ ]+)"`).FindAllStringSubmatch(job, -1)
	if len(tables) != 3 {
		t.Fatalf("got %d tables with columns, want 3", len(tables))
	}
	for _, table := range tables {
		for _, name := range strings.Fields(table[2]) {
			if name != "unit" && !slices.Contains(record.Names(), name) {
				t.Errorf("%s: got the column %s, want keys of records", table[1], name)
			}
		}
	}
}

// straggler delays the third process of the job, which is the first of a task, until that task
// ends: no unit comes to absolink.
const straggler = `#!/bin/sh
for i in 1 2 3; do
	if mkdir %[1]s/$i 2>/dev/null; then
		if [ $i = 3 ]; then
			echo $$ > %[1]s/3/pid
			sed d | %[2]s "$@"
			exit
		fi
		break
	fi
done
exec %[2]s "$@"
`

// crawlFiles writes web archives and mailboxes, some of them damaged, into dir, the current
// directory. It returns their names.
func crawlFiles(t *testing.T, dir string) []string {
	t.Helper()
	var plain, members, frames bytes.Buffer
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		text := []byte(crawled(i))
		plain.Write(text)
		m := gzip.NewWriter(&members)
		m.Write(text)
		m.Close()
		frames.Write(z.EncodeAll(text, nil))
	}
	save(t, "a.warc", plain.Bytes())
	save(t, "b.warc.gz", members.Bytes())
	save(t, "c.warc.zst", frames.Bytes())
	save(t, "d.warc.gz", members.Bytes()[:members.Len()/3]) // within a record
	save(t, "e.mbox", []byte(letters(900, absolute)))
	save(t, "f.mbox",
		[]byte(letters(2, absolute)+
			"From a@b.test Thu Jan  1 00:00:00 1970\nMessage-ID: <cut@b.test>\nContent-Type: text/html\n"+
			"Content-Transfer-Encoding: base64\n\nPGEgaHJlZj0ie\n"))
	files, err := filepath.Glob(filepath.Join(dir, "?.*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// crawled is a record whose page has links of several kinds to several hosts, or no links.
func crawled(i int) string {
	var body strings.Builder
	if i%7 == 0 {
		body.WriteString("<base href=http://cdn.example/>")
	}
	for n := range i % 12 {
		fmt.Fprintf(&body,
			"<a rel=next href=http://www.host%d.co.uk/%d>%d</a><img src=%d.png><a href=\"http://[%d\">x</a>",
			n, i, n, n, n)
	}
	noise := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(i), byte(i >> 3), byte(i * 7)}, 200))
	return crawlRecord(i, fmt.Sprintf("<!-- %s -->%s", noise, &body))
}

// crawlRecord is the record of a page.
func crawlRecord(i int, body string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: "+
		"2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://site%d.example/%d\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		i, i%5, i, len(block), block)
}

// oneRun returns the rows of tables that one process makes of all files.
func oneRun(t *testing.T, files []string) map[string][]string {
	t.Helper()
	rows := rowsOf(t, files...)
	if len(rows["links"]) < 5000 || len(rows["pages"]) < 1500 || len(rows["dead"]) != 2 {
		t.Fatalf("one run: got %d links, %d pages and %q, want 5000, 1500 and 2 that have failed",
			len(rows["links"]), len(rows["pages"]), rows["dead"])
	}
	return rows
}

// rowsOf returns the rows of tables that one process makes of files.
func rowsOf(t *testing.T, files ...string) map[string][]string {
	t.Helper()
	fields := map[string]string{"link": "page,uri,kind,rel,element,status,date,message_id",
		"page": "page,source,record_offset,record_id,date,http_status,type,base,error,links,kinds,message_id",
		"dead": "unit,error,page,source,record_offset,record_id,message_id"}
	rows := make(map[string][]string)
	_, out, _ := runs(t, strings.Join(files, "\n")+"\n", "extract",
		"-q", "--stream", "--pages", "--format", "jsonl", "--units", "-")
	for line := range strings.Lines(out) {
		r := object(t, line)
		sort := r["record"].(string)
		names := strings.Split(fields[sort], ",")
		for key := range r {
			if !slices.Contains(names, key) {
				delete(r, key)
			}
		}
		text, _ := json.Marshal(r)
		rows[sort+"s"] = append(rows[sort+"s"], string(text))
	}
	rows["dead"] = rows["deads"]
	for _, name := range []string{"links", "pages", "dead"} {
		slices.Sort(rows[name])
	}
	return rows
}

func compare(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for _, name := range []string{"links", "pages", "dead"} {
		for i := range max(len(got[name]), len(want[name])) {
			if i >= len(got[name]) || i >= len(want[name]) || got[name][i] != want[name][i] {
				t.Errorf("%s: got %d rows, want %d; row %d differs: got %s, want %s", name,
					len(got[name]), len(want[name]), i, at(got[name], i), at(want[name], i))
				break
			}
		}
	}
	for table, name := range map[string]func(uri string) string{"hosts": authority.Host,
		"domains": func(uri string) string { return record.Domain(authority.Host(uri)) }} {
		if got, want := edges(t, got[table]), edgesOf(t, want, name); !maps.Equal(got, want) || len(want) < 20 {
			t.Errorf("%s: got %v, want %v", table, got, want)
		}
	}
}

// edges returns the number of links for each pair of names, from the rows of a table.
func edges(t *testing.T, rows []string) map[[2]string]int {
	sums := make(map[[2]string]int)
	for _, row := range rows {
		r := object(t, row)
		n, pages := int(r["links"].(float64)), int(r["pages"].(float64))
		if pages > n || pages == 0 && n > 0 {
			t.Errorf("got %s, want no more pages than links", row)
		}
		sums[[2]string{r["source"].(string), r["target"].(string)}] += n
	}
	return sums
}

// edgesOf counts the links of tables from a name to a name.
func edgesOf(t *testing.T, tables map[string][]string, name func(uri string) string) map[[2]string]int {
	sums := make(map[[2]string]int)
	add := func(from, to any, n int) {
		f, _ := from.(string)
		u, _ := to.(string)
		f, u = name(f), name(u)
		if f != "" && u != "" {
			sums[[2]string{reversed(f), reversed(u)}] += n
		}
	}
	for _, row := range tables["pages"] {
		page := object(t, row)["page"]
		add(page, page, 0)
	}
	for _, row := range tables["links"] {
		r := object(t, row)
		add(r["page"], r["uri"], 1)
	}
	return sums
}

func reversed(host string) string {
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// nothingRuns checks that within ten seconds all processes end: those with these ids, and those
// whose program is below dir.
func nothingRuns(t *testing.T, dir string, pids ...string) {
	t.Helper()
	var left []string
	for range 100 {
		left = nil
		links, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, link := range links {
			exe, _ := os.Readlink(link)
			if pid := strings.Split(link, "/")[2]; strings.HasPrefix(exe, dir) || slices.Contains(pids, pid) {
				left = append(left, exe+" "+pid)
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("processes are left: %q", left)
}

// sparkPython returns a Python that has pyspark.
func sparkPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ABSOLINK_SPARK")
	if python == "" {
		t.Skip("ABSOLINK_SPARK is not set: it names a Python that has pyspark (pip install pyspark)")
	}
	return python
}

// newCluster starts a cluster, which ends with the test. Its master runs in c.dir.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	python := sparkPython(t)
	home, err := exec.Command(python, "-c", "import pandas, pyarrow, pyspark; print(pyspark.__path__[0])").Output()
	if err != nil {
		t.Fatalf("%s has not pyspark, pyarrow and pandas: %v", python, err)
	}
	c := &cluster{dir: t.TempDir(), python: python, home: strings.TrimSpace(string(home)),
		workers: make(map[string]*exec.Cmd), web: freePort(t)}
	port := freePort(t)
	c.start(t, "127.0.0.1", "master.Master", "--port", strconv.Itoa(port))
	master := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	c.master = "spark://" + master
	for until := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if conn, err := net.Dial("tcp", master); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(until) {
			t.Fatal("the master does not answer in a minute")
		}
	}
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "127.0.0.3"} {
		c.workers[host] = c.start(t, host, "worker.Worker", "--cores", "1", "--memory", "1g", c.master)
	}
	return c
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// quick makes a JVM that lasts seconds cheap.
const quick = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

// environment is the environment of every process of Spark.
func (c *cluster) environment(host string) []string {
	return append(os.Environ(), "SPARK_HOME="+c.home, "SPARK_LOCAL_IP="+host,
		"PYSPARK_PYTHON="+c.python, "SPARK_CONF_DIR="+c.dir,
		"SPARK_WORKER_DIR="+filepath.Join(c.dir, "work"), "SPARK_LOCAL_DIRS="+
			filepath.Join(c.dir, "local"), "SPARK_DAEMON_MEMORY=256m",
		"SPARK_DAEMON_JAVA_OPTS="+quick, "PATH="+filepath.Join(c.home, "bin")+":"+os.Getenv("PATH"))
}

// start starts a daemon as a group of processes.
func (c *cluster) start(t *testing.T, host, class string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(c.home, "bin", "spark-class"),
		append([]string{"org.apache.spark.deploy." + class, "--host", host, "--webui-port", "0"}, args...)...)
	cmd.Env = c.environment(host)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd); cmd.Wait() })
	return cmd
}

// kill kills the processes of a group.
func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// configure writes the configuration for spark-submit.
func (c *cluster) configure(t *testing.T, more ...string) {
	t.Helper()
	lines := append([]string{"spark.master " + c.master, "spark.driver.host 127.0.0.1",
		"spark.driver.memory 512m", "spark.executor.memory 512m",
		"spark.driver.extraJavaOptions " + quick, "spark.executor.extraJavaOptions " +
			quick, "spark.sql.shuffle.partitions 2", "spark.default.parallelism 2"}, more...)
	if !slices.Contains(more, "spark.ui.enabled true") {
		lines = append(lines, "spark.ui.enabled false")
	}
	save(t, filepath.Join(c.dir, "spark-defaults.conf"), []byte(strings.Join(lines, "\n")+"\n"))
}

// submit starts the command of "help units" that begins with spark-submit. ended receives its
// result.
func (c *cluster) submit(t *testing.T) (ended chan error, log string) {
	t.Helper()
	os.RemoveAll(filepath.Join(c.dir, "out"))
	return c.resume(t)
}

// resume starts the same command, without removing its results, and with more flags.
func (c *cluster) resume(t *testing.T, flags ...string) (ended chan error, log string) {
	t.Helper()
	line := ""
	topic, _ := help.Find("units")
	for l := range strings.Lines(topic.Markdown()) {
		if strings.HasPrefix(l, "spark-submit ") {
			line = strings.TrimSpace(l)
		}
	}
	if line == "" {
		t.Fatal("help units has no line with spark-submit")
	}
	log = filepath.Join(c.dir, "log")
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command("sh", append([]string{"-c", "exec " + line + ` "$@"`, "sh"}, flags...)...)
	cmd.Env = c.environment("127.0.0.1")
	cmd.Dir = c.dir
	cmd.Stdout = f
	cmd.Stderr = f
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(15*time.Minute, func() { kill(cmd) })
	t.Cleanup(func() { limit.Stop(); kill(cmd) })
	c.driver = cmd
	ended = make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended, log
}

// killAfter kills a worker and its executor, while the executor has a task, as soon as the given
// number of tasks are done. It returns the number of tasks that are then done.
func (c *cluster) killAfter(t *testing.T, tasks int, ended <-chan error) int {
	t.Helper()
	for len(ended) == 0 {
		time.Sleep(20 * time.Millisecond)
		var apps []struct{ ID string }
		if !c.ask("", &apps) || len(apps) == 0 {
			continue
		}
		var executors []struct {
			HostPort    string
			ActiveTasks int
		}
		var stages []struct{ NumTasks, NumCompleteTasks int }
		if !c.ask("/"+apps[0].ID+"/stages", &stages) || len(stages) == 0 ||
			stages[0].NumCompleteTasks < tasks || !c.ask("/"+apps[0].ID+"/executors", &executors) {
			continue
		}
		for _, e := range executors {
			host, _, _ := net.SplitHostPort(e.HostPort)
			if e.ActiveTasks > 0 && c.workers[host] != nil {
				kill(c.workers[host])
				return stages[0].NumCompleteTasks
			}
		}
	}
	t.Fatalf("the job ended before an executor could be killed: %v\n%s", <-ended, read(t, "log"))
	return 0
}

// ask reads an answer of the job's own server into v, and reports whether there was one.
func (c *cluster) ask(path string, v any) bool {
	r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/api/v1/applications%s", c.web, path))
	if err != nil {
		return false
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(v) == nil
}

// tables returns the rows of the tables that the job wrote, as sorted JSON.
func (c *cluster) tables(t *testing.T) map[string][]string {
	t.Helper()
	rows := make(map[string][]string)
	for _, name := range []string{"links", "pages", "hosts", "domains", "dead"} {
		cmd := exec.Command(c.python, "-c", tableRows, filepath.Join(c.dir, "out", name))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows[name] = sorted(t, string(out))
	}
	return rows
}

// tableRows prints the rows of a directory of Parquet as JSON lines.
const tableRows = `
import json, sys, pyarrow.parquet
for row in pyarrow.parquet.read_table(sys.argv[1]).to_pylist():
    for key in ('links', 'kinds'):
        if isinstance(row.get(key), list):
            row[key] = dict(row[key])
    print(json.dumps({k: v for k, v in row.items() if v is not None}))
`
