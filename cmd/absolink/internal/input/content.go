package input

import (
	"bytes"
	"io"

	"absolink/cmd/absolink/internal/coding"
)

// Content is the content of a document, as stored bytes and as decoded bytes.
type Content struct {
	Coding     coding.Coding // of the stored bytes; None for a WARC file with compressed records
	Stored     io.ReaderAt   // the stored bytes, or nil for a container from a pipe
	StoredSize int64         // -1 if Stored is nil

	// TrailingSize is the number of stored bytes after the end of the compressed data. It is set
	// when the content was read to its end. TrailingData is true if one of these bytes is not NUL.
	TrailingSize int64
	TrailingData bool

	// At is the whole decoded content. It is nil for a container with a Coding, for a container
	// from a pipe, and for content that cannot be read as a whole.
	At   io.ReaderAt
	Size int64  // size of At; without At it is -1, but with TooLarge the number of bytes that were decoded
	Data []byte // the whole content if it is in memory, or nil

	Empty    bool // the decoded content has no bytes
	TooLarge bool // a single document larger than Options.MaxSize: only Stored can be used
}

// Hold sets the content to data, which is in memory.
func (c *Content) Hold(data []byte) {
	c.Data = data[:len(data):len(data)]
	c.At = bytes.NewReader(data)
	c.Size = int64(len(data))
}

// useStored sets the content to the stored bytes.
func (c *Content) useStored() {
	c.At = c.Stored
	c.Size = c.StoredSize
}

// dropDecoded removes the decoded content, and keeps the stored bytes.
func (c *Content) dropDecoded() {
	c.Data = nil
	c.At = nil
	c.Size = -1
}

// Addressable reports whether each byte of the content has the same offset in Stored.
func (c *Content) Addressable() bool { return c.At != nil && c.Coding == coding.None }

// Reader returns a reader of the content. At must not be nil.
func (c *Content) Reader() *io.SectionReader { return io.NewSectionReader(c.At, 0, c.Size) }

// Tail returns a reader of the stored bytes after the end of the compressed data.
func (c *Content) Tail() *io.SectionReader {
	return io.NewSectionReader(c.Stored, c.StoredSize-c.TrailingSize, c.TrailingSize)
}

// StoredReader returns a reader of the stored bytes. Stored must not be nil.
func (c *Content) StoredReader() *io.SectionReader {
	return io.NewSectionReader(c.Stored, 0, c.StoredSize)
}
