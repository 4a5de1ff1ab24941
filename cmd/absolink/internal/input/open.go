package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// A single document is read into memory as a whole. A message is addressed by offsets, and is in
// memory only if it is small. A mailbox or web archive is only opened; its items are read later. A
// pipe has no offsets. If its content is a mailbox or web archive, it is read as a stream. Any
// other content of a pipe is read into memory, or into a temporary file if it is large.
const (
	headSize       = kinds.HeadSize
	maxHeldMessage = 4 << 20  // size limit of a message that is read into memory
	maxHeldPipe    = 16 << 20 // size limit of content from a pipe that stays in memory
)

// Options control how files are opened.
type Options struct {
	Kind    Kind      // kind of all files; Other to detect it; with Maildir only messages of Maildirs are read
	MaxSize int64     // size in bytes of the largest single document that is read
	Stdin   io.Reader // read for the argument Stdin
	Given   *Given    // read instead of Stdin; nil if there is none
	Scripts bool      // read scripts as documents
	Peek    bool      // read files only far enough to tell their kind

	// Manifest reports whether a page names the file at path as the manifest of a web application.
	// It is called only for files that look like one. nil means that no page names one.
	Manifest func(ctx context.Context, path string) bool
}

// Given is content that a client has sent. It is read instead of standard input. For all fields but
// At, Size and Data, the zero value means unknown.
type Given struct {
	At   io.ReaderAt
	Size int64  // size of At in bytes
	Data []byte // the content if At is nil
	Type string // Content-Type, used as for a retrieved document; it wins over the field in Heading

	Name    string // name of the document, used as for a file
	URL     string // URL that it was retrieved from
	Kind    Kind   // kind of the content; Other if Type, Name and the content tell it
	Typed   bool   // the client insists on Kind and Type: they win over Options.Kind; if false, Options.Kind wins
	Framed  bool   // the content comes in a frame of --pipe: messages name keys of frames instead of flags
	Charset string // charset of the content if it is a single document
	Status  int    // status code of the response
	Heading []byte // header fields of the response, as lines
}

// File returns the File for g, to be opened in place of standard input.
func (g *Given) File() File {
	f := File{Source: Stdin, Named: true, Bytes: -1, URL: g.URL, Charset: g.Charset}
	if g.Name != "" {
		f.Source = g.Name
		f.Rel = path.Base(filepath.ToSlash(g.Name))
	}
	return f
}

// typeSetting returns advice to set the type: the flag --type, or the key "type" of a frame. value
// is the value to set, or "" if the advice is only about the flag or key.
func (g *Given) typeSetting(value string) string {
	switch {
	case g == nil || !g.Framed:
		return strings.TrimSuffix("--type "+value, " ")
	case value == "":
		return `"type" in the frame`
	}
	return fmt.Sprintf(`"type":%q in the frame`, value)
}

// open sets the stored bytes and the retrieval of d.
func (g *Given) open(d *Document) {
	r := &d.Retrieval
	*r = Retrieval{Type: g.Type, Charset: charset(g.Type), Status: g.Status}
	if len(g.Heading) > 0 {
		r.Headings = []document.Answer{{URL: g.URL, Text: g.Heading}}
		var h httpmsg.Header
		h.ParseFields(g.Heading, 0)
		declared, _ := h.Get("Content-Type")
		r.Type = cmp.Or(r.Type, declared)
		r.Charset = cmp.Or(r.Charset, charset(declared))
	}
	d.Stored = g.At
	d.StoredSize = g.Size
	if g.At == nil {
		d.Hold(g.Data)
		d.Stored = d.At
		d.StoredSize = d.Size
	}
}

// Reader opens one document after the other, and reuses its memory. The Data of a Document is valid
// until the next Open. If Options.Given is set, the Document itself is valid until the next Open.
type Reader struct {
	Options
	buf     []byte   // memory for stored bytes
	decoded []byte   // memory for decoded content
	given   Document // memory for the document if Options.Given is set

	root *root      // the directory that the last file was found in, or nil
	dir  *files.Dir // an open handle of root
}

// Held returns the number of bytes of memory that r holds for the next document.
func (r *Reader) Held() int { return cap(r.buf) + cap(r.decoded) }

