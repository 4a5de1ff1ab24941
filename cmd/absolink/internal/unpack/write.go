package unpack

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Write writes the files below dir. It makes dir if it is missing; an existing dir must be empty.
// After an error it removes all files again.
func (p *Page) Write(dir string) (err error) {
	made := false
	switch err := os.Mkdir(dir, 0o777); {
	case err == nil:
		made = true
	case !errors.Is(err, os.ErrExist):
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := empty(root); err != nil {
		return fmt.Errorf("%s %w: give a new directory", dir, err)
	}
	written := 0
	defer func() {
		if err == nil {
			return
		}
		for _, f := range p.Files[:written] {
			root.Remove(f.Name)
		}
		if made {
			os.Remove(dir)
		}
	}()
	for _, f := range p.Files {
		written++
		if err := write(root, f); err != nil {
			return err
		}
	}
	return nil
}

// empty returns an error that names the first entry of a directory that should be empty.
func empty(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if list, err := d.ReadDir(1); err != io.EOF {
		if err != nil {
			return err
		}
		return fmt.Errorf("is not empty, it holds %s", list[0].Name())
	}
	return nil
}

func write(root *os.Root, f File) error {
	file, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	return errors.Join(err, file.Close())
}
