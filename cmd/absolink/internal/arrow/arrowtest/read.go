// Package arrowtest reads the streams of package arrow in tests. It is strict: it refuses a stream
// that breaks a rule of the format, even if most readers would not notice.
package arrowtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Row is a row by the names of the columns. A null is nil, a text is a string, a number is an
// int64, a list is a []any of strings, and a map is a map[string]any of int64s.
type Row map[string]any

// Read returns the rows of each batch, and an error if the stream is not whole and valid. With an
// error, the batches before it are valid.
func Read(stream string) (batches [][]Row, err error) {
	r := &reader{rest: stream, dictionaries: make(map[int64][]any)}
	defer func() {
		if e := recover(); e != nil { // an offset in the metadata leads out of it, or a check failed
			err = fmt.Errorf("byte %d of %d: %v", len(stream)-len(r.rest), len(stream), e)
		}
	}()
	for r.next() {
		if r.kind == 3 {
			batches = append(batches, r.rows())
		}
	}
	if r.rest != "" {
		return batches, errors.New("bytes behind the end of the stream")
	}
	return batches, nil
}

type reader struct {
	rest         string
	fields       []field
	dictionaries map[int64][]any

	kind    byte // of the current message: 1 is a schema, 2 a dictionary, 3 a batch
	header  table
	body    string
	nodes   []([2]int64) // that are not yet used
	buffers []([2]int64)
}

// check ends the reading, unless ok.
func check(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Errorf(format, args...))
	}
}

// take returns the next bytes.
func (r *reader) take(n int) string {
	check(n >= 0 && n <= len(r.rest), "%w: %d bytes are left of %d", io.ErrUnexpectedEOF, len(r.rest), n)
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// next reads a message, and the schema or the dictionary in it. It returns false at the end of the
// stream.
func (r *reader) next() bool {
	check(r.take(4) == "\xff\xff\xff\xff", "no mark at the beginning of a message")
	n := int(binary.LittleEndian.Uint32([]byte(r.take(4))))
	if n == 0 {
		check(r.fields != nil, "no schema before the end")
		return false
	}
	check(n%8 == 0, "metadata of %d bytes", n)
	m := root([]byte(r.take(n)))
	check(m.number(0, 2) == 4, "version %d", m.number(0, 2))
	r.kind = byte(m.number(1, 1))
	r.header = m.table(2)
	check(m.number(3, 8)%8 == 0, "body of %d bytes", m.number(3, 8))
	r.body = r.take(int(m.number(3, 8)))
	switch r.kind {
	case 1:
		check(r.fields == nil, "a second schema")
		check(r.header.number(0, 2) == 0, "not little-endian")
		for _, f := range r.header.tables(1) {
			r.fields = append(r.fields, newField(f))
		}
	case 2:
		check(r.header.number(2, 1) == 0, "a dictionary that extends another")
		n := r.begin(r.header.table(1))
		r.dictionaries[r.header.number(0, 8)] = r.values(field{kind: 5, dictionary: -1}, n)
		r.end()
	case 3:
		check(r.fields != nil, "no schema before a batch")
	default:
		check(false, "header of kind %d", r.kind)
	}
	return true
}

// rows returns the rows of a batch.
func (r *reader) rows() []Row {
	n := r.begin(r.header)
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = make(Row)
	}
	for _, f := range r.fields {
		for i, v := range r.values(f, n) {
			rows[i][f.name] = v
		}
	}
	r.end()
	return rows
}

// begin begins a table RecordBatch, and returns its number of rows.
func (r *reader) begin(batch table) int64 {
	r.nodes = batch.structs(1)
	r.buffers = batch.structs(2)
	check(batch.place(3) == 0, "the buffers are compressed")
	end := int64(0)
	for _, b := range r.buffers {
		check(b[0] == end, "a buffer begins at %d, want %d", b[0], end)
		end = (b[0] + b[1] + 7) &^ 7
	}
	check(end == int64(len(r.body)), "buffers end at %d of %d", end, len(r.body))
	return batch.number(0, 8)
}

