// Package record writes references as the records that scripts rely on: one
// absolute URI a line, JSON lines, CSV or TSV.
package record

import (
	"strconv"
	"strings"
)

// Format is how records are written. It is a pflag.Value.
type Format uint8

// The formats.
const (
	Text  Format = iota // one absolute URI a line, nothing else
	JSONL               // one JSON object a line; a key whose value is unknown is absent
	CSV                 // RFC 4180 with LF, a header row, lists joined by blanks
	TSV                 // a header row, lists joined by blanks; \t \n \r \\ as escapes
)

var formatNames = [...]string{Text: "text", JSONL: "jsonl", CSV: "csv", TSV: "tsv"}

func (f Format) String() string { return formatNames[f] }

// Record is one reference. Zero values are unknown ones, but for Offset, End,
// Line and Column, which count only if Placed. Bytes that are no UTF-8 are
// written as U+FFFD. Line and Column are 0 where they alone are not known.
type Record struct {
	Source    string
	Item      int    // number of the message in a mailbox, from 1; 0 elsewhere
	Part      string // section number, "" outside messages
	Type      string // media type of the document
	Placed    bool   // the reference stands in the bytes of the source
	Offset    int64  // bytes of the source
	End       int64
	Line      int64 // from 1
	Column    int64 // from 1, in bytes
	Element   string
	Attribute string
	Kind      string
	Rel       []string
	Raw       []byte
	Value     []byte
	URI       []byte
	Status    string
	Base      string
	Layer     string
	BaseFrom  string // base_source
	BasePart  string
	Warnings  []string
	Context   bool   // the record has a text
	Text      string // what a reader is shown for the reference
	Checked   bool   // the record says what its URI has for a file
	Found     string // the URI of the file that is probably meant; "" where that is the URI itself, or none
}

// columns are the keys of a record in the order of a row.
var columns = []string{"source", "item", "part", "type", "offset", "end", "line", "column", "element", "attribute", "kind", "rel",
	"raw", "value", "uri", "status", "base", "base_layer", "base_source", "base_part", "warnings"}

// Header returns the header row of f for records with or without a text, and with or
// without what was found, nothing where it has none.
func (f Format) Header(context, checked bool) string {
	sep := map[Format]string{CSV: ",", TSV: "\t"}[f]
	if sep == "" {
		return ""
	}
	row := strings.Join(columns, sep)
	if context {
		row += sep + "text"
	}
	if checked {
		row += sep + "found"
	}
	return row + "\n"
}

// Append appends r as one line. As Text a record without a URI, or whose status
// says that it is no link to follow, is nothing.
func (f Format) Append(dst []byte, r *Record) []byte {
	switch f {
	case JSONL:
		return appendJSON(dst, r)
	case CSV:
		return appendRow(dst, r, ',', appendCSV)
	case TSV:
		return appendRow(dst, r, '\t', appendTSV)
	}
	switch r.Status {
	case "resolved", "absolute", "same-document":
		if len(r.URI) > 0 {
			dst = append(append(dst, r.URI...), '\n')
		}
	}
	return dst
}

func appendJSON(dst []byte, r *Record) []byte {
	o := Object(append(dst, '{'))
	o = o.String("source", r.Source)
	if r.Item > 0 {
		o = o.Int("item", int64(r.Item))
	}
	o = o.String("part", r.Part).String("type", r.Type)
	if r.Placed {
		o = o.Int("offset", r.Offset).Int("end", r.End)
		if r.Line > 0 {
			o = o.Int("line", r.Line).Int("column", r.Column)
		}
	}
	o = o.String("element", r.Element).String("attribute", r.Attribute).String("kind", r.Kind).Strings("rel", r.Rel)
	o = o.Bytes("raw", r.Raw).Bytes("value", r.Value)
	if len(r.URI) > 0 {
		o = o.Bytes("uri", r.URI)
	}
	o = o.String("status", r.Status).String("base", r.Base).String("base_layer", r.Layer)
	o = o.String("base_source", r.BaseFrom).String("base_part", r.BasePart).Strings("warnings", r.Warnings)
	if r.Context {
		o = o.String("text", r.Text)
	}
	if r.Checked {
		o = o.String("found", r.Found)
	}
	return append(o, "}\n"...)
}

// appendRow appends the columns.
func appendRow(dst []byte, r *Record, sep byte, cell func(dst []byte, s string) []byte) []byte {
	place := r.place()
	for i, s := range [...]string{r.Source, r.item(), r.Part, r.Type, place[0], place[1], place[2], place[3], r.Element, r.Attribute, r.Kind,
		strings.Join(r.Rel, " "), string(r.Raw), string(r.Value), string(r.URI), r.Status, r.Base, r.Layer, r.BaseFrom, r.BasePart,
		strings.Join(r.Warnings, " ")} {
		if i > 0 {
			dst = append(dst, sep)
		}
		dst = cell(dst, strings.ToValidUTF8(s, "\uFFFD"))
	}
	if r.Context {
		dst = cell(append(dst, sep), strings.ToValidUTF8(r.Text, "\uFFFD"))
	}
	if r.Checked {
		dst = cell(append(dst, sep), r.Found)
	}
	return append(dst, '\n')
}

// place returns the columns offset, end, line and column.
func (r *Record) place() (place [4]string) {
	if !r.Placed {
		return place
	}
	known := 4
	if r.Line == 0 {
		known = 2
	}
	for i, n := range []int64{r.Offset, r.End, r.Line, r.Column}[:known] {
		place[i] = strconv.FormatInt(n, 10)
	}
	return place
}

func (r *Record) item() string {
	if r.Item == 0 {
		return ""
	}
	return strconv.Itoa(r.Item)
}

// appendCSV quotes as RFC 4180 says. A value with a blank at its edge is quoted
// too, since some readers cut blanks.
func appendCSV(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") && strings.Trim(s, " \t") == s {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(s, `"`, `""`)...)
	return append(dst, '"')
}

var tsvEscapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func appendTSV(dst []byte, s string) []byte {
	return append(dst, tsvEscapes.Replace(s)...)
}
