package record

import (
	"encoding/binary"
	"unicode/utf8"
)

// In the format Arrow, each record goes to package columns in a frame. A frame consists of the
// length of its content (4 bytes) and one value for each key. A value begins with a number, in the
// encoding Uvarint of encoding/binary:
//
//	0           the value is unknown
//	length + 1  a text follows
//	1           a number follows
//	count       a list: that many texts follow, each after its length
//	count + 1   numbers by name: that many numbers follow, each after its name

const lengthSize = 4

// appendFrame appends the frame of r.
func (t *Layout) appendFrame(dst []byte, r *Record) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, lengthSize)...)
	dst = r.Memo.appendPrefix(dst, r,
		func(dst []byte, r *Record) []byte { return appendValues(dst, r, t.keys[:t.shared]) })
	dst = appendValues(dst, r, t.keys[t.shared:])
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-lengthSize))
	return dst
}

// appendValues appends the value of each key in r.
func appendValues(dst []byte, r *Record, keys []*Key) []byte {
	for _, k := range keys {
		dst = k.appendValue(dst, r)
	}
	return dst
}

// appendValue appends the value of the key k in r.
func (k *Key) appendValue(dst []byte, r *Record) []byte {
	switch {
	case k.text != nil:
		if s := k.text(r); s != "" {
			return appendValidText(dst, s, 1)
		}
	case k.bytes != nil:
		if b := k.bytes(r); b != nil && utf8.Valid(b) {
			return appendSized(dst, b, 1)
		} else if b != nil {
			return appendValidText(dst, string(b), 1)
		}
	case k.list != nil:
		list := k.list(r)
		dst = binary.AppendUvarint(dst, uint64(len(list)))
		for _, s := range list {
			dst = appendValidText(dst, s, 0)
		}
		return dst
	case k.counts != nil:
		if list := k.counts(r); list != nil {
			dst = binary.AppendUvarint(dst, uint64(len(list))+1)
			for _, c := range list {
				dst = binary.AppendUvarint(appendValidText(dst, c.Name, 0), uint64(c.N))
			}
			return dst
		}
	default:
		if n, known := k.number(r); known {
			return binary.AppendUvarint(append(dst, 1), uint64(n))
		}
	}
	return append(dst, 0)
}

// appendValidText is like appendSized, but replaces invalid UTF-8 by U+FFFD.
func appendValidText(dst []byte, s string, extra int) []byte {
	return appendSized(dst, validText(s), extra)
}

// appendSized appends the sum of the length of a text and extra, and then the text.
func appendSized[S string | []byte](dst []byte, s S, extra int) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s)+extra)), s...)
}

// Column describes the column of a key.
type Column struct {
	Name       string
	Type       ColumnType
	Repeated   bool // many rows have the same value
	OfDocument bool // all rows of a document have the same value
}

// ColumnType is the type of the values of a column.
type ColumnType uint8

// The types.
const (
	TextColumn ColumnType = iota
	NumberColumn
	ListColumn   // list of texts
	CountsColumn // numbers by name
)

// Columns returns the columns of t.
func (t *Layout) Columns() []Column {
	var list []Column
	for _, k := range t.keys {
		c := Column{Name: k.Name, Repeated: k.repeated || k.ofDocument, OfDocument: k.ofDocument}
		switch k.typeName() {
		case "integer":
			c.Type = NumberColumn
		case "list":
			c.Type = ListColumn
		case "counts":
			c.Type = CountsColumn
		}
		list = append(list, c)
	}
	return list
}