// end ends a RecordBatch.
func (r *reader) end() {
	check(len(r.nodes) == 0 && len(r.buffers) == 0, "%d nodes and %d buffers are left", len(r.nodes), len(r.buffers))
}

// buffer returns the next buffer.
func (r *reader) buffer() []byte {
	place := r.buffers[0]
	r.buffers = r.buffers[1:]
	return []byte(r.body[place[0] : place[0]+place[1]])
}

// values returns the values of an array with n rows.
func (r *reader) values(f field, n int64) []any {
	node := r.nodes[0]
	r.nodes = r.nodes[1:]
	check(node[0] == n, "%s: an array of %d values, want %d", f.name, node[0], n)
	valid := r.validity(n, node[1])
	check(node[1] == 0 || f.nullable, "%s: nulls", f.name)
	values := make([]any, n)
	switch {
	case f.dictionary >= 0:
		r.indices(values, r.dictionaries[f.dictionary], valid)
	case f.kind == 5:
		r.texts(values)
	case f.kind == 2:
		b := r.buffer()
		check(len(b) == 8*len(values), "%s: %d bytes of numbers", f.name, len(b))
		for i := range values {
			values[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
		}
	case f.kind == 12:
		ends := r.offsets(n)
		items := r.values(f.children[0], int64(ends[n]))
		for i := range values {
			values[i] = items[ends[i]:ends[i+1]]
		}
	case f.kind == 17:
		r.maps(values, f)
	default:
		check(false, "%s: type %d", f.name, f.kind)
	}
	for i := range values {
		if !valid[i] {
			values[i] = nil
		}
	}
	return values
}

// validity reads the bitmap of n values, and counts its nulls.
func (r *reader) validity(n, nulls int64) []bool {
	bits := r.buffer()
	check(len(bits) == 0 && nulls == 0 || int64(len(bits)) == (n+7)/8, "%d bytes of bits for %d values", len(bits), n)
	valid := make([]bool, n)
	for i := range valid {
		valid[i] = len(bits) == 0 || bits[i/8]>>(i%8)&1 == 1
		if !valid[i] {
			nulls--
		}
	}
	check(nulls == 0, "the count of nulls differs from the bitmap by %d", nulls)
	return valid
}

// offsets reads the offsets of n values.
func (r *reader) offsets(n int64) []int32 {
	b := r.buffer()
	check(int64(len(b)) == 4*(n+1), "%d bytes of offsets for %d values", len(b), n)
	list := make([]int32, n+1)
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		check(i == 0 && list[i] == 0 || i > 0 && list[i] >= list[i-1], "offset %d is %d", i, list[i])
	}
	return list
}

func (r *reader) texts(values []any) {
	ends := r.offsets(int64(len(values)))
	b := r.buffer()
	check(int(ends[len(values)]) == len(b), "texts end at %d of %d", ends[len(values)], len(b))
	for i := range values {
		text := string(b[ends[i]:ends[i+1]])
		check(utf8.ValidString(text), "the text %q", text)
		values[i] = text
	}
}

func (r *reader) indices(values, dictionary []any, valid []bool) {
	b := r.buffer()
	check(dictionary != nil, "no dictionary before the batch")
	check(len(b) == 4*len(values), "%d bytes of indices", len(b))
	for i := range values {
		index := binary.LittleEndian.Uint32(b[4*i:])
		check(valid[i] || index == 0, "a null with the index %d", index)
		if valid[i] {
			values[i] = dictionary[index]
		}
	}
}

func (r *reader) maps(values []any, f field) {
	n := int64(len(values))
	ends := r.offsets(n)
	node := r.nodes[0]
	r.nodes = r.nodes[1:]
	pairs := int64(ends[n])
	check(node == [2]int64{pairs, 0}, "%s: a struct of %v, want %d", f.name, node, pairs)
	r.validity(pairs, 0)
	keys := r.values(f.children[0].children[0], pairs)
	numbers := r.values(f.children[0].children[1], pairs)
	for i := range values {
		m := make(map[string]any)
		for j := ends[i]; j < ends[i+1]; j++ {
			m[keys[j].(string)] = numbers[j]
		}
		values[i] = m
	}
}

