package mbox

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"absolink/mime"
	"absolink/testdata/effort"
)

// After edits, a Content-Length that leads to a separator still leads to it, in every variant. One
// that leads elsewhere does not lead to a separator.
func TestLengths(t *testing.T) {
	const sep = "From a@b Thu Jan  1 00:00:00 2026\n"
	with := func(n, body string) string { return sep + "Subject: s\nContent-Length: " + n + "\n\n" + body }
	tests := []struct {
		name, in, want string // each "x" of a body is written as "long"
		errs           string // of the messages in their order, "-" for none
	}{
		{"to the blank line", with("5", "a x b") + "\n\n" + with("4", "axb\n") + "\n",
			with("8", "a long b") + "\n\n" + with("7", "alongb\n") + "\n", "- -"},
		{"to the line end", with("3", "axb") + "\n" + with("3", "axb") + "\n",
			with("6", "alongb") + "\n" + with("6", "alongb") + "\n", "- -"},
		{"behind the blank line", with("5", "axb\n\n") + with("4", "axb\n"),
			with("8", "alongb\n\n") + with("7", "alongb\n"), "- -"},
		{"before two blank lines", with("4", "axb\n") + "\n\n" + with("4", "axb\n") + "\n\n",
			with("7", "alongb\n") + "\n\n" + with("7", "alongb\n") + "\n\n", "- -"},
		{"one digit more", with("9", "abcdefgx\n") + "\n", with("12", "abcdefglong\n") + "\n", "-"},
		{"CRLF", strings.ReplaceAll(with("5", "axb\n")+"\n"+with("5", "axb\n"), "\n", "\r\n"),
			strings.ReplaceAll(with("8", "alongb\n")+"\n"+with("8", "alongb\n"), "\n", "\r\n"), "- -"},
		{"elsewhere", with("2", "axb\n") + "\n" + with("99", "axb\n") + "\n",
			with("2", "alongb\n") + "\n" + with("99", "alongb\n") + "\n", "- -"},
		{"no field", sep + "A: b\n\naxb\n\n" + with("4", "axb\n"),
			sep + "A: b\n\nalongb\n\n" + with("7", "alongb\n"), "- -"},
		{"twice", with("4\nContent-Length: 4", "axb\n") + "\n", with("4\nContent-Length: 4", "alongb\n") + "\n", "-"},
		{"over a separator", with("46", "x\n\n"+sep+"B: c\n\nx\n") + "\n" + with("2", "x\n"),
			with("49", "long\n\n"+sep+"B: c\n\nx\n") + "\n" + with("5", "long\n"), "- covered -"},
		{"before a line of the body", with("2", "x\n"+sep+"no field x\n") + "\n" + with("2", "x\n"),
			with("2", "x\n"+sep+"no field x\n") + "\n" + with("5", "long\n"), "inside -"},
		{"would lead to the end", with("8", "axb\n") + "\n" + with("2", "x\n"),
			with("8", "axb\n") + "\n" + with("5", "long\n"), "astray -"},
		{"would lead over the next one", with("51", "axb\n") + "\n" + sep + "A: b\n\nc\n\n" + with("2", "x\n") + "\n",
			with("51", "axb\n") + "\n" + sep + "A: b\n\nc\n\n" + with("5", "long\n") + "\n", "astray - -"},
		{"would lead to the end of the next one",
			with("77", "axb\n") + "\n" + with("2", "x\n") + "\n" + with("2", "x\n"), with("77",
				"alongb\n") + "\n" + with("2", "x\n") + "\n" + with("5", "long\n"), "- astray -"},
	}
	for _, tt := range tests {
		for _, v := range []Variant{RD, O} {
			for how, r := range readers(t, tt.in, Options{Variant: v, Lengths: true}) {
				var out strings.Builder
				var errs []string
				for _, m := range list(r) {
					edits := m.Measured(long(see(t, m).content))
					if err := m.Verify(edits); err != nil {
						t.Errorf("%s, %s, %v: Verify: %v", tt.name, how, v, err)
					}
					err := m.Admit(edits)
					errs = append(errs,
						map[error]string{nil: "-", errCovered: "covered",
							errInside: "inside", errAstray: "astray"}[err])
					if err != nil {
						edits = nil
						err = m.Admit(nil)
						if err != nil {
							t.Errorf("%s, %s, %v: Add without edits: %v", tt.name, how, v, err)
						}
					}
					m.Write(&out, edits)
				}
				if got := strings.Join(errs, " "); out.String() != tt.want || got != tt.errs {
					t.Errorf("%s, %s, %v: got %q, errors %q, want %q, %q",
						tt.name, how, v, out.String(), got, tt.want, tt.errs)
				}
			}
		}
	}
}

