package record

import (
	"encoding/binary"
	"slices"
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
	for i, run := range t.runs {
		keys := t.keys[run.from:run.to]
		if run.texts {
			dst = r.Memo.appendRun(dst, i, keys, r)
		} else {
			dst = appendValues(dst, r, keys)
		}
	}
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
		return appendKnown(dst, k.text(r))
	case k.bytes != nil:
		if b := k.bytes(r); b != nil && ValidUTF8(b) {
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

// ValidUTF8 is utf8.Valid, but faster for short texts in ASCII.
func ValidUTF8(b []byte) bool {
	const tops = 0x8080808080808080
	rest := b
	for ; len(rest) >= 16; rest = rest[16:] {
		if (binary.LittleEndian.Uint64(rest)|binary.LittleEndian.Uint64(rest[8:]))&tops != 0 {
			return utf8.Valid(b)
		}
	}
	if n := len(b); n >= 16 { // the last bytes, some of them again
		rest = b[n-16:]
		return (binary.LittleEndian.Uint64(rest)|binary.LittleEndian.Uint64(rest[8:]))&tops == 0 || utf8.Valid(b)
	}
	return utf8.Valid(b)
}

// appendTexts appends the values of keys that are texts.
func appendTexts(dst []byte, texts []string) []byte {
	for _, s := range texts {
		dst = appendKnown(dst, s)
	}
	return dst
}

// appendKnown appends the value of a key that is a text. An empty text is unknown.
func appendKnown(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, 0)
	}
	return appendValidText(dst, s, 1)
}

// appendValidText is like appendSized, but replaces invalid UTF-8 by U+FFFD.
func appendValidText(dst []byte, s string, extra int) []byte {
	return appendSized(dst, validText(s), extra)
}

// appendSized appends the sum of the length of a text and extra, and then the text.
func appendSized[S string | []byte](dst []byte, s S, extra int) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s)+extra)), s...)
}

// run is a sequence of keys. In many records they have the same values as in the record before.
type run struct {
	from, to int // indices of the keys in the Layout
	texts    bool
}

// findRuns returns the runs of all keys from an index on. A key whose values differ has a run of
// its own.
func findRuns(keys []*Key, from int) (list []run) {
	for i := from; i < len(keys); i++ {
		k := keys[i]
		texts := k.text != nil && (k.repeated || k.ofDocument)
		numbers := k.number != nil
		if n := len(list); n > 0 && (texts && list[n-1].texts || numbers && keys[i-1].number != nil) {
			list[n-1].to = i + 1
			continue
		}
		list = append(list, run{i, i + 1, texts})
	}
	return list
}

// Column describes the column of a key.
type Column struct {
	Name     string
	Type     ColumnType
	Repeated bool // many rows have the same value
	// Run is the number of the run of the column, from 0. The columns of a run follow each other.
	// Many rows have the same values in all of them as the row before.
	Run int
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
	number := 0
	for i, k := range t.keys {
		if slices.ContainsFunc(t.runs, func(r run) bool { return r.from == i && i > 0 }) {
			number++
		}
		c := Column{Name: k.Name, Repeated: k.repeated || k.ofDocument, Run: number}
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
