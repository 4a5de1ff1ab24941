package reportpage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"absolink/cmd/absolink/internal/lines"
)

// line is a line of a report: an entry that package report has written. Each embedded struct has
// the keys of one part of the entry.
type line struct {
	subject
	result
	links
	edits
	Problems  []problem
	BaseHosts []string `json:"base_hosts"`
	Seconds   float64
}

// subject is the input or item.
type subject struct {
	Source    string
	Item      int
	MessageID string `json:"message_id"`
	URI       string
	RecordID  string `json:"record_id"`
	Kind      string
	Bytes     int64
}

// result is the outcome and its reason.
type result struct {
	Outcome string
	Reason  string
}

// links are the counts of documents and links.
type links struct {
	Documents  int
	References map[string]int
	Wrapped    int
	Kinds      map[string]int
	Layers     map[string]int
}

// edits are the counts of edits.
type edits struct {
	Edits  int
	Signed int
	Broken int
	DKIM   bool
}

type problem struct {
	Part   string
	Offset *int64
	Line   int64
	Column int64
	Text   string
}

// isItem reports whether the line is about an item of a container.
func (l *line) isItem() bool { return l.Item > 0 || l.isRecord() }

// isRecord reports whether the line is about a record of a web archive.
func (l *line) isRecord() bool { return l.URI != "" || l.RecordID != "" }

// placeOf returns the position of a problem, such as "a.mbox:3:1: item 2, part 1.2". If p is nil,
// it returns the name of the input or item.
func (l *line) placeOf(p *problem) string {
	text := l.Source
	if p != nil && p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	if l.Item > 0 {
		text += ": item " + strconv.Itoa(l.Item)
	}
	if p != nil && p.Part != "" {
		text += ", part " + p.Part
	}
	if p != nil && p.Line == 0 && p.Offset != nil {
		text += ", offset " + strconv.FormatInt(*p.Offset, 10)
	}
	return text
}

// check returns an error if the values of l cannot be from a report.
func (l *line) check() error {
	if l.Outcome == "" {
		return errors.New("it has no key outcome")
	}
	smallest := min(float64(l.Bytes), l.Seconds, float64(min(l.Documents, l.Edits, l.Signed, l.Broken, l.Wrapped)))
	for _, counts := range []map[string]int{l.References, l.Kinds, l.Layers} {
		for _, n := range counts {
			smallest = min(smallest, float64(n))
		}
	}
	if smallest < 0 {
		return errors.New("a number in it is negative")
	}
	return nil
}

// AddReport adds the lines of a report. It skips each line that is not valid, and calls reject with
// the number of the line, from 1, and the reason. AddReport returns the error of r.
func (s *Summary) AddReport(r io.Reader, reject func(lineNumber int, err error)) error {
	return eachLine(r, func(text []byte) error {
		s.Lines++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		if err := l.check(); err != nil {
			return err
		}
		s.add(&l)
		return nil
	}, func(lineNumber int, err error) {
		s.Bad++
		reject(lineNumber, err)
	})
}

var errNoRecord = errors.New("it has no key source")

// AddRecords adds the records of links that "absolink extract --format jsonl" printed. It skips
// other records. It calls reject for lines that are not records, as [Summary.AddReport] does.
func (s *Summary) AddRecords(r io.Reader, reject func(lineNumber int, err error)) error {
	return eachLine(r, func(text []byte) error {
		s.Lines++
		var record struct{ Record, Source, Status, URI string }
		if err := json.Unmarshal(text, &record); err != nil {
			return err
		}
		switch {
		case record.Record != "" && record.Record != "link":
			return nil
		case record.Source == "" && record.Status == "" && record.URI == "":
			return errNoRecord
		}
		s.addLink(record.URI)
		return nil
	}, func(lineNumber int, err error) {
		s.Bad++
		reject(lineNumber, err)
	})
}

// maxLine is the size limit of a line in bytes.
const maxLine = 16 << 20

// eachLine calls add with each line of r that is not empty. It calls reject with the number of each
// line that is too long, or for which add returns an error. It returns the error of r.
func eachLine(r io.Reader, add func(text []byte) error, reject func(lineNumber int, err error)) error {
	in := lines.Reader(r)
	var text []byte
	for lineNumber := 1; ; lineNumber++ {
		long, err := lines.Next(in, &text, maxLine)
		if err != nil && err != io.EOF {
			return err
		}
		switch text := bytes.TrimSpace(text); {
		case long:
			reject(lineNumber, fmt.Errorf("it is longer than %d bytes", maxLine))
		case len(text) > 0:
			if err := add(text); err != nil {
				reject(lineNumber, err)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
