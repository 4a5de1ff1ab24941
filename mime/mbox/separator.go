package mbox

import (
	"bytes"

	"absolink/resolve/ascii"
)

// A line that begins with "From " is a separator if it has two of these three signs:
//
//   - The line before it is blank. In 15 of 5,582 real files, some separators lack this sign.
//   - The line after it is a header field. The separator of a damaged message may lack this sign.
//   - It has a date in the form of asctime. The separators of Gmail and of mailing list archives
//     have dates in other forms.
//
// A header field such as "From : a@b" is never a separator. A line of more than maxSeparator bytes
// is not a separator either. The first line of a mailbox needs none of the three signs. If the
// first line is quoted, as ">From ", it needs the second or the third sign.
//
// To recognise a separator, the Reader only examines a few bytes around the line. So Readers that
// begin at different offsets of a mailbox find the same separators.

const (
	maxSeparator = 1000                   // largest number of bytes of a separator, with its line end
	maxName      = 256                    // number of bytes in which the colon after a field name must be
	lookahead    = maxSeparator + maxName // number of bytes after the start of a separator that are examined
	lookbehind   = 3                      // number of bytes before a separator that are examined
)

// fromPrefix is the beginning of separators.
var fromPrefix = []byte("From ")

// startsSeparator reports whether a line begins with "From ". A header field such as "From : a@b"
// does not count.
func startsSeparator(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, fromPrefix)
	return ok && !bytes.HasPrefix(bytes.TrimLeft(rest[:min(len(rest), maxName)], " \t"), []byte(":"))
}

// separatorLen returns the length of the separator at the start of b, or 0 if b does not begin with
// a separator. b must hold lookahead bytes, or all bytes up to the end of the mailbox. blank is
// true if the line before b is blank, or if a Content-Length leads to b.
func separatorLen(b []byte, eol byte, blank bool) int {
	if !startsSeparator(b) {
		return 0
	}
	n := lineLength(b[:min(len(b), maxSeparator)], eol)
	if n == 0 && len(b) >= maxSeparator {
		return 0
	}
	if n == 0 {
		n = len(b)
	}
	field := startsMessage(b[n:])
	if blank && field || (blank || field) && hasDate(b[len(fromPrefix):n]) {
		return n
	}
	return 0
}

// firstSeparatorLen returns the length of the separator at the start of a mailbox, or 0 if the
// mailbox does not begin with one. b must hold one byte more than separatorLen needs.
func firstSeparatorLen(b []byte, eol byte) int {
	if rest, quoted := bytes.CutPrefix(b, []byte(">")); quoted {
		if n := separatorLen(rest, eol, true); n > 0 {
			return n + 1
		}
		return 0
	}
	if !startsSeparator(b) {
		return 0
	}
	n := lineLength(b[:min(len(b), maxSeparator)], eol)
	if n == 0 && len(b) < maxSeparator {
		n = len(b)
	}
	return n
}

// lineLength returns the length of the first line of b with its line end, or 0 if b has no line
// end.
func lineLength(b []byte, eol byte) int { return bytes.IndexByte(b, eol) + 1 }

// startsMessage reports whether b begins with a header field, or with a quoted separator. A field
// name must consist of letters, digits and "-_.". RFC 5322 allows other characters, but programs do
// not use them. The scheme of a URL does not count as a field name.
func startsMessage(b []byte) bool {
	b = b[:min(len(b), maxName)]
	if bytes.HasPrefix(b, []byte(">From ")) {
		return true
	}
	i := 0
	for i < len(b) && (ascii.Alnum.Has(b[i]) || b[i] == '-' || b[i] == '_' || b[i] == '.') {
		i++
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(b[i:], " \t"), []byte(":"))
	return ok && i > 0 && !bytes.HasPrefix(rest, []byte("//"))
}

// isBlankBefore reports whether the line before index i of b is blank. A line must begin at i. If i
// is less than lookbehind, isBlankBefore assumes that b begins at the start of a line. If b begins
// inside a line, the result may be true although the line before i is not blank.
func isBlankBefore(b []byte, i int, eol byte) bool {
	return blankLineLen(b[max(0, i-lookbehind):i], eol, i < lookbehind) > 0
}

// blankLineLen returns the length of the blank line at the end of b, or 0 if the last line is not
// blank. whole is true if b begins at the start of a line.
func blankLineLen(b []byte, eol byte, whole bool) int {
	n := len(b)
	if n == 0 || b[n-1] != eol {
		return 0
	}
	i := n - 1
	if eol == '\n' && i > 0 && b[i-1] == '\r' {
		i--
	}
	if i == 0 && whole || i > 0 && b[i-1] == eol {
		return n - i
	}
	return 0
}

const (
	weekdays = "SunMonTueWedThuFriSat"
	months   = "JanFebMarAprMayJunJulAugSepOctNovDec"
)

// hasDate reports whether a line has a date in the form of asctime, such as "Sat Jan 3 01:05:34
// 1996". The seconds may be missing. A time zone may come before or after the year.
func hasDate(line []byte) bool {
	for len(line) > 0 {
		var word []byte
		word, line = nextWord(line)
		if isOneOf(word, weekdays) && dateFollows(line) {
			return true
		}
	}
	return false
}

// dateFollows reports whether a line begins with a month, a day, a time and a year.
func dateFollows(line []byte) bool {
	month, line := nextWord(line)
	day, line := nextWord(line)
	clock, line := nextWord(line)
	if !isOneOf(month, months) || !isDigits(day, 1, 2) || !isClock(clock) {
		return false
	}
	for range 3 { // a zone has at most two words
		var word []byte
		word, line = nextWord(line)
		if isDigits(word, 4, 4) {
			return true
		}
	}
	return false
}

// nextWord returns the first word of a line, and the rest of the line. The blank after the word is
// not part of the rest.
func nextWord(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	i := bytes.IndexAny(line, " \t\r\n")
	if i < 0 {
		return line, nil
	}
	return line[:i], line[i:][1:]
}

// isOneOf reports whether word is one of names. Each name has three letters.
func isOneOf(word []byte, names string) bool {
	if len(word) != 3 {
		return false
	}
	for ; len(names) > 0; names = names[3:] {
		if string(word) == names[:3] {
			return true
		}
	}
	return false
}

// isDigits reports whether word consists of minLen to maxLen digits.
func isDigits(word []byte, minLen, maxLen int) bool {
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return minLen <= len(word) && len(word) <= maxLen
}

// isClock reports whether word is a time, with or without seconds.
func isClock(word []byte) bool {
	hour, rest, _ := bytes.Cut(word, []byte(":"))
	minute, second, hasSecond := bytes.Cut(rest, []byte(":"))
	return isDigits(hour, 1, 2) && isDigits(minute, 2, 2) && (!hasSecond || isDigits(second, 2, 2))
}
