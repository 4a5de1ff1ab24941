package unpack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
)

// WriteFile writes the HTML file of a page with [Options.Single] to path, which must not exist.
func (p *Page) WriteFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already: give the name of a new file", path)
	}
	err := files.Create(path, nil, func(f *os.File) error {
		_, err := f.Write(p.Files[0].Data)
		return err
	})
	return outputError(path, err)
}

// outputError returns err with the path of the output and advice. err may be nil.
func outputError(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("-o %s: %s", path, files.Why(path, err))
}

// Names returns the names of the files that [Page.Write] makes for dir.
func (p *Page) Names(dir string) []string {
	names := make([]string, len(p.Files))
	for i, f := range p.Files {
		names[i] = filepath.Join(dir, f.Name)
	}
	return names
}

// Write makes the directory dir, which must not exist, and writes the files into it. After an error
// it removes the files and the directory.
func (p *Page) Write(dir string) (err error) {
	err = os.Mkdir(dir, 0o777)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: give a new directory", dir)
	}
	if err != nil {
		return outputError(dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	written := 0
	defer func() {
		if err == nil {
			return
		}
		for _, f := range p.Files[:written] {
			root.Remove(f.Name)
		}
		os.Remove(dir)
	}()
	for _, f := range p.Files {
		written++
		if err := writeNew(root, f); err != nil {
			return err
		}
	}
	return nil
}

// writeNew writes a file, which must not exist.
func writeNew(root *os.Root, f File) error {
	file, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	return errors.Join(err, file.Close())
}
