//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// These tests use Dovecot as packaged by Debian. Dovecot indexes a Maildir, absolink rewrites it,
// and Dovecot must then return its messages. The same holds for mailboxes. Dovecot runs in
// directories of the test, without a service, and as a user who is not root.

const dovecotMessages = 30

// dovecot is a directory with mail and the configuration for it.
type dovecot struct {
	dir string
	uid int
}

// newDovecot makes files, by their paths in the directory, and configures Dovecot with a mail
// location. %s in location stands for the directory.
func newDovecot(t *testing.T, location string, files map[string]string) *dovecot {
	t.Helper()
	if _, err := exec.LookPath("doveadm"); err != nil {
		t.Skip("doveadm is not installed (Debian: dovecot-core)")
	}
	dir, err := os.MkdirTemp("", "absolink-dovecot-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d := &dovecot{dir, os.Geteuid()}
	if d.uid == 0 {
		d.uid = 65534
	}
	gid := os.Getegid()
	if gid == 0 {
		gid = 65534
	}
	for path, text := range files {
		path = filepath.Join(dir, path)
		os.MkdirAll(filepath.Dir(path), 0o700)
		save(t, path, []byte(text))
	}
	for _, sub := range []string{"base", "state"} {
		os.MkdirAll(filepath.Join(dir, sub), 0o700)
	}
	save(t, filepath.Join(dir, "dovecot.conf"), fmt.Appendf(nil,
		"mail_location = %[1]s\nbase_dir = %[2]s/base\nstate_dir = %[2]s/state\nlog_path = /dev/stderr\nmail_uid = "+
			"%[3]d\nmail_gid = %[4]d\nssl = no\n",
		strings.ReplaceAll(location, "%s", dir), dir, d.uid, gid))
	os.Chmod(dir, 0o755)
	os.Chmod(filepath.Join(dir, "dovecot.conf"), 0o644)
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || path == dir { // the journal is there
			return err
		}
		return os.Lchown(path, d.uid, gid)
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// newDovecotMaildir puts the messages into a Maildir called box, under names.
func newDovecotMaildir(t *testing.T, name func(i int, text string) string) *dovecot {
	t.Helper()
	files := make(map[string]string)
	for i := range dovecotMessages {
		text := dovecotMessage(i, "")
		files[filepath.Join("box/cur", name(i, text))] = text
	}
	return newDovecot(t, "maildir:%s/box", files)
}

// dovecotMessage is a message with a link that begins with base.
func dovecotMessage(i int, base string) string {
	return fmt.Sprintf("Subject: %d\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p><a href=\"%sx%d.html\">link</a>"+
		"</p>\n", i, base, i)
}

// adm runs doveadm, and returns its standard output and its standard error.
func (d *dovecot) adm(t *testing.T, args ...string) (out, errors string) {
	t.Helper()
	cmd := exec.Command("doveadm", append([]string{"-c", filepath.Join(d.dir, "dovecot.conf")}, args...)...)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "HOME="+d.dir, "USER=nobody")
	if d.uid != os.Geteuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(d.uid), Gid: uint32(d.uid)}}
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run() // the output shows whether it failed
	return stdout.String(), stderr.String()
}

// fetch reads all messages. Each must be whole, with base at the start of its link. fetch returns
// the first UID.
func (d *dovecot) fetch(t *testing.T, base string) (first int) {
	t.Helper()
	out, errors := d.adm(t, "fetch", "uid size.physical text", "mailbox", "INBOX", "all")
	if strings.Contains(errors, "Error:") || strings.Contains(errors, "Fatal:") { // it warns about names that come back
		t.Fatalf("doveadm fetch: %.600s", errors)
	}
	for i := range dovecotMessages {
		text := dovecotMessage(i, base)
		if want := fmt.Sprintf("size.physical: %d\ntext:\n%s", len(text), text); strings.Count(out, want) != 1 {
			t.Fatalf("message %d: got it %d times, want once %q in %.600q", i, strings.Count(out, want), want, out)
		}
	}
	uids := regexp.MustCompile(`(?m)^uid: (\d+)$`).FindAllStringSubmatch(out, -1)
	if len(uids) != dovecotMessages {
		t.Fatalf("got %d messages, want %d", len(uids), dovecotMessages)
	}
	first, _ = strconv.Atoi(uids[0][1])
	return first
}

