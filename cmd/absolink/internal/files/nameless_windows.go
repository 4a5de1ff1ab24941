package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Nameless makes a file in the system's directory of temporary files. The file disappears when it
// is closed, even by the end of the process. Until then it has a name, because this system removes
// no name of an open file.
func Nameless() (*os.File, error) {
	for n := 1; ; n++ {
		name := filepath.Join(os.TempDir(), fmt.Sprintf("absolink-%d", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0o600)
		if n == attempts || !errors.Is(err, fs.ErrExist) {
			return f, explainTemporary(err)
		}
	}
}
