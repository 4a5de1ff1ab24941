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

// temporary creates a file that disappears when it is closed, even by the end of the process. This
// system removes no name of an open file.
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
