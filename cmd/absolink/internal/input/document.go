package input

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync/atomic"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// Document is one file, one message of a mailbox, or one record of a web archive. A [Reader] makes
// the documents of files, and package container those of items. The caller must call Close.
type Document struct {
	File
	Content
	Decision
	Place     Place
	Record    Record
	Retrieval Retrieval

	// Response is the HTTP response in a document of the kind HTTP. Reader.Open does not set it:
	// the caller parses it from Data.
	Response *httpmsg.Message

	Info fs.FileInfo // info of the file when it was opened; nil for standard input
	Real string      // absolute path of the file without symbolic links, or empty until it is first needed

	records rangeRecords // what is known about the records in the unit of a file on a server; see recordsIn
	frame   *emlxFrame   // the bytes around the message in a file of Apple Mail
	wacz    *wacz        // the files in a WACZ; nil until they are listed
	opened  opened
}

// opened holds what a document needs until Close.
type opened struct {
	file, spooled *os.File
	remote        Remote
	pipe          io.Reader    // the whole content, for a container from a pipe
	storedRead    atomic.Int64 // the result of StoredRead
}

// wacz lists the files in a WACZ.
type wacz struct {
	files  []*zip.File
	byName map[string]*zip.File // the first file with each name
}

// Close closes the files that d holds open.
func (d *Document) Close() error {
	var err error
	for _, f := range []**os.File{&d.opened.file, &d.opened.spooled} {
		if *f != nil {
			err = errors.Join(err, (*f).Close())
			*f = nil
		}
	}
	if d.opened.remote != nil {
		err = errors.Join(err, d.opened.remote.Close())
		d.opened.remote = nil
	}
	return err
}

// Changed reports whether another program has written to the file since d was opened.
func (d *Document) Changed() bool {
	if d.opened.file == nil || d.Info == nil {
		return false
	}
	now, err := d.opened.file.Stat()
	return err == nil && (now.Size() != d.Info.Size() || !now.ModTime().Equal(d.Info.ModTime()))
}

// Stream returns the content of a mailbox or web archive from its beginning. If the content has no
// coding and does not come from a pipe, the stream is also an [io.ReaderAt]. The content of a pipe
// can be read only once. Reading fails once ctx is done; a pipe has the context of Open instead.
func (d *Document) Stream(ctx context.Context) (io.ReadCloser, error) {
	switch {
	case d.opened.pipe != nil:
		return io.NopCloser(d.opened.pipe), nil
	case d.Coding != coding.None:
		d.opened.storedRead.Store(0)
		in, err := d.Coding.File(&cancelable{ctx, d.StoredReader(), &d.opened.storedRead})
		if err != nil {
			return nil, err
		}
		return &decoded{in, &d.Content}, nil
	}
	at := d.At
	size := d.Size
	switch {
	case d.opened.remote == nil || d.Kind != WARC || d.Unit == nil:
	case d.records == closedRecords:
		size = d.Unit.End()
	default:
		at = &limitedReader{at, d.Unit.End()}
	}
	return section{io.NewSectionReader(&cancelableAt{ctx, at}, 0, size)}, nil
}

// decoded is the decoded stream of a content. At its end it sets TrailingSize and TrailingData.
type decoded struct {
	*coding.File
	content *Content
}

func (r *decoded) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	if err == io.EOF {
		r.content.TrailingSize, r.content.TrailingData = r.Trailing()
	}
	return n, err
}

// StoredRead returns the number of stored bytes that [Document.Stream] has read so far. It counts
// only for a container with a Coding.
func (d *Document) StoredRead() int64 { return d.opened.storedRead.Load() }

// section is a part of a file, as an [io.ReadCloser].
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// HasFileOffsets reports whether the bytes of the content are bytes of the file, at offsets that
// are known. It returns false if the file was compressed, or if a server compressed it for the
// transfer. It says nothing about a compressed member of a container: see [Place].
func (d *Document) HasFileOffsets() bool { return d.Coding == coding.None && !d.Retrieval.Decoded }

// Range returns the range of the container d to read, or nil for the whole container. A container
// without offsets is read as a whole. If Item in the result is not 0, or Indexed is true, a record
// begins at the start of the range. Item is its number, or 1 if the number is unknown.
func (d *Document) Range() *unit.Unit {
	if !d.Addressable() {
		return nil
	}
	if d.records != anyRecords && d.Unit.Item == 0 && !d.Unit.Indexed {
		begins := *d.Unit
		begins.Item = 1
		return &begins
	}
	return d.Unit
}

// DocumentSource returns d in the form that package document reads. charset is the charset of all
// documents in d, or "". For a single document, File.Charset takes precedence, then charset, then
// the Content-Type of a retrieval. Otherwise each document declares its charset. If d is an HTTP
// response, Response must have been set.
func (d *Document) DocumentSource(charset string) *document.Source {
	if d.Kind.Single() && !d.Place.Inner {
		charset = cmp.Or(d.File.Charset, charset)
	}
	if charset == "" && d.Kind.Single() {
		charset = d.Retrieval.Charset
	}
	s := &document.Source{At: d.At, Size: d.Size, Data: d.Data, Charset: charset,
		Cut: d.Record.Cut, Truncated: d.Record.Truncated, Answers: d.Retrieval.Headings,
		Origin: d.Place.Origin, Compressed: d.Place.Compressed, Unplaced: !d.HasFileOffsets()}
	switch {
	case d.Place.Inner:
		s.LinesBefore = d.Place.Line - 1
	case d.frame != nil:
		s.LinesBefore = 1
	}
	switch {
	case d.Kind.Single():
		s.Format = d.Kind.Format()
	case d.Kind == HTTP:
		s.Response = d.Response
	default:
		s.Message = true
	}
	return s
}

// FirstLine returns the line of the file or container on which d begins, or 0 if it is unknown.
func (d *Document) FirstLine() int64 {
	switch {
	case !d.HasFileOffsets():
		return 0
	case d.Place.Inner:
		return d.Place.Line
	case d.frame != nil:
		return 2
	}
	return 1
}

// ItemLabel returns the name of an item, to follow the name of the file in messages: " message 3"
// or " record 3". It returns "" for a file, and for an item without a number.
func (d *Document) ItemLabel() string {
	item := " message "
	if d.Kind == HTTP {
		item = " record "
	}
	if d.Place.Number == 0 {
		return ""
	}
	return item + strconv.Itoa(d.Place.Number)
}

// HidesHeader reports whether d is a message that begins with a blank line before its header
// fields. The blank line ends the header, so the fields are read as text.
func (d *Document) HidesHeader() bool {
	if d.Kind.Single() || d.Kind == HTTP {
		return false
	}
	if d.Data != nil {
		return hidesHeader(d.Data[:min(len(d.Data), hiddenHeader)])
	}
	head := make([]byte, 1)
	if n, _ := d.At.ReadAt(head, 0); n == 0 || head[0] != '\n' && head[0] != '\r' {
		return false
	}
	head = make([]byte, hiddenHeader)
	n, _ := d.At.ReadAt(head, 0)
	return hidesHeader(head[:n])
}

// hiddenHeader is the number of bytes at the beginning of a message in which HidesHeader looks for
// header fields.
const hiddenHeader = 1024

// hidesHeader is HidesHeader for a message that begins with text.
func hidesHeader(text []byte) bool {
	line, _ := kinds.CutLine(text)
	return len(text) > 0 && len(line) == 0 && kinds.SpoiledMessage(text)
}
