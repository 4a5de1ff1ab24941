package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
)

// Somebody who can write the tree lays a link to a directory elsewhere in the place of one
// of it, at the worst moments: nothing is written there.
func TestSwappedDirectory(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after bool // the file is looked for; it is written
		want          string
	}{
		{"before the file is looked for", true, false, "lies below none of the roots of the run"},
		{"while the file is written", false, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			sub, elsewhere := filepath.Join(dir, "tree/sub"), filepath.Join(dir, "elsewhere")
			save(t, filepath.Join(sub, "a.html"), []byte("old"))
			save(t, filepath.Join(elsewhere, "a.html"), []byte("old"))
			swap := func() error {
				return errors.Join(os.Rename(sub, sub+"2"), os.Symlink("../elsewhere", sub))
			}
			in := &input.Document{File: input.File{Path: filepath.Join(sub, "a.html")}}
			if in.Info, err = os.Stat(in.Path); err != nil {
				t.Fatal(err)
			}
			if tt.before {
				err = swap()
			}
			x := &rewriting{durable: durable{below: journal.Roots{filepath.Join(dir, "tree")}}}
			got := x.exchange(in, nil, "", func(f *os.File, _ *exchange) error {
				if tt.after {
					err = swap()
				}
				_, failed := f.WriteString("new")
				return failed
			})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && got != nil || tt.want != "" && (got == nil || !strings.Contains(got.Error(), tt.want)) {
				t.Errorf("exchange: got error %v, want %q", got, tt.want)
			}
			text, err := os.ReadFile(filepath.Join(elsewhere, "a.html"))
			if entries := entriesOf(t, elsewhere); err != nil || string(text) != "old" || len(entries) != 1 {
				t.Errorf("elsewhere: got the files %q, the text %q and error %v, want a.html as it was", entries, text, err)
			}
			text, err = os.ReadFile(filepath.Join(sub+"2", "a.html"))
			if want := map[bool]string{false: "old", true: "new"}[tt.want == ""]; err != nil || string(text) != want {
				t.Errorf("the file itself: got %q and error %v, want %q", text, err, want)
			}
		})
	}
}
