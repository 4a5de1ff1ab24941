// Package record writes references as the records that scripts rely on: one
// absolute URI a line, JSON lines, CSV or TSV.
package record

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

// Formats are all of them, text first.
var Formats = []Format{Text, JSONL, CSV, TSV}

var formatNames = [...]string{Text: "text", JSONL: "jsonl", CSV: "csv", TSV: "tsv"}

func (f Format) String() string { return formatNames[f] }

// Record is one reference. Zero values are unknown ones, but for Offset, End,
// Line and Column, which count only if Placed. Bytes that are no UTF-8 are
// written as U+FFFD. Line and Column are 0 where they alone are not known.
type Record struct {
	Source    string
	Item      int     // number of the message in a mailbox, from 1; 0 elsewhere
	Part      string  // section number, "" outside messages
	Message   Message // that holds the document; its subject and sender count with Context only
	Type      string  // media type of the document
	Placed    bool    // the reference stands in the bytes of the source
	Offset    int64   // bytes of the source
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
	Error     string // why the reference is invalid or unresolved
	Warnings  []string
	Context   bool   // the record has a text, and the subject and sender of the message
	Text      string // what a reader is shown for the reference
	Checked   bool   // the record says what its URI has for a file
	Found     string // the URI of the file that is probably meant; "" where that is the URI itself, or none
	Memo      *Memo  // what is known of the record before it, for JSONL; may be nil
}

// columns are the keys of a record in the order of a row.
var columns = []string{"source", "item", "part", "message_id", "date", "type", "offset", "end", "line", "column", "element", "attribute", "kind", "rel",
	"raw", "value", "uri", "status", "base", "base_layer", "base_source", "base_part", "error", "warnings"}

// Header returns the header row of f for records with or without a text, and with or
// without what was found, nothing where it has none.
func (f Format) Header(context, checked bool) string {
	sep := map[Format]string{CSV: ",", TSV: "\t"}[f]
	if sep == "" {
		return ""
	}
	names := columns
	if context {
		at := slices.Index(columns, "date")
		names = slices.Insert(slices.Clone(columns), at, "subject", "from")
		names = append(names, "text")
	}
	row := strings.Join(names, sep)
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
		return appendRow(dst, r, csvTable)
	case TSV:
		return appendRow(dst, r, tsvTable)
	}
	return AppendText(dst, r.Status, r.URI)
}

// AppendText appends what Append does as Text.
func AppendText(dst []byte, status string, uri []byte) []byte {
	switch status {
	case "resolved", "absolute", "same-document":
		if len(uri) > 0 {
			dst = append(append(dst, uri...), '\n')
		}
	}
	return dst
}

// appendJSON appends the object.
func appendJSON(dst []byte, r *Record) []byte {
	l := r.Memo.leads(dst, r)
	if r.Placed {
		l = l.number(`,"offset":`, r.Offset).number(`,"end":`, r.End)
		if r.Line > 0 {
			l = l.number(`,"line":`, r.Line).number(`,"column":`, r.Column)
		}
	}
	l = l.text(`,"element":`, r.Element).text(`,"attribute":`, r.Attribute).text(`,"kind":`, r.Kind).list(`,"rel":`, r.Rel)
	l = l.bytes(`,"raw":`, r.Raw).bytes(`,"value":`, r.Value)
	if len(r.URI) > 0 {
		l = l.bytes(`,"uri":`, r.URI)
	}
	l = r.Memo.bases(l.text(`,"status":`, r.Status), r).text(`,"error":`, r.Error).list(`,"warnings":`, r.Warnings)
	if r.Context {
		l = l.text(`,"text":`, r.Text)
	}
	if r.Checked {
		l = l.text(`,"found":`, r.Found)
	}
	return append(l, '}', '\n')
}

// line is what is appended to for a record: like Object, but a key is given with all
// that stands around it, and inlined, since there are millions of records.
type line []byte

func (l line) text(key, v string) line {
	if v == "" {
		return l
	}
	return AppendString(append(l, key...), v)
}

func (l line) bytes(key string, v []byte) line {
	if v == nil {
		return l
	}
	return AppendString(append(l, key...), v)
}

func (l line) number(key string, v int64) line { return strconv.AppendInt(append(l, key...), v, 10) }

func (l line) list(key string, v []string) line {
	if len(v) == 0 {
		return l
	}
	return line(appendStrings(append(l, key...), v))
}

// table is how the cells of a row are written.
type table struct {
	sep   byte
	plain *[256]bool // bytes that stand in a cell as they are; one beyond ASCII never does for certain
	quote func(dst []byte, s string) []byte
}

var (
	csvTable = &table{',', plainBut(",\"\r\n \t"), appendCSV}
	tsvTable = &table{'\t', plainBut("\\\t\r\n"), appendTSV}
)

// plainBut returns the bytes of ASCII without those of special.
func plainBut(special string) *[256]bool {
	t := new([256]bool)
	for c := range byte(utf8.RuneSelf) {
		t[c] = strings.IndexByte(special, c) < 0
	}
	return t
}

// appendRow appends the columns.
func appendRow(dst []byte, r *Record, t *table) []byte {
	dst = appendText(dst, r.Source, t)
	dst = appendNumber(dst, int64(r.Item), r.Item > 0, t)
	dst = appendCell(appendCell(dst, r.Part, t), r.Message.ID, t)
	if r.Context {
		dst = appendCell(appendCell(dst, r.Message.Subject, t), r.Message.From, t)
	}
	dst = appendCell(appendCell(dst, r.Message.Date, t), r.Type, t)
	dst = appendNumber(appendNumber(dst, r.Offset, r.Placed, t), r.End, r.Placed, t)
	lines := r.Placed && r.Line > 0
	dst = appendNumber(appendNumber(dst, r.Line, lines, t), r.Column, lines, t)
	for _, s := range [...]string{r.Element, r.Attribute, r.Kind, words(r.Rel)} {
		dst = appendCell(dst, s, t)
	}
	for _, b := range [...][]byte{r.Raw, r.Value, r.URI} {
		dst = appendCell(dst, b, t)
	}
	for _, s := range [...]string{r.Status, r.Base, r.Layer, r.BaseFrom, r.BasePart, r.Error, words(r.Warnings)} {
		dst = appendCell(dst, s, t)
	}
	if r.Context {
		dst = appendCell(dst, r.Text, t)
	}
	if r.Checked {
		dst = appendCell(dst, r.Found, t)
	}
	return append(dst, '\n')
}

// words returns a list as one cell has it.
func words(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list, " ")
}

// appendNumber appends a cell with a number, if it is known.
func appendNumber(dst []byte, n int64, known bool, t *table) []byte {
	dst = append(dst, t.sep)
	if known {
		dst = strconv.AppendInt(dst, n, 10)
	}
	return dst
}

// appendCell appends a cell that is not the first one of its row.
func appendCell[S string | []byte](dst []byte, s S, t *table) []byte {
	return appendText(append(dst, t.sep), s, t)
}

// appendText appends the text of a cell. What is no UTF-8 becomes U+FFFD.
func appendText[S string | []byte](dst []byte, s S, t *table) []byte {
	for i := range len(s) {
		if !t.plain[s[i]] {
			return t.quote(dst, strings.ToValidUTF8(string(s), "\uFFFD"))
		}
	}
	return append(dst, s...)
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
