package httpmsg

import (
	"bytes"
	"fmt"
	"math"

	"absolink/extract"
	"absolink/resolve/ascii"
)

// A field of the header declares the chunked transfer coding (RFC 9112 Section 7.1). But some
// crawlers have joined the chunks and kept the field, and some have done the opposite. So the body
// decides. A body that is declared chunked counts as chunked if it begins like a chunk. A body that
// is not declared chunked must consist of whole chunks, from the first byte to the last.

// chunks are the chunks of a body, up to its first fault.
type chunks struct {
	parts   []extract.Span // data of the chunks
	end     int            // end of the chunks in the body
	ended   bool           // the last chunk was read
	problem string         // why the last chunk was not read
}

// readChunks returns the chunks of body. It stops at a size that it cannot read, and after a chunk
// that no line end follows.
func readChunks(body []byte) chunks {
	var c chunks
	for {
		size, data, ok := readChunkSize(body, c.end)
		switch {
		case !ok && c.end == len(body):
			c.problem = "no last chunk"
			return c
		case !ok:
			c.problem = "no chunk size"
			return c
		case size == 0:
			c.end = trailerEnd(body, data)
			c.ended = true
			return c
		case size > len(body)-data:
			c.parts = append(c.parts, extract.Span{Start: data, End: len(body)})
			c.problem = fmt.Sprintf("chunk of %d bytes cut short", size)
			c.end = len(body)
			return c
		}
		c.parts = append(c.parts, extract.Span{Start: data, End: data + size})
		c.end = data + size
		n := lineEndLen(body[c.end:])
		if n == 0 && c.end < len(body) {
			c.problem = fmt.Sprintf("no line end after a chunk of %d bytes", size)
			return c
		}
		c.end += n
	}
}

// readChunkSize reads the line of a chunk size at i: hexadecimal digits, white space, and
// extensions. data is the offset after the line. ok is false if the line at i is not such a line.
func readChunkSize(body []byte, i int) (size, data int, ok bool) {
	start := i
	for ; i < len(body) && ascii.Hex(body[i]) >= 0; i++ {
		if size > math.MaxInt>>5 {
			return 0, 0, false
		}
		size = size<<4 | ascii.Hex(body[i])
	}
	if i == start {
		return 0, 0, false
	}
	rest := body[i:min(len(body), i+maxExtension)]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		return 0, 0, false
	}
	ext := bytes.TrimLeft(rest[:n], " \t")
	return size, i + n + 1, len(ext) == 0 || ext[0] == ';' || ext[0] == '\r'
}

// maxExtension is the largest number of bytes after the size on the line of a chunk size.
const maxExtension = 4 << 10

// lineEndLen returns the length of the line end at the start of b, or 0.
func lineEndLen(b []byte) int {
	switch {
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	case len(b) > 0 && b[0] == '\n':
		return 1
	}
	return 0
}

// trailerEnd returns the offset after the trailer fields at i and the blank line that ends them.
func trailerEnd(body []byte, i int) int {
	end, _ := new(Header).ParseFields(body, i)
	return end
}

// text returns the data of the chunks. After a fault it also returns the rest of the body
// unchanged.
func (c *chunks) text(body []byte) extract.Text {
	var t extract.Text
	t.Grow(len(body), len(c.parts)+1)
	t.AppendSame(0, nil)
	for _, s := range c.parts {
		t.AppendSame(s.Start, body[s.Start:s.End])
	}
	if !c.ended && c.end < len(body) {
		t.AppendSame(c.end, body[c.end:])
	}
	return t
}
