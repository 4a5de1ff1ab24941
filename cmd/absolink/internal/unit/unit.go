// Package unit reads and writes units of work: a file, or a range of a container,
// that a run takes on its own, so that engines can spread many of them over
// processes and machines, and repeat any of them.
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

// Unit is one unit. As a line it is its path, or its fields separated by tabs:
// path, offset, length, and number and line of the first item. A path with a control
// character, a mark of direction and its like, or bytes that are no UTF-8, or that begins with a
// quotation mark, stands in quotation marks, as a string of Go: "a\tb", "caf\xe9".
type Unit struct {
	Path   string
	Ranged bool  // it is of the items that begin in [Offset, Offset+Length), else of the whole file
	Offset int64 // in bytes
	Length int64
	Item   int   // number of the item that begins at Offset, from 1; 0 = unknown
	Line   int64 // of its first byte, from 1; 0 = unknown, as in what is compressed
	Exact  bool  // an index says that a record begins at Offset, and one ends at End
	Open   bool  // with Exact: the index does not say where the record ends, and Length is 1

	Text string // the line that it was read from, without its end; "" if it was made otherwise
}

// End returns where the range ends.
func (u *Unit) End() int64 { return u.Offset + u.Length }

// maxLine bounds a line of units.
const maxLine = 1 << 20

// Append appends the line of u. It does not tell Exact and Open.
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

// isPlain reports whether a path stands in a line as it is.
func isPlain(path string) bool {
	return utf8.ValidString(path) && !strings.HasPrefix(path, `"`) &&
		!strings.ContainsFunc(path, hidden.Rune)
}

// path returns the path that a field is.
func path(field string) (string, error) {
	if !strings.HasPrefix(field, `"`) {
		return field, nil
	}
	return strconv.Unquote(field)
}

// Parse reads a line, without its end. Its path may be any string.
func Parse(line string) (Unit, error) {
	fields := strings.Split(line, "\t")
	var u Unit
	var err error
	u.Path, err = path(fields[0])
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
			return u, fmt.Errorf("unit %q: %q is no number", line, f)
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

// Read yields the units of the lines of r; empty lines are passed over. A line that
// is no unit is an error beside its Text, and the others go on; an error of reading ends them.
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

var errTooLong = fmt.Errorf("a line of more than %d bytes", maxLine)

// linesOf yields the lines of r. Of one that is too long it yields the beginning and errTooLong; an
// error of reading stands alone, and ends them.
func linesOf(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in, line := lines.Reader(r), []byte(nil)
		for {
			long, err := lines.Next(in, &line, maxLine)
			switch {
			case err != nil && err != io.EOF:
				yield("", err)
				return
			case long && !yield(string(line[:200]), errTooLong), !long && !yield(string(line), nil), err != nil:
				return
			}
		}
	}
}

// Shard is one part of several equal ones of a list: every Nth member from the Ith
// on. Its zero value is the whole.
type Shard struct{ I, N int }

// Has reports whether the member at an index, from 0, belongs to the shard.
func (s Shard) Has(index int) bool { return s.N == 0 || index%s.N == s.I-1 }

// ParseShard takes I/N with I from 1 to N.
func ParseShard(v string) (Shard, error) {
	first, last, ok := strings.Cut(v, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(last)
	if !ok || err != nil || err2 != nil || i < 1 || n < i {
		return Shard{}, fmt.Errorf("%q is no I/N with I from 1 to N, such as 2/8", v)
	}
	return Shard{i, n}, nil
}
