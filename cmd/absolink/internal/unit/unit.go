// Package unit reads and writes units of work. A unit is a file, or a range of a container, that a
// run can read on its own. So engines can spread many units over processes and machines, and repeat
// any of them.
package unit

import (
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/hidden"
	"absolink/cmd/absolink/internal/lines"
)

// Unit is one unit. Its line is the path, or tab-separated fields: path, offset, length, and number
// and line of the first item. These paths are quoted like strings of Go, such as "a\tb" and
// "caf\xe9": paths with control characters, marks of direction and the like, or invalid UTF-8, and
// paths that begin with a quotation mark.
type Unit struct {
	Path      string
	Ranged    bool  // the unit has the items that begin in [Offset, Offset+Length); otherwise it is the whole file
	Offset    int64 // in bytes
	Length    int64
	Item      int   // number of the item that begins at Offset, from 1, or 0 if it is unknown
	Line      int64 // line at Offset, from 1, or 0 if it is unknown, as in a compressed file
	Indexed   bool  // an index says that a record begins at Offset, and that a record ends at End
	OpenEnded bool  // with Indexed: the index does not say where the record ends; Length is 1

	// Query is the query of the URL in Path, from --prefix. It may be a signature, so it is kept
	// out of all output.
	Query string

	Text string // the line that the unit was read from, without the line end, or empty
}

// End returns the offset of the end of the range.
func (u *Unit) End() int64 { return u.Offset + u.Length }

// maxLine is the size in bytes of the longest line of a list of units.
const maxLine = 1 << 20

// Append appends the line of u. It leaves out Indexed, OpenEnded and Query.
func (u *Unit) Append(dst []byte) []byte {
	if isPlain(u.Path) {
		dst = append(dst, u.Path...)
	} else {
		dst = strconv.AppendQuote(dst, u.Path)
	}
	if u.Ranged {
		dst = append(strconv.AppendInt(append(dst, '\t'), u.Offset, 10), '\t')
		dst = strconv.AppendInt(dst, u.Length, 10)
	}
	if u.Ranged && u.Item > 0 {
		dst = append(strconv.AppendInt(append(dst, '\t'), int64(u.Item), 10), '\t')
		dst = strconv.AppendInt(dst, u.Line, 10)
	}
	return append(dst, '\n')
}

// isPlain reports whether a path needs no quoting in a line.
func isPlain(path string) bool {
	return utf8.ValidString(path) && !strings.HasPrefix(path, `"`) &&
		!strings.ContainsFunc(path, hidden.Rune)
}

// unquotePath returns the path in a field of a line.
func unquotePath(field string) (string, error) {
	if !strings.HasPrefix(field, `"`) {
		return field, nil
	}
	return strconv.Unquote(field)
}

// Parse parses a line, which has no line end.
func Parse(line string) (Unit, error) {
	fields := strings.Split(line, "\t")
	var u Unit
	var err error
	u.Path, err = unquotePath(fields[0])
	switch {
	case err != nil:
		return u, fmt.Errorf("unit %q: a path that begins with a quotation mark ends with one, and is escaped as a "+
			"string of Go", line)
	case u.Path == "":
		return u, fmt.Errorf("unit %q: a path is missing", line)
	case len(fields) != 1 && len(fields) != 3 && len(fields) != 5:
		return u, fmt.Errorf("unit %q: %d fields, not path, or path, offset and length, or those with item and line",
			line, len(fields))
	case len(fields) == 1:
		return u, nil
	}
	var n [4]int64
	for i, f := range fields[1:] {
		v, err := strconv.ParseUint(f, 10, 63)
		if err != nil {
			return u, fmt.Errorf("unit %q: %q is not a number", line, f)
		}
		n[i] = int64(v)
	}
	u.Ranged = true
	u.Offset = n[0]
	u.Length = n[1]
	u.Item = int(n[2])
	u.Line = n[3]
	switch {
	case u.Length > math.MaxInt64-u.Offset:
		return u, fmt.Errorf("unit %q: it ends beyond all files", line)
	case len(fields) == 5 && u.Item == 0:
		return u, fmt.Errorf("unit %q: the first item is 1", line)
	}
	return u, nil
}

// Read yields the units of the lines of r. It skips empty lines. A line that is not a unit comes
// with its Text and an error, and the lines after it follow. After an error of reading nothing
// follows.
func Read(r io.Reader) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		for line, err := range linesOf(r) {
			if line == "" && err == nil {
				continue
			}
			var u Unit
			if err == nil {
				u, err = Parse(strings.TrimSuffix(line, "\r"))
			}
			u.Text = line
			if !yield(u, err) {
				return
			}
		}
	}
}

// linesOf yields the lines of r. Of a line of more than maxLine bytes it yields the beginning, with
// an error. An error of reading comes without a line, and nothing follows.
func linesOf(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := lines.Reader(r)
		var line []byte
		for {
			long, err := lines.Next(in, &line, maxLine)
			switch {
			case err != nil && err != io.EOF:
				yield("", err)
				return
			case long && !yield(string(line[:200]), fmt.Errorf("a line of more than %d bytes", maxLine)),
				!long && !yield(string(line), nil), err != nil:
				return
			}
		}
	}
}

// Shard is one of N parts of a list: every Nth member, from the Ith on. The zero value is the whole
// list.
type Shard struct{ I, N int }

// Has reports whether the member with an index belongs to the shard. Indexes count from 0.
func (s Shard) Has(index int) bool { return s.N == 0 || index%s.N == s.I-1 }

// ParseShard parses I/N, with I from 1 to N.
func ParseShard(v string) (Shard, error) {
	first, last, ok := strings.Cut(v, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(last)
	if !ok || err != nil || err2 != nil || i < 1 || n < i {
		return Shard{}, fmt.Errorf("%q is not I/N with I from 1 to N, such as 2/8", v)
	}
	return Shard{i, n}, nil
}
