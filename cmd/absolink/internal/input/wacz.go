package input

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"absolink/cmd/absolink/internal/kinds"
)

// A WACZ (Web Archive Collection Zipped 1.1.1) is a zip file with web archives below archive/ and
// their indexes. Each archive is an input of its own, named as if the zip file were a directory:
// CRAWL.wacz/archive/data.warc.gz. Most archives are stored in the zip file without compression, so
// they can be read at any offset. A deflated archive is read as a stream.

const (
	maxDirectory = 64 << 20 // limit of the bytes that are read to list a zip file
	maxExpanded  = 64 << 20 // size limit of all deflated archives of a small WACZ together, in bytes after inflation
)

// Archives returns the names of the web archives in the WACZ d, in their order, and the problems of
// the WACZ. It returns an error if the WACZ cannot be read at all. For an empty file it returns
// nil, nil and no error.
func (d *Document) Archives() (names, problems []string, err error) {
	if d.Empty {
		return nil, nil, nil
	}
	if err := d.unzip(); err != nil {
		return nil, nil, err
	}
	seen := make(map[string]bool)
	var files []*zip.File
	for _, f := range d.wacz.files {
		switch {
		case !kinds.IsArchiveName(f.Name) || strings.HasPrefix(f.Name, "__MACOSX/"):
		case !fs.ValidPath(f.Name) || strings.ContainsRune(f.Name, '\\'):
			problems = append(problems, fmt.Sprintf("the file %q in it has no plain path: not read", f.Name))
		case !strings.HasPrefix(f.Name, kinds.ArchiveDir):
			problems = append(problems, fmt.Sprintf("the file %q in it does not lie below archive/: not read", f.Name))
		case seen[f.Name]:
			problems = append(problems,
				fmt.Sprintf("several files in it have the name %q: the first one is read", f.Name))
		default:
			seen[f.Name] = true
			files = append(files, f)
		}
	}
	overlaps := overlapping(files)
	left := uint64(max(maxExpansion*d.StoredSize, maxExpanded))
	for _, f := range files {
		if other := overlaps[f]; other != nil {
			problems = append(problems,
				fmt.Sprintf("the file %q in it overlaps the file %q: not read", f.Name, other.Name))
			continue
		}
		if f.Method == zip.Deflate && f.UncompressedSize64 > left {
			problems = append(problems,
				fmt.Sprintf("its files expand to more than %d times its size: %q is not read", maxExpansion, f.Name))
			continue
		}
		if f.Method == zip.Deflate {
			left -= f.UncompressedSize64
		}
		names = append(names, f.Name)
	}
	if len(names) == 0 && len(problems) == 0 {
		problems = append(problems, "no web archive lies below archive/ in the zip file")
	}
	return names, problems, nil
}

// overlapping returns the files whose bytes in the zip file overlap the bytes of an earlier file.
// The value in the map is that earlier file. No tool writes such a zip file, but an attacker could,
// so that the same bytes are read again and again. overlapping ignores a file whose position is
// damaged.
func overlapping(files []*zip.File) map[*zip.File]*zip.File {
	type place struct {
		file       *zip.File
		start, end uint64
	}
	var places []place
	for _, f := range files {
		if at, err := f.DataOffset(); err == nil {
			places = append(places, place{f, uint64(at), uint64(at) + f.CompressedSize64})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.start, b.start) })
	overlaps := make(map[*zip.File]*zip.File)
	var last place
	for _, p := range places {
		if last.file != nil && p.start < last.end {
			overlaps[p.file] = last.file
			continue
		}
		last = p
	}
	return overlaps
}

// unzip sets d.wacz to the list of the files in the zip file d, unless it is set.
func (d *Document) unzip() error {
	if d.wacz != nil {
		return nil
	}
	if d.At == nil || d.StoredSize < 0 {
		return errors.New("is a compressed zip file, such as .wacz.gz, which is not read: decompress it first")
	}
	in := &bounded{d.At, maxDirectory}
	z, err := zip.NewReader(in, d.StoredSize)
	switch {
	case errors.Is(err, errDirectory):
		return errors.New("is a zip file whose list of files is too long")
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is not a zip file, or its end is missing")
	case err != nil && z == nil:
		return Pathless(err)
	}
	in.left = math.MaxInt64
	d.wacz = &wacz{files: z.File, byName: make(map[string]*zip.File, len(z.File))}
	for _, f := range z.File {
		if d.wacz.byName[f.Name] == nil {
			d.wacz.byName[f.Name] = f
		}
	}
	return nil
}

