package input

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/unit"
)

// TestRecordsIn examines ranges of plain and compressed archives. Only a range of whole records may
// be read without the bytes after it.
func TestRecordsIn(t *testing.T) {
	const record = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"
	n := int64(len(record))
	bare := strings.ReplaceAll(record, "\r", "")
	truncated := strings.Replace(record, "\r\n\r\n", "\r\nWARC-Truncated: length\r\n\r\n", 1)
	second := strings.Replace(record, "abc", "abcd", 1) // its Content-Length is too small
	arc := "http://a.test/ 1.2.3.4 20240102030405 text/html 4\nabcd\n"
	large := strings.Replace(record, "3\r\n\r\nabc", fmt.Sprintf("%d\r\n\r\n%s", maxRecordRange,
		strings.Repeat("x", maxRecordRange)), 1)
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	io.WriteString(w, record)
	w.Close()
	packed := member.String()
	k := int64(len(packed))
	tests := []struct {
		name    string
		content string
		unit    unit.Unit
		want    rangeRecords
	}{
		{"a record", record + record, unit.Unit{Offset: n, Length: n}, closedRecords},
		{"two records", record + record + record, unit.Unit{Offset: n, Length: 2 * n}, closedRecords},
		{"a record with bare line ends", bare + bare, unit.Unit{Length: int64(len(bare))}, closedRecords},
		{"a record of an index", record + record, unit.Unit{Length: n, Indexed: true}, closedRecords},
		{"without its last line end", record + record, unit.Unit{Length: n - 2}, wholeRecords},
		{"without its line ends", record + record, unit.Unit{Length: n - 4}, wholeRecords},
		{"a part of a record", record + record, unit.Unit{Length: n - 5}, anyRecords},
		{"a byte more", record + record, unit.Unit{Length: n + 1}, anyRecords},
		{"a byte late", record + record, unit.Unit{Offset: 1, Length: n - 1}, anyRecords},
		{"a length that is too small", second + record, unit.Unit{Length: n + 1}, anyRecords},
		{"a truncated record", truncated + record, unit.Unit{Length: int64(len(truncated))}, closedRecords},
		{"a record of an ARC", arc + arc, unit.Unit{Length: int64(len(arc))}, wholeRecords},
		{"a member", packed + packed, unit.Unit{Offset: k, Length: k}, closedRecords},
		{"two members", packed + packed, unit.Unit{Length: 2 * k}, closedRecords},
		{"a part of a member", packed + packed, unit.Unit{Length: k - 1}, anyRecords},
		{"a member of an index", packed + packed, unit.Unit{Offset: k, Length: k, Indexed: true}, anyRecords},
		{"beyond the end", record, unit.Unit{Length: n + 10}, anyRecords},
		{"a large record", large, unit.Unit{Length: int64(len(large))}, anyRecords},
	}
	for _, tt := range tests {
		if got := recordsIn(strings.NewReader(tt.content), &tt.unit); got != tt.want {
			t.Errorf("recordsIn of %s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}
