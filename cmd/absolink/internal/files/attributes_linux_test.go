package files_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
)

// acl is the access control list user::rw-, user:7:r--, group::---, mask::r--, other::--- as Linux
// stores it: a version, then the tag, permissions and number of each entry.
const acl = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" +
	"\x02\x00\x04\x00\x07\x00\x00\x00" +
	"\x04\x00\x00\x00\xff\xff\xff\xff" +
	"\x10\x00\x04\x00\xff\xff\xff\xff" +
	"\x20\x00\x00\x00\xff\xff\xff\xff"

// Replace keeps extended attributes and access control lists.
func TestReplaceKeepsAttributes(t *testing.T) {
	for name, value := range map[string]string{"user.note": "kept\x00whole",
		"user.empty": "", "system.posix_acl_access": acl} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			file(t, "a")
			if err := unix.Setxattr("a", name, []byte(value), 0); errors.Is(err, unix.ENOTSUP) {
				t.Skipf("not supported by the file system of temporary files: attribute %s", name)
			} else if err != nil {
				t.Fatal(err)
			}
			info, _ := os.Stat("a")
			if err := replace(t, "a", info, files.Options{}, text("new")); err != nil {
				t.Fatal(err)
			}
			content(t, "a", "new")
			got := make([]byte, 1000)
			n, err := unix.Getxattr("a", name, got)
			if err != nil || string(got[:n]) != value {
				t.Errorf("attribute %s: got %q and error %v, want %q", name, got[:max(n, 0)], err, value)
			}
			if now, _ := os.Stat("a"); now.Mode() != info.Mode() {
				t.Errorf("mode: got %v, want %v", now.Mode(), info.Mode())
			}
		})
	}
}

// Replace keeps the attributes of a file that its owner may not write. The list of attributes names
// the access control list first, which gives the new file its mode.
func TestReplaceKeepsAttributesOfReadOnlyFile(t *testing.T) {
	dir, err := os.MkdirTemp("", "absolink-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o777)
	t.Chdir(dir)
	asNobody(t)
	file(t, "a")
	list := "\x02\x00\x00\x00\x01\x00\x04\x00\xff\xff\xff\xff" + acl[12:] // as acl, with user::r--
	for name, value := range map[string]string{"user.note": "kept", "system.posix_acl_access": list} {
		if err := unix.Setxattr("a", name, []byte(value), 0); errors.Is(err, unix.ENOTSUP) {
			t.Skipf("not supported by the file system of temporary files: attribute %s", name)
		} else if err != nil {
			t.Fatal(err)
		}
		os.Chmod("a", 0o600)
	}
	os.Chmod("a", 0o440)
	info, _ := os.Stat("a")
	if err := replace(t, "a", info, files.Options{}, text("new")); err != nil {
		t.Fatal(err)
	}
	content(t, "a", "new")
	got := make([]byte, 100)
	if n, err := unix.Getxattr("a", "user.note", got); err != nil || string(got[:n]) != "kept" {
		t.Errorf("attribute: got %q and error %v, want kept", got[:max(n, 0)], err)
	}
	if n, err := unix.Getxattr("a", "system.posix_acl_access", got); err != nil || string(got[:n]) != list {
		t.Errorf("access control list: got %q and error %v, want %q", got[:max(n, 0)], err, list)
	}
	if now, _ := os.Stat("a"); now.Mode() != info.Mode() {
		t.Errorf("mode: got %v, want %v", now.Mode(), info.Mode())
	}
}

// asNobody runs the rest of the test with the rights of a user who is not root.
func asNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	unix.Setfsgid(nobody)
	unix.Setfsuid(nobody)
}
