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
// run.go (columns that many rows share), columns.go (the Writer).
package columns

import (
	"encoding/binary"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/arrow"
	"absolink/cmd/absolink/internal/record"
)

// Limits of a batch. The batch ends when it reaches the first of them.
const (
	maxRows  = 64 << 10
	maxBytes = 2 << 20 // of frames
)

// Writer accepts frames that a record.Layout of the format Arrow appends, in pieces of any length.
// Close it, or readers take the stream for truncated.
type Writer struct {
	stream   *arrow.Writer
	columns  []column
	runs     []run
	category int           // index of the column with the category of a record; -1 if there is no such column
	endsUnit bool          // the last row is the record of a unit
	frames   []byte        // the beginning of an incomplete frame
	rows     int           // of the current batch
	bytes    int           // of the frames in the current batch
	arrays   []arrow.Array // memory for flush
}

// NewWriter returns a Writer to w. It writes nothing before the first batch.
func NewWriter(w io.Writer, layout *record.Layout) *Writer {
	c := &Writer{category: -1}
	var fields []arrow.Field
	last := -1
	for i, col := range layout.Columns() {
		if col.Name == "record" {
			c.category = i
		}
		typ := typeOf(col)
		c.columns = append(c.columns, newColumn(typ))
		fields = append(fields, arrow.Field{Name: col.Name, Type: typ})
		if col.Run != last {
			c.runs = append(c.runs, run{from: i})
		}
		last = col.Run
		c.runs[len(c.runs)-1].add(c.columns[i])
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
	for i := range w.runs {
		r := &w.runs[i]
		if r.repeats(values) {
			r.pending++
			values = values[len(r.values):]
			continue
		}
		rest := w.addValues(r, values)
		if rest == nil {
			return false, errFrame
		}
		r.keep(values[:len(values)-len(rest)])
		values = rest
	}
	return w.endsUnit, nil
}

// addValues adds the values of a run. It returns the bytes after them, or nil if the frame is
// invalid.
func (w *Writer) addValues(r *run, values []byte) (rest []byte) {
	r.repeat()
	for i := r.from; i < r.to; i++ {
		n, after := cutNumber(values)
		if after == nil {
			return nil
		}
		values = w.columns[i].add(n, after)
		if values == nil {
			return nil
		}
		if i == w.category {
			w.endsUnit = n > 0 && string(after[:n-1]) == string(record.Unit)
		}
	}
	return values
}

// flush writes the rows of the current batch, and begins the next batch.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	for i := range w.runs {
		w.runs[i].repeat()
		w.runs[i].values = w.runs[i].values[:0]
	}
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
