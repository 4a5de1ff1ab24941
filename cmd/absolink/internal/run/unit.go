package run

import (
	"fmt"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// refuseUnit decides whether a worker may read the unit of the input. If not, it sets the outcome
// in e and returns true.
//
// The items of a unit are the items that begin in its range. The range comes from a list of units
// or from an index, which was made before this run. If the range does not fit the file, the file
// has changed or is another file, and the unit fails. If the range fits but no item begins in it,
// the unit is skipped.
//
// Some files cannot be cut: a file that is not a container, a container that is compressed as a
// whole, and a WACZ file. Such a file is one item, which begins at offset 0. The unit with this
// offset reads the whole file, and the other units of the file are skipped. But a unit that names
// an item of a container fails if the file is not a container.
func refuseUnit(in *input.Document, e *report.Entry) bool {
	u := in.Unit
	switch {
	case u == nil: // the whole input is read
		return false
	// The index says that a record begins at the offset, but none does.
	case u.Indexed && !(in.Kind == input.WARC && in.At != nil && input.IsRecordAt(in.At, u.Offset)):
		e.Result.Fail(
			fmt.Errorf("no record of a web archive begins at offset %d: the index belongs to another file", u.Offset))
	// The index says that the record ends after the end of the file.
	case u.Indexed && u.End() > in.StoredSize:
		e.Result.Fail(
			fmt.Errorf("has %d bytes, but the record at offset %d ends at %d: the index belongs to another file",
				in.StoredSize, u.Offset, u.End()))
	// The range begins at or after the end of the file.
	case in.StoredSize >= 0 && u.Offset > 0 && u.Offset >= in.StoredSize && u.Length > 0:
		e.Result.Fail(fmt.Errorf("ends before the range begins: it has %d bytes", in.StoredSize))
	// The range ends after the end of the file, and the file can be cut or is empty.
	case in.StoredSize >= 0 && u.End() > in.StoredSize &&
		(in.StoredSize == 0 || in.Kind.Container() && in.Range() != nil):
		e.Result.Fail(
			fmt.Errorf("has %d bytes, but the unit ends at %d: the file has become shorter, or it is another "+
				"file; make the units again", in.StoredSize, u.End()))
	// The unit names an item, but the file is no container, or has only one item.
	case u.Item > 0 && !in.Kind.Container(), u.Item > 1 && in.Range() == nil:
		e.Result.Fail(container.StaleUnit(u))
	// The file cannot be cut.
	case in.Range() == nil || !in.Kind.Container() || in.Kind == input.WACZ:
		if u.Offset == 0 && (u.Length > 0 || in.StoredSize == 0) {
			return false
		}
		e.Result.Skip("does not begin in the range")
	// The item that the unit names does not begin at the offset.
	case in.Kind == input.WARC && u.Item > 0 && !input.IsRecordAt(in.At, u.Offset), u.Item > 1 && u.Offset == 0:
		e.Result.Fail(container.StaleUnit(u))
	default:
		return false
	}
	return true
}
