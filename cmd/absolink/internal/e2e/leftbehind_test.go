package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/files"
	"absolink/testdata/effort"
)

// A run is killed exactly while a lock, or a temporary file, is beside the mailbox. Whatever
// follows, the folder then holds the files and nothing else.
func TestLeftBehind(t *testing.T) {
	effort.Only(t)
	const box = "box.mbox"
	run := []string{"rewrite", "-q", "--in-place", "--default-base", crashBase, "mail"}
	journaled := append(slices.Clip(run), "--journal", "j")
	for _, tt := range []struct {
		name         string
		killed, next []string
		edited       bool
	}{
		{"undo", journaled, []string{"rewrite", "-q", "--undo", "j"}, false},
		{"resume", journaled, append(slices.Clip(journaled), "--resume"), true},
		{"new run", run, run, true},
		{"new run after one with a journal", journaled, run, true},
	} {
		moments := []struct {
			name   string
			stands func(name string) bool
		}{
			{"lock", func(name string) bool { return name == box+".lock" }},
			{"temporary file", func(name string) bool {
				return files.IsTemporary(name) && !strings.Contains(name, ".lock.")
			}},
		}
		for _, moment := range moments {
			t.Run(tt.name+" after a "+moment.name, func(t *testing.T) {
				t.Parallel()
				dir := quickDir(t)
				old := crashMailbox(300, 700)
				save(t, filepath.Join(dir, "mail", box), []byte(old))
				if !killWhen(t, dir, tt.killed, moment.stands) {
					t.Fatalf("no %s was seen during the run", moment.name)
				}
				if n := len(entriesOf(t, filepath.Join(dir, "mail"))); n < 2 {
					t.Fatalf("%d files after the kill, want something left behind", n)
				}
				if out, err := commandIn(dir, tt.next).CombinedOutput(); err != nil {
					t.Fatalf("%q: %v: %s", tt.next, err, out)
				}
				if got := entriesOf(t, filepath.Join(dir, "mail")); !slices.Equal(got, []string{box}) {
					t.Errorf("got the files %q, want %s and nothing else", got, box)
				}
				if got, err := os.ReadFile(filepath.Join(dir, "mail", box)); err != nil ||
					(string(got) == old) == tt.edited {
					t.Errorf("mailbox: got %d bytes and error %v, want it edited: %v", len(got), err, tt.edited)
				}
			})
		}
	}
}

func commandIn(dir string, args []string) *exec.Cmd {
	cmd := exec.Command("absolink", args...)
	cmd.Dir = dir
	return cmd
}

// killWhen runs the command in dir, and kills it when mail contains a file whose name satisfies
// stands. It reports whether that happened.
func killWhen(t *testing.T, dir string, args []string, stands func(name string) bool) bool {
	t.Helper()
	cmd := commandIn(dir, args)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	for {
		if slices.ContainsFunc(entriesOf(t, filepath.Join(dir, "mail")), stands) {
			cmd.Process.Kill()
			<-ended
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(50 * time.Microsecond):
		}
	}
}

// entriesOf returns the names of the files in a directory.
func entriesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
