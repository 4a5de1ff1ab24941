//go:build unix

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"absolink/cmd/absolink/help"
)

// The shell commands in "help units" work unchanged, except for the address of the server. All give
// the records of one run.
func TestUnitsHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	_, members := webArchive(60)
	save(t, "crawl/a.warc.gz", []byte(members))
	save(t, "mail/box", []byte(letters(20, func(i int) string { return fmt.Sprintf("<a href=http://m.test/%d>", i) })))
	index(t, "crawl/a.warc.gz")
	s := httptest.NewServer(http.FileServer(http.Dir("crawl")))
	defer s.Close()
	_, crawl, _ := runs(t, "", "extract", "--format", "jsonl", "crawl")
	_, mail, _ := runs(t, "", "extract", "--format", "jsonl", "mail")
	without := []string{"source", "item", "line", "column"}
	all, ofCrawl := sorted(t, crawl+mail, without...), sorted(t, crawl, without...)
	top, _ := os.Getwd()
	done := 0
	topic, _ := help.Find("units")
	shells := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(topic.Markdown(), -1)
	var commands string
	for _, m := range shells {
		commands += m[1]
	}
	for _, command := range shellCommands(commands) {
		if _, err := exec.LookPath("parallel"); err != nil && strings.HasPrefix(command, "parallel") {
			continue
		}
		done++
		command = strings.ReplaceAll(command, "https://data.commoncrawl.org/", s.URL+" --allow-private")
		tasks := []string{"1", "2"}
		if !strings.Contains(command, "SLURM") {
			tasks = tasks[:1]
		}
		for _, task := range tasks {
			cmd := exec.Command("sh", "-c", command)
			cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_COUNT=2", "SLURM_ARRAY_TASK_ID="+task)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%s: got %v and %q", command, err, out)
			}
		}
		outputs, _ := filepath.Glob("links*.jsonl")
		got := ""
		for _, name := range outputs {
			text, _ := os.ReadFile(name)
			got += string(text)
			os.Remove(name)
		}
		want := all
		if units, _ := os.ReadFile("units"); !strings.Contains(string(units), top+"/mail/") ||
			strings.Contains(command, "index") {
			want = ofCrawl
		}
		if len(outputs) > 0 && strings.Join(sorted(t, got, without...), "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got %d records, want the %d of one run", command, strings.Count(got, "\n"), len(want))
		}
	}
	if done < 7 {
		t.Errorf("%d lines were run, want at least 7", done)
	}
}

// index writes index.cdx, index.cdxj and index.csv with the records of a web archive.
func index(t *testing.T, archive string) {
	t.Helper()
	_, units, _ := runs(t, "", "units", "--size", "1", archive)
	cdx, cdxj, csv := " CDX N b a m s k r M S V g\n", "", "url,warc_filename,warc_record_offset,warc_record_length\n"
	for line := range strings.Lines(units) {
		f := strings.Split(line, "\t")
		name := filepath.Base(f[0])
		cdxj += `test,a)/ 20240102030405 {"url": "http://a.test/", "filename": "` +
			name + `", "offset": "` + f[1] + `", "length": "` + f[2] + `"}` + "\n"
		cdx += "test,a)/ 20240102030405 http://a.test/ text/html 200 X - - " + f[2] + " " + f[1] + " " + name + "\n"
		csv += "http://a.test/," + name + "," + f[1] + "," + f[2] + "\n"
	}
	save(t, "index.cdx", []byte(cdx))
	save(t, "index.cdxj", []byte(cdxj))
	save(t, "index.csv", []byte(csv))
}
