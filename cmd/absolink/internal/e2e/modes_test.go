//go:build linux

package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// copyModes runs rewrite -o out over tree in dir as user uid with a umask, and checks the modes of
// the files below out.
func copyModes(t *testing.T, program, dir string, uid int, umask string, want map[string]fs.FileMode) {
	t.Helper()
	cmd := exec.Command("sh", "-c",
		"umask "+umask+` && exec "$0" rewrite -q --default-base http://example.test/ -o out tree`, program)
	cmd.Dir = dir
	if uid != os.Geteuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v: %s", cmd.Args, err, out)
	}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(dir, "out", name))
		if err != nil {
			t.Error(err)
		} else if got := info.Mode() &^ fs.ModeDir; got != mode {
			t.Errorf("umask %s, out/%s: got mode %v, want %v", umask, name, got, mode)
		}
	}
}

// modeTree makes the files of a tree with their modes.
func modeTree(t *testing.T, dir string, files map[string]fs.FileMode) {
	t.Helper()
	for name, mode := range files {
		page(t, filepath.Join(dir, "tree", name), 1)
		if err := os.Chmod(filepath.Join(dir, "tree", name), mode); err != nil {
			t.Fatal(err)
		}
	}
}

// A copy has the permissions of its source, except for the write bits of group and others, which
// obey the umask. It has set-id bits only if its owner and group are those of the source.
func TestCopiedModes(t *testing.T) {
	program, err := exec.LookPath("absolink")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]fs.FileMode{"run.html": 0o755 | fs.ModeSetuid,
		"page.html": 0o666, "prog": 0o775 | fs.ModeSetgid, "key": 0o600}
	for umask, want := range map[string]map[string]fs.FileMode{
		"022": {"run.html": 0o755 | fs.ModeSetuid, "page.html": 0o644, "prog": 0o755 | fs.ModeSetgid, "key": 0o600},
		"077": {"run.html": 0o755 | fs.ModeSetuid, "page.html": 0o644, "prog": 0o755 | fs.ModeSetgid, "key": 0o600},
		"000": files,
	} {
		dir := t.TempDir()
		modeTree(t, dir, files)
		copyModes(t, program, dir, os.Geteuid(), umask, want)
	}
}

// The copy of another user's set-user-id program does not get the rights of the user who copies it.
func TestForeignSetID(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can run it as another user than the owner of files")
	}
	dir, err := os.MkdirTemp("", "absolink-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	modeTree(t, dir,
		map[string]fs.FileMode{"prog": 0o755 | fs.ModeSetuid, "page.html": 0o777 | fs.ModeSetuid | fs.ModeSetgid})
	os.Chmod(dir, 0o777)
	copyModes(t, publicProgram(t, dir), dir, nobody, "022", map[string]fs.FileMode{"prog": 0o755, "page.html": 0o755})
}

// The copy of a private Maildir is private. A directory without write permission is still filled.
func TestCopiedDirectories(t *testing.T) {
	dir, err := os.MkdirTemp("", "absolink-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.Chmod(filepath.Join(dir, "tree/shut"), 0o755)
		os.Chmod(filepath.Join(dir, "out/shut"), 0o755)
		os.RemoveAll(dir)
	})
	uid := os.Geteuid()
	if uid == 0 {
		uid = nobody // root may write everywhere
	}
	message := filepath.Join(dir, "tree/mail/cur/1:2,S")
	save(t, message, []byte("Content-Type: text/html\n\n<a href=x>"))
	os.Mkdir(filepath.Join(dir, "tree/mail/new"), 0o700)
	page(t, filepath.Join(dir, "tree/shut/deep/a.html"), 1)
	want := map[string]fs.FileMode{".": 0o755, "mail": 0o700,
		"mail/cur": 0o710, "mail/new": 0o700, "shut": 0o555, "shut/deep": 0o700}
	for name, mode := range want {
		os.Chmod(filepath.Join(dir, "tree", name), mode)
	}
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error { return os.Lchown(path, uid, uid) })
	os.Chmod(dir, 0o755)
	copyModes(t, publicProgram(t, dir), dir, uid, "022", want)
	wantPage(t, filepath.Join(dir, "out/shut/deep/a.html"), hardAfter, 1)
}
