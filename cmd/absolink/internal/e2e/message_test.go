package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ownMessages is the folder of the project's own messages, and of tables with the expected results.
var ownMessages = repository + "testdata/mail/"

// messageRows returns the rows of a table, by the message that each begins with.
func messageRows(t *testing.T, table string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(ownMessages + table)
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		if name, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && !strings.HasPrefix(line, "#") {
			rows[name] = append(rows[name], rest)
		}
	}
	if len(rows) < 10 {
		t.Fatalf("%s: got %d messages, want at least 10", table, len(rows))
	}
	return rows
}

// The bodies of the project's messages have the links in links.tsv. These include the links that
// RFC 2110 and RFC 2557 Section 9 give for their examples.
func TestMessages(t *testing.T) {
	want := messageRows(t, "links.tsv")
	for name, links := range want {
		if got := linksOf(t, name); !slices.Equal(got, links) {
			t.Errorf("extract %s:\ngot  %q\nwant %q", name, got, links)
		}
	}
}

// linksOf lists the links in the bodies of a message, in the form of links.tsv.
func linksOf(t *testing.T, name string) (lines []string) {
	t.Helper()
	_, out, _ := runs(t, "", "extract", "--format", "jsonl", ownMessages+name)
	for line := range strings.Lines(out) {
		var r struct{ Element, Part, Value, Status, URI string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("extract %s: %v", name, err)
		}
		if r.Element == "header" {
			continue
		}
		lines = append(lines,
			strings.TrimRight(strings.Join([]string{r.Part, lineEnds.Replace(r.Value), r.Status, r.URI}, "\t"), "\t"))
	}
	return lines
}

var lineEnds = strings.NewReplacer("\r", `\r`, "\n", `\n`)

// withPlace is the beginning of a line about a place in a file.
const withPlace = `(?m)^[^:]+:[0-9]+:[0-9]+: `

// Rewriting a message makes exactly the edits in edits.tsv, and prints the messages in report.tsv.
func TestMessagesRewritten(t *testing.T) {
	edits, said := messageRows(t, "edits.tsv"), messageRows(t, "report.tsv")
	files, err := os.ReadDir(ownMessages)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if ext := filepath.Ext(f.Name()); ext != ".eml" && ext != ".mht" {
			continue
		}
		_, out, problems := runs(t, "", "rewrite", "-v", ownMessages+f.Name())
		if want := withEdits(t, f.Name(), edits[f.Name()]); out != want {
			t.Errorf("rewrite %s:\ngot  %q\nwant %q", f.Name(), out, want)
		}
		msg, err := os.ReadFile(ownMessages + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(problems, "\n")
		for _, row := range said[f.Name()] {
			r := strings.SplitN(row, "\t", 3)
			place := fmt.Sprintf("%s:%s: ", f.Name(), lineColumn(t, string(msg), r[1]))
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.Contains(line, place) &&
					strings.Contains(line, "part "+r[0]) == (r[0] != "") && strings.HasSuffix(line, r[2])
			}) {
				t.Errorf("rewrite %s says\n%s\nwant a line of part %q at %s%s", f.Name(), problems, r[0], place, r[2])
			}
		}
		unresolved := regexp.MustCompile(`(?m)^.* is (relative, and|unresolved:) .*\n`)
		problems = unresolved.ReplaceAllString(problems, "")
		if got, want := len(regexp.MustCompile(withPlace).FindAllString(problems,
			-1)), len(said[f.Name()]); got != want {
			t.Errorf("rewrite %s says\n%s\nwant %d lines with a place", f.Name(), problems, want)
		}
	}
}

// lineColumn returns the line and column of an offset in msg. The offset is in digits.
func lineColumn(t *testing.T, msg, offset string) string {
	t.Helper()
	at, err := strconv.Atoi(offset)
	if err != nil || at > len(msg) {
		t.Fatalf("report.tsv: %q is no offset of a message of %d bytes", offset, len(msg))
	}
	before := strings.Split(msg[:at], "\n")
	return fmt.Sprintf("%d:%d", len(before), len(before[len(before)-1])+1)
}

// withEdits returns a message with the edits of its rows made. A row has the offset, the old bytes
// and the new bytes.
func withEdits(t *testing.T, name string, rows []string) string {
	t.Helper()
	msg, err := os.ReadFile(ownMessages + name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	at := 0
	for _, row := range rows {
		var start int
		var old, new string
		if _, err := fmt.Sscanf(row, "%d\t%q\t%q", &start, &old, &new); err != nil ||
			!strings.HasPrefix(string(msg[start:]), old) {
			t.Fatalf("edits.tsv: %s: %s: %v", name, row, err)
		}
		out.Write(msg[at:start])
		out.WriteString(new)
		at = start + len(old)
	}
	return out.String() + string(msg[at:])
}
