// Package columns writes records as columns: an Arrow IPC stream of record batches with one schema.
// Repeated texts are dictionaries. A batch ends at a limit of rows or bytes, and at the end of each
// unit of a stream. Each batch has dictionaries of its own values, so they do not grow with the
// stream.
//
//	w := columns.NewWriter(out, layout)
//	w.Write(layout.Append(nil, &rec))
//	err := w.Close()
//
// Files in reading order: buffer.go (the buffers of a column), column.go (the columns by type),
// columns.go (the Writer).
package columns

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/arrow"
	"absolink/cmd/absolink/internal/record"
)

// Limits of a batch. The batch ends when it reaches the first of them.
const (
	maxRows  = 64 << 10
	maxBytes = 8 << 20 // of frames
)

// Writer accepts frames that a record.Layout of the format Arrow appends, in pieces of any length.
// Close it, or readers take the stream for truncated.
type Writer struct {
	stream   *arrow.Writer
	columns  []column
	category int    // index of the column with the category of a record; -1 if there is no such column
	frames   []byte // the beginning of an incomplete frame
	rows     int    // of the current batch
	bytes    int    // of the frames in the current batch
	shared   shared
	arrays   []arrow.Array // memory for flush
}

// shared are the first columns, if all rows of a document have the same values in them. Then the
// frames of these rows begin with the same bytes. The Writer only counts such rows, and adds all of
// them together when another document begins or the batch ends.
type shared struct {
	columns []repeater
	values  []byte // in the last row; empty before the first row of a batch
	repeats int    // number of rows with these values that are not yet added
}

// NewWriter returns a Writer to w. It writes nothing before the first batch.
func NewWriter(w io.Writer, layout *record.Layout) *Writer {
	c := &Writer{category: -1}
	var fields []arrow.Field
	for i, col := range layout.Columns() {
		if col.Name == "record" {
			c.category = i
		}
		typ := typeOf(col)
		newCol := newColumn(typ)
		if r, ok := newCol.(repeater); ok && col.OfDocument && i == len(c.shared.columns) {
			c.shared.columns = append(c.shared.columns, r)
		}
		c.columns = append(c.columns, newCol)
		fields = append(fields, arrow.Field{Name: col.Name, Type: typ})
	}
	c.stream = arrow.NewWriter(w, fields)
	return c
}

// typeOf returns the type of a column.
func typeOf(c record.Column) arrow.Type {
	switch {
	case c.Type == record.NumberColumn:
		return arrow.Number
	case c.Type == record.ListColumn:
		return arrow.TextList
	case c.Type == record.CountsColumn:
		return arrow.NumbersMap
	case c.Repeated:
		return arrow.Repeated
	}
	return arrow.Text
}

// errFrame reports a bug of the program.
var errFrame = errors.New("internal error: a record without a frame")

const lengthSize = 4

// Write adds the rows of frames, and writes each batch that is full.
func (w *Writer) Write(p []byte) (int, error) {
	rest := p
	if len(w.frames) > 0 {
		w.frames = append(w.frames, p...)
		rest = w.frames
	}
	for len(rest) >= lengthSize {
		n := lengthSize + int(binary.BigEndian.Uint32(rest))
		if len(rest) < n {
			break
		}
		endsUnit, err := w.addRow(rest[lengthSize:n])
		w.bytes += n
		if err == nil && (endsUnit || w.rows >= maxRows || w.bytes >= maxBytes) {
			err = w.flush()
		}
		if err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	w.frames = append(w.frames[:0], rest...)
	return len(p), nil
}

// addRow adds a row with the values of a frame. endsUnit says that it is the record of a unit,
// which ends the unit.
func (w *Writer) addRow(values []byte) (endsUnit bool, err error) {
	w.rows++
	s := &w.shared
	if len(s.values) > 0 && bytes.HasPrefix(values, s.values) {
		s.repeats++
		return w.addValues(values[len(s.values):], len(s.columns))
	}
	s.repeat()
	return w.addValues(values, 0)
}

// addValues adds the values from a column on.
func (w *Writer) addValues(values []byte, first int) (endsUnit bool, err error) {
	rest := values
	for i := first; i < len(w.columns); i++ {
		n, after := cutNumber(rest)
		if after == nil {
			return false, errFrame
		}
		rest = w.columns[i].add(n, after)
		if rest == nil {
			return false, errFrame
		}
		if i == w.category && n > 0 {
			endsUnit = string(after[:n-1]) == string(record.Unit)
		}
		if i+1 == len(w.shared.columns) {
			w.shared.values = append(w.shared.values[:0], values[:len(values)-len(rest)]...)
		}
	}
	return endsUnit, nil
}

// repeat adds the rows that are only counted.
func (s *shared) repeat() {
	if s.repeats > 0 {
		for _, c := range s.columns {
			c.repeat(s.repeats)
		}
	}
	s.repeats = 0
}

// flush writes the rows of the current batch, and begins the next batch.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	w.shared.repeat()
	w.shared.values = w.shared.values[:0]
	w.arrays = w.arrays[:0]
	for _, c := range w.columns {
		w.arrays = append(w.arrays, c.take())
	}
	rows := w.rows
	w.rows = 0
	w.bytes = 0
	return w.stream.Write(rows, w.arrays)
}

// Waiting returns the number of rows that wait for the end of their batch.
func (w *Writer) Waiting() int { return w.rows }

// Close writes the remaining rows and the end of the stream.
func (w *Writer) Close() error {
	return errors.Join(w.flush(), w.stream.Close())
}

// cut returns the first n bytes of b and the rest, or nil, nil if b is shorter.
func cut(b []byte, n uint64) (first, rest []byte) {
	if n > uint64(len(b)) {
		return nil, nil
	}
	return b[:n], b[n:]
}

// cutNumber returns the number at the beginning of b, and the bytes after it. rest is nil if there
// is no number.
func cutNumber(b []byte) (n uint64, rest []byte) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), b[1:]
	}
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, nil
	}
	return n, b[size:]
}

// cutText returns the text at the beginning of b, which comes after its length, and the bytes after
// it. Both are nil if there is no text.
func cutText(b []byte) (text, rest []byte) {
	n, rest := cutNumber(b)
	return cut(rest, n)
}
