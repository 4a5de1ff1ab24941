package seen

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"absolink/resolve/ascii"
)

// longest is the largest number of bytes in a URI of the list. A longer URI, such as data: with a
// film, does not get into the list.
const longest = 16 << 20

// escape returns uri as the list has it. NULs and line ends, which the rules of RFC 2396 let pass,
// are percent-encoded.
func escape(uri []byte) []byte {
	if !bytes.ContainsAny(uri, "\x00\r\n") {
		return uri
	}
	return []byte(strings.NewReplacer("\x00", "%00", "\r", "%0D", "\n", "%0A").Replace(string(uri)))
}

// content returns a line without the CR of a line end CRLF, and the first line without a byte order
// mark.
func content(line []byte, first bool) []byte {
	if first {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

// isURI reports whether line begins with a scheme and a colon, and has no NUL.
func isURI(line []byte) bool {
	n := scheme(line)
	return n > 0 && n < len(line) && line[n] == ':' && bytes.IndexByte(line, 0) < 0
}

// mayBeginURI reports whether line is the beginning of a URI. Without a colon it may only be the
// beginning of http or https, because most texts begin with a letter.
func mayBeginURI(line []byte) bool {
	return isURI(line) || strings.HasPrefix("https", string(line))
}

// scheme returns the number of bytes at the beginning of line that may be a scheme (RFC 3986,
// Section 3.1).
func scheme(line []byte) int {
	for i, c := range line {
		switch {
		case ascii.Letter.Has(c):
		case i > 0 && (ascii.Digit.Has(c) || c == '+' || c == '-' || c == '.'):
		default:
			return i
		}
	}
	return len(line)
}

// endOfLines returns the offset after the last line feed in the first size bytes of r.
func endOfLines(r io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for end := size; end > 0; {
		start := max(end-int64(len(buf)), 0)
		piece := buf[:end-start]
		if _, err := r.ReadAt(piece, start); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// excerpt returns the beginning of a line for a message.
func excerpt(line []byte) string {
	if len(line) > 40 {
		return fmt.Sprintf("%.40q…", line)
	}
	return fmt.Sprintf("%q", line)
}
