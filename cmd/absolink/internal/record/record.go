// Package record writes references as records for scripts: one absolute URI a line, JSON lines, CSV
// or TSV. It also writes records in frames, from which package columns makes Arrow.
//
// Files in reading order: json.go, why.go, message.go, document.go, memo.go, record.go, host.go,
// value.go, key.go, shape.go, layout.go, row.go, frame.go, unique.go.
package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format is the format of records.
type Format uint8

// The formats.
const (
	Text  Format = iota // one absolute URI a line, and nothing else
	JSONL               // one JSON object a line, without keys whose value is unknown
	CSV                 // RFC 4180 with LF, a header row, lists joined by blanks
	TSV                 // a header row, lists joined by blanks; \t \n \r \\ as escapes
	Arrow               // frames, from which package columns makes columns
)

// Formats are all formats with lines, Text first.
var Formats = []Format{Text, JSONL, CSV, TSV}

var formatNames = [...]string{Text: "text", JSONL: "jsonl", CSV: "csv", TSV: "tsv", Arrow: "arrow"}

// String returns text, jsonl, csv, tsv or arrow.
func (f Format) String() string { return formatNames[f] }

// Category is the category of a record: the thing that it describes.
type Category string

// The categories.
const (
	Link       Category = "link"
	Page       Category = "page"
	Dead       Category = "dead"   // a failure in a unit
	Unit       Category = "unit"   // the end of a unit
	HostEdge   Category = "host"   // the links of a unit from a host to a host
	DomainEdge Category = "domain" // the links of a unit from a registrable domain to another
)

// Count is a number with a name.
type Count struct {
	Name string
	N    int
}

// Record is one row of the output. Category says what it describes: a reference, document, failure,
// unit, or the links between two hosts or domains. The struct is wide because it has a field for
// each value of any category.
//
// A zero value is an unknown value, except in Offset and End if HasPlace is true. Invalid UTF-8 is
// written as U+FFFD.
type Record struct {
	Category Category // "" means Link
	Document
	HasPlace  bool  // the source has the bytes of the reference, so Offset and End are valid
	Offset    int64 // offset of the reference in the source, in bytes
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
	BaseFrom  string // the value of base_source
	BasePart  string
	Error     string // why the reference is invalid or unresolved
	Warnings  []string
	Text      string   // the visible text of the link
	Found     string   // URI of the file that is probably meant, or empty if it equals URI or there is no such file
	Links     []Count  // numbers of the references of a page by status
	Kinds     []Count  // numbers of the references of a page by kind
	Hosts     []Count  // numbers of the references of a page by host of the URI
	Domains   []Count  // numbers of the references of a page by registrable domain of that host
	Robots    []string // directives for robots of a page
	Unit      string   // for a failure: the unit that reads the input again; for a unit: its line
	Sums      Sums     // of a unit or an edge
	Edge      Edge     // of an edge
	Memo      *Memo    // cache of values that the next record may share, or nil
}

// Sums are the numbers of pages, links, failures and edges in a unit. An edge has only pages and
// links.
type Sums struct{ Pages, Links, Dead, Edges int }

// Edge names the two hosts or domains of an edge: Referrer has the links, and they lead to Target.
type Edge struct{ Referrer, Target string }

// AppendText appends the line of a link in the format Text. It appends nothing if the link has no
// URI, or has a status other than resolved, absolute and same-document.
func AppendText(dst []byte, status string, uri []byte) []byte {
	switch status {
	case "resolved", "absolute", "same-document":
		if len(uri) > 0 {
			dst = append(append(dst, uri...), '\n')
		}
	}
	return dst
}

// appendJSON appends a JSON object with all known values of a link.
func (t *Layout) appendJSON(dst []byte, r *Record) []byte {
	l := jsonLine(r.Memo.appendPrefix(dst, r, t.appendStart))
	if r.HasPlace {
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
	l = r.Memo.appendBase(l.text(`,"status":`, r.Status), r).text(`,"error":`, r.Error).list(`,"warnings":`, r.Warnings)
	l = l.text(`,"text":`, r.Text).text(`,"found":`, r.Found)
	return append(l, '}', '\n')
}

// jsonLine is like Object, but callers pass each key with the punctuation around it. So the methods
// are small enough to be inlined: a run may write millions of records.
type jsonLine []byte

func (l jsonLine) text(key, v string) jsonLine {
	if v == "" {
		return l
	}
	return AppendString(append(l, key...), v)
}

func (l jsonLine) bytes(key string, v []byte) jsonLine {
	if v == nil {
		return l
	}
	return AppendString(append(l, key...), v)
}

func (l jsonLine) number(key string, v int64) jsonLine {
	return strconv.AppendInt(append(l, key...), v, 10)
}

func (l jsonLine) list(key string, v []string) jsonLine {
	if len(v) == 0 {
		return l
	}
	return jsonLine(appendStrings(append(l, key...), v))
}

// tableSyntax is the syntax of a row of CSV or TSV.
type tableSyntax struct {
	sep   byte
	plain *[256]bool // ASCII bytes that need no quoting in a cell; a byte outside ASCII counts as special
	quote func(dst []byte, s string) []byte
}

var (
	csvTable = &tableSyntax{',', plainExcept(",\" "), appendCSV}
	tsvTable = &tableSyntax{'\t', plainExcept("\\"), appendTSV}
)

// plainExcept returns the set of printable ASCII characters, except those in special.
func plainExcept(special string) *[256]bool {
	t := new([256]bool)
	for c := byte(' '); c < 0x7f; c++ {
		t[c] = strings.IndexByte(special, c) < 0
	}
	return t
}

// joinWords returns the text of a cell for a list.
func joinWords(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list, " ")
}

// appendText appends the text of a cell, and quotes it if necessary. It replaces invalid UTF-8.
func appendText[S string | []byte](dst []byte, s S, t *tableSyntax) []byte {
	for i := range len(s) {
		if !t.plain[s[i]] {
			return t.quote(dst, validText(string(s)))
		}
	}
	return append(dst, s...)
}

// validText returns s with U+FFFD for each byte that is not UTF-8, as in JSON.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// withoutControls returns s with escapes such as \x1b, or \u009b outside ASCII, for its control
// characters. Tabs and line ends stay.
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

// isControl reports whether r is a control character other than a tab or a line end.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\r' && r != '\n' }

// appendCSV appends a cell of CSV, quoted as in RFC 4180. It also quotes a value with a blank at
// its beginning or end, because some readers cut blanks off.
func appendCSV(dst []byte, s string) []byte {
	s = withoutControls(s)
	if !strings.ContainsAny(s, ",\"\r\n") && strings.Trim(s, " \t") == s {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(s, `"`, `""`)...)
	return append(dst, '"')
}

// tsvEscapes escapes the characters that separate cells and rows of TSV.
var tsvEscapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// appendTSV appends a cell of TSV, with escapes.
func appendTSV(dst []byte, s string) []byte {
	return append(dst, withoutControls(tsvEscapes.Replace(s))...)
}
