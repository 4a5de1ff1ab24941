//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/corpus"
)

// Real messages in one mailbox have the same links as each of them alone. The mailbox is rewritten
// to the same bytes for every kind of output. A second rewriting changes nothing, and the rewriting
// can be undone.
func TestCorpusMailbox(t *testing.T) {
	t.Chdir(t.TempDir())
	var all bytes.Buffer
	var alone strings.Builder
	n := 0
	for _, m := range messagesOf(t, corpus.Folder("mail")) {
		var b bytes.Buffer
		appendMessage(&b, m)
		line, text, _ := bytes.Cut(b.Bytes(), []byte("\n"))
		if len(bytes.TrimSpace(text)) == 0 || bytes.IndexByte(text, '\r') >= 0 && bytes.Count(text, []byte("\n")) <= 2 {
			continue // nothing, or a message whose lines end with CR alone
		}
		n++
		all.Write(append(line, '\n'))
		all.Write(text)
		_, out, _ := runs(t, string(bytes.TrimSuffix(text, []byte("\n"))),
			"extract", "-q", "--type", "message", "--base", corpusBase)
		alone.WriteString(out)
	}
	if least := corpus.Least(1600, 45); n < least {
		t.Fatalf("got %d messages, want at least %d", n, least)
	}
	save(t, "a.mbox", all.Bytes())
	code, out, stderr := runs(t, "", "extract", "-v", "--jobs", "4", "--base", corpusBase, "a.mbox")
	if code != cli.ExitDefects || out != alone.String() {
		t.Errorf("extract: got exit code %d and %d bytes of links, want %d and the %d of the messages alone",
			code, len(out), cli.ExitDefects, alone.Len())
	}
	if want := fmt.Sprintf("; %d messages in mailboxes, %d listed;", n, n); !strings.Contains(stderr, want) {
		t.Errorf("extract: got %q, want %q", stderr[max(0, len(stderr)-200):], want)
	}
	rewriteCorpusMailbox(t, all.Bytes(), out)
}

// rewriteCorpusMailbox rewrites a.mbox in every way. content is its content, and links are its
// links.
func rewriteCorpusMailbox(t *testing.T, content []byte, links string) {
	t.Helper()
	_, want, stderr := runs(t, string(content), "rewrite", "--dkim", "skip", "--verify", "--base", corpusBase)
	if strings.Contains(stderr, "verify: ") || strings.Contains(stderr, "internal error") {
		t.Errorf("rewrite: got %q", stderr)
	}
	runs(t, "", "rewrite", "--dkim", "skip", "--jobs", "4", "-o", "out", "--base", corpusBase, "a.mbox")
	runs(t, "", "rewrite", "--in-place", "--journal", "j", "--base", corpusBase, "a.mbox")
	for _, name := range []string{"out/a.mbox", "a.mbox"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want || want == string(content) {
			t.Errorf("rewrite: %s has %d bytes and error %v, want the %d of standard output",
				name, len(got), err, len(want))
		}
	}
	if _, after, _ := runs(t, "", "extract", "-q", "--base", corpusBase, "a.mbox"); after != links {
		t.Errorf("extract of what is rewritten: got %d bytes of links, want the %d of before", len(after), len(links))
	}
	if _, again, _ := runs(t, want, "rewrite", "--dkim", "skip", "--base", corpusBase); again != want {
		t.Errorf("rewrite of what is rewritten: got %d other bytes, want the %d of the input", len(again), len(want))
	}
	code, _, stderr := runs(t, "", "rewrite", "--undo", "j")
	if got, _ := os.ReadFile("a.mbox"); code != cli.ExitDone || !bytes.Equal(got, content) {
		t.Errorf("rewrite --undo: got exit code %d, %q and %d bytes, want %d and the %d of the beginning",
			code, stderr, len(got), cli.ExitDone, len(content))
	}
}
