package input

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/directory"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// A single document is read into memory as a whole; a message is mapped by offsets, and
// held in memory only where it is small; a mailbox or a web archive is only opened, to be
// read item by item. What has no offsets (a pipe) is read into memory up to a limit, and
// from there on into a temporary file, but for these two.
const (
	headSize    = 64 << 10 // bytes that tell the kind
	heldMessage = 4 << 20  // largest message of a file that is read into memory
	heldPipe    = 16 << 20 // largest content of a pipe that stays in memory
)

// Options say how to open a file.
type Options struct {
	Kind    Kind      // decided by the operator; Other: found out
	MaxSize int64     // largest single document that is read
	Stdin   io.Reader // what Stdin stands for
	Given   *Given    // stands for Stdin; nil = Stdin does itself
	Scripts bool      // scripts are documents
	Peek    bool      // files are read as far as it takes to tell their kind, and not held

	// Manifest reports whether a page names the file path as the manifest of a web application.
	// It is asked for files that look like one; nil = no page does.
	Manifest func(ctx context.Context, path string) bool
}

// Given is content that somebody has sent, in place of standard input.
type Given struct {
	At   io.ReaderAt
	Size int64
	Type string // Content-Type, which counts as that of what was retrieved; "" = not known
}

// Document is the content of one file, of one message of a mailbox, or of one
// record of a web archive. It must be closed.
type Document struct {
	File
	Kind     Kind
	Why      string // why Kind is Other, or not what the name says
	Misnamed bool   // Kind is not what the name says
	Template bool   // nothing tells the kind but the name of a template
	Damaged  bool   // and that this is a defect of the file
	Foreign  bool   // or that it holds mail that another program has to convert
	// the whole content, its coding undone; nil for a container that comes from a pipe or is in a
	// coding
	At       io.ReaderAt
	Size     int64       // of the content; -1 where At is nil
	Data     []byte      // the whole content where it is held in memory, else nil
	Empty    bool        // nothing is in it, its coding undone
	TooLarge bool        // a single document above MaxSize: only what is stored can be used
	Info     fs.FileInfo // of the file when it was opened, nil for standard input
	Real     string      // absolute name of the file without symbolic links; "" until it is asked for

	Coding     coding.Coding // what the content is stored in
	Stored     io.ReaderAt   // the bytes of the file; nil for a container that comes from a pipe
	StoredSize int64         // -1 where Stored is nil

	// Of a message of a mailbox or a record of a web archive, which are of the kind
	// HTTP: its number in it, from 1, and where its content begins there; 0 for a
	// number that is not known. Of a compressed record, which has no place of its
	// own, Origin is where its member begins.
	Inner      bool // it is one of them
	Item       int
	Origin     int64
	Line       int64
	Compressed bool
	Cut        bool             // it is cut short or damaged: see extract.Doc.Cut
	Truncated  bool             // who wrote the record left out its end
	Target     string           // WARC-Target-URI of the record
	Record     *httpmsg.Header  // of the record, valid as long as the item; nil elsewhere
	Begins     int64            // where the item begins in the container, or the member that it is in
	Response   *httpmsg.Message // what the record holds; of a file it is read from Data

	// Of what was retrieved: the headings of all answers, the charset that the last one
	// names, and whether the content is not what was sent.
	Headings []document.Answer
	Charset  string
	Unplaced bool

	Aligned bool // a unit, which does not say so, is whole records of a web archive

	frame         *frame // of a file of Apple Mail
	file, spooled *os.File
	remote        Remote
	zip           *zip.Reader // of a WACZ, once it is listed, and its files by their names
	zipped        map[string]*zip.File
	pipe          io.Reader    // the whole of a container that comes from a pipe
	taken         atomic.Int64 // stored bytes that Mailbox has read under a coding
}

// Reader opens documents one after the other and reuses its memory for them:
// Data of a Document is valid until the next Open.
type Reader struct {
	Options
	buf   []byte // of what is stored
	plain []byte // of what a coding was undone from

	root *root          // the directory that the last file was found in; nil = none
	dir  *directory.Dir // that one, open
}

