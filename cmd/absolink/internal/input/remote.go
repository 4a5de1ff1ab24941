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

// Spool returns a new temporary file without a name. See [files.Nameless].
var Spool = files.Nameless

// OpenRemote opens content, a file on a server. f.Unit is the range to read. If a WARC record
// begins at the start of the range, OpenRemote does not read the beginning of the file. Close of
// the document closes content. After an error, OpenRemote has closed it.
func (r *Reader) OpenRemote(ctx context.Context, f File, content Remote) (*Document, error) {
	f.URL = content.URL()
	d := &Document{File: f, Content: Content{Stored: content, StoredSize: content.Size()}}
	d.opened.remote = content
	u := f.Unit
	isArchive := u.Indexed || u.Item > 0 || !strings.EqualFold(path.Ext(f.Rel), ".wacz") // not of a zip file
	if isArchive && r.presetKind(f) == Other && r.archiveAt(content, u.Offset, u.Length) {
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

// areRecords reports whether the n bytes at the offset at consist of whole WARC records. Then a
// record surely begins at that offset: no range begins and ends at records by chance. areRecords
// returns false for a range above maxRecordRange.
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

// limitedReader shortens reads after the end of a range. The reader of records reads ahead there,
// although it usually needs only the first bytes, to see whether another record begins.
type limitedReader struct {
	io.ReaderAt
	end int64 // end of the range
}

const (
	readAhead = 64 << 10 // number of bytes that the reader of records reads ahead
	lookAhead = 16 << 10 // number of bytes that are read at once after the range
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

// archiveAt reports whether a record of a web archive begins at the offset at, plain or in a
// compressed member. It reads at most n bytes.
func (r *Reader) archiveAt(content io.ReaderAt, at, n int64) bool {
	if isPlainRecordAt(content, at, n) {
		return true
	}
	head := make([]byte, min(n, 1<<10))
	k, _ := content.ReadAt(head, at)
	found, _ := r.isCompressedWARC(head[:k], File{})
	return found
}