// field is a field of the schema.
type field struct {
	name       string
	nullable   bool
	kind       byte  // in the union Type
	dictionary int64 // -1 if there is none
	children   []field
}

// newField reads a table Field. Numbers have 64 bits, and indices 32, all with a sign.
func newField(t table) field {
	f := field{name: t.text(0), nullable: t.number(1, 1) == 1, kind: byte(t.number(2, 1)), dictionary: -1}
	if f.kind == 2 {
		check(t.table(3).number(0, 4) == 64 && t.table(3).number(1, 1) == 1, "%s: not an int64", f.name)
	}
	if d := t.table(4); d.Bytes != nil {
		f.dictionary = d.number(0, 8)
		check(d.table(1).number(0, 4) == 32 && d.table(1).number(1, 1) == 1, "%s: no indices of 32 bits", f.name)
	}
	for _, c := range t.tables(5) {
		f.children = append(f.children, newField(c))
	}
	switch f.kind {
	case 12:
		check(f.has("item?"), "%s: items %+v", f.name, f.children)
	case 13:
		check(f.has("key", "value?"), "%s: pairs %+v", f.name, f.children)
	case 17:
		check(f.has("entries"), "%s: entries %+v", f.name, f.children)
	default:
		check(f.has(), "%s: children %+v", f.name, f.children)
	}
	return f
}

// has reports whether f has these children. A question mark means that a child may be null.
func (f field) has(children ...string) bool {
	return slices.EqualFunc(f.children, children, func(c field, want string) bool {
		name, nullable := strings.CutSuffix(want, "?")
		return c.name == name && c.nullable == nullable
	})
}

// table is a table of a flatbuffer. Its Bytes are nil if there is no table.
type table struct{ flatbuffers.Table }

func root(b []byte) table {
	return table{flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}}
}

// place returns the offset of a member, or 0.
func (t table) place(member int) flatbuffers.UOffsetT {
	if t.Bytes == nil {
		return 0
	}
	return flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*member)))
}

// number returns a member of a number of bytes, or 0.
func (t table) number(member, size int) int64 {
	o := t.place(member)
	if o == 0 {
		return 0
	}
	check((t.Pos+o)%flatbuffers.UOffsetT(size) == 0, "a number of %d bytes at %d", size, t.Pos+o)
	var b [8]byte
	copy(b[:], t.Bytes[t.Pos+o:][:size])
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// text returns a member, or "".
func (t table) text(member int) string {
	o := t.place(member)
	if o == 0 {
		return ""
	}
	return string(t.ByteVector(t.Pos + o))
}

// table returns a member.
func (t table) table(member int) table {
	o := t.place(member)
	if o == 0 {
		return table{}
	}
	return table{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Pos + o)}}
}

// tables returns a member that is a vector of tables.
func (t table) tables(member int) (list []table) {
	o := t.place(member)
	if o == 0 {
		return nil
	}
	for i := range t.VectorLen(o) {
		pos := t.Indirect(t.Vector(o) + 4*flatbuffers.UOffsetT(i))
		list = append(list, table{flatbuffers.Table{Bytes: t.Bytes, Pos: pos}})
	}
	return list
}

// structs returns a member that is a vector of structs with two numbers.
func (t table) structs(member int) (list [][2]int64) {
	o := t.place(member)
	check(o > 0, "no vector of structs")
	start := t.Vector(o)
	check(start%8 == 0, "structs at %d", start)
	for i := range t.VectorLen(o) {
		at := start + 16*flatbuffers.UOffsetT(i)
		list = append(list, [2]int64{t.GetInt64(at), t.GetInt64(at + 8)})
	}
	return list
}