// Open opens f and finds out what it is. Reading ends with ctx.
func (r *Reader) Open(ctx context.Context, f File) (*Document, error) {
	d := &Document{File: f}
	err := r.content(ctx, d)
	if err == nil && d.pipe == nil {
		err = r.identify(ctx, d)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close gives back the files behind d.
func (d *Document) Close() error {
	var err error
	for _, f := range []**os.File{&d.file, &d.spooled} {
		if *f != nil {
			err = errors.Join(err, (*f).Close())
			*f = nil
		}
	}
	if d.remote != nil {
		err = errors.Join(err, d.remote.Close())
		d.remote = nil
	}
	return err
}

// Changed reports whether another program has written to the file since d was opened.
func (d *Document) Changed() bool {
	if d.file == nil || d.Info == nil {
		return false
	}
	now, err := d.file.Stat()
	return err == nil && (now.Size() != d.Info.Size() || !now.ModTime().Equal(d.Info.ModTime()))
}

// content makes the stored bytes of d reachable by offset, but for a container from a pipe.
func (r *Reader) content(ctx context.Context, d *Document) error {
	if d.Path == "" && r.Given != nil {
		d.media = r.Given.Type
		d.Charset = charset(r.Given.Type)
		d.Stored, d.StoredSize = r.Given.At, r.Given.Size
		return nil
	}
	if d.Path == "" {
		return r.stream(ctx, d, r.Stdin)
	}
	if d.Unit != nil && d.Unit.Ranged {
		if info, err := os.Stat(d.Path); err == nil && info.Mode().Type()&^fs.ModeDir != 0 {
			return errors.New("is no file, and ranges are those of files") // opening a pipe waits for a writer
		}
	}
	file, err := r.open(ctx, &d.File)
	if err != nil {
		return Pathless(err)
	}
	d.file = file
	info, err := file.Stat()
	switch {
	case err != nil:
		return Pathless(err)
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular() && !d.Named:
		return errIrregular
	case !info.Mode().IsRegular():
		return r.stream(ctx, d, file)
	}
	d.Info = info
	d.Stored = &entire{file, info.Size()}
	d.StoredSize = info.Size()
	if d.Inside != "" {
		return r.enter(ctx, d, &Document{At: d.Stored, StoredSize: d.StoredSize}, d.Inside)
	}
	return nil
}

// open opens the file of f. A link out of a directory is followed: the walk yields it only if that
// is wanted.
func (r *Reader) open(ctx context.Context, f *File) (*os.File, error) {
	switch {
	case f.Named:
		return OpenNamed(ctx, f.Path)
	case f.root != nil && !f.Link:
		return r.openFound(f)
	}
	return os.Open(f.Path)
}

// entire is a file of a known size. Where it ends before, another program has cut it
// short meanwhile: that is an error, not its end.
type entire struct {
	file io.ReaderAt
	size int64
}

func (e *entire) ReadAt(b []byte, off int64) (n int, err error) {
	if n, err = e.file.ReadAt(b, off); err == io.EOF && off+int64(n) < e.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Hold makes data, which is in memory, the content of d.
func (d *Document) Hold(data []byte) {
	d.Data = data[:len(data):len(data)]
	d.At = bytes.NewReader(data)
	d.Size = int64(len(data))
}

// identify undoes the coding of d, finds its kind, and reads what is to be held
// in memory.
func (r *Reader) identify(ctx context.Context, d *Document) error {
	head, err := r.head(d)
	if err != nil {
		return err
	}
	d.Empty = d.StoredSize == 0
	if is, empty := r.inMembers(head, d.File); is {
		d.Empty = empty
		d.Kind, d.At, d.Size, d.Data = WARC, d.Stored, d.StoredSize, nil
		return nil
	}
	d.Coding = codingOf(head, d.Rel)
	if d.Coding != coding.None {
		return r.decode(ctx, d)
	}
	d.At, d.Size = d.Stored, d.StoredSize
	r.setKind(ctx, d, head)
	if d.Kind == Emlx {
		return r.emlx(d)
	}
	switch limit := d.limit(r.MaxSize); {
	case r.Peek:
	case d.Kind.held() && d.Size > limit:
		d.TooLarge, d.Data = true, nil
	case d.Kind != Other && !d.Kind.Container() && d.Size <= limit && d.Data == nil:
		return r.read(d, head)
	}
	return nil
}

// emlx opens d, whose coding is undone, as a file of Apple Mail.
func (r *Reader) emlx(d *Document) error {
	if r.Peek {
		return nil
	}
	if err := d.unframe(); err != nil || d.Data != nil || d.Size > heldMessage {
		return err
	}
	return r.read(d, nil)
}

// setKind sets the kind of d, whose content begins with head.
func (r *Reader) setKind(ctx context.Context, d *Document, head []byte) {
	d.Kind = r.decided(d.File)
	if d.Kind != Other {
		return
	}
	if r.Kind == Maildir {
		d.Why = "in no Maildir, which has the directories cur and new"
		return
	}
	id := d.identity(head)
	if r.Manifest != nil && d.Path != "" && d.Inside == "" && isManifest(head) && r.Manifest(ctx, d.Path) {
		d.Kind = Kind(extract.Manifest)
		return
	}
	d.Kind = id.Kind
	switch {
	case d.Kind == Kind(extract.Script) && !r.Scripts:
		d.Kind, d.Why = Other, "a script; --scripts reads the string literals in it that look like URLs"
	case d.Kind == Other:
		d.Why = unknown(head, d.Rel, &id)
		f := foreignFormat(head, d.Rel)
		d.Foreign = f != nil && f.mail
		d.Template = id.Ending == "" && isTemplate(d.Rel)
		d.Misnamed = id.Misnamed
	case id.Misnamed:
		d.Misnamed = true
		d.Why = id.misnamed()
	}
}

// identity returns what the Content-Type, the name and the beginning of d say.
func (d *Document) identity(head []byte) Identity {
	if d.URL == "" && d.media == "" || d.Coding != coding.None {
		return Identify(head, d.Rel)
	}
	name, _, _ := strings.Cut(d.Rel, "?")
	return retrieved(d.media, head, name)
}

// decided returns the kind that the content has no say in, Other if there is none.
func (r *Reader) decided(f File) Kind {
	switch {
	case r.Kind != Other && r.Kind != Maildir:
		return r.Kind
	case f.Maildir != "":
		return Message
	}
	return Other
}

// limit returns the size up to which a document of the kind of d is held.
func (d *Document) limit(pages int64) int64 {
	if d.Kind.held() {
		return pages
	}
	return heldMessage
}

// head returns the first bytes that are stored.
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

// read brings the whole content of d into memory, of which head is the beginning that
// buf has already. A file that grows meanwhile is read as long as it was; one that
// shrank is an error.
func (r *Reader) read(d *Document, head []byte) error {
	r.grow(int(d.Size), len(head))
	data := r.buf[:d.Size]
	if n, err := d.At.ReadAt(data[len(head):], int64(len(head))); n < len(data)-len(head) {
		return fmt.Errorf("read %d of %d bytes: %w", len(head)+n, len(data), Pathless(err))
	}
	d.Hold(data)
	return nil
}

// grow makes room for n bytes in buf, of which it keeps the first.
func (r *Reader) grow(n, keep int) {
	if cap(r.buf) < n {
		b := make([]byte, n, n+n/4)
		copy(b, r.buf[:keep])
		r.buf = b
	}
	r.buf = r.buf[:cap(r.buf)]
}

// Mailbox returns the content of a mailbox or a web archive from its beginning: a file where its
// bytes are stored as they are, else a stream. That of a pipe can be had only once.
func (d *Document) Mailbox(ctx context.Context) (io.ReadCloser, error) {
	switch {
	case d.pipe != nil:
		return io.NopCloser(d.pipe), nil
	case d.Coding != coding.None:
		d.taken.Store(0)
		return d.Coding.Reader(&cancelable{ctx, io.NewSectionReader(d.Stored, 0, d.StoredSize), &d.taken})
	}
	at := d.At
	if d.remote != nil && d.Kind == WARC && d.Unit != nil {
		at = &sparing{at, d.Unit.End()}
	}
	return section{io.NewSectionReader(&cancelableAt{ctx, at}, 0, d.Size)}, nil
}

// Taken returns how many stored bytes were read of a container that is in a coding.
func (d *Document) Taken() int64 { return d.taken.Load() }

type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// Again opens what was written in the place of d, of the same kind and in the
// same coding. The file is not closed with it.
func (d *Document) Again(ctx context.Context, f *os.File) (*Document, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	again := &Document{File: d.File, Coding: d.Coding, Stored: f, StoredSize: info.Size()}
	r := &Reader{Options: Options{Kind: d.Kind, MaxSize: max(again.StoredSize, d.Size)*2 + heldMessage}}
	if d.Coding != coding.None {
		return again, r.decode(ctx, again)
	}
	again.Kind, again.At, again.Size = d.Kind, f, again.StoredSize
	if d.Kind == Emlx {
		return again, r.emlx(again)
	}
	if again.Size <= again.limit(again.Size) {
		err = r.read(again, nil)
	}
	return again, err
}
