package run

import (
	"fmt"
	"strings"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
)

// A unit gives the same records whatever process takes it, and how often: the records
// of all units together are those of one run over the inputs that they were cut
// from. Only the number of an item and its line can't be known where a range
// begins, so records have them only where the unit says them.

// hasUnits reports whether the inputs are units.
func (r *Run) hasUnits() bool { return r.o.Inputs.Units != "" }

// counts reports whether items of in have numbers and lines: those of a range only
// where the unit says them.
func counts(in *input.Document) bool { return in.Unit == nil || in.Unit.Item > 0 }

// outside settles an input of which the range holds nothing, or is not what it was.
// What is no container, or is compressed as a whole, is one item that begins where
// the file does.
func outside(in *input.Document, e *report.Entry) bool {
	u := in.Unit
	switch {
	case u == nil:
		return false
	case u.Exact && !(in.Kind == input.WARC && in.At != nil && input.RecordAt(in.At, u.Offset)):
		e.Result.Fail(
			fmt.Errorf("no record of a web archive begins at offset %d: the index is that of another file", u.Offset))
	case u.Exact && u.End() > in.StoredSize:
		e.Result.Fail(
			fmt.Errorf("has %d bytes, and the record at offset %d ends at %d: the index is that of another file",
				in.StoredSize, u.Offset, u.End()))
	case in.StoredSize >= 0 && u.Offset > 0 && u.Offset >= in.StoredSize && u.Length > 0:
		e.Result.Fail(fmt.Errorf("ends before the range begins: it has %d bytes", in.StoredSize))
	case in.StoredSize >= 0 && u.End() > in.StoredSize &&
		(in.StoredSize == 0 || in.Kind.Container() && in.Range() != nil):
		e.Result.Fail(
			fmt.Errorf("has %d bytes, and the unit ends at %d: the file was cut, or it is another one; cut units of "+
				"what is there", in.StoredSize, u.End()))
	case u.Item > 0 && !in.Kind.Container(), u.Item > 1 && in.Range() == nil:
		e.Result.Fail(errStale(u))
	case in.Range() == nil || !in.Kind.Container() || in.Kind == input.WACZ:
		if u.Offset == 0 && (u.Length > 0 || in.StoredSize == 0) {
			return false
		}
		e.Result.Skip("begins before the range")
	case in.Kind == input.WARC && u.Item > 0 && !input.RecordAt(in.At, u.Offset), u.Item > 1 && u.Offset == 0:
		e.Result.Fail(errStale(u))
	default:
		return false
	}
	return true
}

func errStale(u *unit.Unit) error {
	return fmt.Errorf("item %d does not begin at offset %d: the units are those of another file", u.Item, u.Offset)
}

// unitOf returns the unit of an item of in; where nothing has an offset it is all of in.
func unitOf(in *input.Document, offset, length int64, number int, line int64) unit.Unit {
	if !in.Addressable() || in.URL != "" && in.Inside != "" {
		return fileUnit(in.File)
	}
	return unit.Unit{Path: in.Source, Ranged: true, Offset: offset, Length: length, Item: number, Line: line}
}

// fileUnit returns the unit that an input is. What is no URL in a list of them is
// none: it would be read as a file, which whoever wrote the list has no say in. Nor is
// a list that cannot be read.
func fileUnit(f input.File) unit.Unit {
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
