// Package columns writes records as columns: an Arrow IPC stream of record batches with one
// schema, in which texts that stand in many rows are dictionaries. A batch ends after as many
// rows or bytes as fit into memory, and where a unit of a stream ends. Each batch has
// dictionaries of its own values, so that they do not grow with the stream.
//
//	w := columns.NewWriter(out, layout)
//	w.Write(layout.Append(nil, &rec))
//	err := w.Close()
package columns

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"absolink/cmd/absolink/internal/record"
)

// A batch ends at the first of these.
const (
	maxRows  = 64 << 10
	maxBytes = 8 << 20 // of frames
)

// Writer is a writer of the frames that a Layout of the format Arrow appends, in pieces of
// any length. It must be closed, or whoever reads the stream takes it for cut short.
type Writer struct {
	ipc     *ipc.Writer
	schema  *arrow.Schema
	columns []column
	unit    int // the column that says what a row is of, -1 if there is none
	frames  []byte
	rows    int
	bytes   int
}

// NewWriter returns a Writer to w. Nothing is written before the first batch.
func NewWriter(w io.Writer, layout *record.Layout) *Writer {
	c := &Writer{unit: -1}
	var fields []arrow.Field
	for i, col := range layout.Columns() {
		if col.Name == "record" {
			c.unit = i
		}
		made := newColumn(col)
		c.columns = append(c.columns, made)
		fields = append(fields, arrow.Field{Name: col.Name, Type: made.typ(), Nullable: true})
	}
	c.schema = arrow.NewSchema(fields, nil)
	c.ipc = ipc.NewWriter(w, ipc.WithSchema(c.schema), ipc.WithLZ4())
	return c
}

// errFrame is a defect of the program.
var errFrame = errors.New("internal error: a record that is no frame")

const lengthSize = 4

// Write takes frames.
func (w *Writer) Write(p []byte) (int, error) {
	w.frames = append(w.frames, p...)
	rest := w.frames
	for len(rest) >= lengthSize {
		n := lengthSize + int(binary.BigEndian.Uint32(rest))
		if len(rest) < n {
			break
		}
		ends, err := w.row(rest[lengthSize:n])
		if w.bytes += n; err == nil && (ends || w.rows >= maxRows || w.bytes >= maxBytes) {
			err = w.flush()
		}
		if err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	w.frames = w.frames[:copy(w.frames, rest)]
	return len(p), nil
}

// row adds a row, and reports whether it ends a unit.
func (w *Writer) row(values []byte) (ends bool, err error) {
	for i, c := range w.columns {
		n, size := binary.Uvarint(values)
		if size <= 0 {
			return false, errFrame
		}
		before := values
		if values = c.add(n, values[size:]); values == nil {
			return false, errFrame
		}
		if i == w.unit && n > 0 {
			ends = string(before[size:size+int(n)-1]) == string(record.Unit)
		}
	}
	w.rows++
	return ends, nil
}

// flush writes what has come as a batch.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	var arrays []arrow.Array
	for _, c := range w.columns {
		arrays = append(arrays, c.array())
	}
	batch := array.NewRecordBatch(w.schema, arrays, int64(w.rows))
	defer batch.Release()
	for _, a := range arrays {
		a.Release()
	}
	w.rows, w.bytes = 0, 0
	return w.ipc.Write(batch)
}

// Close writes what is left, and the end of the stream.
func (w *Writer) Close() error {
	return errors.Join(w.flush(), w.ipc.Close())
}

// column is the values of one key for the batch at hand.
type column interface {
	typ() arrow.DataType
	// add adds the value that begins with n, behind which rest stands, and returns what is
	// behind the value, which is never nil for a frame.
	add(n uint64, rest []byte) []byte
	// array returns the values, and begins the next batch.
	array() arrow.Array
}

func newColumn(c record.Column) column {
	mem := memory.DefaultAllocator
	switch {
	case c.Type == record.NumberColumn:
		return numbers{array.NewInt64Builder(mem)}
	case c.Type == record.ListColumn:
		b := array.NewListBuilder(mem, arrow.BinaryTypes.String)
		return lists{b, b.ValueBuilder().(*array.StringBuilder)}
	case c.Type == record.CountsColumn:
		b := array.NewMapBuilder(mem, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, false)
		return counts{b, b.KeyBuilder().(*array.StringBuilder), b.ItemBuilder().(*array.Int64Builder)}
	case c.Repeated:
		return &dictionary{indices: array.NewInt32Builder(mem), values: array.NewStringBuilder(mem), known: make(map[string]int32)}
	}
	return texts{array.NewStringBuilder(mem)}
}

