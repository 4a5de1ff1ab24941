package warc

// A prefetcher reads several ranges of an archive at the same time, before it is certain where
// their records begin. The Reader of a range guesses: it begins at the first member of its range
// that begins with a record. The guess is right if the records before the range end at exactly that
// member. A record that begins with a member does not depend on the bytes before it, except for its
// Number. So a right guess gives the right records. A wrong guess, as in an archive inside another
// archive, only wastes time.

// maxGuess bounds the cost of a guess, in stored bytes from Options.Start on, and in decoded bytes
// of one record.
const maxGuess = 4 << 20

// startOnGuess goes to the first member of the range that begins with a record, or to the end.
func (r *Reader) startOnGuess() {
	s, ok := r.w.src.(*members)
	if !ok || r.raw.file == nil {
		r.w.ended = true
		return
	}
	r.raw.limit = r.o.End + int64(s.kind.startSize())
	s.search(r.o.Start, false)
	s.pending = member{} // the bytes that search passed belong to the range before
	r.raw.limit = r.o.Start + maxGuess
	r.raw.overLimit = false
	r.w.limit = maxGuess
}

// checkpoint returns the offset of the next record, or of the end. complete is true under two
// conditions. First, if the guess was right, r has read the same records as a Reader of the whole
// archive. Second, a Reader that continues at that offset reads the same records as r would.
// complete is false before the first call of Read.
func (r *Reader) checkpoint() (off int64, complete bool) {
	if !r.started {
		return r.o.Start, false
	}
	off = r.endOffset()
	if !r.w.atEnd() && !r.w.atRecordMember() {
		return off, false
	}
	return off, r.preamble == nil && r.wrongLengths == 0 && r.raw.err == nil && !r.gaveUpGuess()
}

// gaveUpGuess reports whether r stopped because its guess cost too much.
func (r *Reader) gaveUpGuess() bool { return r.raw.overLimit || r.w.overLimit }
