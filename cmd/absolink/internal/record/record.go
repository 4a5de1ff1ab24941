// Package record writes references as the records that scripts rely on: one
// absolute URI a line, JSON lines, CSV or TSV.
package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
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
	Arrow               // columns, of the frames that package columns takes
)

// Formats are those of lines, text first.
var Formats = []Format{Text, JSONL, CSV, TSV}

var formatNames = [...]string{Text: "text", JSONL: "jsonl", CSV: "csv", TSV: "tsv", Arrow: "arrow"}

func (f Format) String() string { return formatNames[f] }

// Sort is what a record is of.
type Sort string

// The sorts of records.
const (
	Link Sort = "link"
	Page Sort = "page"
	Dead Sort = "dead" // of what has failed in a unit
	Unit Sort = "unit" // the end of a unit
)

// Count is how many there are of something.
type Count struct {
	Name string
	N    int
}

// Record is one reference, or one document. Zero values are unknown ones, but for Offset,
// End, Line and Column, which count only if Placed. Bytes that are no UTF-8 are
// written as U+FFFD. Line and Column are 0 where they alone are not known.
type Record struct {
	Sort Sort // "" is Link
	Document
	Placed    bool  // the reference stands in the bytes of the source
	Offset    int64 // bytes of the source
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
	Text      string   // what a reader is shown for the reference
	Found     string   // the URI of the file that is probably meant; "" where that is the URI itself, or none
	Links     []Count  // of a document: its references by status
	Kinds     []Count  // and by kind
	Robots    []string // of a document: the directives for robots that hold for it
	Unit      string   // of what has failed what reads it again; of a unit its line
	Counts    [3]int   // of a unit: its pages, links and records of what failed
	Memo      *Memo    // of the record before it, for JSONL of one Layout; may be nil
}

// AppendText appends the line of a link as Text: nothing for one without a URI, or
// whose status says that it is none to follow.
func AppendText(dst []byte, status string, uri []byte) []byte {
	switch status {
	case "resolved", "absolute", "same-document":
		if len(uri) > 0 {
			dst = append(append(dst, uri...), '\n')
		}
	}
	return dst
}

// appendJSON appends an object with all that is known of a link.
func (t *Layout) appendJSON(dst []byte, r *Record) []byte {
	l := line(r.Memo.leads(dst, r, t.begin))
	if r.Placed {
		l = l.number(`,"offset":`, r.Offset).number(`,"end":`, r.End)
		if r.Line > 0 {
			l = l.number(`,"line":`, r.Line).number(`,"column":`, r.Column)
		}
	}
	l = l.text(`,"element":`, r.Element).text(`,"attribute":`,
		r.Attribute).text(`,"kind":`, r.Kind).list(`,"rel":`, r.Rel)
	l = l.bytes(`,"raw":`, r.Raw).bytes(`,"value":`, r.Value)
	if len(r.URI) > 0 {
		l = l.bytes(`,"uri":`, r.URI)
	}
	l = r.Memo.bases(l.text(`,"status":`, r.Status), r).text(`,"error":`, r.Error).list(`,"warnings":`, r.Warnings)
	l = l.text(`,"text":`, r.Text).text(`,"found":`, r.Found)
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
	csvTable = &table{',', plainBut(",\" "), appendCSV}
	tsvTable = &table{'\t', plainBut("\\"), appendTSV}
)

// plainBut returns the bytes of ASCII without control characters and those of special.
func plainBut(special string) *[256]bool {
	t := new([256]bool)
	for c := byte(' '); c < 0x7f; c++ {
		t[c] = strings.IndexByte(special, c) < 0
	}
	return t
}

// words returns a list as one cell has it.
func words(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list, " ")
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

// withoutControls returns s with its control characters as escapes: \x1b, or \u009b for those
// beyond ASCII. Tabs and line ends stay.
func withoutControls(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !isControl(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\r' && r != '\n' }

// appendCSV quotes as RFC 4180 says. A value with a blank at its edge is quoted
// too, since some readers cut blanks.
func appendCSV(dst []byte, s string) []byte {
	s = withoutControls(s)
	if !strings.ContainsAny(s, ",\"\r\n") && strings.Trim(s, " \t") == s {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(s, `"`, `""`)...)
	return append(dst, '"')
}

var tsvEscapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func appendTSV(dst []byte, s string) []byte {
	return append(dst, withoutControls(tsvEscapes.Replace(s))...)
}
