package e2e

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/cli"
)

var updateReadme = flag.Bool("update-readme", false,
	"write what the examples print into README.md and the topics of help")

// examples runs the examples of a file in a directory, one after the other, and returns their
// number. In a fence of the kind console, each line that begins with "$ " is a command. The lines
// up to the next command are its output.
func examples(t *testing.T, name, dir string) (n int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fence := regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	updated := fence.ReplaceAllStringFunc(string(text), func(block string) string {
		var printed strings.Builder
		for step := range strings.SplitSeq("\n"+fence.FindStringSubmatch(block)[1], "\n$ ") {
			if step == "" {
				continue // before the first command
			}
			n++
			command, want, _ := strings.Cut(step, "\n")
			if want != "" {
				want = strings.TrimSuffix(want, "\n") + "\n"
			}
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = dir
			got, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: %s: %v", name, command, err)
			}
			if string(got) != want && !*updateReadme {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", name, command, got, want)
			}
			printed.WriteString("$ " + command + "\n" + string(got))
		}
		return "```console\n" + printed.String() + "```"
	})
	if *updateReadme {
		if err := os.WriteFile(name, []byte(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// The examples of README.md print the output that README.md shows, in a directory with a copy of
// testdata.
func TestReadme(t *testing.T) {
	name := repository + "README.md"
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS(repository+"testdata")); err != nil {
		t.Fatal(err)
	}
	if n := examples(t, name, dir); n < 3 {
		t.Errorf("README.md: got %d examples, want at least 3", n)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"    go run ./cmd/absolink extract testdata/mail/nested.mht\n",
		"    go test ./...\n"} {
		if !strings.Contains(string(text), command) {
			t.Errorf("README.md does not show %q", command)
		}
	}
}

// README.md is short enough to be read to its end.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 200 {
		t.Errorf("README.md has %d lines, want at most 200: what there is more to say goes into a topic of help or "+
			"the comment of a package", n)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if utf8.RuneCountInString(line) > 121 {
			t.Errorf("README.md:%d: more than 120 columns", n)
		}
	}
}

// The examples of each topic print the output that the topic shows, in a directory that is empty at
// first.
func TestHelpExamples(t *testing.T) {
	total := 0
	for _, topic := range help.Topics() {
		total += examples(t, filepath.Join(commandFolder, "help", topic.Name+".md"), quickDir(t))
	}
	if total < 20 {
		t.Errorf("the topics have %d examples, want at least 20", total)
	}
}

// Each command line of absolink in README.md and the topics uses existing commands and flags.
func TestHelpCommands(t *testing.T) {
	texts := map[string]string{}
	for _, topic := range help.Topics() {
		texts[topic.Name] = topic.Markdown()
	}
	readme, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	texts["README.md"] = string(readme)
	seen := 0
	command := regexp.MustCompile("absolink ((?:extract|rewrite|base|resolve|units|help|version|serve|report|" +
		"unpack|spark|man)\\b[^|;>`\n\"]*)")
	for name, text := range texts {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			words := regexp.MustCompile(`'[^']*'?|\S+`).FindAllString(m[1], -1)
			c, rest, err := cli.Command(words[:1]).Find(words)
			if err != nil || c.Name() != words[0] {
				t.Errorf("%s: %q: got the command %v and error %v", name, m[0], c.Name(), err)
				continue
			}
			seen++
			for _, flag := range rest {
				if long, ok := strings.CutPrefix(flag, "--"); ok {
					long, _, _ = strings.Cut(strings.TrimRight(long, ".,:)"), "=")
					if c.Flags().Lookup(long) == nil && long != "help" && long != "" {
						t.Errorf("%s: %q: there is no flag --%s", name, m[0], long)
					}
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d command lines were seen, want at least 50", seen)
	}
}

// Every key that a report can have is described.
func TestHelpReportKeys(t *testing.T) {
	topic, _ := help.Find("records")
	for _, key := range []string{"source", "item", "message_id", "messages", "kind", "bytes",
		"outcome", "reason", "documents", "references", "edits", "signed", "broken", "dkim",
		"problems", "base_hosts", "seconds"} {
		if !strings.Contains(topic.Markdown(), "| `"+key+"` |") {
			t.Errorf("the topic records does not describe the key %q of reports", key)
		}
	}
}

// Each of these topics exists, has a title, and reaches the terminal.
func TestHelpTopics(t *testing.T) {
	topics := map[string]help.Topic{}
	for _, topic := range help.Topics() {
		topics[topic.Name] = topic
		if title := "# " + topic.Name + ": " + topic.Short + "\n"; topic.Short == "" ||
			!strings.HasPrefix(topic.Markdown(), title) {
			t.Errorf("%s.md begins not with # %s: and what it is about", topic.Name, topic.Name)
		}
		if strings.Contains(topic.Markdown(), "<!--") {
			t.Errorf("%s.md asks for a text that nothing makes", topic.Name)
		}
		code, out, err := runs(t, "", "help", topic.Name)
		if code != cli.ExitDone || err != "" || !strings.HasPrefix(out, topic.Name+": "+topic.Short+"\n") {
			t.Errorf("absolink help %s: got %d, %q and %q, want the topic", topic.Name, code, out, err)
		}
	}
	for _, name := range []string{"constructs", "crawls", "exit", "layers",
		"mail", "records", "rules", "service", "sites", "units"} {
		if topics[name].Name == "" {
			t.Errorf("there is no topic %s", name)
		}
	}
}
