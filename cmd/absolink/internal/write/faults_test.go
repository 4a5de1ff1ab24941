package write_test

import (
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/testdata/effort"
	"absolink/testdata/interrupt"
)

// faultInputs are inputs with links to x. Each has the base http://a.test/.
func faultInputs() map[string]string {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	return map[string]string{"page": "<base href=http://a.test/><a href=x>", "page without links": "<p>",
		"mailbox": "From a Thu Jan  1 00:00:00 1970\nSubject: x\n\nx\n\n" + box + box,
		"binary":  "\x00\x01"}
}

// A run may be interrupted at any step. An input is reported only if its output is complete. In
// place, the file has its old or its new bytes, and an undo gives the old bytes back. No temporary
// file and no lock is left.
func TestInterrupted(t *testing.T) {
	for kind, text := range faultInputs() {
		for _, coded := range []string{"plain", "behind"} {
			stored := codings[coded].encode(text)
			want := absolute.Replace(text)
			for _, line := range []string{"", "--verify", "-o out --verify", "-i --journal j", "-n"} {
				skipped := coded != "plain" && line != "" && line != "-o out --verify"
				if skipped || kind == "binary" && strings.HasPrefix(line, "-i") {
					continue
				}
				where := kind + ", " + coded + ", " + line
				step := effort.Pick(1, 3)
				for n := len(where) % step; interruptedRun(t, where, line, stored, want, coded, n); n += step {
					if n >= 300 {
						t.Fatalf("%s: the run has no end", where)
					}
				}
			}
		}
	}
}

