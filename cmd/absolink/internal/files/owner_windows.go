package files

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// replacesOpen is false: a rename over an open file fails on some file systems, and in Wine.
const replacesOpen = false

// umask returns 0: there are no permissions to remove here.
func umask() fs.FileMode { return 0 }

// chown does nothing: the system sets the owner.
func chown(*os.File, fs.FileInfo, fs.FileInfo) error { return nil }

// owner returns 0: users have no numbers here.
func owner(fs.FileInfo) uint32 { return 0 }

// linkCount returns the number of names (hard links) of the file with this name in d. It returns 1
// if the file cannot be opened.
func linkCount(d *Dir, name string, _ fs.FileInfo) uint64 {
	f, err := d.root.Open(name)
	if err != nil {
		return 1
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info) != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}
