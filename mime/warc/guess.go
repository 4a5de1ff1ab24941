package warc

// A prefetcher reads several ranges of an archive at the same time, before it is certain where
// their records begin. The Reader of a range guesses: it starts at the first member in the range
// that begins with a record. The guess is right if the last record before the range ends where that
// member begins. A record that begins with a member does not depend on the bytes before it, except
// for its Number. So after a right guess the Reader returns the right records. A guess is wrong if
// the member lies inside a record, as in an archive inside another archive. A wrong guess only
// wastes time.

// maxGuess bounds the cost of a guess. A Reader that guesses stops after maxGuess stored bytes, or
// if one record has more than maxGuess decoded bytes.
const maxGuess = 4 << 20

// startOnGuess goes to the first member of the range that begins with a record, or to the end.
func (r *Reader) startOnGuess() {
	s, ok := r.w.src.(*members)
	if !ok || r.raw.file == nil {
		r.w.ended = true
		return
	}
	r.raw.limit = r.o.End + int64(s.codec.startSize())
	s.search(r.o.Start, false)
	s.pending = member{} // the bytes that search passed belong to the previous range
	r.raw.limit = r.o.Start + maxGuess
	r.w.limit = maxGuess
}

// checkpoint returns the offset of the next record, or of the end of the archive. complete reports
// whether another Reader may continue at that offset. It is false in these cases: Read was not
// called yet, the next record does not begin a member, the input failed, r gave up its guess, or
// damage makes the next start uncertain. A wrong guess of r is unknown here: then complete has no
// meaning.
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

// gaveUpGuess reports whether r stopped because of maxGuess.
func (r *Reader) gaveUpGuess() bool { return r.raw.overLimit || r.w.overLimit }