// undo puts back the files of the journal j.
func undo(t *testing.T) {
	t.Helper()
	p, err := begin(t, "", "j")
	if err == nil {
		err = inplace.Undo(t.Context(), p.run, inplace.UndoOptions{Journal: "j"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// interruptedRun runs a command line over the file s/f, and interrupts it after n looks at the
// context. It returns true if the run was interrupted.
func interruptedRun(t *testing.T, where, line, stored, want, coded string, n int) bool {
	t.Helper()
	lay(t, "s/f: "+stored)
	p, err := begin(t, "", line+" s/f")
	if err != nil {
		t.Fatal(err)
	}
	ctx := &interrupt.Context{Left: n}
	var out strings.Builder
	err = errors.Join(p.run.Do(ctx, &out, p.command), p.command.End())
	if (err != nil) != ctx.Seen {
		t.Errorf("%s: interrupted at step %d: %v, got error %v", where, n, ctx.Seen, err)
	}
	files := map[string]string{}
	for _, file := range tree(t, ".") {
		name, content, _ := strings.Cut(file, ": ")
		files[name] = content
	}
	result := out.String()
	switch {
	case strings.HasPrefix(line, "-i"):
		result = files["s/f"]
		if result != stored && codings[coded].decode(t, result) != want {
			t.Errorf("%s: interrupted at step %d: the file is %q", where, n, result)
		}
		undo(t)
		if got := read(t, "s/f"); got != stored {
			t.Errorf("%s: interrupted at step %d: the undo gives %q, want %q", where, n, got, stored)
		}
		delete(files, "j")
	case strings.HasPrefix(line, "-o"):
		output, ok := files["out/f"]
		result = output
		if ok && result != stored && codings[coded].decode(t, result) != want {
			t.Errorf("%s: interrupted at step %d: the output is %q", where, n, result)
		}
		delete(files, "out/f")
	}
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{"s/f"}) {
		t.Errorf("%s: interrupted at step %d: the files %q are left", where, n, names)
	}
	of := slices.IndexFunc(p.entries, func(e report.Entry) bool { return e.Subject.Inner == "" })
	if of < 0 {
		if !ctx.Seen {
			t.Errorf("%s: not interrupted, but the input is not reported", where)
		}
		return ctx.Seen
	}
	if !isComplete(t, line, stored, want, coded, result, p.entries[of].Result.Outcome()) {
		t.Errorf("%s: interrupted at step %d: the outcome is %q and the output %q", where, n, p.outcomes[of], result)
	}
	return ctx.Seen
}

// isComplete reports whether result is the complete output of s/f for an outcome. stored is the
// content of s/f, and want the decoded output.
func isComplete(t *testing.T, line, stored, want, coded, result string, outcome report.Outcome) bool {
	t.Helper()
	switch {
	case line == "-n":
		return strings.Count(result, "x -> http://a.test/x\n") == strings.Count(want, "http://a.test/x")
	case outcome == report.Rewritten:
		return want != stored && codings[coded].decode(t, result) == want
	case outcome == report.Unchanged, outcome == report.Copied:
		return result == stored
	}
	return false
}

// If a read of the input fails, or a write to standard output, the input counts as failed, unless
// its output is complete. The input does not change.
func TestFailures(t *testing.T) {
	for kind, text := range faultInputs() {
		for _, coded := range []string{"plain", "behind"} {
			stored := codings[coded].encode(text)
			want := absolute.Replace(text)
			for _, line := range []string{"", "--verify", "-o out --verify", "-n"} {
				where := kind + ", " + coded + ", " + line
				step := effort.Pick(1, 2)
				for n := len(where) % step; failedRun(t, where, line, stored, want, coded, n, 1000); n += step {
					if n >= 100 {
						t.Fatalf("%s: the run has no end", where)
					}
				}
				for n := len(where) % step; failedRun(t, where, line, stored, want, coded, 1000, n); n += step {
					if n >= 100 {
						t.Fatalf("%s: the run has no end", where)
					}
				}
			}
		}
	}
}

// failedRun rewrites the file s/f. All reads of it fail after some reads, and all writes to
// standard output after some writes. It returns true if one has failed.
func failedRun(t *testing.T, where, line, stored, want, coded string, reads, writes int) bool {
	t.Helper()
	lay(t, "s/f: "+stored, "s/empty: ")
	p, err := begin(t, "", line+" s/empty")
	if err == nil {
		err = p.run.Do(t.Context(), io.Discard, p.command) // afterwards the run has its worker
	}
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.run.Reopen(t.Context(), input.File{Path: "s/f", Source: "s/f", Rel: "f"})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := &interrupt.Reader{R: in.Stored, Left: reads}
	in.Stored = r
	var printed strings.Builder
	out := &interrupt.Writer{W: &printed, Left: writes}
	e := &report.Entry{Subject: report.Subject{Source: "s/f"}}
	p.command.NewWorker(p.run).Work(t.Context(), in, out, e)
	err = p.command.End()
	failed := r.Left < 0 || out.Left < 0
	if err != nil {
		t.Errorf("%s: after %d reads and %d writes, End returns %v", where, reads, writes, err)
	}
	if got := read(t, "s/f"); got != stored {
		t.Errorf("%s: after %d reads and %d writes, the input is %q", where, reads, writes, got)
	}
	result := printed.String()
	if strings.HasPrefix(line, "-o") {
		content, err := os.ReadFile("out/f")
		result = string(content)
		if err == nil && result != stored && codings[coded].decode(t, result) != want {
			t.Errorf("%s: after %d reads and %d writes, the output is %q", where, reads, writes, result)
		}
	}
	lost := e.Result.Lost()
	if lost && !failed || !lost && !isComplete(t, line, stored, want, coded, result, e.Result.Outcome()) {
		t.Errorf("%s: after %d reads and %d writes, the outcome is %s (%s) and the output %q", where, reads, writes,
			e.Result.Outcome(), e.Result.Reason(), result)
	}
	return failed
}

// A document whose output cannot be written has no redirect: it is not at its new address.
func TestRedirectsOfLostDocuments(t *testing.T) {
	lay(t, "s/a.html: <a href=x>", "s/b.html: <a href=x>")
	p, err := begin(t, "", "root=s=http://old.test/ --map http://old.test/=http://new.test/ --redirects r -o out s")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("out/a.html/x", 0o777); err != nil { // a file cannot replace it
		t.Fatal(err)
	}
	if err := errors.Join(p.run.Do(t.Context(), io.Discard, p.command), p.command.End()); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(p.entries, func(e report.Entry) bool { return e.Result.Lost() }) {
		t.Error("the output of a.html was written")
	}
	if got := read(t, "r"); strings.Contains(got, "a.html") || !strings.Contains(got, "http://new.test/b.html") {
		t.Errorf("the redirects are %q, want one for b.html and none for a.html", got)
	}
}
