package inplace_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// A message whose size is known elsewhere is refused, renamed or kept. An undo gives the old bytes
// and the old name.
func TestMaildirSize(t *testing.T) {
	const index = "dovecot.index"
	const plain = "Content-Type: text/html\n\nno link\n" // 33 bytes, 36 with CRLF
	tests := []struct {
		name, file, text string
		index            bool
		size             inplace.MaildirSize
		want             string // name afterwards
		outcome          string
		said             string // part of standard error
	}{
		{"no size", "1.h:2,S", mail, false, inplace.RefuseSize, "1.h:2,S", "rewritten", ""},
		{"both sizes", "1.h,S=39,W=42:2,S", mail, false, inplace.RefuseSize, "1.h,S=39,W=42:2,S",
			"refused its name tells its size, which would change", ""},
		{"renamed", "1.h,S=39,W=42:2,S", mail, false, inplace.RenameSize, "1.h,S=53,W=56:2,S", "rewritten", ""},
		{"one size", "1.h,W=42:2,S", mail, false, inplace.RenameSize, "1.h,W=56:2,S", "rewritten", ""},
		{"kept", "1.h,S=39:2,S", mail, false, inplace.KeepSize, "1.h,S=39:2,S", "rewritten", ""},
		{"a wrong size", "1.h,S=38:2,S", mail, false, inplace.RefuseSize, "1.h,S=38:2,S",
			"refused the size in its name is wrong", ""},
		{"a wrong size renamed", "1.h,S=38:2,S", mail, false, inplace.RenameSize, "1.h,S=53:2,S", "rewritten", ""},
		{"a wrong size and no edit", "1.h,S=32:2,S", plain, false, inplace.RenameSize, "1.h,S=33:2,S", "rewritten",
			"its new name is 1.h,S=33:2,S"},
		{"a right size and no edit", "1.h,S=33:2,S", plain, false, inplace.RefuseSize, "1.h,S=33:2,S", "unchanged", ""},
		{"an index", "1.h:2,S", mail, true, inplace.RefuseSize, "1.h:2,S", "refused Dovecot's index", ""},
		{"an index renamed", "1.h:2,S", mail, true, inplace.RenameSize, "1.h,S=53,W=56:2,S", "rewritten", ""},
		{"an index kept", "1.h:2,S", mail, true, inplace.KeepSize, "1.h:2,S", "rewritten",
			"1 message changed its size but not the name"},
		{"an index and no edit", "1.h:2,S", plain, true, inplace.RefuseSize, "1.h:2,S", "unchanged", ""},
		{"an index and a size kept", "1.h,S=39:2,S", mail, true, inplace.KeepSize, "1.h,S=39:2,S", "rewritten", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := map[string]string{"s/cur/" + tt.file: tt.text, "s/new/2.h": "Subject: x\n\n"}
			if tt.index {
				before["s/"+index] = ""
			}
			lay(t, before)
			d, err := replace(t, inplace.Options{Journal: "j", Maildir: tt.size}, 0, "s")
			if err != nil {
				t.Fatal(err)
			}
			if got := d.outcome("s/cur/" + tt.file); !strings.HasPrefix(got, tt.outcome) {
				t.Errorf("the outcome is %q, want %q", got, tt.outcome)
			}
			text := tt.text
			if tt.text == mail && tt.outcome == "rewritten" {
				text = mailAfter
			}
			if got := files(t, "s/cur"); len(got) != 1 || got["s/cur/"+tt.want] != text {
				t.Errorf("the messages are %q, want %q as %s", got, text, tt.want)
			}
			if !strings.Contains(d.err, tt.said) || tt.said == "" && strings.Contains(d.err, "changed its size") {
				t.Errorf("standard error is %q, want %q", d.err, tt.said)
			}
			d = undo(t, "j")
			wantFiles(t, "undone", before)
			want := strings.Contains(tt.said, "changed its size")
			if told := strings.Contains(d.err, "changed its size"); told != want {
				t.Errorf("the undo said %q, want a stale size: %v", d.err, want)
			}
		})
	}
}

