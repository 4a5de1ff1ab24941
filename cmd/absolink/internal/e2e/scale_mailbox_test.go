//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var mailboxSize = flag.Int64("mailbox", 1<<30, "bytes of the mailbox that -scale runs the commands over")

// maxMailbox is the largest memory use for a mailbox of any size, with messages of up to 4 MB.
const maxMailbox = 64 << 20

// A mailbox from a pipe takes the same memory for any size.
func TestScaleMailbox(t *testing.T) {
	if !*scale {
		t.Skip("short: a mailbox of 1 GB is read; run with -args -scale")
	}
	samples := samplePages(t)
	for _, args := range [][]string{
		{"extract", "--default-base", "http://example.test/d/"},
		{"extract", "--format", "jsonl", "--default-base", "http://example.test/d/"},
		{"rewrite", "--verify", "--report", os.DevNull, "--default-base", "http://example.test/d/"},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) { scaleMailbox(t, samples, args) })
	}
}

// scaleMailbox runs the command over a mailbox from a pipe.
func scaleMailbox(t *testing.T, samples [][]byte, args []string) {
	t.Helper()
	var stderr tail
	cmd := exec.Command("absolink", append(args, "--progress", "never", "-v")...)
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n, size := writeMailbox(in, samples, *mailboxSize)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr)
	}
	seconds := time.Since(began).Seconds()
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 // KiB on Linux
	t.Logf("%q: %d messages, %d MB resident, %.1f s, %.0f MB/s", args, n, most>>20, seconds, float64(size)/1e6/seconds)
	if most > maxMailbox {
		t.Errorf("%q: got %d bytes resident, want at most %d", args, most, maxMailbox)
	}
	if want := fmt.Sprintf("; %d messages in mailboxes", n); !strings.Contains(string(stderr), want) {
		t.Errorf("%q: got %q on standard error, want %q", args, stderr, want)
	}
}

// tail keeps the last bytes written.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-500):]
	return len(p), nil
}

// writeMailbox writes messages of many sizes up to 4 MB, size bytes in all.
func writeMailbox(w io.Writer, samples [][]byte, size int64) (n int, written int64) {
	b := bufio.NewWriterSize(w, 1<<20)
	var messages [][]byte
	for i := range 60 {
		attached := 10 << 10
		switch {
		case i == 7:
			attached = 4<<20 - 200<<10
		case i%10 == 3:
			attached = 300 << 10
		}
		messages = append(messages, mailboxMessage(samples[i%len(samples)], i, attached))
	}
	for ; written < size; n++ {
		m := messages[n%len(messages)]
		fmt.Fprintf(b, "From a@b.test Thu Jan  1 00:00:00 1970\nMessage-ID: <%09d@b.test>\n", n)
		if _, err := b.Write(m); err != nil {
			break
		}
		written += int64(len(m)) + 75
	}
	b.Flush()
	return n, written
}

// mailboxMessage is a message with a page, in one of several encodings, and with an attachment of
// attached bytes. Its first field is missing.
func mailboxMessage(page []byte, i, attached int) []byte {
	var b bytes.Buffer
	b.WriteString("From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" +
		"Content-Type: text/html\n")
	switch i % 3 {
	case 0:
		b.WriteString("Content-Transfer-Encoding: quoted-printable\n\n")
		w := quotedprintable.NewWriter(&b)
		w.Write(page)
		w.Close()
	case 1:
		b.WriteString("Content-Transfer-Encoding: base64\n\n")
		for line := range slices.Chunk(page, 57) {
			b.WriteString(base64.StdEncoding.EncodeToString(line) + "\n")
		}
	default:
		b.WriteString("Content-Transfer-Encoding: 8bit\n\n")
		b.Write(bytes.ReplaceAll(page, []byte("\nFrom "), []byte("\n>From ")))
	}
	b.WriteString("\n--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n")
	line := strings.Repeat("A", 76) + "\n"
	b.WriteString(strings.Repeat(line, attached/len(line)))
	b.WriteString("--b--\n\n")
	return b.Bytes()
}