// long writes each "x" of a body as "long".
func long(content string) (edits []mime.Edit) {
	for i := head(content); i < len(content); i++ {
		if content[i] == 'x' {
			edits = append(edits, mime.Edit{Span: mime.Span{Start: int64(i), End: int64(i) + 1}, New: []byte("long")})
		}
	}
	return edits
}

// A mailbox is read in any variant and edited. Programs that obey a Content-Length if it leads to a
// separator cut it as before.
func FuzzLengths(f *testing.F) {
	const sep = "From a@b Thu Jan  1 00:00:00 2026\n"
	html := "Content-Type: text/html\nContent-Length: 31\n\n<a title='\n\nFrom x' href=\nfoo.html>\n\n"
	f.Add(sep+html+sep+html, uint8(RD), uint16(20), uint8(9), "mailto:x")
	f.Add(sep+"Content-Length: 60\n\nx\n\n"+sep+"A: b\nContent-Length: 9\n\nabc\n\n"+sep+html,
		uint8(RD), uint16(0), uint8(1), "long")
	f.Add(sep+"Content-Length: 3\n\nx\n\n"+sep+"no field\n\n"+sep+html, uint8(O), uint16(0), uint8(1), "")
	f.Add(sep+"Content-Length: 66\n\naxb\n\n"+sep+"A: b\nContent-Length: 2\n\nx\n\n"+sep+html,
		uint8(RD), uint16(1), uint8(9), "long")
	for _, tt := range readTests {
		f.Add(tt.in, uint8(tt.variant), uint16(3), uint8(4), "x")
	}
	f.Fuzz(func(t *testing.T, in string, variant uint8, at uint16, step uint8, text string) {
		checkLengths(t, in, Variant(variant%4),
			func(m *Message) []mime.Edit { return changed(t, m, int(at), int(step)+1, text) })
	})
}

// checkLengths makes the allowed edits in the messages of a mailbox. Programs must find the same
// messages in the result. checkLengths returns the number of edited messages.
func checkLengths(t *testing.T, in string, v Variant, edit func(*Message) []mime.Edit) (edited int) {
	t.Helper()
	var out bytes.Buffer
	want := begins(in)
	moved := slices.Clone(want)
	var box io.Reader = strings.NewReader(in)
	if len(in)%2 == 0 {
		box = stream{box}
	}
	for _, m := range list(newReader(box, Options{Variant: v, Lengths: true}, smallWindow)) {
		edits := m.Measured(edit(m))
		if m.Verify(edits) != nil || m.Admit(edits) != nil {
			edits = nil
			if err := m.Admit(nil); err != nil {
				t.Fatalf("%v: %q: Add without edits: %v", v, in, err)
			}
		}
		edited += min(len(edits), 1)
		for _, e := range m.inMessage(edits) {
			for i, at := range want {
				if m.Offset+e.End <= at {
					moved[i] += int64(len(e.New)) - e.Len()
				}
			}
		}
		if err := m.Write(&out, edits); err != nil {
			t.Fatalf("Write: %v", err)
		}
	}
	if got := begins(out.String()); !slices.Equal(got, moved) {
		t.Errorf("%v: messages of the edited %q begin at %d, want %d:\n%q", v, in, got, moved, out.String())
	}
	return edited
}

// begins returns the offsets of messages by their Content-Length, if it leads to a separator.
func begins(box string) (offsets []int64) {
	for _, m := range list(newReader(strings.NewReader(box), Options{Variant: CL2}, smallWindow)) {
		offsets = append(offsets, m.Offset)
	}
	return offsets
}

// The same check for random mailboxes. Their fields are right, slightly wrong, or lead to other
// messages, and some of their lines are separators.
func TestLengthsAtRandom(t *testing.T) {
	const sep = "From a@b Thu Jan  1 00:00:00 2026\n"
	pieces := []string{"x\n", "axb", "\n", "\n\n", "text\n", sep,
		sep + "A: b\n\n", "From here\n", "\nFrom here\nB: c\n", "x"}
	random := rand.New(rand.NewPCG(1, 2))
	edited := 0
	messages := effort.Pick(3000, 400)
	for range messages {
		var bodies []string
		for range 1 + random.IntN(4) {
			body := ""
			for range 1 + random.IntN(5) {
				body += pieces[random.IntN(len(pieces))]
			}
			bodies = append(bodies, body)
		}
		in := ""
		for i, body := range bodies {
			n := len(body) + random.IntN(4)*(random.IntN(5)-2)
			if random.IntN(3) == 0 && i+1 < len(bodies) { // to after the next message
				n = len(body) + 1 + len(sep) + 20 + len(bodies[i+1]) + random.IntN(4)
			}
			in += fmt.Sprintf("%sContent-Length: %02d\n\n%s\n", sep, max(n, 0), body)
		}
		edited += checkLengths(t, in, Variant(random.IntN(4)),
			func(m *Message) []mime.Edit { return long(see(t, m).content) })
		if t.Failed() {
			return
		}
	}
	if edited < messages {
		t.Errorf("%d messages were edited, want %d at least", edited, messages)
	}
}

