package files_test

import (
	"errors"
	"os"
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