// Dovecot stores the size of the decompressed content. A compressed message may get another such
// size, although the size of its file stays.
func TestStaleSizeOfCompressedMessage(t *testing.T) {
	o := inplace.Options{Journal: "j", Maildir: inplace.KeepSize}
	before := map[string]string{"s/cur/1.h:2,S": zip(mail), "s/new/2.h": "Subject: x\n\n", "s/dovecot.index": ""}
	lay(t, before)
	if _, err := replace(t, o, 0, "s"); err != nil {
		t.Fatal(err)
	}
	size := len(files(t, "s/cur")["s/cur/1.h:2,S"])
	// NULs after the compressed data do not count
	before["s/cur/1.h:2,S"] = zip(mail) + strings.Repeat("\x00", size-len(zip(mail)))
	lay(t, before)
	d, err := replace(t, o, 0, "s")
	if err != nil {
		t.Fatal(err)
	}
	after := files(t, "s/cur")["s/cur/1.h:2,S"]
	if len(after) != size || unzip(t, after) != mailAfter {
		t.Errorf("the message has %d bytes and is %q, want %d bytes and %q", len(after), unzip(t, after), size,
			mailAfter)
	}
	const want = "1 message changed its size but not the name"
	if !strings.Contains(d.err, want) {
		t.Errorf("standard error is %q, want %q", d.err, want)
	}
	d = undo(t, "j")
	wantFiles(t, "undone", before)
	if !strings.Contains(d.err, want) {
		t.Errorf("the undo said %q, want %q", d.err, want)
	}
}

// The size in Dovecot's index stays right if only the compression changes. It becomes wrong if the
// line ends change, although the number of bytes stays.
func TestIndexedSizes(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		stale               bool
	}{
		{"compression", zip(mail) + "\x00", zip(mail), false},
		{"line ends", mail, strings.TrimSuffix(mail, "\n") + "x", true},
		{"nothing", mail, mail, false},
	} {
		lay(t, map[string]string{"s/cur/1.h:2,S": tt.before, "s/new/2.h": "Subject: x\n\n", "s/dovecot.index": ""})
		var stderr strings.Builder
		r, d := newRun(t, &stderr, "s")
		p, err := inplace.Begin(t.Context(), r, inplace.Options{Args: []string{"s"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Do(t.Context(), io.Discard, &overwriting{p, tt.after}), p.End()); err != nil {
			t.Fatal(err)
		}
		p.SumUp()
		if got := d.outcome("s/cur/1.h:2,S"); got != "rewritten" {
			t.Errorf("%s: the outcome is %q, want rewritten", tt.name, got)
		}
		if stale := strings.Contains(stderr.String(), "1 message changed its size"); stale != tt.stale {
			t.Errorf("%s: standard error is %q, want a stale size: %v", tt.name, stderr.String(), tt.stale)
		}
		if got := files(t, "s/cur")["s/cur/1.h:2,S"]; got != tt.after {
			t.Errorf("%s: the message is %q, want %q", tt.name, got, tt.after)
		}
	}
}

// overwriting is a command that gives the message in cur the content after.
type overwriting struct {
	*inplace.Run
	after string
}

func (c *overwriting) NewWorker(*run.Run) container.Worker { return c }
func (c *overwriting) Unmatched() []string                 { return nil }

func (c *overwriting) Work(_ context.Context, in *input.Document, _ io.Writer, e *report.Entry) {
	if !strings.Contains(in.Path, "cur") {
		return
	}
	e.Result.SetOutcome(report.Rewritten)
	err := c.Replace(in, "", func(f *os.File, _ *inplace.Exchange) error {
		_, err := io.WriteString(f, c.after)
		return err
	})
	if err != nil {
		e.FailWrite(err)
	}
}

// A mail program gave a message other flags, or moved it: an undo finds it, and the flags stay.
func TestUndoMovedMessage(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"flags", "cur/1.h,S=53:2,S", "cur/1.h,S=53:2,FS", "cur/1.h,S=39:2,FS"},
		{"moved", "cur/1.h,S=53:2,S", "new/1.h,S=53", "new/1.h,S=39"},
		{"its old name", "cur/1.h,S=53:2,S", "cur/1.h,S=39:2,S", "cur/1.h,S=39:2,S"},
	} {
		lay(t, map[string]string{"s/cur/1.h,S=39:2,S": mail, "s/new/2.h": "Subject: x\n\n"})
		if _, err := replace(t, inplace.Options{Journal: "j", Maildir: inplace.RenameSize}, 0, "s"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join("s", tt.from), filepath.Join("s", tt.to)); err != nil {
			t.Fatal(err)
		}
		d := undo(t, "j")
		if len(d.outcomes) != 1 || !strings.HasSuffix(d.outcomes[0], " restored") {
			t.Errorf("%s: the outcomes are %q, want the message restored", tt.name, d.outcomes)
		}
		wantFiles(t, tt.name, map[string]string{"s/" + tt.want: mail, "s/new/2.h": "Subject: x\n\n"})
	}
}

// The backup of a message would be a message, too.
func TestBackupOfMessage(t *testing.T) {
	before := map[string]string{"s/cur/1.h:2,S": mail, "s/new/2.h": "Subject: x\n\n"}
	lay(t, before)
	d, err := replace(t, inplace.Options{Backup: "~"}, 0, "s")
	if err != nil {
		t.Fatal(err)
	}
	const want = "refused a backup would be another message of the Maildir; --journal keeps the old bytes"
	if got := d.outcome("s/cur/1.h:2,S"); got != want {
		t.Errorf("the outcome is %q, want %q", got, want)
	}
	wantFiles(t, "with a backup", before)
}

