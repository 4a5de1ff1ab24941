package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/testdata/effort"
)

// A reader changes the flags of messages while they are rewritten in place. Each message is
// rewritten once, no message is printed, and an undo finds all of them.
func TestFlagsChange(t *testing.T) {
	count := effort.Pick(150, 25)
	for _, policy := range []string{"refuse", "rename"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			dir := quickDir(t)
			old := make(map[string]string)
			for i := range count {
				unique, text := fmt.Sprint(1000+i, ".host"), crashMessage(i, 1+i%5*30)
				name := unique + ":2,"
				if policy == "rename" {
					name = fmt.Sprintf("%s,S=%d:2,", unique, len(text))
				}
				old[unique] = text
				save(t, filepath.Join(dir, "box/new", name), []byte(text))
			}
			os.Mkdir(filepath.Join(dir, "box/cur"), 0o777)
			for _, args := range [][]string{
				{"rewrite", "--in-place", "--journal", "j", "--jobs", "2",
					"--maildir-size", policy, "--default-base", crashBase, "box"},
				{"rewrite", "--undo", "j"},
			} {
				cmd := commandIn(dir, args)
				var said strings.Builder
				cmd.Stderr = &said
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error)
				go func() { ended <- cmd.Wait() }()
				err := changeFlags(t, filepath.Join(dir, "box"), ended)
				if err != nil || strings.Contains(said.String(), "no such file") {
					t.Fatalf("%q: got %v and %s, want no failure", args, err, said.String())
				}
				unlike(t, filepath.Join(dir, "box"), old, args[1] == "--in-place")
			}
		})
	}
}

// changeFlags changes the flags of messages and moves them to cur, each at most three times, until
// the run has ended. It returns the result of the run.
func changeFlags(t *testing.T, box string, ended <-chan error) error {
	times := make(map[string]int)
	for ; ; time.Sleep(200 * time.Microsecond) {
		for _, list := range input.MailByName(box) {
			select {
			case err := <-ended:
				return err
			default:
			}
			name := maildir.Split(filepath.Base(list[0]))
			times[name.Unique]++
			if times[name.Unique] > 3 || strings.HasPrefix(name.String(), ".") {
				continue
			}
			name.Info = ":2," + "DFRST"[:1+rand.IntN(5)]
			os.Rename(list[0], filepath.Join(box, "cur", name.String())) // it may have been renamed meanwhile
		}
	}
}

// unlike checks that each message exists once. If edited is set, its bytes must differ from the old
// ones; otherwise they must be equal.
func unlike(t *testing.T, box string, old map[string]string, edited bool) {
	t.Helper()
	got := input.MailByName(box)
	if len(got) != len(old) {
		t.Errorf("got %d messages, want %d", len(got), len(old))
	}
	for unique, text := range old {
		list := got[unique]
		if len(list) != 1 {
			t.Errorf("%s: got the files %q, want one", unique, list)
			continue
		}
		now, err := os.ReadFile(list[0])
		if err != nil || (string(now) != text) != edited {
			t.Errorf("%s: got error %v and %d bytes, old ones %d, want it edited: %v",
				list[0], err, len(now), len(text), edited)
		}
		name := maildir.Split(filepath.Base(list[0]))
		if size, _ := name.Sizes(); size != maildir.Unknown && size != int64(len(now)) {
			t.Errorf("%s: has %d bytes", list[0], len(now))
		}
	}
}
