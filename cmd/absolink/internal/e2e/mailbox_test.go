//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// The output depends neither on the number of workers, nor on the source of the mailbox, nor on
// whether it is read as a small or a large mailbox.
func TestMailboxOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, n := range map[string]int{"small": effort.Pick(200, 20), "large": effort.Pick(6000, 500)} {
		times := effort.Pick(1, 20)
		text := longer(letters(n, relative), times)
		want := longer(letters(n, absolute), times)
		if large := len(text) > 1<<20; large != (name == "large") {
			t.Fatalf("the %s mailbox has %d bytes", name, len(text))
		}
		save(t, "in/a.mbox", []byte(text))
		save(t, "in/b.mbox", []byte(text))
		first, sum := "", fmt.Sprintf("absolink: 1 input, 1 rewritten; %d messages in mailboxes, %d rewritten; ", n, n)
		for _, jobs := range []string{"1", "8"} {
			t.Run(name+" with jobs "+jobs, func(t *testing.T) {
				code, out, stderr := runs(t, text, "rewrite", "--verify",
					"--jobs", jobs, "--base", "http://example.test/")
				if code != cli.ExitDone || out != want || !strings.HasPrefix(stderr, sum) ||
					strings.Count(stderr, "\n") != 1 {
					t.Errorf("rewrite from a pipe: got exit code %d, %d bytes and %.200q, want %d, %d bytes and %q",
						code, len(out), stderr, cli.ExitDone, len(want), sum)
				}
				code, _, stderr = runs(t, "", "rewrite", "--jobs", jobs, "--overwrite", "-o",
					"out", "-q", "--report", "r", "--default-base", "http://example.test/", "in")
				if code != cli.ExitDone || stderr != "" {
					t.Errorf("rewrite -o: got exit code %d and %.200q, want %d and nothing", code, stderr, cli.ExitDone)
				}
				for _, f := range []string{"out/a.mbox", "out/b.mbox"} {
					if got, _ := os.ReadFile(f); string(got) != want {
						t.Errorf("rewrite -o: %s has %d bytes, want the %d that are expected", f, len(got), len(want))
					}
				}
				r, _ := os.ReadFile("r")
				if got := bytes.Count(r, []byte("\n")); got != 2*n+2 {
					t.Errorf("rewrite -o: got %d lines in the report, want %d", got, 2*n+2)
				}
				_, out, _ = runs(t, "", "extract", "--jobs", jobs, "--format",
					"jsonl", "--default-base", "http://example.test/", "in")
				if first == "" {
					first = out
				}
				if out != first {
					t.Errorf("extract: got %d bytes of records, want the same %d as with one worker",
						len(out), len(first))
				}
			})
		}
		checkPlaces(t, first, text, 2*n, func(item int) string { return relative(item - 1) })
	}
}

// checkPlaces compares the places of n records with the bytes of the mailbox or archive. raw
// returns the bytes of an item.
func checkPlaces(t *testing.T, records, text string, n int, raw func(item int) string) {
	t.Helper()
	for line := range strings.Lines(records) {
		var r struct {
			Item, Offset, End, Line, Column int
			Raw                             string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		n--
		if want := raw(r.Item); r.Raw != want || r.Offset < 0 || r.End > len(text) || text[r.Offset:r.End] != want {
			t.Fatalf("item %d: offsets %d to %d do not lead to %q", r.Item, r.Offset, r.End, want)
		}
		before := text[:r.Offset]
		if at := strings.LastIndexByte(before, '\n'); r.Item%501 == 1 &&
			(strings.Count(before, "\n")+1 != r.Line || r.Offset-at != r.Column) {
			t.Fatalf("item %d: got line %d, column %d, want %d, %d", r.Item,
				r.Line, r.Column, strings.Count(before, "\n")+1, r.Offset-at)
		}
	}
	if n != 0 {
		t.Errorf("extract: %d records are missing", n)
	}
}

// Lines count in the mailbox, whatever comes before the heading.
func TestMailboxLines(t *testing.T) {
	const message = "Subject: x\nContent-Type: text/html\n\n<a href=\"http://a.test/\">\n"
	for _, tt := range []struct{ name, before, want string }{
		{"nothing", "", `"line":4,"column":10`},
		{"a separator", "From a@b.test Thu Jan  1 00:00:00 1970\n", `"line":5,"column":10`},
		{"a byte order mark", "\xef\xbb\xbf", `"line":4,"column":10`},
		{"both", "\xef\xbb\xbfFrom a@b.test Thu Jan  1 00:00:00 1970\n", `"line":5,"column":10`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			absolink([]string{"extract", "--type", "mbox", "--format", "jsonl"},
				strings.NewReader(tt.before+message), &stdout, &stderr)
			if !strings.Contains(stdout.String(), tt.want) {
				t.Errorf("extract: got %q, want %s", stdout.String(), tt.want)
			}
		})
	}
}

// If a pipe fails, only the data after the failure is lost. The messages that were read are done.
func TestMailboxThatFails(t *testing.T) {
	boom := errors.New("boom")
	text := letters(6000, relative)
	var stdout, stderr bytes.Buffer
	in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(boom))
	code := absolink([]string{"extract", "--base", "http://example.test/"}, in, &stdout, &stderr)
	if got := strings.Count(stdout.String(), "\n"); code != cli.ExitDefects || got < 5990 {
		t.Errorf("extract: got exit code %d and %d links, want %d and nearly 6000", code, got, cli.ExitDefects)
	}
	if !strings.HasSuffix(stderr.String(), ": boom\n") ||
		!strings.HasPrefix(stderr.String(), "absolink: -: reading the message at offset ") {
		t.Errorf("extract: got %q on standard error, want where it failed, and why", stderr.String())
	}
}

// If the output fails, the run ends.
func TestMailboxToFullOutput(t *testing.T) {
	out := &fullWriter{room: 100_000}
	var stderr bytes.Buffer
	code := absolink([]string{"rewrite", "--base", "http://example.test/"},
		strings.NewReader(letters(6000, relative)), out, &stderr)
	if code != cli.ExitDefects || !strings.Contains(stderr.String(), errFull.Error()) {
		t.Errorf("rewrite: got exit code %d and %q, want %d and %q", code, stderr.String(), cli.ExitDefects, errFull)
	}
}

type fullWriter struct{ room int }

var errFull = errors.New("no space left")

func (f *fullWriter) Write(p []byte) (int, error) {
	f.room -= len(p)
	if f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// An interrupt leaves a mailbox whole, old or new, and nothing else.
func TestInterruptOfMailbox(t *testing.T) {
	effort.Only(t)
	for _, delay := range []time.Duration{2, 10, 30, 60} {
		t.Run(fmt.Sprintf("after %d ms", delay), func(t *testing.T) {
			t.Chdir(t.TempDir())
			before, after := letters(20_000, relative), letters(20_000, absolute)
			save(t, "a.mbox", []byte(before))
			interrupt(t, delay*time.Millisecond,
				[]string{"rewrite", "--in-place", "--base", "http://example.test/", "a.mbox"})
			if got, err := os.ReadFile("a.mbox"); err != nil || string(got) != before && string(got) != after {
				t.Errorf("a.mbox: got %d bytes and error %v, want the %d of before or the %d of after",
					len(got), err, len(before), len(after))
			}
			entries, _ := os.ReadDir(".")
			if len(entries) != 1 {
				t.Errorf("directory: got %v, want the mailbox alone", entries)
			}
		})
	}
}