// A run may be resumed over a message by the name that it was begun with, and over a part of the
// inputs.
func TestResumeMessage(t *testing.T) {
	lay(t, map[string]string{"s/cur/1.h,S=39:2,S": mail, "s/cur/3.h:2,S": mail, "s/new/2.h": "Subject: x\n\n"})
	o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
	args := []string{"s/cur/1.h,S=39:2,S", "s/cur/3.h:2,S"}
	if _, err := replace(t, o, 1, args...); err != nil {
		t.Fatal(err)
	}
	o.Resume = true
	if err := os.Rename("s/cur/3.h:2,S", "s/cur/3.h:2,FS"); err != nil {
		t.Fatal(err)
	}
	d, err := replace(t, o, 0, "s/cur/1.h,S=53:2,S", "s/cur/3.h:2,FS")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"s/cur/1.h,S=53:2,S skipped finished by an earlier run", "s/cur/3.h:2,FS rewritten"}
	if !slices.Equal(d.outcomes, want) {
		t.Errorf("resumed: got %q, want %q", d.outcomes, want)
	}
	wantFiles(t, "resumed", map[string]string{"s/cur/1.h,S=53:2,S": mailAfter, "s/cur/3.h:2,FS": mailAfter,
		"s/new/2.h": "Subject: x\n\n"})
}

// A run may be resumed by the name of a message before a mail program moved it, and by the path
// of a directory with a link in it.
func TestResumeMovedMessage(t *testing.T) {
	const moved = "s/cur/1.h:2,FS"
	for _, name := range []string{"s/cur/1.h:2,S", "s/new/1.h", "link/cur/1.h:2,S", moved} {
		lay(t, map[string]string{"s/cur/1.h:2,S": mail, "s/new/2.h": "Subject: x\n\n"})
		o := inplace.Options{Journal: "j"}
		if _, err := replace(t, o, 0, "s/cur/1.h:2,S"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Rename("s/cur/1.h:2,S", moved), os.Symlink("s", "link")); err != nil {
			t.Fatal(err)
		}
		o.Resume = true
		for _, arg := range []string{name, "s/new/2.h"} {
			r, _ := newRun(t, io.Discard)
			o.Args = []string{arg}
			p, err := inplace.Begin(t.Context(), r, o)
			if refused := err != nil; refused != (arg == "s/new/2.h") {
				t.Errorf("Begin over %s: got error %v", arg, err)
			}
			if err == nil {
				p.End()
			}
		}
	}
}

// A mail program moves a message, or gives it other flags, after a run has given it its new bytes.
// The resumed run does not edit the message again. If the message lacks its new name, it gets the
// new size in its name, and keeps the flags.
func TestResumeSkipsMovedMessage(t *testing.T) {
	const size, newSize = ",S=39", ",S=53"
	for _, tt := range []struct{ before, after string }{
		{"s/new/1.h", "s/cur/1.h:2,"}, {"s/cur/1.h:2,S", "s/cur/1.h:2,FS"}, {"s/cur/1.h:2,S", "s/new/1.h"},
		{"s/cur/1.h:2,S", "s/cur/1.h:2,S"},
	} {
		for _, killed := range []bool{false, true} {
			withSize := func(path, size string) string { return strings.Replace(path, "1.h", "1.h"+size, 1) }
			lay(t, map[string]string{withSize(tt.before, size): mail,
				"s/new/2.h": "Subject: x\n\n", "s/cur/3.h:2,": ""})
			o := inplace.Options{Journal: "j", Maildir: inplace.RenameSize}
			if _, err := replace(t, o, 0, "s"); err != nil {
				t.Fatal(err)
			}
			now := withSize(tt.after, newSize)
			if killed { // before the message got its new name
				now = withSize(tt.after, size)
				edit(t, "j", `{"file":1,"status":"done"}`+"\n", "")
			}
			if err := os.Rename(withSize(tt.before, newSize), now); err != nil {
				t.Fatal(err)
			}
			o.Resume = true
			d, err := replace(t, o, 0, "s")
			if err != nil {
				t.Fatal(err)
			}
			name := withSize(tt.after, newSize)
			if got := d.outcome(name); got != "skipped finished by an earlier run" {
				t.Errorf("%s moved to %s, killed %v: got %q in %q", tt.before, tt.after, killed, got, d.outcomes)
			}
			wantFiles(t, "resumed",
				map[string]string{name: mailAfter, "s/new/2.h": "Subject: x\n\n", "s/cur/3.h:2,": ""})
		}
	}
}
