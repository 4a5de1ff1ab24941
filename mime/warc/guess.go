package warc

// Several ranges of an archive can be read at the same time, before it is certain where records
// begin. Each Reader begins at the first member of its range that begins with a record. This guess
// is right if the Reader of the range before ends at exactly that member. Bytes before a member
// that begins with a record have no effect on later records, except on their numbers. A wrong
// guess, as in an archive inside another archive, wastes the bytes that were read for it.

// guessMost bounds the cost of a guess, both in stored bytes from Start on and in bytes of a record
// that are held.
const guessMost = 4 << 20

// guess goes to the first member of the range that begins with a record, or to the end.
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

// stands returns the position of the Reader: the offset of the next record, or of the end. whole is
// true under two conditions. First, r has read the same records as a Reader without a guess.
// Second, a Reader that is moved to that offset would continue with the same records as r. Before
// the first record is asked for, whole is false.
func (r *Reader) stands() (off int64, whole bool) {
	if !r.open {
		return r.o.Start, false
	}
	off = r.end()
	whole = r.w.atEnd() || r.w.fresh()
	return off, whole && r.lead == nil && r.wrong == 0 && r.raw.err == nil && !r.spent()
}

// spent reports whether the Reader gave up its guess because it cost too much.
func (r *Reader) spent() bool { return r.raw.over || r.w.over }
