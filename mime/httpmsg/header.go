package httpmsg

import (
	"bytes"
	"iter"
	"strings"

	"absolink/mime/internal/header"
)

// Header is a block of header fields (RFC 9112 Section 5). It refers to the bytes from which it was
// parsed, which belong to the caller. It is read-only and safe for concurrent use.
type Header struct {
	fields []field
	data   []byte
}

// field is a header field, with offsets in Header.data. Its value is [Colon+1, End), with its
// folding and its line end. Colon is -1 if the line is not a field.
type field struct{ Start, Colon, End int }

// maxHeader is the largest size of a header block. Servers and browsers accept at most a quarter of
// it.
const maxHeader = 1 << 20

// ParseFields reads the header block that begins at start of data into h, and reuses the memory of
// h. body is the offset after the blank line that ends the block. Lines end with LF or CRLF. If no
// blank line ends the block, ended is false, and the body begins at the first line that is not a
// field. data must not change while h is in use.
func (h *Header) ParseFields(data []byte, start int) (body int, ended bool) {
	return h.readFields(data, start, false)
}

// readFields is ParseFields. If stopAtMarkup is set, a line that begins with '<' ends the block.
func (h *Header) readFields(data []byte, start int, stopAtMarkup bool) (body int, ended bool) {
	h.fields, h.data = h.fields[:0], data
	junk := -1 // index of the first line that is not a field, or -1
	limit := min(len(data), start+maxHeader)
	for i := start; i < limit && !(stopAtMarkup && data[i] == '<'); {
		end := nextLine(data, i)
		if end > limit && end-start > maxHeader {
			break
		}
		if isBlank(data[i:end]) {
			return end, true
		}
		if n := len(h.fields); header.Folds(data[i]) && n > 0 {
			h.fields[n-1].End = end
		} else if colon := header.Colon(data[i:end]); colon >= 0 {
			h.fields = append(h.fields, field{i, i + colon, end})
		} else {
			if junk < 0 {
				junk = n
			}
			h.fields = append(h.fields, field{i, -1, end})
		}
		i = end
	}
	if junk >= 0 {
		body = h.fields[junk].Start
		h.fields = h.fields[:junk]
		return body, false
	}
	return h.fieldsEnd(start), false
}

// Over returns a copy of h whose fields are in data. data must have the bytes of the fields at the
// same offsets. The copy shares the memory for fields with h.
func (h Header) Over(data []byte) Header { return Header{h.fields, data} }

// Nameless yields the offsets of the lines that are not fields, because they have no name.
func (h *Header) Nameless() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, f := range h.fields {
			if f.Colon < 0 && !yield(f.Start) {
				return
			}
		}
	}
}

// fieldsEnd returns the offset after the last field, or start if there is none.
func (h *Header) fieldsEnd(start int) int {
	if n := len(h.fields); n > 0 {
		return h.fields[n-1].End
	}
	return start
}

// nextLine returns the offset after the line at i. The line ends with LF.
func nextLine(data []byte, i int) int {
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(data)
}

// isBlank reports whether a line holds only its line end.
func isBlank(line []byte) bool {
	return line[0] == '\n' || line[0] == '\r' && (len(line) == 1 || line[1] == '\n')
}

// hasName reports whether f has this name, in any case.
func (h *Header) hasName(f field, name string) bool {
	return f.Colon >= 0 && header.Named(h.data[f.Start:f.Colon], name)
}

// nameOf returns the name of a field as written.
func (h *Header) nameOf(f field) []byte {
	return bytes.TrimRight(h.data[f.Start:max(f.Colon, f.Start)], " \t")
}

// valueOf returns the value of a field, unfolded and without white space around it.
func (h *Header) valueOf(f field) []byte {
	v := header.Trim(h.data[f.Colon+1 : f.End])
	if bytes.IndexByte(v, '\n') < 0 {
		return v
	}
	return []byte(unfolder.Replace(string(v)))
}

// unfolder removes line ends.
var unfolder = strings.NewReplacer("\r\n", "", "\n", "")

// Values yields the values of the fields with this name, unfolded and without white space around
// them. name must be ASCII; its case does not matter.
func (h *Header) Values(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range h.fields {
			if h.hasName(f, name) && !yield(string(h.valueOf(f))) {
				return
			}
		}
	}
}

// Get returns the value of the first field with this name, and the number of fields with it. If
// there is no such field, Get returns "" and 0.
func (h *Header) Get(name string) (value string, n int) {
	v, n := h.GetBytes(name)
	return string(v), n
}

// GetBytes is [Header.Get] without a copy: the value is a part of the bytes of the header, unless
// it is folded.
func (h *Header) GetBytes(name string) (value []byte, n int) {
	for _, f := range h.fields {
		if !h.hasName(f, name) {
			continue
		}
		n++
		if n == 1 {
			value = h.valueOf(f)
		}
	}
	return value, n
}

// joined returns the values of all fields with this name, joined with commas.
func (h *Header) joined(name string) string {
	value, n := h.Get(name)
	if n < 2 {
		return value
	}
	var all []string
	for v := range h.Values(name) {
		all = append(all, v)
	}
	return strings.Join(all, ", ")
}
