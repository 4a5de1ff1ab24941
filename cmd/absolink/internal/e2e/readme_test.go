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
// number. In a fence of the kind console, a line that begins with "$ " is a command. It goes on
// after a backslash or a bar. The lines up to the next command are all that a reader sees on the
// screen: standard output and standard error. In it, the directory is shown as /home/you.
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
			for strings.HasSuffix(command, "\\") || strings.HasSuffix(command, "|") {
				line, rest, _ := strings.Cut(want, "\n")
				command, want = command+"\n"+line, rest
			}
			if want != "" {
				want = strings.TrimSuffix(want, "\n") + "\n"
			}
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = dir
			got, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %s: %v", name, command, err)
			}
			shown := strings.ReplaceAll(string(got), dir, "/home/you")
			if shown != want && !*updateReadme {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", name, command, shown, want)
			}
			printed.WriteString("$ " + command + "\n" + shown)
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

// shellCommands returns the commands of a text. A command goes on in the next line behind a
// backslash, in quotes, and up to the end of a here-document.
func shellCommands(text string) (commands []string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		command := lines[i]
		here := strings.HasSuffix(command, "<<'END'")
		open := func() bool {
			return strings.HasSuffix(command, "\\") || strings.HasSuffix(command, "&&") ||
				strings.HasSuffix(command, "|") || strings.HasPrefix(command, "python3 -c '") &&
				strings.Count(command, "'")%2 == 1 || here && !strings.HasSuffix(command, "\nEND")
		}
		for open() && i+1 < len(lines) {
			i++
			command += "\n" + lines[i]
		}
		commands = append(commands, command)
	}
	return commands
}

// The examples of README.md print the output that README.md shows, in the directory that README.md
// tells its readers to make: with copies of testdata and of all files of testdata/tour.
func TestReadme(t *testing.T) {
	name := repository + "README.md"
	dir := t.TempDir()
	for to, from := range map[string]string{filepath.Join(dir, "testdata"): "testdata", dir: "testdata/tour"} {
		if err := os.CopyFS(to, os.DirFS(repository+from)); err != nil {
			t.Fatal(err)
		}
	}
	if n := examples(t, name, dir); n < 3 {
		t.Errorf("README.md: got %d examples, want at least 3", n)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"`mkdir try && cp -r testdata testdata/tour/* try && cd try`",
		"    go run ./cmd/absolink extract testdata/mail/nested.mht\n", "    go test ./...\n"} {
		if !strings.Contains(string(text), command) {
			t.Errorf("README.md does not show %q", command)
		}
	}
}

