//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	"golang.org/x/net/html"

	"absolink/cmd/absolink/internal/cli"
	"absolink/mime/mbox"
)

var speed = flag.Bool("speed", false, "compare the speed over mailboxes with that of other programs")

// peers lists the programs that the command is compared with, as commands of this test program.
var peers = map[string]func(){
	"peer-walk":    func() { peer(walk) },
	"peer-rewrite": func() { peer(peerRewrite) },

	"peer-goquery":   func() { peerTree(goqueryLinks) },
	"peer-tokenizer": func() { peerTree(tokenizerLinks) },
}

// init removes the charsets of go-message, because this test program is also the command.
func init() { message.CharsetReader = nil }

const pythonPeer = `
import mailbox, sys
for m in mailbox.mbox(sys.argv[1]):
    for p in m.walk():
        if not p.is_multipart():
            try: p.get_payload(decode=True)
            except Exception: pass
`

// The test compares the command with go-message and Python over the same mailbox, in processor time
// of one worker. It also measures the gain of a second worker. The figures are logged; nothing
// depends on them.
func TestSpeedMailbox(t *testing.T) {
	if !*speed {
		t.Skip("short: 400 MB of mail are read several times; run with -args -speed")
	}
	t.Chdir(t.TempDir())
	t.Run("many small messages", func(t *testing.T) {
		mailboxOfCorpus(t, "a.mbox", speedSize, walk)
		mailboxOfCorpus(t, "b.mbox", speedSize, walk, peerRewrite)
		speedOfMailbox(t, "a.mbox", "b.mbox")
	})
	t.Run("pages and attachments", func(t *testing.T) {
		f, err := os.Create("a.mbox")
		if err != nil {
			t.Fatal(err)
		}
		writeMailbox(f, samplePages(t), speedSize)
		f.Close()
		speedOfMailbox(t, "a.mbox", "a.mbox")
	})
}

// speedSize is the size of each mailbox, so large that the start does not count.
const speedSize = 400_000_000

// speedOfMailbox compares listing one mailbox, and rewriting another one.
func speedOfMailbox(t *testing.T, listed, rewritten string) {
	extract := []string{"absolink", "extract", "-q", "--default-base", "http://example.test/d/", listed}
	rewrite := []string{"absolink", "rewrite", "-q", "--default-base", "http://example.test/d/", rewritten}
	commands := map[string][]string{
		"extract": append(extract, "--jobs", "1"), "rewrite": append(rewrite, "--jobs", "1"),
		"walk": {"peer-walk", listed}, "peer": {"peer-rewrite", rewritten},
	}
	if python, err := exec.LookPath("python3"); err == nil {
		commands["python"] = []string{python, "-c", pythonPeer, rewritten}
	}
	cpu := make(map[string]time.Duration)
	for range 3 {
		for name, args := range commands {
			if took, _ := took(t, args); cpu[name] == 0 || took < cpu[name] {
				cpu[name] = took
			}
		}
	}
	for name, d := range cpu {
		t.Logf("%-8s %6.2f s, %4.0f MB/s", name, d.Seconds(), speedSize/1e6/d.Seconds())
	}
	ratio := func(a, b string) float64 { return float64(cpu[a]) / float64(cpu[b]) }
	t.Logf("rewrite: %.1f times go-message and x/net/html, %.1f times Python's parse and decode",
		ratio("peer", "rewrite"), ratio("python", "rewrite"))
	t.Logf("extract: %.1f times go-message's walk and decode", ratio("walk", "extract"))
	for _, args := range [][]string{extract, rewrite} {
		speedOfWorkers(t, args)
	}
}

// speedOfWorkers compares two workers with one, in the best of several rounds, because other
// programs use the machine too.
func speedOfWorkers(t *testing.T, args []string) {
	var wall, cpu [3]time.Duration
	for range 5 {
		for _, jobs := range []int{1, 2} {
			c, w := took(t, append(args, "--jobs", strconv.Itoa(jobs)))
			if wall[jobs] == 0 || w < wall[jobs] {
				wall[jobs], cpu[jobs] = w, c
			}
		}
	}
	t.Logf("%s: two workers are %.2f times as fast as one: %v after %v, with %v and %v of processor time", args[1],
		wall[1].Seconds()/wall[2].Seconds(), wall[2], wall[1], cpu[2], cpu[1])
}

// took runs a command and returns its processor time and its elapsed time.
func took(t *testing.T, args []string) (cpu, wall time.Duration) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var stderr tail
	cmd.Stderr = &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != cli.ExitDefects {
		t.Fatalf("%q: %v\n%s", args, err, stderr)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began)
}

