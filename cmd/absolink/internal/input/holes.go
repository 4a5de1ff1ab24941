package input

import "iter"

// Extents yields the start and end offsets of the spans of stored bytes that occupy space on the
// disk. In a sparse file, all bytes between the spans are zeros.
func (d *Document) Extents() iter.Seq2[int64, int64] {
	return func(yield func(start, end int64) bool) {
		if d.opened.file == nil || d.Info == nil || !isSparse(d.Info) {
			yield(0, d.StoredSize)
			return
		}
		for at := int64(0); at < d.StoredSize; {
			start, end := extent(d.opened.file, at, d.StoredSize)
			if start < end && !yield(start, end) {
				return
			}
			at = end
		}
	}
}
