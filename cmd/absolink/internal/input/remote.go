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

// Remote is a file on a server that is read by ranges.
type Remote interface {
	io.ReaderAt
	io.Closer
	Size() int64
	URL() string // after redirects
}

// Spool is a temporary file without a name.
var Spool = files.Nameless

// OpenRemote opens what content holds, of which f has a range. It is closed with the
// document, or where that fails. The beginning of the file is not read where the range begins
// as a record of a web archive does.
func (r *Reader) OpenRemote(ctx context.Context, f File, content Remote) (*Document, error) {
	f.URL = content.URL()
	d := &Document{File: f, Content: Content{Stored: content, StoredSize: content.Size()}}
	d.opened.remote = content
	u := f.Unit
	named := u.Exact || u.Item > 0 || !strings.EqualFold(path.Ext(f.Rel), ".wacz") // which holds archives
	if named && r.decided(f) == Other && r.archiveAt(content, u.Offset, u.Length) {
		d.Kind = WARC
		d.asStored()
		d.aligned = !u.Exact && u.Item == 0 && areRecords(content, u.Offset, u.Length)
		return d, nil
	}
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// aRecord bounds the ranges that are looked at as a whole for being records, in bytes.
const aRecord = 64 << 10

// areRecords reports whether a small range is records of a web archive, from its first byte to
// its last: then a record begins there, since nobody meets two bounds by chance.
func areRecords(content io.ReaderAt, at, n int64) bool {
	if n > aRecord {
		return false
	}
	data := make([]byte, n)
	if k, _ := content.ReadAt(data, at); int64(k) < n {
		return false
	}
	records, last := warc.NewReader(bytes.NewReader(data), warc.Options{}), int64(0)
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

// sparing gives a reader of records that reads ahead behind the range less than it asks for:
// mostly it only looks whether another record begins there.
type sparing struct {
	io.ReaderAt
	end int64 // of the range
}

const (
	readAhead = 64 << 10 // bytes that are read ahead in a file
	lookAhead = 16 << 10 // behind a range
)

var errMore = errors.New("there is more to read")

func (s *sparing) ReadAt(p []byte, off int64) (int, error) {
	n := max(lookAhead, len(p)-readAhead)
	if off < s.end || len(p) <= n {
		return s.ReaderAt.ReadAt(p, off)
	}
	n, err := s.ReaderAt.ReadAt(p[:n], off)
	if err == nil {
		err = errMore
	}
	return n, err
}

// archiveAt reports whether a record of a web archive begins at an offset, be it in a
// member of gzip. Not more than n bytes are looked at.
func (r *Reader) archiveAt(content io.ReaderAt, at, n int64) bool {
	if PlainRecordAt(content, at) {
		return true
	}
	head := make([]byte, min(n, 1<<10))
	k, _ := content.ReadAt(head, at)
	is, _ := r.inMembers(head[:k], File{})
	return is
}
