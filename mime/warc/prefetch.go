package warc

// For an archive of gzip members, decompression takes half of the time of a run. So a Reader may
// start goroutines that read ranges of the archive ahead. Each range has its own Reader, which
// guesses where the first record of the range begins (guess.go). If the last record before the
// range ends there, the guess was right. The prefetcher then returns the records of the range. If a
// guess was wrong, or a range is damaged, the Reader of the caller reads the records itself. So the
// records are the same as without Options.Ahead.

const (
	rangeSize  = 128 << 10 // stored bytes of a range
	placesSize = 2 << 20   // the same with Options.OnlyPlaces
	maxRecords = 4 << 20   // bytes of the records of a range; with more, the range is not complete
	recordSize = 512       // bytes of a Record without its data, at most
)

// prefetcher reads ranges ahead for a Reader.
type prefetcher struct {
	r         *Reader      // the Reader of the caller
	rangeSize int64        // stored bytes of a range
	readers   chan *Reader // the free Readers for ranges; nil stands for a Reader that is not made yet
	ranges    []*readRange // the ranges that are read ahead, in their order
	nextStart int64        // start of the range after ranges

	records []Record // the next records to return
	end     int64    // offset after records
	last    int      // Number of the last of records
	behind  bool     // next has returned records that r has not read: r must continue at end
}

// readRange is a range that is read ahead.
type readRange struct {
	start int64
	done  chan struct{} // closed when the fields below are set

	records  []Record
	end      int64 // offset after records
	complete bool  // records has all records of the range, if the guess was right
}

// newPrefetcher returns a prefetcher for r. It returns nil in three cases: Options.Ahead is less
// than 2, r reads only a range, or the archive is not a file that begins with a gzip member of a
// WARC.
func newPrefetcher(r *Reader) *prefetcher {
	if r.o.Ahead < 2 || r.raw.file == nil || r.o.Start != 0 || r.o.End != 0 {
		return nil
	}
	first := r.peek(0, maxMagic)
	if gzipMagic(first) != 0 || r.isARC(first) {
		return nil
	}
	p := &prefetcher{r: r, rangeSize: rangeSize, readers: make(chan *Reader, r.o.Ahead)}
	if r.o.OnlyPlaces {
		p.rangeSize = placesSize
	}
	p.nextStart = p.rangeSize
	for range r.o.Ahead {
		p.readers <- nil // read makes the Reader
	}
	return p
}

// next sets rec to the next record. If the record was not read ahead, next moves p.r to the record
// and returns false: p.r must read it.
func (p *prefetcher) next(rec *Record) bool {
	if len(p.records) == 0 && !p.nextRange() {
		if p.behind {
			p.r.continueAt(p.end, p.last)
			p.behind = false
		}
		return false
	}
	*rec = p.records[0]
	p.records[0] = Record{}
	p.records = p.records[1:]
	return true
}

// nextRange sets p.records to the records of a range that was read ahead, if its first record
// begins at p.end: the guess was right. Otherwise it returns false. It drops a range that begins at
// or before p.end if the range cannot be used: it is not complete, it begins with an earlier
// record, or no other Reader may continue at p.end (see checkpoint).
func (p *prefetcher) nextRange() bool {
	whole := true
	if !p.behind {
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
		p.behind = true
		p.startReading()
		return true
	}
	return false
}

// startReading starts goroutines that read the next ranges.
func (p *prefetcher) startReading() {
	p.nextStart = max(p.nextStart, p.end-p.end%p.rangeSize)
	for len(p.ranges) < 2*cap(p.readers) && p.nextStart < p.r.raw.size {
		f := &readRange{start: p.nextStart, done: make(chan struct{})}
		p.ranges = append(p.ranges, f)
		p.nextStart += p.rangeSize
		o := Options{Start: f.start, End: f.start + p.rangeSize, Limit: p.r.o.Limit, OnlyPlaces: p.r.o.OnlyPlaces}
		go p.read(f, p.r.raw.reopen(), o)
	}
}

// read reads the range f of the archive file, on a goroutine of its own. After a panic, f is not
// complete, and the Reader of the range is not used again. Then p.r reads the range, and panics on
// the goroutine of the caller.
func (p *prefetcher) read(f *readRange, file *raw, o Options) {
	r := <-p.readers
	if r == nil {
		r = new(Reader)
	}
	defer func() {
		if recover() != nil {
			r = nil
		}
		p.readers <- r
		close(f.done)
	}()
	r.reset(file, o)
	r.mode = modeGuess
	for size := 0; size < maxRecords; {
		var rec Record
		if r.readNext(&rec) != nil {
			f.end, f.complete = r.checkpoint()
			f.complete = f.complete && len(f.records) > 0
			return
		}
		size += recordSize + cap(rec.Data)
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
