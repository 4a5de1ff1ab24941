package input_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"absolink/cmd/absolink/internal/input"
)

// Each entry of a directory that is not an input has a cause.
func TestSkipCauses(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "site")
	for _, d := range []string{"site/sub", "site/mail/cur", "site/mail/new", "site/mail/tmp"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.html", "mail/cur/1.host", "mail/dovecot-uidlist"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(root, "outside.html")
	if err := os.WriteFile(outside, []byte("xyz"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"inner": "a.html", "todir": "sub", "outer": outside} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	type entry struct {
		cause  input.Cause
		target string
		bytes  int64
	}
	want := map[string]entry{
		"a.html":               {cause: input.NoSkip, bytes: 1},
		"inner":                {cause: input.ToInput, target: "a.html"},
		"todir":                {cause: input.ToDir, bytes: -1},
		"outer":                {cause: input.Outside},
		"mail/cur/1.host":      {cause: input.NoSkip, bytes: 1},
		"mail/dovecot-uidlist": {cause: input.NoMessage, bytes: -1},
	}
	for _, follow := range []bool{false, true} {
		if follow {
			want["outer"] = entry{cause: input.NoSkip, bytes: 3}
		}
		n := 0
		for f, err := range input.Walk([]string{dir}, follow) {
			if err != nil {
				t.Errorf("%s: %v", f.Rel, err)
			}
			n++
			got := entry{f.Skip.Cause, f.Skip.Target, f.Bytes}
			if got != want[f.Rel] {
				t.Errorf("Walk, following %v: %s: got %+v, want %+v", follow, f.Rel, got, want[f.Rel])
			}
			if f.IsInput() != (got.cause == input.NoSkip) || f.IsInput() != (f.Skip.Why == "") {
				t.Errorf("%s: IsInput is %v with %+v", f.Rel, f.IsInput(), f.Skip)
			}
		}
		if n != len(want) {
			t.Errorf("Walk, following %v: got %d entries, want %d", follow, n, len(want))
		}
	}
}

func TestUnlocked(t *testing.T) {
	gone := &fs.PathError{Op: "open", Path: "box.lock", Err: fs.ErrNotExist}
	tests := []struct {
		file input.File
		err  error
		want bool
	}{
		{input.File{Path: "box.lock"}, gone, true},
		{input.File{Path: "box.lock", Named: true}, gone, false},
		{input.File{Path: "box"}, gone, false},
		{input.File{Path: "box.lock"}, fs.ErrPermission, false},
		{input.File{Path: "box.lock"}, nil, false},
	}
	for _, tt := range tests {
		if got := tt.file.IsReleasedLock(tt.err); got != tt.want {
			t.Errorf("Unlocked of %+v after %v: got %v", tt.file, tt.err, got)
		}
	}
}

func TestIsList(t *testing.T) {
	for f, want := range map[*input.File]bool{
		{Listed: true}:                   true,
		{Listed: true, URL: "http://a/"}: false,
		{URL: "http://a/"}:               false,
		{}:                               false,
	} {
		if got := f.IsList(); got != want {
			t.Errorf("IsList of %+v: got %v", f, got)
		}
	}
}
