//go:build unix

package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// OpenSteps is OpenBelow for reading, as it works on older systems.
func (d *Dir) OpenSteps(rel string) (*os.File, error) {
	fd, err := d.descend(rel, os.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), d.Path(rel)), nil
}

// BelowSteps is Below, as it works on older systems.
func (d *Dir) BelowSteps(rel string) (*Dir, error) {
	fd, err := d.descend(rel, searchFlags)
	if err != nil {
		return nil, err
	}
	return &Dir{d.Path(rel), os.NewFile(uintptr(fd), d.Path(rel))}, nil
}
