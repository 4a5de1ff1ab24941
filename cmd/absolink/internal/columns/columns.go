// Package columns writes records as columns: an Arrow IPC stream of record batches with one schema.
// Repeated texts are dictionaries. A batch ends at a limit of rows or bytes, and at the end of each
// unit of a stream. Each batch has dictionaries of its own values, so they do not grow with the
// stream.
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

// Limits of a batch. The batch ends when it reaches the first of them.
const (
	maxRows  = 64 << 10
	maxBytes = 8 << 20 // of frames
)

// Writer accepts frames that a record.Layout of the format Arrow appends, in pieces of any length.
// Close it, or readers take the stream for truncated.
type Writer struct {
	ipc      *ipc.Writer
	schema   *arrow.Schema
	columns  []column
	category int    // index of the column with the category of a record; -1 if there is no such column
	frames   []byte // the beginning of an incomplete frame
	rows     int    // of the current batch
	bytes    int    // of the frames in the current batch
}

// NewWriter returns a Writer to w. It writes nothing before the first batch.
func NewWriter(w io.Writer, layout *record.Layout) *Writer {
	c := &Writer{category: -1}
	var fields []arrow.Field
	for i, col := range layout.Columns() {
		if col.Name == "record" {
			c.category = i
		}
		newCol := newColumn(col)
		c.columns = append(c.columns, newCol)
		fields = append(fields, arrow.Field{Name: col.Name, Type: newCol.dataType(), Nullable: true})
	}
	c.schema = arrow.NewSchema(fields, nil)
	c.ipc = ipc.NewWriter(w, ipc.WithSchema(c.schema), ipc.WithLZ4())
	return c
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
	for i, c := range w.columns {
		n, rest := cutNumber(values)
		if rest == nil {
			return false, errFrame
		}
		values = c.add(n, rest)
		if values == nil {
			return false, errFrame
		}
		if i == w.category && n > 0 {
			endsUnit = string(rest[:n-1]) == string(record.Unit)
		}
	}
	w.rows++
	return endsUnit, nil
}

// flush writes the rows of the current batch, and begins the next batch.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	var arrays []arrow.Array
	for _, c := range w.columns {
		arrays = append(arrays, array.MakeFromData(c.takeData()))
	}
	batch := array.NewRecordBatch(w.schema, arrays, int64(w.rows))
	w.rows = 0
	w.bytes = 0
	return w.ipc.Write(batch)
}

// Close writes the remaining rows and the end of the stream.
func (w *Writer) Close() error {
	return errors.Join(w.flush(), w.ipc.Close())
}

// column collects the values of one key for the current batch. All batches reuse its memory.
type column interface {
	dataType() arrow.DataType
	// add adds a value in the form that package record describes: n is its first number, and rest
	// are the bytes after n. It returns the bytes after the value, or nil if the frame is invalid.
	add(n uint64, rest []byte) []byte
	// takeData returns the values, and begins the next batch. They are valid until the next add.
	takeData() arrow.ArrayData
}

// newColumn returns an empty column for c.
func newColumn(c record.Column) column {
	switch {
	case c.Type == record.NumberColumn:
		return &numbers{}
	case c.Type == record.ListColumn:
		return &lists{}
	case c.Type == record.CountsColumn:
		return &counts{}
	case c.Repeated:
		return &dictionary{indexOf: make(map[string]int32)}
	}
	return &texts{}
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

// validity is a bitmap of the rows that have a value.
type validity struct {
	bits     []byte
	n, nulls int // number of rows, and of rows without a value
}

// add adds a row. valid says that it has a value.
func (k *validity) add(valid bool) {
	if k.n%8 == 0 {
		k.bits = append(k.bits, 0)
	}
	if valid {
		k.bits[k.n/8] |= 1 << (k.n % 8)
	} else {
		k.nulls++
	}
	k.n++
}

// takeData returns the values of a column, and begins the next batch. typ is the type of the
// values, which are in buffers and children.
func (k *validity) takeData(typ arrow.DataType, buffers []*memory.Buffer, children ...arrow.ArrayData) arrow.ArrayData {
	d := array.NewData(typ, k.n, append([]*memory.Buffer{memory.NewBufferBytes(k.bits)}, buffers...),
		children, k.nulls, 0)
	k.bits = k.bits[:0]
	k.n = 0
	k.nulls = 0
	return d
}

// ends are the offsets at which the values of the rows end.
type ends []int32

// add adds the offset of the end of a row.
func (e *ends) add(end int) { *e = append(*e, int32(end)) }

// buffer returns a 0 and the offsets, as Arrow stores them, and begins the next batch.
func (e *ends) buffer() *memory.Buffer {
	*e = append(*e, 0)
	copy((*e)[1:], *e)
	(*e)[0] = 0
	b := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(*e))
	*e = (*e)[:0]
	return b
}

// texts is a column of texts.
type texts struct {
	validity validity
	ends     ends
	bytes    []byte // all texts, one after the other
}