// cut returns the first n bytes of b and the others; nil, nil if there are fewer.
func cut(b []byte, n uint64) (first, rest []byte) {
	if n > uint64(len(b)) {
		return nil, nil
	}
	return b[:n], b[n:]
}

// cutNumber cuts off a number; 0, nil if there is none.
func cutNumber(b []byte) (n uint64, rest []byte) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, nil
	}
	return n, b[size:]
}

// cutText cuts off a text behind its length; nil, nil if there is none.
func cutText(b []byte) (text, rest []byte) {
	n, rest := cutNumber(b)
	return cut(rest, n)
}

type texts struct{ b *array.StringBuilder }

func (t texts) typ() arrow.DataType { return arrow.BinaryTypes.String }
func (t texts) array() arrow.Array  { return t.b.NewArray() }

func (t texts) add(n uint64, rest []byte) []byte {
	if n == 0 {
		t.b.AppendNull()
		return rest
	}
	text, rest := cut(rest, n-1)
	t.b.BinaryBuilder.Append(text)
	return rest
}

type numbers struct{ b *array.Int64Builder }

func (c numbers) typ() arrow.DataType { return arrow.PrimitiveTypes.Int64 }
func (c numbers) array() arrow.Array  { return c.b.NewArray() }

func (c numbers) add(n uint64, rest []byte) []byte {
	if n == 0 {
		c.b.AppendNull()
		return rest
	}
	if n, rest = cutNumber(rest); rest != nil {
		c.b.Append(int64(n))
	}
	return rest
}

type lists struct {
	b      *array.ListBuilder
	values *array.StringBuilder
}

func (c lists) typ() arrow.DataType { return c.b.Type() }
func (c lists) array() arrow.Array  { return c.b.NewArray() }

func (c lists) add(n uint64, rest []byte) []byte {
	c.b.Append(n > 0)
	for ; n > 0 && rest != nil; n-- {
		var text []byte
		text, rest = cutText(rest)
		c.values.BinaryBuilder.Append(text)
	}
	return rest
}

type counts struct {
	b     *array.MapBuilder
	names *array.StringBuilder
	items *array.Int64Builder
}

func (c counts) typ() arrow.DataType { return c.b.Type() }
func (c counts) array() arrow.Array  { return c.b.NewArray() }

func (c counts) add(n uint64, rest []byte) []byte {
	c.b.Append(n > 0)
	for ; n > 1 && rest != nil; n-- {
		var name []byte
		name, rest = cutText(rest)
		var v uint64
		if v, rest = cutNumber(rest); rest != nil {
			c.names.BinaryBuilder.Append(name)
			c.items.Append(int64(v))
		}
	}
	return rest
}

// dictionary is texts that are repeated.
type dictionary struct {
	indices *array.Int32Builder
	values  *array.StringBuilder
	known   map[string]int32
	last    string // the text of the row before, and
	index   int32  // its index
	begun   bool   // there is one
}

var dictionaryType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

func (c *dictionary) typ() arrow.DataType { return dictionaryType }

func (c *dictionary) add(n uint64, rest []byte) []byte {
	if n == 0 {
		c.indices.AppendNull()
		return rest
	}
	text, rest := cut(rest, n-1)
	if !c.begun || string(text) != c.last {
		index, ok := c.known[string(text)]
		if !ok {
			index = int32(len(c.known))
			c.known[string(text)] = index
			c.values.BinaryBuilder.Append(text)
		}
		c.last, c.index, c.begun = string(text), index, true
	}
	c.indices.Append(c.index)
	return rest
}

func (c *dictionary) array() arrow.Array {
	indices, values := c.indices.NewArray(), c.values.NewArray()
	defer indices.Release()
	defer values.Release()
	clear(c.known)
	c.begun = false
	return array.NewDictionaryArray(dictionaryType, indices, values)
}
