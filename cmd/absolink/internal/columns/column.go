package columns

import (
	"encoding/binary"

	"absolink/cmd/absolink/internal/arrow"
)

// column collects the values of one key for the current batch. All batches reuse its memory.
type column interface {
	// add adds a value in the form that package record describes: n is its first number, and rest
	// are the bytes after n. It returns the bytes after the value, or nil if the frame is invalid.
	add(n uint64, rest []byte) []byte
	// take returns the values, and begins the next batch. They are valid until the next add.
	take() arrow.Array
}

// A repeater is a column that can add the last value again.
type repeater interface {
	column
	repeat(times int) // times is at least 1
}

// newColumn returns an empty column of a type.
func newColumn(t arrow.Type) column {
	switch t {
	case arrow.Number:
		return &numbers{}
	case arrow.TextList:
		return &lists{}
	case arrow.NumbersMap:
		return &counts{}
	case arrow.Repeated:
		return &dictionary{indexOf: make(map[string]int)}
	}
	return &texts{}
}

// newArray returns an array of the rows in v, which it takes. The buffers come after the bitmap.
func newArray(v *validity, buffers ...[]byte) arrow.Array {
	bits, n, nulls := v.take()
	return arrow.Array{Len: n, Nulls: nulls, Buffers: append([][]byte{bits}, buffers...)}
}

// texts is a column of texts.
type texts struct {
	validity validity
	ends     ends
	bytes    []byte // all texts, one after the other
}

func (c *texts) add(n uint64, rest []byte) []byte {
	var text []byte
	if n > 0 {
		text, rest = cut(rest, n-1)
	}
	c.append(text, n > 0)
	return rest
}

func (c *texts) append(text []byte, valid bool) {
	c.validity.add(valid, 1)
	c.bytes = append(c.bytes, text...)
	c.ends.add(len(c.bytes))
}

// at returns the text of a row.
func (c *texts) at(row int) []byte {
	return c.bytes[c.ends.offsets.at(row):c.ends.offsets.at(row+1)]
}

func (c *texts) take() arrow.Array {
	bytes := c.bytes
	c.bytes = bytes[:0]
	return newArray(&c.validity, c.ends.take(), bytes)
}

// numbers is a column of numbers.
type numbers struct {
	validity validity
	values   []byte // of 64 bits, as Arrow stores them
	last     uint64
	valid    bool // the last row has a value
}

func (c *numbers) add(n uint64, rest []byte) []byte {
	var v uint64
	if n > 0 {
		v, rest = cutNumber(rest)
	}
	c.append(v, n > 0)
	return rest
}

func (c *numbers) append(v uint64, valid bool) {
	c.last = v
	c.valid = valid
	c.repeat(1)
}

func (c *numbers) repeat(times int) {
	c.validity.add(c.valid, times)
	c.values = binary.LittleEndian.AppendUint64(c.values, c.last)
	c.values = repeatLast(c.values, 8, times-1)
}

func (c *numbers) take() arrow.Array {
	values := c.values
	c.values = values[:0]
	return newArray(&c.validity, values)
}

// lists is a column of lists of texts.
type lists struct {
	validity validity
	ends     ends
	texts    texts
}

func (c *lists) add(n uint64, rest []byte) []byte {
	c.validity.add(n > 0, 1)
	for ; n > 0 && rest != nil; n-- {
		var text []byte
		text, rest = cutText(rest)
		c.texts.append(text, true)
	}
	c.ends.add(c.texts.validity.n)
	return rest
}

func (c *lists) take() arrow.Array {
	a := newArray(&c.validity, c.ends.take())
	a.Children = []arrow.Array{c.texts.take()}
	return a
}

// counts is a column of maps from names to numbers.
type counts struct {
	validity validity
	ends     ends
	names    texts
	items    numbers
}

func (c *counts) add(n uint64, rest []byte) []byte {
	c.validity.add(n > 0, 1)
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

func (c *counts) take() arrow.Array {
	pairs := arrow.Array{Len: c.items.validity.n, Buffers: [][]byte{nil}}
	pairs.Children = []arrow.Array{c.names.take(), c.items.take()}
	a := newArray(&c.validity, c.ends.take())
	a.Children = []arrow.Array{pairs}
	return a
}

// dictionary is a column of repeated texts.
type dictionary struct {
	validity validity
	indices  int32s         // of the value of each row
	values   texts          // the different values
	indexOf  map[string]int // index of each value
	last     int            // index of the last row
	lastText []byte         // its value, in the memory of values
	valid    bool           // the last row has a value
}

func (c *dictionary) add(n uint64, rest []byte) []byte {
	if n == 0 {
		c.last = 0
		c.valid = false
		c.repeat(1)
		return rest
	}
	text, rest := cut(rest, n-1)
	if !c.valid || string(text) != string(c.lastText) {
		c.last = c.index(text)
		c.lastText = c.values.at(c.last)
		c.valid = true
	}
	c.repeat(1)
	return rest
}

// index returns the index of a text.
func (c *dictionary) index(text []byte) int {
	index, ok := c.indexOf[string(text)]
	if !ok {
		index = len(c.indexOf)
		c.indexOf[string(text)] = index
		c.values.append(text, true)
	}
	return index
}

func (c *dictionary) repeat(times int) {
	c.validity.add(c.valid, times)
	c.indices.addTimes(c.last, times)
}

func (c *dictionary) take() arrow.Array {
	indices := c.indices
	c.indices = indices[:0]
	a := newArray(&c.validity, indices)
	values := c.values.take()
	a.Dictionary = &values
	clear(c.indexOf)
	c.valid = false
	return a
}
