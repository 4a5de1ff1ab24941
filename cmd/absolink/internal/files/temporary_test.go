package files_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/files"
)

func TestIs(t *testing.T) {
	for name, want := range map[string]bool{
		files.Checked(".a.eml.absolink-0123abcd-1-"):                    true,
		files.Checked(".1.host,S=5:2,S.absolink-0123abcd-46116860184-"): true,
		files.Checked("..absolink-0123abcd-1-"):                         true,
		files.Checked(".a\n.absolink-0123abcd-1-"):                      true,
		files.Checked(".a.absolink-0123abcd-1-x.absolink-0123abcd-2-"):  true,
		files.Checked(".a.eml.absolink-0123abcd89abcdef-1-"):            true,
		files.Checked("a.eml.absolink-0123abcd-1-"):                     false,
		files.Checked(".a.eml.absolink-0123abcd89-1-"):                  false,
		files.Checked(".a.eml.absolink-0123abcd--"):                     false,
		files.Checked(".a.eml.absolink-0123abcd-1x-"):                   false,
		files.Checked(".a.eml.absolink-0123ABCD-1-"):                    false,
		files.Checked(".a.eml.absolink-0123abc-1-"):                     false,
		files.Checked(".a.eml.absolink-0123abcd-1-") + "0":              false,
		".b" + files.Checked(".a.eml.absolink-0123abcd-1-")[2:]:         false,
		".a.eml.absolink-0123abcd-1-00000000":                           false,
		".a.eml.absolink-0123abcd-1":                                    false,
		".a.eml4611686018427387904":                                     false,
		".a.eml.absolink":                                               false,
		"":                                                              false,
	} {
		if got := files.IsTemporary(name); got != want {
			t.Errorf("Is(%q): got %v, want %v", name, got, want)
		}
	}
}

func TestCreateTemporary(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("d", 0o777)
	for _, name := range []string{"a.eml", "1.host,S=5:2,S", strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		f, err := files.CreateTemporary(open(t, "d"), name, 0o600)
		if err != nil {
			t.Errorf("Create(%q): got error %v, want none", name, err)
			continue
		}
		if !files.IsTemporary(f.Base()) || !files.InUse(f.Base()) || f.Name() != filepath.Join("d", f.Base()) {
			t.Errorf("Create(%q): got the name %q, want a temporary one in d", name, f.Name())
		}
		f.Cleanup()
		if files.InUse(f.Base()) {
			t.Errorf("Own(%q) after Cleanup: got true", f.Base())
		}
	}
	wantNames(t, "d")
	wantNames(t, "d/.")
}

func open(t *testing.T, path string) *files.Dir {
	t.Helper()
	d, err := files.OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// wantNames checks that the current directory contains exactly these files. The name DIR/. instead
// means that DIR is empty.
func wantNames(t *testing.T, want ...string) {
	t.Helper()
	dir := "."
	if d, ok := strings.CutSuffix(want[0], "/."); ok {
		dir, want = d, nil
	}
	var got []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("directory %s: got %q, want %q", dir, got, want)
	}
}

// Sweep removes the files that a dead process has left, and nothing else.
func TestSweep(t *testing.T) {
	t.Chdir(t.TempDir())
	live, err := files.CreateTemporary(open(t, "."), "live", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Cleanup()
	host := regexp.MustCompile(`absolink-(.{8})`).FindStringSubmatch(live.Base())[1]
	dead, rebooted := files.Checked(".a.absolink-"+host+files.Boot()+
		"-1-"), files.Checked(".a.absolink-"+host+"00000000-1-")
	foreign, container := files.Checked(".a.absolink-0000000000000000-1-"),
		files.Checked(".a.absolink-00000000"+files.Boot()+"-1-")
	folder, link := files.Checked(".d.absolink-"+host+"-1-"), files.Checked(".l.absolink-"+host+"-1-")
	alike := ".a.absolink-" + host + files.Boot() + "-1-00000000"
	want := []string{filepath.Base(live.Name()), foreign, "a", dead[1:], dead + "x", folder, link, alike}
	for _, name := range []string{dead, foreign, rebooted, container, "a", dead[1:], dead + "x", alike} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Mkdir(folder, 0o777)
	os.Symlink("a", link)
	slices.Sort(want)

	var s files.Sweeper
	s.Sweep(".", files.OpenDir)
	wantNames(t, want...)
	s.Sweep("none", files.OpenDir)

	if files.Boot() == "" && runtime.GOOS == "linux" {
		t.Error("Boot: got nothing")
	}

	// Each directory is swept once.
	os.WriteFile(dead, nil, 0o600)
	s.Sweep(".", files.OpenDir)
	if _, err := os.Lstat(dead); err != nil {
		t.Errorf("Sweep again: %v, want the file to stay", err)
	}
	live.Close()
	new(files.Sweeper).Sweep(".", files.OpenDir)
	if _, err := os.Lstat(live.Name()); !os.IsNotExist(err) {
		t.Errorf("Sweep after the file was closed: got error %v, want it to be gone", err)
	}
}

func TestRemove(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := os.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	os.Rename("a", "b")
	os.WriteFile("a", nil, 0o600)
	if err := files.RemoveTemporary(f, open(t, "."), "a"); err != nil {
		t.Errorf("Remove of another file: got error %v, want none", err)
	}
	wantNames(t, "a", "b")
	if err := files.RemoveTemporary(f, open(t, "."), "b"); err != nil {
		t.Errorf("Remove: got error %v, want none", err)
	}
	wantNames(t, "a")
}

// A nameless file is not visible while it is open.
func TestNameless(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := files.Nameless()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("text"); err != nil {
		t.Error(err)
	}
	got := make([]byte, 4)
	if _, err := f.ReadAt(got, 0); err != nil || string(got) != "text" {
		t.Errorf("ReadAt: got %q and error %v, want %q", got, err, "text")
	}
	if list, err := os.ReadDir(dir); len(list) > 0 || err != nil {
		t.Errorf("directory: got %v and error %v, want nothing", list, err)
	}
}

// If the directory of temporary files does not exist, the error says how to name another.
func TestNamelessNowhere(t *testing.T) {
	t.Setenv("TMPDIR", "/nowhere")
	want := "cannot make a temporary file in /nowhere (no such file or directory): set TMPDIR to another directory"
	if _, err := files.Nameless(); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// A Spool returns the bytes that were written, whatever their number. While it is small, it has no
// file.
func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, 256 << 10, 256<<10 + 1, 1 << 20} {
		var s files.Spool
		want := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 1000)
			if k, err := s.Write(rest[:n]); err != nil || k != n {
				t.Fatalf("Write: got %d and error %v, want %d", k, err, n)
			}
			rest = rest[n:]
		}
		for range 2 {
			var got bytes.Buffer
			if n, err := s.WriteTo(&got); err != nil || n != int64(size) ||
				s.Size() != n || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("WriteTo: got %d bytes and error %v, want the %d that were written", n, err, size)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
