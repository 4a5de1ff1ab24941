package kinds

import (
	"bytes"
	"strconv"
)

// MaxLengthLine is the maximum length of the first line in bytes.
const MaxLengthLine = 40

// LengthLine parses the first line of a file of Apple Mail. It returns the length of the message in
// bytes, and the offset at which the message begins. ok is false if the line is not a length.
func LengthLine(head []byte) (length, message int64, ok bool) {
	i := bytes.IndexByte(head[:min(len(head), MaxLengthLine)], '\n')
	if i < 0 {
		return 0, 0, false
	}
	digits := bytes.TrimRight(head[:i], " \t\r")
	n, err := strconv.ParseUint(string(digits), 10, 62)
	return int64(n), int64(i + 1), err == nil
}

// isEmlx reports whether head is the beginning of a file of Apple Mail, whatever its name is.
func isEmlx(head []byte) bool {
	_, message, ok := LengthLine(head)
	if ok {
		ok, _ = headerBlock(head[message:])
	}
	return ok
}

// headed reports whether the first line of head may be a header field of a message. Then no length
// stands before the message.
func headed(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.IndexByte(line, ':') > 0 && line[0] != ' ' && line[0] != '\t'
}
