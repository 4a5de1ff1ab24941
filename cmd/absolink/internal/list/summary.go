package list

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
)

// sink writes output that depends on all documents. Lines are written to it in the order of the
// documents, in pieces of any length.
type sink interface {
	io.Writer
	end() error // completes the output after the last piece
}

// lineOrFigure writes the lines of documents if there are two or more. Instead of a single line it
// writes the figure of the document.
type lineOrFigure struct {
	w      io.Writer
	figure *atomic.Pointer[[]byte]
	first  []byte // the first line, held back until a second line comes
	many   bool
}

func (s *lineOrFigure) Write(p []byte) (int, error) {
	if s.many {
		return s.w.Write(p)
	}
	s.first = append(s.first, p...)
	if i := bytes.IndexByte(s.first, '\n'); i < 0 || i == len(s.first)-1 {
		return len(p), nil
	}
	s.many = true
	if _, err := s.w.Write(s.first); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *lineOrFigure) end() error {
	drawn := s.figure.Load()
	if s.many || drawn == nil || len(s.first) == 0 {
		return nil
	}
	_, err := s.w.Write(*drawn)
	return err
}

// summary counts the documents of each base.
type summary struct {
	w      io.Writer
	format record.Format
	rest   []byte // the beginning of an incomplete line
	counts map[summaryKey]*summaryRow
}

// summaryKey identifies a line of a summary.
type summaryKey struct{ layer, source, base string }

// summaryRow has the other values of a line.
type summaryRow struct {
	documents, messages int
	lastMessage         string // the message that was counted last
	example             string // the first document
}

// appendCounted appends a line about a document, which summary.Write reads. Tabs separate the
// fields, and no field contains a tab.
func appendCounted(dst []byte, in *input.Document, title, uri string, from *base.Layer) []byte {
	layer := base.None.Box()
	source, message := "", ""
	if from != nil {
		layer = from.Source.Box()
		source = from.Source.String()
	}
	if in.Kind.Mail() {
		message = in.Source + in.ItemLabel()
	}
	return fmt.Appendf(dst, "%s\t%s\t%s\t%s\t%s\n", layer, source,
		console.Printable(uri), console.Printable(message), console.Printable(title))
}

// Write counts the documents of lines from appendCounted.
func (s *summary) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	rest := s.rest
	for {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			break
		}
		s.add(strings.Split(string(line), "\t"))
		rest = after
	}
	s.rest = s.rest[:copy(s.rest, rest)]
	return len(p), nil
}

// add counts the document of a line with these fields.
func (s *summary) add(fields []string) {
	key := summaryKey{fields[0], fields[1], fields[2]}
	c := s.counts[key]
	if c == nil {
		if s.counts == nil {
			s.counts = make(map[summaryKey]*summaryRow)
		}
		c = &summaryRow{example: fields[4]}
		s.counts[key] = c
	}
	c.documents++
	if m := fields[3]; m != "" && m != c.lastMessage {
		c.messages++
		c.lastMessage = m
	}
}

// summaryColumns are the names of the columns.
var summaryColumns = []string{"documents", "messages", "layer", "source", "base", "example"}

// end writes the table. The most frequent base comes first.
func (s *summary) end() error {
	var rows [][]string
	keys := make([]summaryKey, 0, len(s.counts))
	for k := range s.counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b summaryKey) int {
		return cmp.Or(s.counts[b].documents-s.counts[a].documents,
			cmp.Compare(a.base, b.base), cmp.Compare(a.source, b.source))
	})
	for _, k := range keys {
		c := s.counts[k]
		rows = append(rows,
			[]string{strconv.Itoa(c.documents), strconv.Itoa(c.messages), k.layer, k.source, k.base, c.example})
	}
	if s.format == record.Text {
		return s.writeAligned(rows)
	}
	out := record.AppendCells(nil, s.format, summaryColumns)
	for _, row := range rows {
		out = record.AppendCells(out, s.format, row)
	}
	_, err := s.w.Write(out)
	return err
}

// maxColumnWidth is the largest width in characters to which columns are aligned. A longer base
// shifts only its own line.
const maxColumnWidth = 60

// writeAligned writes the table with aligned columns. An empty cell becomes -.
func (s *summary) writeAligned(rows [][]string) error {
	rows = append([][]string{summaryColumns}, rows...)
	widths := make([]int, len(summaryColumns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cell), maxColumnWidth))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			cell = cmp.Or(cell, "-")
			if i < len(row)-1 {
				cell = fmt.Sprintf("%-*s  ", widths[i], cell)
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(s.w, b.String())
	return err
}
