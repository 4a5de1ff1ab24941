//go:build !windows

package files

import "os"

// Nameless makes a file without a name in the system's directory of temporary files. The file
// disappears when it is closed.
func Nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "absolink-")
	if err != nil {
		return nil, explainTemporary(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
