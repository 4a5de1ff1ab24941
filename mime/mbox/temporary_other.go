//go:build !windows

package mbox

import (
	"errors"
	"os"
)

// temporary creates a file, and then deletes its name. So the system deletes the file when it is
// closed, or when the process ends.
func temporary(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".absolink-*.spool")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Close()
		return nil, err
	}
	return f, nil
}