// Open opens f and finds its kind. It stops reading when ctx is done.
func (r *Reader) Open(ctx context.Context, f File) (*Document, error) {
	d := r.document()
	*d = Document{File: f}
	err := r.openStored(ctx, d)
	if err == nil && d.opened.pipe == nil {
		err = r.identify(ctx, d)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// document returns the Document for the next Open.
func (r *Reader) document() *Document {
	if r.Given != nil {
		return &r.given
	}
	return new(Document)
}

// openStored opens the stored bytes of d. It reads a pipe as readStream does.
func (r *Reader) openStored(ctx context.Context, d *Document) error {
	if d.Path == "" && r.Given != nil {
		r.Given.open(d)
		return nil
	}
	if d.Path == "" {
		return r.readStream(ctx, d, r.Stdin)
	}
	if d.Unit != nil && d.Unit.Ranged {
		if info, err := os.Stat(d.Path); err == nil && info.Mode().Type()&^fs.ModeDir != 0 {
			return errors.New("is not a file, and only files have ranges") // opening a pipe would wait for a writer
		}
	}
	file, err := r.open(ctx, &d.File)
	if err != nil {
		return Pathless(err)
	}
	d.opened.file = file
	info, err := file.Stat()
	switch {
	case err != nil:
		return Pathless(err)
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular() && !d.Named:
		return errIrregular
	case !info.Mode().IsRegular():
		return r.readStream(ctx, d, file)
	}
	d.Info = info
	d.Stored = &fixedSizeFile{file, info.Size()}
	d.StoredSize = info.Size()
	if d.Inside != "" {
		archive := &Document{Content: d.Content}
		archive.useStored()
		return r.enterZip(ctx, d, archive, d.Inside)
	}
	return nil
}

// open opens the file of f. If f is a link that a walk has found, open follows it: the walk yields
// such a link as an input only if the user wants it followed.
func (r *Reader) open(ctx context.Context, f *File) (*os.File, error) {
	switch {
	case f.Named:
		return OpenNamed(ctx, f.Path)
	case f.found.root != nil && !f.Link:
		return r.openFound(f)
	}
	return os.Open(f.Path)
}

// fixedSizeFile is a file of a known size. If the file ends earlier, another program has cut it.
// Then ReadAt returns [io.ErrUnexpectedEOF] instead of io.EOF.
type fixedSizeFile struct {
	file io.ReaderAt
	size int64
}

func (e *fixedSizeFile) ReadAt(b []byte, off int64) (n int, err error) {
	if n, err = e.file.ReadAt(b, off); err == io.EOF && off+int64(n) < e.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// identify sets the coding and the kind of d. If the kind needs it, identify reads the content into
// memory.
func (r *Reader) identify(ctx context.Context, d *Document) error {
	head, err := r.head(d)
	if err != nil {
		return err
	}
	d.Empty = d.StoredSize == 0
	if found, empty := r.isCompressedWARC(head, d.File); found {
		d.Empty = empty
		d.Kind = WARC
		d.Data = nil
		d.useStored()
		return nil
	}
	d.Coding = codingOf(head, d.Rel)
	if d.Coding != coding.None {
		return r.decode(ctx, d)
	}
	d.useStored()
	d.Decision = r.decide(ctx, d, head)
	if d.Kind == Emlx {
		return r.openEmlx(d)
	}
	switch limit := d.heldLimit(r.MaxSize); {
	case r.Peek:
	case readWhole(d.Kind) && d.Size > limit:
		d.TooLarge = true
		d.Data = nil
	case d.Kind != Other && !d.Kind.Container() && d.Size <= limit && d.Data == nil:
		return r.read(d, head)
	}
	return nil
}

// openEmlx makes the message in d, a decoded file of Apple Mail, the content of d. It reads a small
// message into memory.
func (r *Reader) openEmlx(d *Document) error {
	if r.Peek {
		return nil
	}
	if err := d.unframe(r.Given); err != nil || d.Data != nil || d.Size > maxHeldMessage {
		return err
	}
	return r.read(d, nil)
}

// identity returns the identity of d by its Content-Type, its name, and its first bytes head.
func (d *Document) identity(head []byte) kinds.Identity {
	if d.URL == "" && d.Retrieval.Type == "" || d.Coding != coding.None {
		return kinds.Identify(head, d.Rel)
	}
	name, _, _ := strings.Cut(d.Rel, "?")
	return identifyRetrieved(d.Retrieval.Type, head, name)
}

// heldLimit returns the size in bytes up to which d is held in memory. maxSize is the limit for
// single documents and HTTP responses.
func (d *Document) heldLimit(maxSize int64) int64 {
	if readWhole(d.Kind) {
		return maxSize
	}
	return maxHeldMessage
}

// head returns the first headSize stored bytes of d, or all if there are fewer.
func (r *Reader) head(d *Document) ([]byte, error) {
	if d.Data != nil {
		return d.Data[:min(len(d.Data), headSize)], nil
	}
	r.grow(headSize, 0)
	n, err := d.Stored.ReadAt(r.buf[:min(headSize, d.StoredSize)], 0)
	if err != nil && err != io.EOF {
		return nil, Pathless(err)
	}
	return r.buf[:n], nil
}

// read reads the whole content of d into memory. r.buf must already have the beginning, head. If
// the file has grown since it was opened, read stops at the former size. If it has shrunk, read
// returns an error.
func (r *Reader) read(d *Document, head []byte) error {
	r.grow(int(d.Size), len(head))
	data := r.buf[:d.Size]
	if n, err := d.At.ReadAt(data[len(head):], int64(len(head))); n < len(data)-len(head) {
		return fmt.Errorf("read %d of %d bytes: %w", len(head)+n, len(data), Pathless(err))
	}
	d.Hold(data)
	return nil
}

// grow makes buf at least n bytes long. It keeps the first keep bytes.
func (r *Reader) grow(n, keep int) {
	if cap(r.buf) < n {
		b := make([]byte, n, n+n/4)
		copy(b, r.buf[:keep])
		r.buf = b
	}
	r.buf = r.buf[:cap(r.buf)]
}

// Reopen opens f, the output for d, with the kind and coding of d. Closing the result does not
// close f.
func (d *Document) Reopen(ctx context.Context, f *os.File) (*Document, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	again := &Document{File: d.File, Content: Content{Coding: d.Coding, Stored: f, StoredSize: info.Size()}}
	r := &Reader{Options: Options{Kind: d.Kind, MaxSize: max(again.StoredSize, d.Size)*2 + maxHeldMessage}}
	if d.Coding != coding.None {
		return again, r.decode(ctx, again)
	}
	again.Kind = d.Kind
	again.useStored()
	if d.Kind == Emlx {
		return again, r.openEmlx(again)
	}
	if again.Size <= again.heldLimit(again.Size) {
		err = r.read(again, nil)
	}
	return again, err
}
