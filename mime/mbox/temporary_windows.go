package mbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// deleteOnClose is the flag FILE_FLAG_DELETE_ON_CLOSE of CreateFile.
const deleteOnClose = 0x0400_0000

// temporary creates a file that Windows deletes when the file is closed, or when the process ends.
// On Windows a program cannot delete the name of an open file, as temporary does on other systems.
func temporary(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	for n := 1; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf(".absolink-%d.spool", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|deleteOnClose, 0o600)
		if n == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