// Each command in the table of README.md runs in the directory that README.md tells its readers to
// make.
func TestReadmeTable(t *testing.T) {
	text, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| [^|]+ \\| `(absolink [^`]+)` \\|").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Errorf("README.md: got %d rows with commands, want at least 10", len(rows))
	}
	for _, row := range rows {
		dir := t.TempDir()
		tour := os.DirFS(repository + "testdata/tour")
		if err := os.CopyFS(dir, tour); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(repositoryPath(t)+"/testdata", filepath.Join(dir, "testdata")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(row[1], "NEW", "https://new.example/"))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", row[1], err, out)
		}
	}
}

// repositoryPath returns the absolute path of the repository.
func repositoryPath(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// README.md is short enough to be read to its end.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 180 {
		t.Errorf("README.md has %d lines, want at most 180: what there is more to say goes into a topic of help or "+
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

// CHANGELOG.md has a section for the release, and is short enough to be read to its end.
func TestChangelogIsShort(t *testing.T) {
	text, err := os.ReadFile(repository + "CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 80 {
		t.Errorf("CHANGELOG.md has %d lines, want at most 80: one short line for each feature", n)
	}
	if !strings.Contains(string(text), "\n## 1.0.0\n") {
		t.Error("CHANGELOG.md has no section 1.0.0")
	}
}

// The examples of each topic print the output that the topic shows, in a directory that is empty at
// first.
func TestHelpExamples(t *testing.T) {
	total := 0
	serve, _ := help.Guide(cli.Command([]string{"serve"}).Commands()[0])
	for _, topic := range append(help.Topics(), serve) {
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
		if regexp.MustCompile("(?m)^<!-- [a-z]+ -->$").MatchString(topic.Markdown()) {
			t.Errorf("%s.md asks for a text that nothing makes", topic.Name)
		}
		code, out, err := runs(t, "", "help", topic.Name)
		if code != cli.ExitDone || err != "" || !strings.HasPrefix(out, topic.Name+": "+topic.Short+"\n") {
			t.Errorf("absolink help %s: got %d, %q and %q, want the topic", topic.Name, code, out, err)
		}
	}
	for alias, want := range map[string]string{
		"html": "places", "css": "places", "mbox": "mail", "eml": "mail", "maildir": "mail", "mhtml": "rescue",
		"wayback": "rescue", "warc": "crawls", "robots": "crawls", "json": "links", "csv": "links", "kinds": "links",
		"records": "links", "undo": "safety", "spark": "units", "parallel": "units", "exit": "errors",
		"layers": "base", "relative": "sites", "constructs": "places", "markdown": "places"} {
		code, out, err := runs(t, "", "help", alias)
		if code != cli.ExitDone || err != "" || !strings.HasPrefix(out, want+": "+topics[want].Short+"\n") {
			t.Errorf("absolink help %s: got %d, %.60q and %q, want the topic %s", alias, code, out, err, want)
		}
	}
	const first = "There is no topic \"punycode\". These topics contain it; absolink help TOPIC prints one.\n\n" +
		"sites    "
	code, out, err := runs(t, "", "help", "punycode")
	if code != cli.ExitDone || err != "" || !strings.HasPrefix(out, first) || !strings.Contains(out, "in Punycode") {
		t.Errorf("absolink help punycode: got %d, %q and %q, want the line of sites", code, out, err)
	}
	for _, name := range []string{"service", "serve"} {
		_, out, _ := runs(t, "", "help", name)
		if _, want, _ := runs(t, "", "serve", "--help"); out != want || !strings.Contains(out, "\nWith curl\n") {
			t.Errorf("absolink help %s: got\n%s\nwant the help of serve", name, out)
		}
	}
	if _, out, _ := runs(t, "", "help", "rules"); strings.Count(out, "\n") > 60 {
		t.Errorf("absolink help rules has %d lines, want at most 60", strings.Count(out, "\n"))
	}
	if _, out, _ := runs(t, "", "help", "rules", "--clauses"); !strings.Contains(out, "\nRFC 2396\n\n") {
		t.Errorf("absolink help rules --clauses: got\n%s\nwant the clauses of RFC 2396", out)
	}
}

// The text of each topic fits in 80 columns. Only the output of programs may be wider.
func TestHelpTopicsAreNarrow(t *testing.T) {
	serve, _ := help.Guide(cli.Command([]string{"serve"}).Commands()[0])
	for _, topic := range append(help.Topics(), serve, help.Clauses()) {
		wide := map[string]bool{}
		fence := regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
		for _, m := range fence.FindAllStringSubmatch(topic.Markdown(), -1) {
			command := false
			for line := range strings.Lines(m[1]) {
				command = command || strings.HasPrefix(line, "$ ")
				if !command {
					wide["  "+strings.TrimSuffix(line, "\n")] = true
				}
				command = command && (strings.HasSuffix(line, "\\\n") || strings.HasSuffix(line, "|\n"))
			}
		}
		for line := range strings.Lines(help.Renderer{Width: 80}.Render(topic.Markdown())) {
			line = strings.TrimSuffix(line, "\n")
			n := utf8.RuneCountInString(line)
			if n > 80 && !wide[line] && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d columns, want at most 80: %s", topic.Name, n, line)
			}
		}
	}
}

// The man pages of the topics and of serve have subsections, and no backticks outside examples.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	if code, _, err := runs(t, "", "man", dir); code != cli.ExitDone {
		t.Fatalf("absolink man: got %d and %q", code, err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.[17]"))
	if len(names) < 25 {
		t.Errorf("%d pages, want at least 25", len(names))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if topic := strings.HasSuffix(name, ".7") || strings.HasSuffix(name, "serve.1"); topic &&
			strings.Count(string(text), "\n.SS ") < 2 {
			t.Errorf("%s: less than two subsections", filepath.Base(name))
		}
		kept := false // the lines are in a block that is not filled
		for line := range strings.Lines(string(text)) {
			switch {
			case line == ".nf\n":
				kept = true
			case line == ".fi\n":
				kept = false
			case !kept && (strings.Contains(line, `\(ga`) || strings.Contains(line, "`")):
				t.Errorf("%s: a backtick in %q", filepath.Base(name), line)
			}
		}
	}
}