// An attacker who can predict the edits aims a Content-Length at a separator that the edits would
// move. Each message may be the one whose edit does it. The others are edited.
func TestLengthsAimed(t *testing.T) {
	const sep, room = "From a@b Thu Jan  1 00:00:00 2026\n", 4
	random := rand.New(rand.NewPCG(3, 4))
	edited, all := 0, 0
	for range effort.Pick(3000, 200) {
		bodies := make([]string, 2+random.IntN(6))
		begins, at := make([]int, len(bodies)+1), 0
		for i := range bodies {
			bodies[i] = strings.Repeat("x", random.IntN(4)) + "text\n" + strings.Repeat("\n", random.IntN(3))
			begins[i] = at
			at += len(sep) + len("Content-Length: \n\n") + room + len(bodies[i]) + 1
		}
		begins[len(bodies)] = at
		in := ""
		for i, body := range bodies {
			to := i + 1 + random.IntN(len(bodies)-i)
			n := begins[to] - (begins[i+1] - len(body) - 1) - random.IntN(3)
			for _, b := range bodies[i:to] {
				n -= 3 * strings.Count(b, "x") * random.IntN(2)
			}
			in += fmt.Sprintf("%sContent-Length: %0*d\n\n%s\n", sep, room, max(n, 0), body)
			all += min(1, strings.Count(body, "x"))
		}
		in = strings.TrimSuffix(in, strings.Repeat("\n", random.IntN(3)))
		edited += checkLengths(t, in, Variant(random.IntN(4)),
			func(m *Message) []mime.Edit { return long(see(t, m).content) })
		if t.Failed() {
			return
		}
	}
	if edited < all/4 {
		t.Errorf("%d messages were edited of %d, want a quarter at least", edited, all)
	}
}

// If very many fields lead to later messages, edits are refused, because each edit would examine
// all of these fields. A field that leads to no byte of the mailbox does not count.
func TestLengthsMany(t *testing.T) {
	const sep = "From a@b Thu Jan  1 00:00:00 2026\n"
	for _, n := range []int{maxInvalid, maxInvalid + 1} {
		in := sep + "Content-Length: 999999\n\na\n\n" +
			strings.Repeat(sep+"Content-Length: 99990\n\na\n\n", n) + sep +
			"A: b\n\nx\n\n" + sep + "A: b\n\n" + strings.Repeat("text\n", 30000)
		for _, m := range list(NewReader(stream{strings.NewReader(in)}, Options{Lengths: true})) {
			edits := long(see(t, m).content)
			want := "<nil>"
			if len(edits) > 0 && n > maxInvalid {
				want = "more than 1000 invalid Content-Lengths, of this message and earlier ones, lead to offsets " +
					"after this message"
			}
			if err := m.Admit(edits); fmt.Sprint(err) != want {
				t.Fatalf("%d fields: message %d: error %v, want %v", n, m.Number, err, want)
			}
			if want != "<nil>" {
				break
			}
		}
	}
}

// If bytes come between the body and the next separator, a valid Content-Length would lead to no
// separator.
func TestLengthsLost(t *testing.T) {
	const sep = "From a@b Thu Jan  1 00:00:00 2026\n"
	message := sep + "Content-Length: 4\n\nbody\n\n"
	for after, want := range map[string]bool{"bod": false, "body": true, "body\n": true} {
		for how, r := range readers(t, message+message, Options{Lengths: true}) {
			m := list(r)[0]
			at := int64(strings.Index(see(t, m).content, "body") + len(after))
			err := m.Admit(m.Measured([]mime.Edit{{Span: mime.Span{Start: at, End: at}, New: []byte("more")}}))
			if lost := err != nil && strings.Contains(err.Error(), "would not lead to a separator"); lost != want {
				t.Errorf("%s: bytes after %q: %v, want an error: %v", how, after, err, want)
			}
		}
	}
}
