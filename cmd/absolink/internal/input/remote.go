package input

import (
	"context"
	"io"

	"absolink/cmd/absolink/internal/temporary"
)

// Remote is a file on a server that is read by ranges.
type Remote interface {
	io.ReaderAt
	io.Closer
	Size() int64
	URL() string // after redirects
}

// Spool is a temporary file without a name.
var Spool = temporary.Nameless

// OpenRemote opens what content holds, of which f has a range. It is closed with the
// document, or where that fails. Nothing but the range is read where it is known to begin
// with a record of a web archive.
func (r *Reader) OpenRemote(ctx context.Context, f File, content Remote) (*Document, error) {
	f.URL = content.URL()
	d := &Document{File: f, Stored: content, StoredSize: content.Size(), remote: content}
	if u := f.Unit; (u.Exact || u.Item > 0) && r.decided(f) == Other && r.archiveAt(content, u.Offset, u.Length) {
		d.Kind, d.At, d.Size = WARC, d.Stored, d.StoredSize
		return d, nil
	}
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// archiveAt reports whether a record of a web archive begins at an offset, be it in a
// member of gzip. Not more than n bytes are looked at.
func (r *Reader) archiveAt(content io.ReaderAt, at, n int64) bool {
	if PlainRecordAt(content, at) {
		return true
	}
	head := make([]byte, min(n, 1<<10))
	k, _ := content.ReadAt(head, at)
	return r.inMembers(head[:k], File{})
}
