package input

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// If a mail program moves a message from new to cur during the walk, the message is yielded once,
// whenever the move happens.
func TestWalkMoved(t *testing.T) {
	for _, tt := range []struct {
		name, at string // the message is moved when the walk yields at
		want     []string
	}{
		{"before cur was read", "", []string{"cur/1", "cur/2:2,S", "cur/3", "new/4"}},
		{"after cur was read", "cur/1", []string{"cur/1", "cur/3", "new/2", "new/4"}},
		{"when new is read", "new/2", []string{"cur/1", "cur/3", "new/2", "new/4"}},
	} {
		dir := t.TempDir()
		for _, name := range []string{"cur/1", "cur/3", "new/2", "new/4"} {
			os.Mkdir(filepath.Join(dir, filepath.Dir(name)), 0o777)
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		move := func() { os.Rename(filepath.Join(dir, "new/2"), filepath.Join(dir, "cur/2:2,S")) }
		var got []string
		if tt.at == "" {
			move()
		}
		for f := range Walk([]string{dir}, false) {
			got = append(got, f.Rel)
			if f.Rel == tt.at {
				move()
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
