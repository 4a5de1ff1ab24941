package files

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes gives f the extended attributes of the file src, including access control lists.
// If one of them cannot be kept, the error is a *Refusal that names it.
//
// Only the system writes attributes in some name spaces (security, trusted), and it gives a new
// file its own. They are copied if the system permits it, and their loss is not an error.
func copyAttributes(f, src *os.File) error {
	names, err := attributes(src)
	if err != nil {
		return nil // the file system has no attributes, or does not let us list them
	}
	// "user." comes before "system.posix_acl_access": an access control list sets the mode, and
	// only root may set attributes of a file with mode 0444.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	for _, name := range names {
		value, err := attribute(src, name)
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

// attributes returns the names of the extended attributes of a file.
func attributes(f *os.File) ([]string, error) {
	list, err := grow(func(b []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), b) })
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

func attribute(f *os.File, name string) ([]byte, error) {
	return grow(func(b []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, b) })
}

// grow calls get with ever larger buffers until the answer fits.
func grow(get func([]byte) (int, error)) ([]byte, error) {
	for size := 4 << 10; ; size *= 4 {
		b := make([]byte, size)
		n, err := get(b)
		if !errors.Is(err, unix.ERANGE) || size > 1<<20 {
			return b[:max(n, 0)], err
		}
	}
}
