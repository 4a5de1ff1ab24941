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

// Worker does the work of a command, on one goroutine at a time.
type Worker interface {
	// Work takes an input, or an item of an input. It writes results to out, and the outcome to e.
	// in is valid until Work returns.
	Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry)
}

// Item is one message of a mailbox, or one record of a web archive.
type Item interface {
	// Work opens the item and has w work on it, on any goroutine.
	Work(ctx context.Context, w Worker, out io.Writer)
	// Account returns the entry of the item, once Work has begun. Its Subject.Inner is "" for text
	// before the first item.
	Account() *report.Entry
	Held() int64  // bytes of memory, up to Release
	Until() int64 // offset in the container at which the next item begins
	Release()
}

// Items are the items of a container.
type Items interface {
	// Next returns the items in their order, and io.EOF after the last one. Any other error is one
	// of reading; Next is not called again then.
	Next() (Item, error)
}

// Options say how the items of containers are read, and by how many goroutines.
type Options struct {
	Mbox     mbox.Variant
	HTTPBase HTTPBase
	Lengths  bool      // also read the length that a message of a mailbox says of itself
	MaxSize  flag.Size // largest document that is read, in bytes
	Jobs     int       // items at once
}

// HTTPBase says whether header fields of responses give a base. The zero value is RFC9110.
type HTTPBase uint8

// The values.
const (
	RFC9110 HTTPBase = iota // no field does (RFC 9110 Section 8.7)
	RFC2616                 // Content-Base, then Content-Location (RFC 2616 Section 14.14)
)

// String returns rfc9110 or rfc2616.
func (b HTTPBase) String() string { return [...]string{RFC9110: "rfc9110", RFC2616: "rfc2616"}[b] }

// HTTP returns how responses are read.
func (o *Options) HTTP() httpmsg.Options {
	return httpmsg.Options{RFC2616: o.HTTPBase == RFC2616, Limit: int(o.MaxSize)}
}

// spareEntries are entries of items that were told. Their memory is used again.
var spareEntries = sync.Pool{New: func() any { return new(report.Entry) }}

func newEntry(s report.Subject) *report.Entry {
	e := spareEntries.Get().(*report.Entry)
	*e = report.Entry{Subject: s}
	return e
}

// A unit gives the same records whatever process takes it, and how often. The records of all units
// together are those of one run over the inputs that the units were cut from. Only the number of an
// item, and its line, cannot be known in the middle of a file: records have them if the unit says
// them.

// numbered reports whether items of in have numbers and lines.
func numbered(in *input.Document) bool { return in.Unit == nil || in.Unit.Item > 0 }

// itemUnit returns the unit of an item of in. If items have no offsets, it is the unit of in.
func itemUnit(in *input.Document, offset, length int64, number int, line int64) unit.Unit {
	if !in.Addressable() || in.URL != "" && in.Inside != "" {
		return UnitOf(in.File)
	}
	return unit.Unit{Path: in.Source, Ranged: true, Offset: offset, Length: length, Item: number, Line: line}
}

// UnitOf returns the unit of an input. There is none for a line in a list of URLs that is no URL:
// as a unit it would be the path of a file, and the author of the list has no say in files.
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
