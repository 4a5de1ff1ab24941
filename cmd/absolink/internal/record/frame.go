package record

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// As Arrow a record travels in a frame to whoever makes columns of it: the length of what
// follows (4 bytes), then for each key its value. A value begins with a number in the
// format of encoding/binary's Uvarint, 0 for one that is not known: else the length of a
// text and 1, before the text; 1 before a number; how many texts a list has, and each behind
// its length; how many numbers by name there are and 1, and each behind its name.

const lengthSize = 4

// appendFrame appends the frame of r.
func (t *Layout) appendFrame(dst []byte, r *Record) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, lengthSize)...)
	dst = r.Memo.leads(dst, r, func(dst []byte, r *Record) []byte { return appendValues(dst, r, t.keys[:t.lead]) })
	dst = appendValues(dst, r, t.keys[t.lead:])
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-lengthSize))
	return dst
}

func appendValues(dst []byte, r *Record, keys []*Key) []byte {
	for _, k := range keys {
		dst = k.value(dst, r)
	}
	return dst
}

// value appends the value.
func (k *Key) value(dst []byte, r *Record) []byte {
	switch {
	case k.text != nil:
		if s := k.text(r); s != "" {
			return framedText(dst, s, 1)
		}
	case k.bytes != nil:
		if b := k.bytes(r); b != nil && utf8.Valid(b) {
			return framed(dst, b, 1)
		} else if b != nil {
			return framedText(dst, string(b), 1)
		}
	case k.list != nil:
		list := k.list(r)
		dst = binary.AppendUvarint(dst, uint64(len(list)))
		for _, s := range list {
			dst = framedText(dst, s, 0)
		}
		return dst
	case k.counts != nil:
		if list := k.counts(r); list != nil {
			dst = binary.AppendUvarint(dst, uint64(len(list))+1)
			for _, c := range list {
				dst = binary.AppendUvarint(framedText(dst, c.Name, 0), uint64(c.N))
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

// framedText is framed for a text of which what is no UTF-8 becomes U+FFFD.
func framedText(dst []byte, s string, more int) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return framed(dst, s, more)
}

// framed appends a text behind its length and more.
func framed[S string | []byte](dst []byte, s S, more int) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s)+more)), s...)
}

// Column is what a key is as a column.
type Column struct {
	Name     string
	Type     ColumnType
	Repeated bool // few values stand in many rows
}

// ColumnType is the type of the values of a column.
type ColumnType uint8

// The types.
const (
	TextColumn ColumnType = iota
	NumberColumn
	ListColumn   // of texts
	CountsColumn // numbers by name
)

// Columns returns those of t.
func (t *Layout) Columns() []Column {
	var list []Column
	for _, k := range t.keys {
		c := Column{Name: k.Name, Repeated: k.repeated || k.ofDocument}
		switch k.typ() {
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
