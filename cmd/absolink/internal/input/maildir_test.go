package input_test

import (
	"os"
	"path/filepath"
	"testing"

	"absolink/cmd/absolink/internal/input"
)

func TestMaildir(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"box/cur", "box/new", "box/tmp",
		"box/.Sent/cur", "box/.Sent/new", "half/cur", "files/new"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "files/cur"), nil, 0o666)
	for path, want := range map[string]bool{"box": true, "box/.Sent": true,
		"half": false, "files": false, "box/cur": false, "none": false} {
		if got := input.IsMaildir(filepath.Join(dir, path)); got != want {
			t.Errorf("IsMaildir(%q): got %v, want %v", path, got, want)
		}
	}
	for path, want := range map[string]bool{"box/cur/1": true, "box/new/1": true,
		"box/tmp/1": false, "box/.Sent/cur/1": true, "half/cur/1": false, "box/1": false} {
		if got := input.MaildirHolds(filepath.Join(dir, path)); got != want {
			t.Errorf("MaildirHolds(%q): got %v, want %v", path, got, want)
		}
	}
	t.Chdir(filepath.Join(dir, "box/cur"))
	if !input.MaildirHolds("1") {
		t.Error(`MaildirHolds("1") in cur: got false, want true`)
	}
}
