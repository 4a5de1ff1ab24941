package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/mime/warc"
)

// Remote is a file on a server. It is read by ranges.
type Remote interface {
	io.ReaderAt
	io.Closer
	Size() int64
	URL() string // final URL after redirects
}

// Spool returns a new temporary file without a name.
var Spool = files.Nameless

// OpenRemote opens content, a file on a server. f names the range to read. If a WARC record begins
// at the start of the range, OpenRemote does not read the beginning of the file. Close of the
// document closes content; OpenRemote closes it if it fails.
func (r *Reader) OpenRemote(ctx context.Context, f File, content Remote) (*Document, error) {
	f.URL = content.URL()
	d := &Document{File: f, Content: Content{Stored: content, StoredSize: content.Size()}}
	d.opened.remote = content
	u := f.Unit
	named := u.Indexed || u.Item > 0 || !strings.EqualFold(path.Ext(f.Rel), ".wacz") // a WACZ holds archives
	if named && r.presetKind(f) == Other && r.archiveAt(content, u.Offset, u.Length) {
		d.Kind = WARC
		d.useStored()
		d.aligned = !u.Indexed && u.Item == 0 && areRecords(content, u.Offset, u.Length)
		return d, nil
	}
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// maxRecordRange is the size limit, in bytes, of a range that areRecords examines.
const maxRecordRange = 64 << 10

// areRecords reports whether the n bytes at an offset consist of whole WARC records. Then a record
// begins at that offset: a range does not begin and end at records by chance. It returns false for
// a large range.
func areRecords(content io.ReaderAt, at, n int64) bool {
	if n > maxRecordRange {
		return false
	}
	data := make([]byte, n)
	if k, _ := content.ReadAt(data, at); int64(k) < n {
		return false
	}
	records := warc.NewReader(bytes.NewReader(data), warc.Options{})
	last := int64(0) // offset of the end of the last record
	for {
		rec, err := records.Next()
		if err != nil {
			return err == io.EOF && last == n
		}
		whole := rec.Number > 0 && len(rec.Defects) == 0
		last = rec.End
		rec.Release()
		if !whole {
			return false
		}
	}
}

// limitedReader shortens reads after the end of a range. There the reader of records reads ahead,
// but usually it only checks whether another record begins.
type limitedReader struct {
	io.ReaderAt
	end int64 // of the range
}

const (
	readAhead = 64 << 10 // bytes that the reader of records reads ahead
	lookAhead = 16 << 10 // bytes that are read after the range
)

// errMoreData is the error of a shortened read.
var errMoreData = errors.New("there is more to read")

func (s *limitedReader) ReadAt(p []byte, off int64) (int, error) {
	n := max(lookAhead, len(p)-readAhead)
	if off < s.end || len(p) <= n {
		return s.ReaderAt.ReadAt(p, off)
	}
	n, err := s.ReaderAt.ReadAt(p[:n], off)
	if err == nil {
		err = errMoreData
	}
	return n, err
}

// archiveAt reports whether a WARC record begins at an offset, plain or in a compressed member. It
// reads at most n bytes.
func (r *Reader) archiveAt(content io.ReaderAt, at, n int64) bool {
	if isPlainRecordAt(content, at, n) {
		return true
	}
	head := make([]byte, min(n, 1<<10))
	k, _ := content.ReadAt(head, at)
	found, _ := r.isCompressedWARC(head[:k], File{})
	return found
}
