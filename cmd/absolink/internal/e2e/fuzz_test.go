//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// Any input is rewritten without a fault of ours. The output verifies, has the same URIs, and a
// second run changes nothing.
func FuzzRewrite(f *testing.F) {
	for _, pattern := range []string{"testdata/mail/*.eml", "testdata/mail/*.mht"} {
		names, _ := filepath.Glob(repository + pattern)
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil && len(b) < 8<<10 {
				f.Add(string(b), true)
			}
		}
	}
	f.Add(`<base href="/b/"><a href=x><img srcset="a 1x, b 2x" style="background:url(y)"><meta http-equiv=refresh content="1;url=z">`, false)
	f.Add("<html><svg><a xlink:href='q'/></svg><noscript><base href=n></noscript><a href=\"\x00&#x26;\">", false)
	f.Fuzz(func(t *testing.T, in string, message bool) {
		kind := map[bool]string{false: "html", true: "message"}[message]
		flags := []string{"--type", kind, "--base", "http://example.test/dir/page.html"}
		once := fuzzRun(t, in, append([]string{"rewrite", "--verify"}, flags...))
		if twice := fuzzRun(t, once, append([]string{"rewrite", "--verify"}, flags...)); twice != once {
			t.Errorf("rewrite of %q: got %q, and from that %q", in, once, twice)
		}
		before, after := fuzzRun(t, in, append([]string{"extract"}, flags...)), fuzzRun(t,
			once, append([]string{"extract"}, flags...))
		if before != after {
			t.Errorf("extract of %q: got %q, after rewrite %q", in, before, after)
		}
	})
}

// A mailbox without edits does not change. After edits, a second run changes nothing.
func FuzzRewriteMailbox(f *testing.F) {
	addMailboxes(f)
	f.Fuzz(func(t *testing.T, in string) {
		if out := fuzzRun(t, in, []string{"rewrite", "--type", "mbox", "--trust-base", "none"}); out != in {
			t.Errorf("rewrite without a base: got %q, want the input %q", out, in)
		}
		once := fuzzRun(t, in, append([]string{"rewrite", "--verify"}, mailboxFlags...))
		if twice := fuzzRun(t, once, append([]string{"rewrite", "--verify"}, mailboxFlags...)); twice != once {
			t.Errorf("rewrite of %q: got %q, and from that %q", in, once, twice)
		}
	})
}

// After edits a mailbox has the same number of messages, with the same bases and URIs.
func FuzzReadMailboxAgain(f *testing.F) {
	addMailboxes(f)
	f.Fuzz(func(t *testing.T, in string) {
		out := fuzzRun(t, in, append([]string{"rewrite"}, mailboxFlags...))
		for _, command := range []string{"base", "extract"} {
			before := fuzzRun(t, in, append([]string{command}, mailboxFlags...))
			if after := fuzzRun(t, out, append([]string{command}, mailboxFlags...)); before != after {
				t.Errorf("%s of %q: got %q, after rewrite %q", command, in, before, after)
			}
		}
	})
}

var mailboxFlags = []string{"--type", "mbox", "--base", "http://example.test/dir/page.html"}

// addMailboxes adds mailboxes as seeds for fuzzing.
func addMailboxes(f *testing.F) {
	for _, n := range []int{1, 3} {
		f.Add(letters(n, relative))
	}
	if b, err := os.ReadFile(repository + "testdata/mbox/list.mbox"); err == nil {
		f.Add(string(b))
	}
	f.Add("\xef\xbb\xbfpreamble\n\nFrom a\r\nContent-Type: text/html\r\n\r\n<a href=x>\r\n>From b\nFrom c Thu Jan  1 " +
		"00:00:00 1970\n\n")
}

// fuzzRun returns the standard output of a command.
func fuzzRun(t *testing.T, in string, args []string) string {
	t.Helper()
	code, out, stderr := runs(t, in, args...)
	if code != cli.ExitDone && code != cli.ExitDefects ||
		strings.Contains(stderr, "internal error") || strings.Contains(stderr, "verify: ") {
		t.Errorf("%q of %q: got exit code %d and %q", args, in, code, stderr)
	}
	return out
}
