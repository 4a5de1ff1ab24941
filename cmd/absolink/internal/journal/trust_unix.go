//go:build unix

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Anyone who can write a journal, or put another file in its place, decides what an undo writes. So
// a journal is refused unless it belongs to the user, and its directory and all directories above
// belong to the user or to root.

// others are the bits by which group and others may write.
const others = 0o022

// checkFile refuses a journal that belongs to somebody else, or that others can write. shared says
// that others can make files in its directory. Then checkFile also refuses a journal with a second
// name: somebody else may have made this name, a hard link to another journal of the user.
func checkFile(path string, f *os.File, shared bool) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrFormat
	case owner(info) != os.Geteuid():
		return fmt.Errorf("belongs to user %d, not to you: a journal is as dangerous as a script; take a copy of it "+
			"if you trust it (cp %s DIR), or name another journal", owner(info), path)
	case info.Mode()&others != 0:
		return fmt.Errorf("others can write it (mode %04o): if you trust its content, chmod %s %s",
			info.Mode().Perm(), chmodMode(info), path)
	case shared && links(info) > 1:
		return fmt.Errorf("has %d names (hard links), and others can make such names in its directory: take a copy "+
			"of it if you trust its content (cp %s DIR), or name another journal", links(info), path)
	}
	return nil
}

// maxLinks is the largest number of symbolic links on the path of a journal.
const maxLinks = 40

// checkDirectories refuses a journal if others can put another file in its place: through its
// directory, a directory above, or a symbolic link on the path. shared is true if others can make
// files in its directory, but cannot rename the journal. A missing directory is not an error here,
// because opening the journal reports it.
func checkDirectories(path string) (shared bool, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	dir, rest := "/", split(filepath.Dir(path))
	for followed := 0; ; {
		info, err := os.Lstat(dir)
		if err != nil {
			return false, nil
		}
		if err := checkDirectory(dir, info); err != nil {
			return false, err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0 && followed < maxLinks:
			target, err := os.Readlink(dir)
			if err != nil {
				return false, nil
			}
			followed++
			rest = append(split(target), rest...)
			dir = filepath.Dir(dir)
			if filepath.IsAbs(target) {
				dir = "/"
			}
		case len(rest) == 0:
			return info.Mode()&others != 0, nil
		default:
			dir, rest = filepath.Join(dir, rest[0]), rest[1:]
		}
	}
}

func split(path string) []string { return strings.Split(path, "/") }

// checkDirectory refuses a directory, or a symbolic link, that belongs to somebody else. It also
// refuses a directory in which others can rename files.
func checkDirectory(path string, info fs.FileInfo) error {
	uid, link := owner(info), info.Mode()&fs.ModeSymlink != 0
	switch {
	case uid != os.Geteuid() && uid != 0:
		return fmt.Errorf("%s, a part of its path, belongs to user %d, who can replace the journal: keep the journal "+
			"in a directory of your own", path, uid)
	case !link && info.Mode()&others != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("others can write the directory %s (mode %04o), and so replace the journal: "+
			"chmod %s %s, or keep the journal elsewhere", path, info.Mode().Perm(), chmodMode(info), path)
	}
	return nil
}

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// chmodMode returns the argument of chmod that removes the write bits of group and others from a
// file.
func chmodMode(info fs.FileInfo) string {
	switch info.Mode() & others {
	case 0o020:
		return "g-w"
	case 0o002:
		return "o-w"
	}
	return "go-w"
}

// openFile opens a journal, but not through a symbolic link.
func openFile(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|flag, 0o600)
	if info, e := os.Lstat(path); errors.Is(err, unix.ELOOP) && e == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = fmt.Errorf("%s: is a symbolic link, which somebody else may have made: give the name of the "+
			"journal itself", path)
	}
	return f, err
}
