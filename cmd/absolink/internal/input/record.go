package input

import (
	"bytes"
	"io"
	"regexp"
	"sync"

	"absolink/cmd/absolink/internal/coding"
)

// IsPlainRecordAt reports whether an uncompressed record of a web archive begins at the offset at.
func IsPlainRecordAt(r io.ReaderAt, at int64) bool { return isPlainRecordAt(r, at, longestLine) }

// longestLine is the size in bytes of the longest first line of an ARC record that is recognised.
const longestLine = 8 << 10

// isPlainRecordAt is IsPlainRecordAt, but reads at most n bytes of a line.
func isPlainRecordAt(r io.ReaderAt, at, n int64) bool {
	var b [5]byte
	k, _ := r.ReadAt(b[:], at)
	start := b[:k]
	if bytes.EqualFold(start, []byte("WARC/")) {
		return true
	}
	if len(start) == 0 || bytes.ContainsFunc(start, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return false // not the line of an ARC record
	}
	line := make([]byte, max(min(n, longestLine), 0))
	k, _ = r.ReadAt(line, at)
	return arcLine().Match(line[:k])
}

// arcLine matches the first line of an ARC record: URL, IP address, date, media type, perhaps other
// fields, and the length. Package warc parses it.
var arcLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][-+.A-Za-z0-9]*:[^\n]* (-|[0-9A-Fa-f.:[\]]+) +[0-9]{12,17} ` +
		`+[^ \n]+( [^\n]*)? +[0-9]+ *\r?\n`)
})

// IsRecordAt reports whether a record of a web archive, or a compressed member with a record, may
// begin at the offset at.
func IsRecordAt(r io.ReaderAt, at int64) bool {
	var b [4]byte
	n, _ := r.ReadAt(b[:], at)
	return at == 0 || IsPlainRecordAt(r, at) || coding.Detect(b[:n], "") != coding.None
}
