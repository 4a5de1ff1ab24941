package files

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes gives f the extended attributes of the file src, including access control lists.
// If an attribute cannot be copied, the error is a *Refusal that names it.
//
// Attributes in the name spaces security and trusted belong to the system, which sets them for each
// new file. They are copied if the system permits it, and otherwise left out without an error.
func copyAttributes(f, src *os.File) error {
	names, err := listAttributes(src)
	if err != nil {
		return nil // the file system has no attributes, or does not let us list them
	}
	// "user." comes before "system.posix_acl_access": an access control list sets the mode, and
	// only root may set attributes of a file with mode 0444.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	for _, name := range names {
		value, err := readAttribute(src, name)
		if err == nil {
			err = unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
		if err != nil && !errors.Is(err, unix.ENODATA) && (strings.HasPrefix(name, "user.") ||
			strings.HasPrefix(name, "system.posix_acl")) {
			return refuse("cannot keep its extended attribute %q: %v", name, err)
		}
	}
	return nil
}

// listAttributes returns the names of the extended attributes of a file.
func listAttributes(f *os.File) ([]string, error) {
	list, err := readGrowing(func(b []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), b) })
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

// readAttribute returns the value of an extended attribute.
func readAttribute(f *os.File, name string) ([]byte, error) {
	return readGrowing(func(b []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, b) })
}

// readGrowing calls get with larger and larger buffers, until the result fits. get fills the
// buffer, and returns the length of the result.
func readGrowing(get func([]byte) (int, error)) ([]byte, error) {
	for size := 4 << 10; ; size *= 4 {
		b := make([]byte, size)
		n, err := get(b)
		if !errors.Is(err, unix.ERANGE) || size > 1<<20 {
			return b[:max(n, 0)], err
		}
	}
}