// run runs rewrite, and returns its messages.
func (d *dovecot) run(t *testing.T, code int, args ...string) string {
	t.Helper()
	cmd := commandIn(d.dir, append([]string{"rewrite"}, args...))
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%q: got exit code %d, want %d: %s", args, got, code, out)
	}
	return string(out)
}

func TestDovecot(t *testing.T) {
	const base = "http://example.test/a/long/directory/"
	plain := func(i int, _ string) string { return fmt.Sprintf("%d.host:2,S", 1000+i) }
	sized := func(i int, text string) string {
		return fmt.Sprintf("%d.host,S=%d,W=%d:2,S", 1000+i, len(text), len(text)+strings.Count(text, "\n"))
	}
	for _, tt := range []struct {
		name   string
		names  func(i int, text string) string
		policy string
		code   int
		base   string // base of the messages afterwards
		stale  bool   // the index has to be rebuilt first, as the run says
		uid    int    // the first UID after the run, and after the undo
		undone int
	}{
		{"refuse", plain, "refuse", cli.ExitDefects, "", false, 1, 1},
		{"refuse with sizes", sized, "refuse", cli.ExitDefects, "", false, 1, 1},
		{"rename", plain, "rename", cli.ExitDone, base, false, 31, 61},
		{"rename with sizes", sized, "rename", cli.ExitDone, base, false, 31, 61},
		{"keep", plain, "keep", cli.ExitDone, base, true, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDovecotMaildir(t, tt.names)
			anew := func(said string) {
				if got := strings.Contains(said, "doveadm mailbox cache remove -u USER all"); got != tt.stale {
					t.Fatalf("the run names the command: %v, want %v: %s", got, tt.stale, said)
				}
				if tt.stale {
					d.adm(t, "mailbox", "cache", "remove", "all")
				}
			}
			d.adm(t, "fetch", "uid size.physical size.virtual", "mailbox", "INBOX", "all")
			said := d.run(t, tt.code, "--in-place", "--journal", "j",
				"--maildir-size", tt.policy, "--default-base", base, "box")
			if tt.policy == "refuse" {
				if got := strings.Count(said, "--maildir-size rename"); got != dovecotMessages {
					t.Fatalf("%d messages were refused, want %d: %s", got, dovecotMessages, said)
				}
			} else {
				anew(said)
			}
			if uid := d.fetch(t, tt.base); uid != tt.uid {
				t.Errorf("first UID after the run: got %d, want %d", uid, tt.uid)
			}
			said = d.run(t, cli.ExitDone, "--undo", "j")
			if tt.policy != "refuse" {
				anew(said)
			}
			d.adm(t, "mailbox", "status", "messages", "INBOX") // Dovecot needs two looks for names that come back
			if uid := d.fetch(t, ""); uid != tt.undone {
				t.Errorf("first UID after the undo: got %d, want %d", uid, tt.undone)
			}
		})
	}
}

// This test shows the damage that the policies prevent: Dovecot trusts the size that it knows.
func TestDovecotTrustsSizes(t *testing.T) {
	d := newDovecotMaildir(t, func(i int, _ string) string { return fmt.Sprintf("%d.host:2,S", 1000+i) })
	d.adm(t, "fetch", "uid size.physical size.virtual", "mailbox", "INBOX", "all")
	d.run(t, cli.ExitDone, "--in-place", "--maildir-size", "keep",
		"--default-base", "http://example.test/a/long/directory/", "box")
	if _, errors := d.adm(t, "fetch", "text", "mailbox", "INBOX",
		"all"); !strings.Contains(errors, "Cached message size smaller than expected") {
		t.Errorf("doveadm fetch: got %q, want that the cached size is wrong", errors)
	}
}

