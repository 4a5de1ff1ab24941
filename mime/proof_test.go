package mime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	message "github.com/emersion/go-message"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/internal/header"
	"absolink/testdata/corpus"
)

// Here other programs read the rewritten messages: Python's email package and go-message. Each
// message gets two kinds of edits: the edits of a rewriter, and an attribute in every link. The
// attributes also reach leaves without any link to rewrite.

// proof is a message before and after the rewriting.
type proof struct {
	name    string
	was, is []byte
	leaves  map[string]pair // edited leaves by section
}

// pair is a decoded leaf before and after.
type pair struct{ was, is []byte }

// proofs rewrites the messages and calls f for each edited one. It returns the number of edited
// messages.
func proofs(t *testing.T, each func(func(name string, msg []byte)), f func(proof)) (messages int) {
	outer := &base.Layer{Source: base.Option, Value: "http://example.test/dir/page.html"}
	absolute := func(m *Message) func(l *Leaf) []extract.Edit {
		names := m.InMessage(nil, outer)
		return func(l *Leaf) []extract.Edit {
			r := extract.Resolver{InMessage: names(l.Entity)}
			return r.Edits(nil, l.Doc(outer))
		}
	}
	marked := func(*Message) func(l *Leaf) []extract.Edit {
		return func(l *Leaf) []extract.Edit { return linkEdits(l.Data) }
	}
	each(func(name string, msg []byte) {
		messages++
		for kind, edits := range map[string]func(*Message) func(*Leaf) []extract.Edit{"absolute": absolute,
			"marked": marked} {
			if p := prove(t, name+" "+kind, msg, edits); len(p.leaves) > 0 {
				f(p)
			} else if !bytes.Equal(p.was, p.is) {
				t.Errorf("%s %s: no edit, and other bytes", name, kind)
			}
		}
	})
	return messages
}

func prove(t *testing.T, name string, msg []byte, edits func(*Message) func(*Leaf) []extract.Edit) proof {
	m := parse(t, string(msg))
	c, of := m.Change(), edits(m)
	p := proof{name: name, was: msg, leaves: map[string]pair{}}
	for e := range m.Root.All() {
		if l, err := e.Leaf(); err == nil && e.HTML() {
			if made := of(l); len(made) > 0 && c.Edit(l, made) == nil {
				p.leaves[e.Section] = pair{l.Data, wanted(t, l, made)}
			}
		}
	}
	out, err := c.Edits()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	p.is = []byte(applied(t, string(msg), out))
	return p
}

// wanted returns the edited text of a leaf. In 7bit and 8bit it may have more line ends.
func wanted(t *testing.T, l *Leaf, made []extract.Edit) []byte {
	want := extract.Apply(nil, l.Data, made)
	if header.Identity(l.encoding) {
		if _, decoded, err := l.encodeEdits(made); err != nil {
			t.Error(err)
		} else if broken := extract.Apply(nil, l.Data,
			decoded); bytes.Equal(withoutLineEnds(broken), withoutLineEnds(want)) {
			return broken
		}
	}
	return want
}

// everyMessage calls f for the project's own messages and, if there is a corpus, for its messages.
func everyMessage(t *testing.T) func(f func(name string, msg []byte)) {
	return func(f func(name string, msg []byte)) {
		for name, msg := range mailFiles(t) {
			f(name, msg)
		}
		if !corpus.Own() {
			messages(t, f)
		}
	}
}

// TestPython lets Python's email package read every rewritten message.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	jobs, n := pythonJobs(t)
	cmd := exec.Command(python, filepath.Join(testMail, "decode.py"))
	cmd.Stdin, cmd.Stderr = jobs, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers, leaves := 0, 0
	for line := range bytes.Lines(out) {
		answers, leaves = answers+1, leaves+pythonAnswer(t, line)
	}
	t.Logf("%d rewritten messages, %d edited leaves equal", answers, leaves)
	if answers != n || leaves < n*9/10 {
		t.Errorf("%d answers with %d leaves, want %d answers and no fewer leaves", answers, leaves, n)
	}
}

// pythonJobs rewrites the messages and returns the input of decode.py, and the number of jobs in
// it.
func pythonJobs(t *testing.T) (jobs *bytes.Buffer, n int) {
	dir := t.TempDir()
	jobs = new(bytes.Buffer)
	proofs(t, everyMessage(t), func(p proof) {
		n++
		job := struct {
			Name   string      `json:"name"`
			Was    string      `json:"was"`
			Is     string      `json:"is"`
			Leaves [][2]string `json:"leaves"`
		}{p.name, filepath.Join(dir, fmt.Sprint(n, ".was")), filepath.Join(dir, fmt.Sprint(n, ".is")), [][2]string{}}
		for _, l := range p.leaves {
			job.Leaves = append(job.Leaves, [2]string{digestOf(l.was), digestOf(l.is)})
		}
		if err := errors.Join(os.WriteFile(job.Was, p.was, 0o600),
			os.WriteFile(job.Is, p.is, 0o600), json.NewEncoder(jobs).Encode(job)); err != nil {
			t.Fatal(err)
		}
	})
	return jobs, n
}

