package prose

import (
	"bytes"

	"absolink/resolve/ascii"
)

// A mail that answers another one quotes its lines after marks. Marks are '>' or '|', with blanks
// between them, and '>' may follow the initials of a writer, as in AB>.
//
// If the line in which a delimited URI begins has marks, the URI continues in the next line if that
// line has the same marks or none. A word with '>' need not be a mark: it may be text before the
// URI. So the comparison ends at the first mark with letters, if the next line lacks this mark.

// longestInitials is the number of letters that may precede a quoting mark.
const longestInitials = 12

// isLineEnd reports whether the byte at i is the last byte of a line break: a line feed, or a
// carriage return without a line feed after it.
func isLineEnd(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && !bytes.HasPrefix(text[i+1:], []byte("\n"))
}

// isEmptyLine reports whether s begins with a line that is empty or has only blanks.
func isEmptyLine(s []byte) bool {
	s = bytes.TrimLeft(s, " \t")
	return len(s) == 0 || s[0] == '\n' || s[0] == '\r'
}

// quotingOf sets f.marks to the quoting marks of the line that contains the byte at i. It looks for
// them only before i.
func (f *finder) quotingOf(i int) {
	line := f.text[bytes.LastIndexAny(f.text[:i], "\r\n")+1 : i]
	f.marks = f.marks[:0]
	for {
		line = bytes.TrimLeft(line, " \t")
		n := markLen(line)
		if n == 0 {
			return
		}
		f.marks = append(f.marks, line[:n]...)
		line = line[n:]
	}
}

// markLen returns the length of the quoting mark at the start of s, with the initials before it.
func markLen(s []byte) int {
	n := 0
	for n < len(s) && n < longestInitials && ascii.Letter.Has(s[n]) {
		n++
	}
	if n == len(s) || s[n] != '>' && (s[n] != '|' || n > 0) {
		return 0
	}
	return n + 1
}

// quotingLen returns the length of the quoting marks at the start of a line, or 0. same reports
// whether a URI may continue in the line, after a line with the given marks.
func quotingLen(line, marks []byte) (n int, same bool) {
	rest := line
	for len(marks) > 0 {
		rest = bytes.TrimLeft(rest, " \t")
		mark := marks[:markLen(marks)]
		if !bytes.HasPrefix(rest, mark) {
			if len(mark) > 1 {
				break
			}
			return 0, len(rest) == len(bytes.TrimLeft(line, " \t")) && !bytes.HasPrefix(rest, []byte(">"))
		}
		rest = rest[len(mark):]
		marks = marks[len(mark):]
	}
	if bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(">")) {
		return 0, false
	}
	return len(line) - len(rest), true
}