// Dovecot finds the same messages in a mailbox before and after a rewriting under every --mbox,
// despite lines that begin with "From ", and despite wrong fields.
func TestDovecotMbox(t *testing.T) {
	const base = "http://example.test/"
	const link, inner = "<p><a href=x.html>one</a></p>\n", "\nFrom c@d Mon Jan  5 10:00:09 2026\n"
	message := func(n int, body string) string {
		length := ""
		if n >= 0 {
			length = fmt.Sprintf("Content-Length: %d\n", n)
		}
		return "From a@b Mon Jan  5 10:00:00 2026\nSubject: s\nContent-Type: text/html\n" + length + "\n" + body + "\n"
	}
	right := func(body string) string { return message(len(body), body) }
	grown := len(base)
	for _, tt := range []struct {
		name, box string
		messages  int
		edits     [4]int // of rd, o, cl, cl2
		named     string // the reason why a message stays under rd
	}{
		{"none", message(-1, link) + message(-1, link), 2, [4]int{2, 2, 2, 2}, ""},
		{"right", right(link) + right("text\n") + right(link), 3, [4]int{2, 2, 2, 2}, ""},
		{"before the last line end", message(len(link)-1, link) + message(len(link)-1, link),
			2, [4]int{2, 2, 2, 2}, ""},
		{"over a line that is a separator else",
			right("text\n") + right(link+inner+"more <a href=y.html>two</a>\n") +
				right(link), 3, [4]int{2, 2, 3, 3}, ""},
		{"over a message with a link",
			right("text\n") + right(link+inner+"Content-Type: text/html\n\n"+link) + right(link), 3, [4]int{2, 2, 3, 3},
			"message 3: verify: this message lies within the Content-Length of an earlier message (--mbox cl2 reads " +
				"both as one message); it stays as written"},
		{"over a message without one", right(link+inner+"Subject: x\n\ntext\n") + right(link),
			2, [4]int{2, 2, 2, 2}, ""},
		{"too small", message(7, link) + right(link), 2, [4]int{2, 2, 2, 2}, ""},
		{"too large", message(9000, link) + right(link), 2, [4]int{2, 2, 2, 2}, ""},
		{"right only after the edit", message(len(link)+grown, link) + right(link), 2, [4]int{1, 1, 1, 1},
			"message 1: verify: after the edits, an invalid Content-Length would lead to a separator; it stays as " +
				"written"},
		{"right only after the edits of two",
			message(len(link)+grown+len(right(base+link)), link) + right(link) + right(link), 3, [4]int{2, 2, 2, 2},
			"message 2: verify: after the edits, an invalid Content-Length would lead to a separator; it stays as " +
				"written"},
	} {
		for i, variant := range []string{"rd", "o", "cl", "cl2"} {
			t.Run(tt.name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				d := newDovecot(t, "mbox:%s/mail:INBOX=%s/in/inbox:INDEX=MEMORY",
					map[string]string{"m": tt.box, "in/inbox": tt.box})
				before := d.mailbox(t)
				if got := strings.Count(before, "seq: "); got != tt.messages {
					t.Fatalf("messages before: got %d, want %d:\n%s", got, tt.messages, before)
				}
				said, _ := commandIn(d.dir,
					[]string{"rewrite", "--in-place", "--mbox", variant, "--default-base", base, "m"}).CombinedOutput()
				if i == 0 && !strings.Contains(string(said), tt.named) {
					t.Errorf("the run says %s, want %s", said, tt.named)
				}
				text, err := os.ReadFile(filepath.Join(d.dir, "m"))
				if err != nil {
					t.Fatal(err)
				}
				rewritten := string(text)
				if got := strings.Count(rewritten, base); got != tt.edits[i] {
					t.Errorf("edits: got %d, want %d: %s", got, tt.edits[i], said)
				}
				if err := os.WriteFile(filepath.Join(d.dir, "in/inbox"), text, 0o600); err != nil {
					t.Fatal(err)
				}
				if after := strings.ReplaceAll(d.mailbox(t), base, ""); after != before {
					t.Errorf("messages after:\n%s\nwant\n%s\nin\n%s", after, before, rewritten)
				}
			})
		}
	}
}

// mailbox returns all messages of INBOX with their numbers, without the values of Content-Length.
func (d *dovecot) mailbox(t *testing.T) string {
	t.Helper()
	out, errors := d.adm(t, "fetch", "seq text", "mailbox", "INBOX", "all")
	if errors != "" {
		t.Fatalf("doveadm fetch: %.600s", errors)
	}
	return regexp.MustCompile(`Content-Length: \d+`).ReplaceAllString(out, "Content-Length: N")
}
