package warc

// Ranges of an archive can be read at once, without making sure first that records begin where
// they seem to. Each Reader begins at the first member in its range that begins a record. That
// guess is right if the Reader of what is before stands at that member at last: what was read
// before a member that begins a record does not matter from there on, but for numbers. A wrong
// guess, as in an archive that lies in another, costs what was read for it.

// guessMost bounds what a guess costs, in stored bytes from Start on, and in bytes that are held
// of a record.
const guessMost = 4 << 20

// guess goes to the first member in the range that begins a record, or to the end.
func (r *Reader) guess() {
	s, ok := r.w.src.(*members)
	if !ok || r.raw.file == nil {
		r.w.ended = true
		return
	}
	r.raw.most = r.o.End + int64(s.kind.look())
	s.search(r.o.Start, false)
	s.next = member{}
	r.raw.most = r.o.Start + guessMost
	r.raw.over = false
	r.w.most = guessMost
}

// Stands returns where the Reader stands: the offset of the next record, or the end. whole
// reports whether a Reader of which that is the Start, with a Number, reads what r would from now
// on, and r has read what a Reader without Guess would. Before the first record was asked for it is
// false.
func (r *Reader) Stands() (off int64, whole bool) {
	if !r.open {
		return r.o.Start, false
	}
	off = r.end()
	whole = r.w.atEnd() || r.w.fresh()
	return off, whole && r.lead == nil && r.wrong == 0 && r.raw.err == nil && !r.spent()
}

// spent reports whether a guess was given up, because it costs too much.
func (r *Reader) spent() bool { return r.raw.over || r.w.over }
