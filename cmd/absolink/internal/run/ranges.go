package run

import (
	"context"
	"runtime"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime/warc"
)

// Half of the work on a web archive in gzip members is to read it. So ranges of it are read ahead
// on several goroutines, each on a guess where its first record begins. The guess was right if the
// records before the range end there: then those of the range follow. Else, and where something is
// wrong, one Reader goes on. So the records are those of one Reader of the whole, whatever the
// archive holds.
const (
	rangeSize   = 128 << 10 // stored bytes
	rangesAhead = 64        // that are read at once, unless there are more processors
	rangeHeld   = 4 << 20   // bytes of records; a range that holds more is not read ahead
)

// inMembers reports whether the container is an archive that is read in ranges: a file in gzip
// members, or one that begins like it.
func (c *container) inMembers() bool {
	in := c.in
	if in.Kind != input.WARC || in.Unit != nil || !in.Addressable() || in.URL != "" {
		return false
	}
	var magic [2]byte
	in.At.ReadAt(magic[:], 0)
	return magic == [2]byte{0x1f, 0x8b}
}

// ahead are the records of an archive, of which ranges are read ahead.
type ahead struct {
	ctx     context.Context
	c       *container
	readers chan *warc.Reader // that no goroutine has
	ranges  []*stretch        // read ahead, in their order
	start   int64             // of the range behind them

	held   []Item   // the next records
	at     int64    // where those behind them begin
	number int      // of the last one of them
	alone  bool     // one reads those behind them
	one    *records // else nothing
}

// stretch is a range that is read ahead.
type stretch struct {
	start int64
	read  chan struct{} // closed when it is read, and what follows is known

	held  []Item
	first int64 // offset of the first record
	last  int   // number of the last one, from 1 in the range
	end   int64 // where the records behind it begin
	whole bool  // all of its records are held, if the first one is one
}

// ahead reads the records of the archive ahead.
func (c *container) ahead(ctx context.Context) *ahead {
	a := &ahead{ctx: ctx, c: c, start: rangeSize, alone: true, one: c.items.(*records)}
	a.readers = make(chan *warc.Reader, min(c.r.o.jobs(), max(rangesAhead, runtime.GOMAXPROCS(0))))
	for range cap(a.readers) {
		a.readers <- nil // it is made when it is needed
	}
	return a
}

// Next returns the next record.
func (a *ahead) Next() (Item, error) {
	for {
		if len(a.held) > 0 {
			m := a.held[0]
			a.held = a.held[1:]
			return m, nil
		}
		if a.follow() {
			continue
		}
		if !a.alone {
			a.alone, a.one = true, a.records(a.one.reader, warc.Options{Start: a.at, Number: a.number + 1})
		}
		m, err := a.one.one()
		if m != nil || err != nil {
			return m, err
		}
	}
}

// follow goes on with the range that begins where the records before it end. It reports
// whether one does that was read ahead.
func (a *ahead) follow() bool {
	whole := true
	if a.alone {
		a.number = a.one.number
		a.at, whole = a.one.reader.Stands()
	}
	for a.begin(); len(a.ranges) > 0 && a.ranges[0].start <= a.at; a.begin() {
		s := a.ranges[0]
		<-s.read
		if s.whole && s.first > a.at {
			return false
		}
		a.ranges = a.ranges[1:]
		if s.whole && s.first == a.at && whole {
			a.take(s)
			a.begin()
			return true
		}
		s.forget()
	}
	return false
}

// begin begins to read ranges ahead.
func (a *ahead) begin() {
	a.start = max(a.start, a.at-a.at%rangeSize)
	for len(a.ranges) < 2*cap(a.readers) && a.start < a.c.in.Size {
		s := &stretch{start: a.start, read: make(chan struct{})}
		a.ranges, a.start = append(a.ranges, s), a.start+rangeSize
		go a.fill(s)
	}
}

// take goes on with a range.
func (a *ahead) take(s *stretch) {
	for _, m := range s.held {
		m := m.(*archived)
		m.Number, m.first = m.Number+a.number, m.first+a.number
	}
	a.held, a.at, a.number, a.alone = s.held, s.end, a.number+s.last, false
}

// fill reads a range, on any goroutine. A defect of the program that it brings to light is
// for one to come upon.
func (a *ahead) fill(s *stretch) {
	reader := <-a.readers
	if reader == nil {
		reader = new(warc.Reader)
	}
	defer func() {
		if recover() != nil {
			reader = new(warc.Reader)
			s.whole = false
		}
		a.readers <- reader
		close(s.read)
	}()
	r := a.records(reader, warc.Options{Start: s.start, End: s.start + rangeSize, Guess: true})
	for size := int64(0); size < rangeHeld; {
		m, err := r.one()
		if err != nil {
			s.last = r.number
			s.end, s.whole = reader.Stands()
			s.whole = s.whole && s.last > 0
			return
		}
		if r.number == 1 {
			s.first = r.at
		}
		if m != nil {
			size += m.Held()
			s.held = append(s.held, m)
		}
	}
}

// records returns those that a Reader gives under o.
func (a *ahead) records(reader *warc.Reader, o warc.Options) *records {
	o.Limit = int(a.c.r.o.MaxSize)
	o.Members = true
	content, _ := a.c.in.Stream(a.ctx) // without an error, as it has offsets
	reader.Reset(content, o)
	return &records{in: a.c.in, http: a.c.r.o.http(), reader: reader, at: -1}
}

// close waits for what is begun, and releases what is held.
func (a *ahead) close() {
	for _, s := range append(a.ranges, &stretch{held: a.held}) {
		if s.read != nil {
			<-s.read
		}
		s.forget()
	}
}

// forget releases what is held.
func (s *stretch) forget() {
	for _, m := range s.held {
		m.Release()
	}
}
