package warc

// Reading takes half of the work on an archive in gzip members. So a Reader may read ranges of the
// archive ahead on several goroutines, each on a guess (guess.go). The guess of a range was right
// if the records before the range end at its first record. The records of the range then follow.
// After a wrong guess, or in a damaged range, the Reader itself continues from there. So the
// records are the same as without Ahead.

const (
	rangeSize = 128 << 10 // stored bytes of a range
	rangeHeld = 4 << 20   // bytes of its records; a range with more is not read ahead
)

// prefetcher holds the ranges that a Reader reads ahead.
type prefetcher struct {
	r       *Reader      // returns the records to the caller
	readers chan *Reader // readers that no goroutine uses
	ranges  []*readRange // in their order
	next    int64        // start of the range after ranges

	held   []Record // the next records
	at     int64    // start of the records after held
	number int      // number of the last record of held
	moved  bool     // r is not at the end of held
}

// readRange is a range that is read ahead.
type readRange struct {
	start int64
	read  chan struct{} // closed when the range is read and the fields below are set

	held  []Record
	end   int64 // start of the records after held
	whole bool  // held has all records of the range, if the guess was right
}

// newPrefetcher returns nil if r reads nothing ahead.
func newPrefetcher(r *Reader) *prefetcher {
	if r.o.Ahead < 2 || r.raw.file == nil || r.o.Start != 0 || r.o.End != 0 {
		return nil
	}
	if (*gzipCodec)(nil).magic(r.peek()) != 0 {
		return nil
	}
	p := &prefetcher{r: r, next: rangeSize, readers: make(chan *Reader, r.o.Ahead)}
	for range r.o.Ahead {
		p.readers <- nil // made when it is needed
	}
	return p
}

// take reads the next record into rec. It returns false if the Reader itself must read the record.
func (p *prefetcher) take(rec *Record) bool {
	if len(p.held) == 0 && !p.takeRange() {
		if p.moved {
			p.r.moveTo(p.at, p.number)
			p.moved = false
		}
		return false
	}
	*rec = p.held[0]
	p.held[0] = Record{}
	p.held = p.held[1:]
	return true
}

// takeRange continues with the range that begins at the end of the records before it. It reports
// whether such a range was read ahead.
func (p *prefetcher) takeRange() bool {
	whole := true
	if !p.moved {
		p.number = p.r.number
		p.at, whole = p.r.stands()
	}
	for p.fetch(); len(p.ranges) > 0 && p.ranges[0].start <= p.at; p.fetch() {
		f := p.ranges[0]
		<-f.read
		if f.whole && f.held[0].Offset > p.at {
			return false
		}
		p.ranges = p.ranges[1:]
		if !f.whole || f.held[0].Offset != p.at || !whole {
			f.release()
			continue
		}
		for i := range f.held {
			f.held[i].Number += p.number
		}
		p.held = f.held
		p.at = f.end
		p.number += len(f.held)
		p.moved = true
		p.fetch()
		return true
	}
	return false
}

// fetch starts to read more ranges.
func (p *prefetcher) fetch() {
	p.next = max(p.next, p.at-p.at%rangeSize)
	for len(p.ranges) < 2*cap(p.readers) && p.next < p.r.raw.size {
		f := &readRange{start: p.next, read: make(chan struct{})}
		p.ranges = append(p.ranges, f)
		p.next += rangeSize
		o := Options{Start: f.start, End: f.start + rangeSize, Limit: p.r.o.Limit}
		go p.read(f, p.r.raw.anew(), o)
	}
}

// read reads the range f of file, on its own goroutine. If read panics, the Reader itself reads the
// range, and panics on the goroutine of its caller.
func (p *prefetcher) read(f *readRange, file *raw, o Options) {
	r := <-p.readers
	if r == nil {
		r = new(Reader)
	}
	defer func() {
		if recover() != nil {
			r = new(Reader)
			f.whole = false
		}
		p.readers <- r
		close(f.read)
	}()
	r.reset(file, o)
	r.guesses = true
	for size := 0; size < rangeHeld; {
		var rec Record
		if r.read(&rec) != nil {
			f.end, f.whole = r.stands()
			f.whole = f.whole && len(f.held) > 0
			return
		}
		size += cap(rec.Data)
		f.held = append(f.held, rec)
	}
}

// stop waits for the goroutines, and releases the records that were not taken.
func (p *prefetcher) stop() {
	for _, f := range p.ranges {
		<-f.read
		f.release()
	}
	(&readRange{held: p.held}).release()
}

// release releases the records.
func (f *readRange) release() {
	for i := range f.held {
		f.held[i].Release()
	}
}
