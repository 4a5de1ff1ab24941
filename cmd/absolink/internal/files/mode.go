package files

import (
	"io/fs"
	"os"
)

// modeBits are the bits of a mode that can be set.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// copyMode sets the mode, owner and group of f, a copy of src. f gets the permissions perm, without
// the write bits that the umask removes. It gets the owner and group of src if the user may set
// them. Otherwise f does not get the set-user-id and set-group-id bits of src, because with them
// others could act as the user.
func copyMode(f *os.File, src fs.FileInfo, perm fs.FileMode) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	mode := perm&fs.ModePerm&^maskedWriteBits() | inheritedBits(now)
	if chown(f, now, src) == nil {
		mode |= src.Mode() & (modeBits &^ fs.ModePerm)
	}
	return f.Chmod(mode)
}

// inheritedBits returns the set-group-id bit of now. A new directory inherits this bit from its
// parent, so that its files get the group of the directory. A new file does not inherit it.
func inheritedBits(now fs.FileInfo) fs.FileMode { return now.Mode() & fs.ModeSetgid }

// maskedWriteBits returns the write bits of group and others that the umask removes.
func maskedWriteBits() fs.FileMode { return umask() & 0o022 }
