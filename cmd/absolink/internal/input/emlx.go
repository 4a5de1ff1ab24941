package input

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/mime"
)

// A file of Apple Mail (.emlx, .partial.emlx) has three parts: a line with the length of a message
// in bytes, the message, and a property list in XML. Only the message is read. An edit of the
// message also updates the length. All other bytes stay the same.

// emlxFrame holds the parts of a file of Apple Mail around the message.
type emlxFrame struct {
	at      io.ReaderAt // the whole decoded file
	size    int64
	length  mime.Span // the digits of the first line and the blanks after them
	message int64     // offset of the message
}

// unframe makes the message in d, a file of Apple Mail, the content of d. It returns an error if
// the first line is not the length of the message that follows.
func (d *Document) unframe(g *Given) error {
	head := make([]byte, min(kinds.MaxLengthLine, d.Size))
	if n, err := d.At.ReadAt(head, 0); n < len(head) {
		return Pathless(err)
	}
	length, message, ok := kinds.LengthLine(head)
	switch have := d.Size - message; {
	case !ok:
		return fmt.Errorf("as .emlx: its first line is not the length of a message; try %s",
			g.typeSetting(Message.String()))
	case length > have:
		return fmt.Errorf("as .emlx: its first line says that the message has %d bytes, but only %d follow: left as "+
			"it is", length, have)
	}
	list := make([]byte, min(d.Size-message-length, 64))
	if n, err := d.At.ReadAt(list, message+length); n < len(list) {
		return Pathless(err)
	}
	if !isPropertyList(list) {
		return fmt.Errorf("as .emlx: its first line says that the message has %d bytes, but no property list follows "+
			"them: left as it is", length)
	}
	end := bytes.IndexByte(head, '\n')
	if head[end-1] == '\r' {
		end--
	}
	d.frame = &emlxFrame{d.At, d.Size, mime.Span{Start: 0, End: int64(end)}, message}
	d.Place.Origin = message
	if d.Data != nil {
		d.Hold(d.Data[message : message+length])
		return nil
	}
	d.At = io.NewSectionReader(d.frame.at, message, length)
	d.Size = length
	return nil
}

// isPropertyList reports whether b, the beginning of the bytes after a message, begins a property
// list. It also accepts a b of blanks or no bytes: the file may end after the message.
func isPropertyList(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	for _, start := range []string{"<?xml", "<!DOCTYPE plist", "<plist", "bplist"} {
		if bytes.HasPrefix(b, []byte(start)) {
			return true
		}
	}
	return len(b) == 0
}

// Whole returns the decoded file of d and its size. For a file of Apple Mail it includes the parts
// around the message.
func (d *Document) Whole() (io.ReaderAt, int64) {
	if d.frame != nil {
		return d.frame.at, d.frame.size
	}
	return d.At, d.Size
}

// Edits returns the edits of [Document.Whole] for edits of the content. It adds the edit of a
// length that changes.
func (d *Document) Edits(edits iter.Seq[mime.Edit]) iter.Seq[mime.Edit] {
	if d.frame == nil {
		return edits
	}
	return func(yield func(mime.Edit) bool) {
		size := d.Size
		for e := range edits {
			size += int64(len(e.New)) - e.Len()
		}
		if size != d.Size && !yield(mime.Edit{Span: d.frame.length, New: d.frame.line(size)}) {
			return
		}
		for e := range edits {
			e.Start += d.frame.message
			e.End += d.frame.message
			if !yield(e) {
				return
			}
		}
	}
}

// line returns the digits of length. If blanks follow the old digits, line adds blanks up to the
// same width.
func (f *emlxFrame) line(length int64) []byte {
	b := strconv.AppendInt(nil, length, 10)
	var last [1]byte
	f.at.ReadAt(last[:], f.length.End-1)
	if last[0] != ' ' {
		return b
	}
	for int64(len(b)) < f.length.Len() {
		b = append(b, ' ')
	}
	return b
}
