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

// line is a line of a report. Package report writes it. The embedded structs have the keys of the
// parts of an entry, see package report.
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

// place returns the place of a problem in words. If p is nil, it is the place of the whole input.
func (l *line) place(p *problem) string {
	place := l.Source
	if p != nil && p.Line > 0 {
		place += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	if l.Item > 0 {
		place += ": item " + strconv.Itoa(l.Item)
	}
	if p != nil && p.Part != "" {
		place += ", part " + p.Part
	}
	if p != nil && p.Line == 0 && p.Offset != nil {
		place += ", offset " + strconv.FormatInt(*p.Offset, 10)
	}
	return place
}

// check returns an error if no run writes such a line.
func (l *line) check() error {
	if l.Outcome == "" {
		return errors.New("it has no key outcome")
	}
	least := min(float64(l.Bytes), l.Seconds, float64(min(l.Documents, l.Edits, l.Signed, l.Broken, l.Wrapped)))
	for _, counts := range []map[string]int{l.References, l.Kinds, l.Layers} {
		for _, n := range counts {
			least = min(least, float64(n))
		}
	}
	if least < 0 {
		return errors.New("a number in it is negative")
	}
	return nil
}

// Read adds the lines of a report. A line that is not valid is left out, and bad gets its number,
// from 1, and an error. Read returns the error of r.
func (s *Summary) Read(r io.Reader, bad func(number int, err error)) error {
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
	}, func(number int, err error) {
		s.Bad++
		bad(number, err)
	})
}

var errNoRecord = errors.New("it has no key source")

// ReadRecords adds the records that "absolink extract --format jsonl" printed. It skips records
// that are not about a link. A line that is not a record goes to bad, as in [Summary.Read].
func (s *Summary) ReadRecords(r io.Reader, bad func(number int, err error)) error {
	return eachLine(r, func(text []byte) error {
		s.Lines++
		var l struct{ Record, Source, Status, URI string }
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		switch {
		case l.Record != "" && l.Record != "link":
			return nil
		case l.Source == "" && l.Status == "" && l.URI == "":
			return errNoRecord
		}
		s.addLink(l.URI)
		return nil
	}, func(number int, err error) {
		s.Bad++
		bad(number, err)
	})
}

const maxLine = 16 << 20 // the longest line that is read, in bytes

var errLong = fmt.Errorf("it is longer than %d bytes", maxLine)

// eachLine calls take with each line of r that is not empty. It calls bad with the number of a line
// that is too long, or for which take returns an error.
func eachLine(r io.Reader, take func(text []byte) error, bad func(number int, err error)) error {
	in := lines.Reader(r)
	var text []byte
	for number := 1; ; number++ {
		long, err := lines.Next(in, &text, maxLine)
		if err != nil && err != io.EOF {
			return err
		}
		switch text := bytes.TrimSpace(text); {
		case long:
			bad(number, errLong)
		case len(text) > 0:
			if err := take(text); err != nil {
				bad(number, err)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