// pythonAnswer checks an answer of decode.py and returns the number of leaves that it found right.
func pythonAnswer(t *testing.T, line []byte) (leaves int) {
	t.Helper()
	var a struct {
		Name           string
		Leaves, Unread int
		Errors         []string
	}
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if len(a.Errors) > 0 {
		t.Errorf("%s: Python finds %s", a.Name, strings.Join(a.Errors, "; "))
	}
	name, _, _ := strings.Cut(a.Name, " ")
	if reason := otherwise[name]; (a.Unread > 0) != (reason != "") {
		t.Errorf("%s: Python decodes %d edited leaves otherwise before the edits, want none but for %q",
			a.Name, a.Unread, reason)
	}
	return a.Leaves
}

// otherwise lists the messages in which Python finds another leaf, with the reason.
var otherwise = map[string]string{
	"bom.eml":        "a mark is no header line",
	"cr.eml":         "it sees no soft break before a bare CR",
	"headers.eml":    "a line without a colon ends its header",
	"quotedfrom.eml": "a quoted separator is no header line",
	"separator.eml":  "a second separator ends its header",
	"unbounded.eml":  "it drops the last line end where the boundary is missing",
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// TestGoMessage lets go-message read every rewritten message. The structure must be the same, and
// each edited leaf, with its transfer encoding decoded, must have the edited text.
func TestGoMessage(t *testing.T) {
	read, unread, leaves := 0, 0, 0
	proofs(t, everyMessage(t), func(p proof) {
		m := parse(t, string(p.was))
		was, err := shape(p.was[m.Root.Head.Start:])
		if err == nil {
			read++
			if is, err := shape(p.is[m.Root.Head.Start:]); err != nil || !slices.Equal(was, is) {
				t.Errorf("%s: go-message reads %q, %v, before it was %q", p.name, is, err, was)
			}
		} else {
			unread++
		}
		for e := range parse(t, string(p.is)).Root.All() {
			want, ok := p.leaves[e.Section]
			if !ok || len(e.Parts) > 0 {
				continue
			}
			var h message.Header
			h.Set("Content-Transfer-Encoding", e.Encoding())
			leaf, err := message.New(h, bytes.NewReader(p.is[e.Body.Start:e.Body.End]))
			if err != nil {
				t.Errorf("%s part %s: go-message: %v", p.name, e.Section, err)
				continue
			}
			got, err := io.ReadAll(leaf.Body)
			if err != nil {
				t.Logf("%s part %s: go-message: %v", p.name, e.Section, err)
				continue
			}
			if !bytes.Equal(got, want.is) {
				t.Errorf("%s part %s: go-message decodes\n%.300q\nwant\n%.300q", p.name, e.Section, got, want.is)
			}
			leaves++
		}
	})
	t.Logf("%d messages read before and after, %d only here; %d edited leaves equal", read, unread, leaves)
	if read == 0 || leaves == 0 {
		t.Errorf("%d messages with %d leaves compared", read, leaves)
	}
}

// shape returns the media types of the entities that go-message finds.
func shape(msg []byte) ([]string, error) {
	e, err := message.Read(bytes.NewReader(msg))
	if err != nil && !message.IsUnknownCharset(err) {
		return nil, err
	}
	var kinds []string
	err = e.Walk(func(path []int, e *message.Entity, err error) error {
		if err != nil && !message.IsUnknownCharset(err) {
			return err
		}
		kind, _, _ := e.Header.ContentType()
		kinds = append(kinds, fmt.Sprint(path, kind))
		return nil
	})
	return kinds, err
}

// TestTwice rewrites every rewritten message once more: nothing changes. The first rewriting must
// have changed only the edited leaves.
func TestTwice(t *testing.T) {
	proofs(t, everyMessage(t), func(p proof) {
		if strings.HasSuffix(p.name, "marked") {
			return
		}
		if again, _ := madeAbsolute(t, p.name, p.is,
			&base.Layer{Source: base.Option, Value: "http://example.test/dir/page.html"}); !bytes.Equal(again, p.is) {
			t.Errorf("%s: rewriting twice changes more", p.name)
		}
	})
}
