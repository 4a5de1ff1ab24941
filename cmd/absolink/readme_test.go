package main

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var updateReadme = flag.Bool("update-readme", false, "write what the examples print into README.md")

// An example of README.md: a fenced block with a command and what it prints.
func example() *regexp.Regexp {
	return regexp.MustCompile("(?m)^```console\n\\$ (.*)\n((?s:.*?))^```$")
}

// The examples of README.md print what stands there.
func TestReadme(t *testing.T) {
	name := repository + "README.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	n, archive := 0, t.TempDir()
	updated := example().ReplaceAllStringFunc(string(text), func(block string) string {
		n++
		m := example().FindStringSubmatch(block)
		cmd := exec.Command("sh", "-c", m[1])
		cmd.Dir = repository
		cmd.Env = append(os.Environ(), "ARCHIVE="+archive)
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		if string(out) != m[2] && !*updateReadme {
			t.Errorf("%s:\ngot  %s\nwant %s", m[1], out, m[2])
		}
		return "```console\n$ " + m[1] + "\n" + string(out) + "```"
	})
	if n < 3 {
		t.Errorf("README.md: got %d examples, want at least 3", n)
	}
	for _, command := range []string{"    go run ./cmd/absolink extract testdata/mail/nested.mht\n", "    go test ./...\n", "    ARCHIVE=$(mktemp -d)\n"} {
		if !strings.Contains(string(text), command) {
			t.Errorf("README.md does not show %q", command)
		}
	}
	if *updateReadme {
		if err := os.WriteFile(name, []byte(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Every key that a report can have is described.
func TestReadmeReportKeys(t *testing.T) {
	text, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"source", "item", "message_id", "messages", "kind", "bytes", "outcome", "reason", "documents", "references", "edits", "signed", "broken", "dkim",
		"problems", "base_hosts", "seconds"} {
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("README.md does not describe the key %q of reports", key)
		}
	}
}