// bounded is an [io.ReaderAt] that fails with errDirectory when more than left bytes are read in
// all.
type bounded struct {
	io.ReaderAt
	left int64
}

var errDirectory = errors.New("too much is read")

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	b.left -= int64(len(p))
	if b.left < 0 {
		return 0, errDirectory
	}
	return b.ReaderAt.ReadAt(p, off)
}

// OpenArchive opens the archive with the given name, one of the names from [Document.Archives] of
// d. d must stay open until the result is closed. The error is a [*ZipError] if only this archive
// has a problem.
func (r *Reader) OpenArchive(ctx context.Context, d *Document, name string) (*Document, error) {
	in := &Document{File: d.File, Info: d.Info}
	in.Source = d.Source + "/" + name
	in.Rel = path.Join(d.Rel, name)
	in.Inside = name
	if err := r.enterArchive(ctx, in, d, name); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// enterArchive sets content and kind of in to the web archive with this name in the zip file d.
func (r *Reader) enterArchive(ctx context.Context, in, d *Document, name string) error {
	if err := r.enterZip(ctx, in, d, name); err != nil {
		return err
	}
	if in.Kind == Other && in.opened.pipe == nil {
		if err := r.identify(ctx, in); err != nil {
			return err
		}
	}
	if in.Kind != WARC {
		return &ZipError{"is not a web archive"}
	}
	return nil
}

// ZipError describes a problem of one file in a zip file.
type ZipError struct{ text string }

func (e *ZipError) Error() string { return e.text }

// enterZip sets the content of in to the file with this name in the zip file d.
func (r *Reader) enterZip(ctx context.Context, in, d *Document, name string) error {
	if err := d.unzip(); err != nil {
		return err
	}
	if f := d.wacz.byName[name]; f != nil {
		return r.enterZipFile(ctx, in, d, f)
	}
	return fmt.Errorf("no file %q in the zip file: %w", name, fs.ErrNotExist)
}

// enterZipFile sets the content of in to the file f in d.
func (r *Reader) enterZipFile(ctx context.Context, in, d *Document, f *zip.File) error {
	at, err := f.DataOffset()
	size := int64(f.CompressedSize64)
	switch {
	case err != nil || size < 0 || at > d.StoredSize-size:
		return &ZipError{"its position in the zip file is damaged"}
	case f.Flags&1 != 0:
		return &ZipError{"is encrypted"}
	case f.Method == zip.Store:
		in.Stored = io.NewSectionReader(d.At, at, size)
		in.StoredSize = size
		return nil
	case f.Method != zip.Deflate:
		return &ZipError{fmt.Sprintf("is compressed by method %d; stored and deflated files are read", f.Method)}
	case f.UncompressedSize64 > uint64(max(maxExpansion*size, r.MaxSize)):
		return &ZipError{fmt.Sprintf("expands from %d bytes to %d, which --max-size does not allow: not read",
			size, f.UncompressedSize64)}
	}
	content, err := f.Open()
	if err != nil {
		return &ZipError{"its position in the zip file is damaged"}
	}
	return r.readStream(ctx, in, &deflated{content})
}

// deflated reads a deflated file in a zip file. If the data are damaged, the error is a ZipError.
type deflated struct{ io.Reader }

func (d *deflated) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &ZipError{"its data are damaged in the zip file: " + strings.TrimPrefix(err.Error(), "zip: ")}
	}
	return n, err
}

// splitZipPath splits arg, the path of a file in a zip file, into the path of the zip file and the
// name of the file in it. ok is false if arg is not such a path. err is the error of the Stat of
// arg.
func splitZipPath(arg string, err error) (file, name string, ok bool) {
	if !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, fs.ErrNotExist) { // the second is the error of Windows
		return "", "", false
	}
	for i := 1; i < len(arg); i++ {
		if !os.IsPathSeparator(arg[i]) {
			continue
		}
		info, err := os.Stat(arg[:i])
		if err != nil {
			break
		}
		if info.Mode().IsRegular() {
			return arg[:i], filepath.ToSlash(arg[i+1:]), isZip(arg[:i])
		}
	}
	return "", "", false
}

// isZip reports whether a file begins like a zip file.
func isZip(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [2]byte
	io.ReadFull(f, head[:])
	return string(head[:]) == "PK"
}
