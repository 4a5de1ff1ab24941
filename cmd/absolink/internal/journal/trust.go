package journal

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Whoever can write a journal, or lay another one in its place, decides what an undo
// writes: so both are the user's own, or nothing is done.

// others are the permissions of those who are neither the owner nor root.
const others = 0o022

// checkFile refuses a journal that is not the user's own, or that others can write.
func checkFile(path string, f *os.File) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrFormat
	case owner(info) != os.Geteuid():
		return fmt.Errorf("belongs to user %d, not to you: a journal is to be trusted like a script; take a copy of it if you do (cp %s DIR), or give another name", owner(info), path)
	case info.Mode()&others != 0:
		return fmt.Errorf("others can write it (mode %04o): if you trust what it holds, chmod %s %s", info.Mode().Perm(), withdrawn(info), path)
	}
	return nil
}

// checkDirectory refuses a journal in a directory where others can lay another file in
// its place: where the name given stands, and where the journal itself does.
func checkDirectory(path string) error {
	dirs := []string{filepath.Dir(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		dirs = append(dirs, filepath.Dir(real))
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			continue // which opening says
		}
		if err := checkOwn(dir, info); err != nil {
			return err
		}
	}
	return nil
}

func checkOwn(dir string, info fs.FileInfo) error {
	switch uid := owner(info); {
	case uid != os.Geteuid() && uid != 0:
		return fmt.Errorf("its directory %s belongs to user %d, who can lay another file in its place: keep the journal in a directory of your own", dir, uid)
	case info.Mode()&others != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("others can write its directory (mode %04o): chmod %s %s, or keep the journal elsewhere", info.Mode().Perm(), withdrawn(info), dir)
	}
	return nil
}

func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// withdrawn is the mode for chmod that leaves writing to the owner.
func withdrawn(info fs.FileInfo) string {
	switch info.Mode() & others {
	case 0o020:
		return "g-w"
	case 0o002:
		return "o-w"
	}
	return "go-w"
}
