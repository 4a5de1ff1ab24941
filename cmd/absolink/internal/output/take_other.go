//go:build !linux

package output

import (
	"io/fs"
	"os"
)

// take gives the file temp the name path.
func take(temp, path string, src fs.FileInfo) error { return os.Rename(temp, path) }
