package files

import (
	"io/fs"
	"os"
)

// modeBits are the bits of a mode that can be set.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// copyMode sets the mode, owner and group of f, a copy of src. f gets the permissions perm, without
// the write bits that the umask removes. It gets the owner and group of src if the user may set
// them. If not, f does not get the set-user-id and set-group-id bits of src, which would let others
// act as the user.
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

// inheritedBits returns the set-group-id bit that a new directory has inherited from the directory
// above. Files in such a directory get its group. A new file does not inherit the bit.
func inheritedBits(now fs.FileInfo) fs.FileMode { return now.Mode() & fs.ModeSetgid }

// maskedWriteBits returns the write bits of group and others that the umask removes.
func maskedWriteBits() fs.FileMode { return umask() & 0o022 }
