package warc

// In an archive of gzip members, reading takes half of the time. So a Reader may have goroutines
// that read ranges of the archive ahead. The Reader of each range guesses where its first record
// begins (guess.go). The guess was right if the records before the range end at that record. The
// records of the range then follow. After a wrong guess, or in a damaged range, the Reader of the
// caller continues itself. So the records are the same as without Ahead.

const (
	rangeSize  = 128 << 10 // stored bytes of a range
	maxRecords = 4 << 20   // bytes of its records; a range with more is not read ahead
)

// prefetcher reads ranges ahead for a Reader.
type prefetcher struct {
	r         *Reader      // the Reader of the caller
	readers   chan *Reader // Readers for ranges that no goroutine uses
	ranges    []*readRange // in their order
	nextStart int64        // start of the range after ranges

	records []Record // the next records to return
	end     int64    // offset after records
	last    int      // Number of the last of records
	stale   bool     // r must continue at end, because it has not read the records
}

// readRange is a range that is read ahead.
type readRange struct {
	start int64
	done  chan struct{} // closed when the fields below are set

	records  []Record
	end      int64 // offset after records
	complete bool  // if the guess was right, records has all records of the range
}

// newPrefetcher returns a prefetcher for r, or nil if r reads nothing ahead.
func newPrefetcher(r *Reader) *prefetcher {
	if r.o.Ahead < 2 || r.raw.file == nil || r.o.Start != 0 || r.o.End != 0 {
		return nil
	}
	if gzipMagic(r.peek(0)) != 0 {
		return nil
	}
	p := &prefetcher{r: r, nextStart: rangeSize, readers: make(chan *Reader, r.o.Ahead)}
	for range r.o.Ahead {
		p.readers <- nil // made when it is needed
	}
	return p
}

// next sets rec to the next record. It returns false if the record was not read ahead. Then p.r is
// where it must read the record itself.
func (p *prefetcher) next(rec *Record) bool {
	if len(p.records) == 0 && !p.nextRange() {
		if p.stale {
			p.r.continueAt(p.end, p.last)
			p.stale = false
		}
		return false
	}
	*rec = p.records[0]
	p.records[0] = Record{}
	p.records = p.records[1:]
	return true
}

// nextRange sets p.records to the records of the range that begins at the end of the records before
// it. It returns false if that range was not read ahead, or not rightly.
func (p *prefetcher) nextRange() bool {
	whole := true
	if !p.stale {
		p.last = p.r.number
		p.end, whole = p.r.checkpoint()
	}
	for p.startReading(); len(p.ranges) > 0 && p.ranges[0].start <= p.end; p.startReading() {
		f := p.ranges[0]
		<-f.done
		if f.complete && f.records[0].Offset > p.end {
			return false
		}
		p.ranges = p.ranges[1:]
		if !f.complete || f.records[0].Offset != p.end || !whole {
			f.release()
			continue
		}
		for i := range f.records {
			f.records[i].Number += p.last
		}
		p.records = f.records
		p.end = f.end
		p.last += len(f.records)
		p.stale = true
		p.startReading()
		return true
	}
	return false
}

// startReading starts goroutines that read the next ranges.
func (p *prefetcher) startReading() {
	p.nextStart = max(p.nextStart, p.end-p.end%rangeSize)
	for len(p.ranges) < 2*cap(p.readers) && p.nextStart < p.r.raw.size {
		f := &readRange{start: p.nextStart, done: make(chan struct{})}
		p.ranges = append(p.ranges, f)
		p.nextStart += rangeSize
		o := Options{Start: f.start, End: f.start + rangeSize, Limit: p.r.o.Limit}
		go p.read(f, p.r.raw.reopen(), o)
	}
}

// read reads the range f of file, on a goroutine of its own. If it panics, p.r reads the range
// itself, and panics on the goroutine of the caller.
func (p *prefetcher) read(f *readRange, file *raw, o Options) {
	r := <-p.readers
	if r == nil {
		r = new(Reader)
	}
	defer func() {
		if recover() != nil {
			r = new(Reader)
			f.complete = false
		}
		p.readers <- r
		close(f.done)
	}()
	r.reset(file, o)
	r.start = startGuess
	for size := 0; size < maxRecords; {
		var rec Record
		if r.readNext(&rec) != nil {
			f.end, f.complete = r.checkpoint()
			f.complete = f.complete && len(f.records) > 0
			return
		}
		size += cap(rec.Data)
		f.records = append(f.records, rec)
	}
}

// stop waits for the goroutines, and releases the records that next has not returned.
func (p *prefetcher) stop() {
	for _, f := range p.ranges {
		<-f.done
		f.release()
	}
	(&readRange{records: p.records}).release()
}

// release releases the records of f.
func (f *readRange) release() {
	for i := range f.records {
		f.records[i].Release()
	}
}
