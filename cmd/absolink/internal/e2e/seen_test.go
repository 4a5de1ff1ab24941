package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/files"
	"absolink/testdata/effort"
)

// seenRuns holds the runs of a list of --seen.
type seenRuns struct {
	dir     string
	args    []string
	printed map[string]bool // the whole lines that the runs have printed
	runs    int
}

// Runs with --seen are killed at random moments, and started again until one ends by itself. At
// every moment the list has only whole lines, each once, except for the last line; and each of them
// was printed before. Some lists get the beginning of a line at their end. In the end every URI was
// printed, and is in the list.
func TestSeenCrash(t *testing.T) {
	effort.Only(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	kills := 0
	for round := 0; kills < *crashes && round < 20*(*crashes); round++ {
		s := &seenRuns{dir: quickDir(t), printed: make(map[string]bool)}
		want := seenPages(t, s.dir)
		s.args = []string{"extract", "-q", "--jobs", fmt.Sprint(1 + round%3), "--seen", "list", "--root",
			"site=http://a.test/", "site"}
		began := time.Now()
		plain := []string{"extract", "-q", "--unique", "--root", "site=http://a.test/", "site"}
		out, err := commandIn(s.dir, plain).Output()
		if lines := bytes.Count(out, []byte("\n")); err != nil || lines != want {
			t.Fatalf("a run without a list: got %v and %d lines, want %d", err, lines, want)
		}
		// A run with the list may need longer than the plain run did. So each kill leaves the next
		// run more time.
		limit := time.Since(began) * 5 / 4
		for !s.run(t, time.Duration(random.Int64N(int64(limit)))) {
			kills++
			limit += limit / 20
			s.check(t)
			if random.IntN(2) == 0 {
				s.tear(t, "http://a.test/0/xxx"[:1+random.IntN(19)])
			}
			if t.Failed() {
				t.FailNow()
			}
		}
		list := s.check(t)
		if len(list) != want || len(s.printed) != want {
			t.Fatalf("in the end: got %d URIs in the list and %d printed ones, want %d", len(list), len(s.printed),
				want)
		}
		os.RemoveAll(s.dir)
	}
}

// run starts a run, kills it after a time, and reads its output. It reports whether the run ended
// before. A run that cut a line off says so.
func (s *seenRuns) run(t *testing.T, after time.Duration) (ended bool) {
	t.Helper()
	s.runs++
	path := filepath.Join(s.dir, fmt.Sprint("out", s.runs))
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := commandIn(s.dir, s.args)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	cmd.Wait()
	kill.Stop()
	for line := range strings.Lines(read(t, path)) {
		if uri, whole := strings.CutSuffix(line, "\n"); whole {
			s.printed[uri] = true
		}
	}
	if !cmd.ProcessState.Exited() {
		return false
	}
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitDone {
		t.Fatalf("got exit code %d and %s, want %d", code, stderr.String(), cli.ExitDone)
	}
	return true
}

// check checks the list, and returns its whole lines.
func (s *seenRuns) check(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "list"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	list := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		uri, whole := strings.CutSuffix(line, "\n")
		switch {
		case !whole: // the last line
		case list[uri]:
			t.Errorf("%s is twice in the list", uri)
		case !s.printed[uri]:
			t.Errorf("%q is in the list, but was not printed", uri)
		}
		if whole {
			list[uri] = true
		}
	}
	return list
}

// tear adds the beginning of a line to a list of whole lines, as an append does that is killed.
func (s *seenRuns) tear(t *testing.T, part string) {
	t.Helper()
	path := filepath.Join(s.dir, "list")
	text, err := os.ReadFile(path)
	if err == nil && bytes.HasSuffix(text, []byte("\n")) {
		save(t, path, append(text, part...))
	}
}

// seenPages makes pages below dir/site with several mebibytes of URIs, so that a run commits often.
// It returns the number of different URIs.
func seenPages(t *testing.T, dir string) (different int) {
	t.Helper()
	const perPage, shared = 2000, 500
	tail := strings.Repeat("x", 60)
	pages := effort.Pick(30, 16) // their URIs take more than a megabyte
	for i := range pages {
		var b strings.Builder
		for j := range perPage {
			fmt.Fprintf(&b, "<a href=/%d/%s>", i*(perPage-shared)+j, tail)
		}
		save(t, filepath.Join(dir, fmt.Sprintf("site/%02d.html", i)), []byte(b.String()))
	}
	return (pages-1)*(perPage-shared) + perPage
}

// A second process that uses the list is refused, and leaves the list as it is.
func TestSeenInUse(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "page.html"), []byte("<a href=http://a.test/>"))
	save(t, filepath.Join(dir, "list"), []byte("http://b.test/\nhttp://c"))
	f, err := os.OpenFile(filepath.Join(dir, "list"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if held, err := files.Hold(f); !held || err != nil {
		t.Fatalf("Hold: got %t, %v", held, err)
	}
	cmd := commandIn(dir, []string{"extract", "--seen", "list", "page.html"})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	const want = "absolink: --seen list: another run is using this list: wait until it ends, or give another name\n"
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitUsage || stderr.String() != want || len(out) > 0 {
		t.Errorf("got exit code %d, %q and the output %q, want %d and %q", code, stderr.String(), out, cli.ExitUsage,
			want)
	}
	if got := read(t, filepath.Join(dir, "list")); got != "http://b.test/\nhttp://c" {
		t.Errorf("the list is %q", got)
	}
}

// An interrupted run adds the URIs that it has printed.
func TestSeenInterrupted(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "page.html"), []byte("<a href=http://a.test/>"))
	cmd := commandIn(dir, []string{"extract", "--seen", "list", "page.html", "-"})
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close() // the run waits for its end
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "http://a.test/\n" {
		t.Errorf("got the line %q, %v", line, err)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitInterrupted {
		t.Errorf("got exit code %d, want %d", code, cli.ExitInterrupted)
	}
	if got := read(t, filepath.Join(dir, "list")); got != "http://a.test/\n" {
		t.Errorf("the list is %q", got)
	}
}
