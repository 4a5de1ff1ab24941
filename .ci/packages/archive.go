package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"os"
	"time"
)

// file is a file of a package.
type file struct {
	name string
	data []byte
	mode fs.FileMode // 0 means 0644
}

func (f *file) perm() fs.FileMode { return cmp.Or(f.mode, 0o644) }

// writeTar writes files, below the directory top, as a tar.gz.
func writeTar(path, top string, files []file, date time.Time) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: top + "/" + f.name, Mode: int64(f.perm()),
			Size: int64(len(f.data)), ModTime: date, Uname: "root", Gname: "root"}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// writeZip writes files, below the directory top, as a zip.
func writeZip(path, top string, files []file, date time.Time) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.perm())
		to, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// gzipped returns data in gzip, without name and time.
func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
