package container

import (
	"context"
	"runtime"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/mime/warc"
)

// Half of the work on a web archive in gzip members is to read it. So ranges of it are read ahead
// on several goroutines, each on a guess where its first record begins. The guess was right if the
// records before the range end there: then the records of the range follow. If it was wrong, or the
// range is damaged, one reader goes on from there. So the records are those of one reader of the
// whole archive, whatever it holds.
const (
	rangeSize   = 128 << 10 // stored bytes
	rangesAhead = 64        // ranges that are read at once, unless there are more processors
	rangeHeld   = 4 << 20   // bytes of records; a range that holds more is not read ahead
)

// inMembers reports whether ranges of a container can be read ahead: it is a file of a web archive
// in gzip members, or begins like one.
func inMembers(in *input.Document) bool {
	if in.Kind != input.WARC || in.Unit != nil || in.At == nil || in.Coding != coding.None || in.URL != "" {
		return false
	}
	var magic [2]byte
	in.At.ReadAt(magic[:], 0)
	return magic == [2]byte{0x1f, 0x8b}
}

// prefetcher are the records of an archive whose ranges are read ahead.
type prefetcher struct {
	ctx     context.Context
	in      *input.Document
	readers chan *warc.Reader // that no goroutine has; a nil one is made when it is needed
	ranges  []*fetched        // that are read ahead, in their order
	next    int64             // start of the range behind them

	held   []Item // the next records
	at     int64  // where the records behind held begin
	number int    // of the last record of held

	rest   *records // reads the records behind held if no range does
	resume bool     // rest stands where held ends
}

// fetched is a range that is read ahead.
type fetched struct {
	start int64
	read  chan struct{} // closed when it is read, and the fields below are set

	held  []Item
	first int64 // offset of the first record
	last  int   // number of the last record, from 1 in the range
	end   int64 // where the records behind it begin
	whole bool  // held has all records of the range, if first is the beginning of one
}

// newPrefetcher reads ahead the archive in, of which r reads the records, on at most jobs
// goroutines.
func newPrefetcher(ctx context.Context, in *input.Document, r *records, jobs int) *prefetcher {
	p := &prefetcher{ctx: ctx, in: in, next: rangeSize, rest: r, resume: true}
	p.readers = make(chan *warc.Reader, min(jobs, max(rangesAhead, runtime.GOMAXPROCS(0))))
	for range cap(p.readers) {
		p.readers <- nil
	}
	return p
}

// Next returns the next record.
func (p *prefetcher) Next() (Item, error) {
	for {
		if len(p.held) > 0 {
			item := p.held[0]
			p.held = p.held[1:]
			return item, nil
		}
		if p.takeRange() {
			continue
		}
		if !p.resume {
			p.rest = p.from(p.rest.reader, warc.Options{Start: p.at, Number: p.number + 1})
			p.resume = true
		}
		item, err := p.rest.read()
		if item != nil || err != nil {
			return item, err
		}
	}
}

// takeRange goes on with the range that begins where the records before it end. It reports whether
// such a range was read ahead.
func (p *prefetcher) takeRange() bool {
	whole := true
	if p.resume {
		p.number = p.rest.number
		p.at, whole = p.rest.reader.Stands()
	}
	for p.fetch(); len(p.ranges) > 0 && p.ranges[0].start <= p.at; p.fetch() {
		f := p.ranges[0]
		<-f.read
		if f.whole && f.first > p.at {
			return false
		}
		p.ranges = p.ranges[1:]
		if !f.whole || f.first != p.at || !whole {
			f.release()
			continue
		}
		for _, item := range f.held {
			record := item.(*archived)
			record.Number += p.number
			record.first += p.number
		}
		p.held = f.held
		p.at = f.end
		p.number += f.last
		p.resume = false
		p.fetch()
		return true
	}
	return false
}

// fetch begins to read ranges ahead.
func (p *prefetcher) fetch() {
	p.next = max(p.next, p.at-p.at%rangeSize)
	for len(p.ranges) < 2*cap(p.readers) && p.next < p.in.Size {
		f := &fetched{start: p.next, read: make(chan struct{})}
		p.ranges = append(p.ranges, f)
		p.next += rangeSize
		go p.read(f)
	}
}

// read reads a range, on any goroutine. A defect of the program that the range brings to light is
// left to the reader of the rest.
func (p *prefetcher) read(f *fetched) {
	reader := <-p.readers
	if reader == nil {
		reader = new(warc.Reader)
	}
	defer func() {
		if recover() != nil {
			reader = new(warc.Reader)
			f.whole = false
		}
		p.readers <- reader
		close(f.read)
	}()
	r := p.from(reader, warc.Options{Start: f.start, End: f.start + rangeSize, Guess: true})
	for size := int64(0); size < rangeHeld; {
		item, err := r.read()
		if err != nil {
			f.last = r.number
			f.end, f.whole = reader.Stands()
			f.whole = f.whole && f.last > 0
			return
		}
		if r.number == 1 {
			f.first = r.at
		}
		if item != nil {
			size += item.Held()
			f.held = append(f.held, item)
		}
	}
}

// from returns the records that reader reads under o.
func (p *prefetcher) from(reader *warc.Reader, o warc.Options) *records {
	o.Limit = p.rest.http.Limit
	o.Members = true
	content, _ := p.in.Stream(p.ctx) // without an error: it has offsets
	reader.Reset(content, o)
	return &records{in: p.in, http: p.rest.http, reader: reader, at: -1}
}

// close waits for the goroutines, and releases the records that nobody took.
func (p *prefetcher) close() {
	for _, f := range p.ranges {
		<-f.read
		f.release()
	}
	(&fetched{held: p.held}).release()
}

// release releases the records.
func (f *fetched) release() {
	for _, item := range f.held {
		item.Release()
	}
}
