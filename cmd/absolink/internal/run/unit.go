package run

import (
	"fmt"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// refuseUnit returns true if no worker should read the unit of the input: the unit reads nothing of
// its file, or it belongs to another file. Then it has set the outcome in e. A file that is not a
// container, or is compressed as a whole, counts as one item at its beginning.
func refuseUnit(in *input.Document, e *report.Entry) bool {
	u := in.Unit
	switch {
	case u == nil:
		return false
	case u.Indexed && !(in.Kind == input.WARC && in.At != nil && input.IsRecordAt(in.At, u.Offset)):
		e.Result.Fail(
			fmt.Errorf("no record of a web archive begins at offset %d: the index belongs to another file", u.Offset))
	case u.Indexed && u.End() > in.StoredSize:
		e.Result.Fail(
			fmt.Errorf("has %d bytes, but the record at offset %d ends at %d: the index belongs to another file",
				in.StoredSize, u.Offset, u.End()))
	case in.StoredSize >= 0 && u.Offset > 0 && u.Offset >= in.StoredSize && u.Length > 0:
		e.Result.Fail(fmt.Errorf("ends before the range begins: it has %d bytes", in.StoredSize))
	case in.StoredSize >= 0 && u.End() > in.StoredSize &&
		(in.StoredSize == 0 || in.Kind.Container() && in.Range() != nil):
		e.Result.Fail(
			fmt.Errorf("has %d bytes, but the unit ends at %d: the file was cut, or it is another file; make the "+
				"units again", in.StoredSize, u.End()))
	case u.Item > 0 && !in.Kind.Container(), u.Item > 1 && in.Range() == nil:
		e.Result.Fail(container.StaleUnit(u))
	case in.Range() == nil || !in.Kind.Container() || in.Kind == input.WACZ:
		if u.Offset == 0 && (u.Length > 0 || in.StoredSize == 0) {
			return false
		}
		e.Result.Skip("begins before the range")
	case in.Kind == input.WARC && u.Item > 0 && !input.IsRecordAt(in.At, u.Offset), u.Item > 1 && u.Offset == 0:
		e.Result.Fail(container.StaleUnit(u))
	default:
		return false
	}
	return true
}
