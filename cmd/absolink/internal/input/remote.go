package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime"
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
	isArchive := u.Indexed || u.Item > 0 || !strings.EqualFold(path.Ext(f.Rel), ".wacz") // not a WACZ
	if isArchive && r.presetKind(f) == Other && r.archiveAt(content, u.Offset, u.Length) {
		d.Kind = WARC
		d.useStored()
		d.records = recordsIn(content, u)
		return d, nil
	}
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// rangeRecords says what is known about the WARC records in the range of a unit. A range
// that consists of whole records was chosen so: chance does not give such a range. So a record also
// begins at the end of the range, unless the file ends there.
type rangeRecords uint8

const (
	anyRecords    rangeRecords = iota
	wholeRecords               // the range consists of whole records
	closedRecords              // the same, and no byte after the range can belong to the last record
)

// maxRecordRange is the size limit, in bytes, of a range that recordsIn examines. A server sends
// such a range in one answer.
const maxRecordRange = 2 << 20

// recordsIn returns the rangeRecords of u. It does not examine a large range. It also does not
// examine a compressed record that an index names, because package warc reads nothing after it.
func recordsIn(content io.ReaderAt, u *unit.Unit) rangeRecords {
	var head [4]byte
	k, _ := content.ReadAt(head[:], u.Offset)
	compressed := coding.Detect(head[:k], "") != coding.None
	if u.Length > maxRecordRange || compressed && u.Indexed {
		return anyRecords
	}
	data := make([]byte, u.Length)
	k, _ = content.ReadAt(data, u.Offset)
	switch {
	case k < len(data) || !areRecords(data):
		return anyRecords
	case compressed || endsWithBlankLine(data):
		return closedRecords
	}
	return wholeRecords
}

// endsWithBlankLine reports whether data ends with two line ends. They end a WARC record, but not
// an ARC record.
func endsWithBlankLine(data []byte) bool {
	rest, found := bytes.CutSuffix(data, []byte("\n"))
	return found && bytes.HasSuffix(bytes.TrimSuffix(rest, []byte("\r")), []byte("\n")) &&
		bytes.EqualFold(data[:min(len(data), 5)], []byte("WARC/"))
}

// areRecords reports whether data consist of whole WARC records.
func areRecords(data []byte) bool {
	records := warc.NewReader(bytes.NewReader(data), warc.Options{})
	last := int64(0) // offset of the end of the last record
	for {
		rec, err := records.Next()
		if err != nil {
			return err == io.EOF && last == int64(len(data))
		}
		whole := rec.Number > 0 && !slices.ContainsFunc(rec.Defects, func(d mime.Defect) bool { return !d.Minor })
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