// mailboxOfCorpus writes a mailbox of the messages of the corpus, or of the project's own messages,
// repeated up to a size. A message that a peer gives up costs the peer nothing. So the mailbox has
// only messages that all kinds of work can process.
func mailboxOfCorpus(t *testing.T, name string, size int64, works ...peerWork) {
	t.Helper()
	message.CharsetReader = charset.Reader
	defer func() { message.CharsetReader = nil }()
	root := repository + "testdata/mail"
	if corpus := os.Getenv("ABSOLINK_CORPUS"); corpus != "" {
		root = filepath.Join(corpus, "mail")
	}
	var all bytes.Buffer
	messages := messagesOf(t, root)
	done := 0
	for _, m := range messages {
		if !slices.ContainsFunc(works, func(f peerWork) bool { return peerMessage(io.Discard, m, f) != nil }) {
			appendMessage(&all, m)
			done++
		}
	}
	if done == 0 {
		t.Fatalf("%s: got no messages", root)
	}
	t.Logf("%s: %d of %d messages, those that go-message can take", name, done, len(messages))
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for n := int64(0); n < size; n += int64(all.Len()) {
		if _, err := f.Write(all.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
}

// messagesOf returns the messages below a folder, without From_ lines before them.
func messagesOf(t *testing.T, root string) (messages [][]byte) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".tsv", ".md", ".py", ".gitattributes":
			return err
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.HasPrefix(text, []byte("From ")) {
			_, text, _ = bytes.Cut(text, []byte("\n"))
		}
		messages = append(messages, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// appendMessage appends a message in the form of mboxrd.
func appendMessage(b *bytes.Buffer, text []byte) {
	b.WriteString("From a@b.test Thu Jan  1 00:00:00 1970\n")
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			b.WriteByte('>')
		}
		b.Write(line)
	}
	b.WriteString("\n\n")
}

// peer calls f for the messages of the mailbox that the first argument names.
func peer(f peerWork) {
	message.CharsetReader = charset.Reader
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	r := mbox.NewReader(file, mbox.Options{})
	for {
		m, err := r.Next()
		if err != nil {
			return
		}
		peerMessage(w, m.Data[m.Content.Start:m.Content.End], f)
		m.Release()
	}
}

// peerWork is the work of a peer on a message.
type peerWork func(w io.Writer, e *message.Entity) error

func peerMessage(w io.Writer, text []byte, f peerWork) error {
	e, err := message.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return f(w, e)
}

// walk decodes all leaves.
func walk(_ io.Writer, e *message.Entity) error {
	return e.Walk(func(_ []int, e *message.Entity, err error) error {
		if err == nil && e.MultipartReader() == nil {
			_, err = io.Copy(io.Discard, e.Body)
		}
		return err
	})
}

// peerRewrite writes a message with go-message, and its pages with x/net/html.
func peerRewrite(w io.Writer, e *message.Entity) (err error) {
	defer func() {
		if p := recover(); p != nil { // it panics on messages that it cannot write
			err = fmt.Errorf("%v", p)
		}
	}()
	var out bytes.Buffer
	mw, err := message.CreateWriter(&out, e.Header)
	if err != nil {
		return err
	}
	if err := errors.Join(peerPart(mw, e), mw.Close()); err != nil {
		return err
	}
	io.WriteString(w, "From a@b.test Thu Jan  1 00:00:00 1970\n")
	_, err = w.Write(out.Bytes())
	return err
}

func peerPart(w *message.Writer, e *message.Entity) error {
	if r := e.MultipartReader(); r != nil {
		for {
			p, err := r.NextPart()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			pw, err := w.CreatePart(p.Header)
			if err != nil {
				return err
			}
			if err := errors.Join(peerPart(pw, p), pw.Close()); err != nil {
				return err
			}
		}
	}
	if kind, _, _ := e.Header.ContentType(); kind != "text/html" {
		_, err := io.Copy(w, e.Body)
		return err
	}
	tree, err := html.Parse(e.Body)
	if err != nil {
		return err
	}
	for n := range tree.Descendants() {
		absolutize(n)
	}
	return html.Render(w, tree)
}

var peerBase, _ = url.Parse("http://example.test/d/")

func absolutize(n *html.Node) {
	for i, a := range n.Attr {
		if a.Key == "href" || a.Key == "src" {
			if u, err := peerBase.Parse(a.Val); err == nil {
				n.Attr[i].Val = u.String()
			}
		}
	}
}