func (t *texts) dataType() arrow.DataType { return arrow.BinaryTypes.String }

func (t *texts) add(n uint64, rest []byte) []byte {
	var text []byte
	if n > 0 {
		text, rest = cut(rest, n-1)
	}
	t.append(text, n > 0)
	return rest
}

func (t *texts) append(text []byte, valid bool) {
	t.validity.add(valid)
	t.bytes = append(t.bytes, text...)
	t.ends.add(len(t.bytes))
}

// at returns the text of a row.
func (t *texts) at(i int32) []byte {
	var begin int32
	if i > 0 {
		begin = t.ends[i-1]
	}
	return t.bytes[begin:t.ends[i]]
}

func (t *texts) takeData() arrow.ArrayData {
	bytes := memory.NewBufferBytes(t.bytes)
	t.bytes = t.bytes[:0]
	return t.validity.takeData(t.dataType(), []*memory.Buffer{t.ends.buffer(), bytes})
}

// numbers is a column of numbers.
type numbers struct {
	validity validity
	values   []int64
}

func (c *numbers) dataType() arrow.DataType { return arrow.PrimitiveTypes.Int64 }

func (c *numbers) add(n uint64, rest []byte) []byte {
	var v uint64
	if n > 0 {
		v, rest = cutNumber(rest)
	}
	c.append(v, n > 0)
	return rest
}

func (c *numbers) append(v uint64, valid bool) {
	c.validity.add(valid)
	c.values = append(c.values, int64(v))
}

func (c *numbers) takeData() arrow.ArrayData {
	values := memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(c.values))
	c.values = c.values[:0]
	return c.validity.takeData(c.dataType(), []*memory.Buffer{values})
}

// lists is a column of lists of texts.
type lists struct {
	validity validity
	ends     ends
	texts    texts
}

var listType = arrow.ListOf(arrow.BinaryTypes.String)

func (c *lists) dataType() arrow.DataType { return listType }

func (c *lists) add(n uint64, rest []byte) []byte {
	c.validity.add(n > 0)
	for ; n > 0 && rest != nil; n-- {
		var text []byte
		text, rest = cutText(rest)
		c.texts.append(text, true)
	}
	c.ends.add(c.texts.validity.n)
	return rest
}

func (c *lists) takeData() arrow.ArrayData {
	return c.validity.takeData(listType, []*memory.Buffer{c.ends.buffer()}, c.texts.takeData())
}

// counts is a column of maps from names to numbers.
type counts struct {
	validity validity
	ends     ends
	names    texts
	items    numbers
}

var countsType = arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64)

func (c *counts) dataType() arrow.DataType { return countsType }

func (c *counts) add(n uint64, rest []byte) []byte {
	c.validity.add(n > 0)
	for ; n > 1 && rest != nil; n-- {
		var name []byte
		name, rest = cutText(rest)
		v, after := cutNumber(rest)
		c.names.append(name, true)
		c.items.append(v, true)
		rest = after
	}
	c.ends.add(c.items.validity.n)
	return rest
}

func (c *counts) takeData() arrow.ArrayData {
	n := c.items.validity.n
	pairs := array.NewData(countsType.Elem(), n, []*memory.Buffer{nil},
		[]arrow.ArrayData{c.names.takeData(), c.items.takeData()}, 0, 0)
	return c.validity.takeData(countsType, []*memory.Buffer{c.ends.buffer()}, pairs)
}

// dictionary is a column of repeated texts.
type dictionary struct {
	validity validity
	indices  []int32          // of the value of each row
	values   texts            // the different values
	indexOf  map[string]int32 // index of each value
}

var dictionaryType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

func (c *dictionary) dataType() arrow.DataType { return dictionaryType }

func (c *dictionary) add(n uint64, rest []byte) []byte {
	c.validity.add(n > 0)
	var index int32
	if n > 0 {
		var text []byte
		text, rest = cut(rest, n-1)
		index = c.index(text)
	}
	c.indices = append(c.indices, index)
	return rest
}

// index returns the index of a text. The text is most often that of the row before.
func (c *dictionary) index(text []byte) int32 {
	if c.values.validity.n > 0 && len(c.indices) > 0 {
		last := c.indices[len(c.indices)-1]
		if string(text) == string(c.values.at(last)) {
			return last
		}
	}
	index, ok := c.indexOf[string(text)]
	if !ok {
		index = int32(len(c.indexOf))
		c.indexOf[string(text)] = index
		c.values.append(text, true)
	}
	return index
}

// takeData does not use the memory of the values again, since the ipc.Writer compares them with the
// next dictionary.
func (c *dictionary) takeData() arrow.ArrayData {
	indices := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(c.indices))
	d := c.validity.takeData(dictionaryType, []*memory.Buffer{indices}).(*array.Data)
	d.SetDictionary(c.values.takeData())
	c.indices = c.indices[:0]
	c.values = texts{}
	clear(c.indexOf)
	return d
}
