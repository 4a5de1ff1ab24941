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
// the journal must belong to the user, and its directory and all directories above to the user or
// root; otherwise nothing is done.

// others are the write permissions of group and others.
const others = 0o022

// checkFile refuses a journal that is not the user's own, or that others can write. shared says
// that others can make files in its directory. There it must not have a second name, since others
// may have linked it under the name at hand.
func checkFile(path string, f *os.File, shared bool) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrFormat
	case owner(info) != os.Geteuid():
		return fmt.Errorf("belongs to user %d, not to you: a journal is to be trusted like a script; take a copy of "+
			"it if you do (cp %s DIR), or give another name", owner(info), path)
	case info.Mode()&others != 0:
		return fmt.Errorf("others can write it (mode %04o): if you trust what it holds, chmod %s %s",
			info.Mode().Perm(), withdrawn(info), path)
	case shared && links(info) > 1:
		return fmt.Errorf("has %d names (hard links), and others can make some in its directory: take a copy of it "+
			"if you trust what it holds (cp %s DIR), or give another name", links(info), path)
	}
	return nil
}

// longestWay is the largest number of symbolic links that are followed on the path of a journal.
const longestWay = 40

// checkWay refuses a journal if others can put another file in its place: through its directory, a
// directory above, or a symbolic link on the path. shared says that others can make files in its
// directory, but cannot take its name. A missing directory is not reported here; opening the
// journal reports it.
func checkWay(path string) (shared bool, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	dir, rest := "/", split(filepath.Dir(path))
	for followed := 0; ; {
		info, err := os.Lstat(dir)
		if err != nil {
			return false, nil
		}
		if err := checkOwn(dir, info); err != nil {
			return false, err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0 && followed < longestWay:
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

// checkOwn refuses a directory, or a link to one, that belongs to somebody else, or in which others
// can rename files.
func checkOwn(path string, info fs.FileInfo) error {
	uid, link := owner(info), info.Mode()&fs.ModeSymlink != 0
	switch {
	case uid != os.Geteuid() && uid != 0:
		return fmt.Errorf("%s, on the way to it, belongs to user %d, who can lay another file in its place: keep the "+
			"journal in a directory of your own", path, uid)
	case !link && info.Mode()&others != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("others can write the directory %s (mode %04o), and so lay another file in its place: "+
			"chmod %s %s, or keep the journal elsewhere", path, info.Mode().Perm(), withdrawn(info), path)
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

// withdrawn returns the mode for chmod that takes the write permission from others.
func withdrawn(info fs.FileInfo) string {
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
		err = fmt.Errorf("%s: is a symbolic link, which somebody else may have laid there: give the name of the "+
			"journal itself", path)
	}
	return f, err
}
