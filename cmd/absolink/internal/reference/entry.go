package reference

import (
	"bufio"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/record"
)

// entry is the output for one reference, member by member: an object of JSON lines, a row of CSV or
// TSV, or in text a line for each member. A member with an unknown value is left out, or its cell
// is empty.
type entry struct {
	format  record.Format
	columns []string // keys of a row
	cells   []string
	line    record.Object
	base    string // base of the last reference
	lead    []byte // its encoded member
}

// header begins a table.
func (e *entry) header(out *bufio.Writer, columns []string) {
	if e.rows() {
		e.columns = columns
		e.cells = make([]string, len(columns))
		out.Write(record.AppendCells(nil, e.format, columns))
	}
}

// rows reports whether entries are rows of a table.
func (e *entry) rows() bool { return e.format == record.CSV || e.format == record.TSV }

// begin starts an entry.
func (e *entry) begin() {
	e.line = e.line[:0]
	if e.format == record.JSONL {
		e.line = append(e.line, '{')
	}
	clear(e.cells)
}

// reference adds the base and the reference as members; in text the reference is a line of its own.
func (e *entry) reference(base string, ref []byte) {
	if e.format == record.Text {
		e.line = append(append(e.line, ref...), '\n')
		return
	}
	if e.format == record.JSONL {
		if e.lead == nil || e.base != base {
			e.base = base
			e.lead = record.Object{'{'}.String("base", base)
		}
		e.line = append(e.line[:0], e.lead...)
	} else {
		e.cell("base", base)
	}
	e.bytes("ref", known(ref))
}

// text adds a member. "" means unknown.
func (e *entry) text(key, value string) {
	switch e.format {
	case record.JSONL:
		e.line = e.line.String(key, value)
	case record.Text:
		e.line = append(append(append(append(append(e.line, '\t'), key...), '\t'), value...), '\n')
	default:
		e.cell(key, value)
	}
}

// bytes adds a member. nil means unknown.
func (e *entry) bytes(key string, value []byte) {
	if e.format == record.JSONL {
		e.line = e.line.Bytes(key, value)
		return
	}
	e.text(key, string(value))
}

// list adds a member with a list.
func (e *entry) list(key string, value []string) {
	if e.format == record.JSONL {
		e.line = e.line.Strings(key, value)
		return
	}
	e.text(key, strings.Join(value, " "))
}

// nested adds a member in JSON to JSON lines.
func (e *entry) nested(key string, value []byte) {
	if e.format == record.JSONL {
		e.line = e.line.Raw(key, value)
	}
}

// cell sets the cell of a column, if the column exists.
func (e *entry) cell(key, value string) {
	if i := slices.Index(e.columns, key); i >= 0 {
		e.cells[i] = value
	}
}

// end writes the entry.
func (e *entry) end(out *bufio.Writer) error {
	switch {
	case e.format == record.JSONL:
		e.line = append(e.line, "}\n"...)
	case e.rows():
		e.line = record.AppendCells(e.line, e.format, e.cells)
	}
	_, err := out.Write(e.line)
	return err
}
