package container

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/httpmsg"
	"absolink/mime/mbox"
)

// Worker does the work of a command. Only one goroutine uses it at a time.
type Worker interface {
	// Work works on the document in: an input, or an item of an input. It writes results to out,
	// and sets the outcome in e. in is valid until Work returns.
	Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry)
}

// Item is one message of a mailbox, or one record of a web archive.
type Item interface {
	// Work opens the item and runs w on it. It may be called on any goroutine.
	Work(ctx context.Context, w Worker, out io.Writer)
	// Report returns the entry of the item, which Work has made. Its Subject.Inner is "" for text
	// before the first item.
	Report() *report.Entry
	Held() int64      // number of bytes of memory that the item holds until Release
	EndOffset() int64 // offset in the container at which the next item begins
	Release()         // frees the memory of the item; the entry stays valid
}

// Items yields the items of a container.
type Items interface {
	// Next returns the next item, or io.EOF after the last one. Any other error is an error of
	// reading. After an error Next must not be called again.
	Next() (Item, error)
}

// Options are the options for reading the items of containers.
type Options struct {
	Mbox           mbox.Variant
	HTTPBase       HTTPBase
	MessageLengths bool      // examine the Content-Length of each message: see mbox.Options.Lengths
	MaxSize        flag.Size // size of the largest document that is read, in bytes
	Jobs           int       // the number of goroutines that work on the items of a container
}

// HTTPBase says which header fields of HTTP responses give a base. The zero value is RFC9110.
type HTTPBase uint8

// The values of HTTPBase.
const (
	RFC9110 HTTPBase = iota // no field gives a base (RFC 9110 Section 8.7)
	RFC2616                 // Content-Base, then Content-Location (RFC 2616 Section 14.14)
)

// String returns rfc9110 or rfc2616.
func (b HTTPBase) String() string { return [...]string{RFC9110: "rfc9110", RFC2616: "rfc2616"}[b] }

// HTTP returns the options for reading responses.
func (o *Options) HTTP() httpmsg.Options {
	return httpmsg.Options{RFC2616: o.HTTPBase == RFC2616, Limit: int(o.MaxSize)}
}

// spareEntries holds the entries of reported items, for other items.
var spareEntries = sync.Pool{New: func() any { return new(report.Entry) }}

// newEntry returns an entry for an item. finish puts the entry of an item in a large container into
// spareEntries.
func newEntry(s report.Subject) *report.Entry {
	e := spareEntries.Get().(*report.Entry)
	*e = report.Entry{Subject: s}
	return e
}

// Each run over a unit prints the same records as any other run over it. If an input is cut into
// units, the records of all units together are the records of a run over the input. There is one
// exception: if a unit in the middle of a file does not state the number and line of its first
// item, its records have no numbers and lines.

// knowsNumbers reports whether the numbers and lines of the items of in are known.
func knowsNumbers(in *input.Document) bool { return in.Unit == nil || in.Unit.Item > 0 }

// itemUnit returns the unit that reads an item of in again. The item has length bytes at offset. If
// items of in cannot be addressed by offsets, itemUnit returns the unit of in.
func itemUnit(in *input.Document, offset, length int64, number int, line int64) unit.Unit {
	if !in.Addressable() || in.URL != "" && in.Inside != "" {
		return UnitOf(in.File)
	}
	return unit.Unit{Path: in.Source, Ranged: true, Offset: offset, Length: length, Item: number, Line: line}
}

// UnitOf returns the unit that reads an input again. It returns an empty unit for a line of --urls
// that is not a URL: as a unit, the line would name a file, and the author of the list must not
// choose files.
func UnitOf(f input.File) unit.Unit {
	switch {
	case f.Unit != nil:
		return *f.Unit
	case f.Listed && !source.IsURL(f.URL):
		return unit.Unit{}
	case f.URL != "" && f.Inside != "":
		return unit.Unit{Path: strings.TrimSuffix(f.Source, "/"+f.Inside)}
	}
	return unit.Unit{Path: f.Source}
}

// StaleUnit returns the error for a unit whose item does not begin at its offset.
func StaleUnit(u *unit.Unit) error {
	return fmt.Errorf("item %d does not begin at offset %d: the units are those of another file", u.Item, u.Offset)
}
