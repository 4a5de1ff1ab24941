package run

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime/warc"
)

// Most of the work on a compressed web archive is to inflate it. One in gzip members is read
// in stretches, several at a time, each by a Reader of that range. Their records are taken in
// order and numbered anew, so that they are those of one Reader of the whole.
//
// A Reader that finds the beginning of its stretch damaged begins before it, and one whose
// last record is large goes on behind it. Where that comes to much more than the stretch,
// one Reader takes all that is left: what is read twice is bounded whatever the archive holds.
const (
	stretchSize  = 512 << 10 // stored bytes
	stretchReads = 16 << 20
	stretchHolds = 4 << 20 // bytes of records that wait for their turn
)

// ahead reads the records of an archive in stretches.
type ahead struct {
	at    io.ReaderAt
	size  int64
	jobs  int
	o     warc.Options
	stop  chan struct{} // closed when no more records are wanted
	reads sync.WaitGroup

	number int   // of the last record that was given
	first  int   // number of the first record in its member
	offset int64 // of that member, -1 if no record was given
}

// newAhead returns nil for an archive that is read by one Reader.
func newAhead(in *input.Document, content io.Reader, jobs int, o warc.Options) *ahead {
	at, ok := content.(io.ReaderAt)
	if !ok || section(in) != nil || in.URL != "" || jobs == 1 || in.Size < 4*stretchSize {
		return nil
	}
	var magic [2]byte
	if _, err := at.ReadAt(magic[:], 0); err != nil || magic != [2]byte{0x1f, 0x8b} {
		return nil
	}
	o.Index = new(warc.Index)
	return &ahead{at: at, size: in.Size, jobs: jobs, o: o, offset: -1}
}

// stretch is a range of an archive that is read.
type stretch struct {
	held  []*warc.Record
	ready chan struct{}     // closed when held is complete
	rest  chan *warc.Record // those behind held, one at a time
	err   error             // why it ended, once rest is closed
}

// errDear says that a stretch costs more reading than it may.
var errDear = errors.New("the stretch costs too much reading")

// bounded fails for good once it has read what it may.
type bounded struct {
	io.ReaderAt
	left atomic.Int64 // bytes, below 0 after it has failed
}

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left.Add(-int64(len(p))) < 0 {
		return 0, errDear
	}
	return b.ReaderAt.ReadAt(p, off)
}

// all yields the records in their order, and at last an error of reading, if there is one.
func (a *ahead) all(yield func(*warc.Record, error) bool) {
	a.stop = make(chan struct{})
	defer a.reads.Wait()
	defer close(a.stop)
	var begun []*stretch
	for start := int64(0); start < a.size || len(begun) > 0; {
		for ; start < a.size && len(begun) < a.jobs; start += stretchSize {
			begun = append(begun, a.begin(start))
		}
		s := begun[0]
		begun = begun[1:]
		if !a.take(s, yield) {
			return
		}
		if s.err == errDear {
			a.left(yield)
			return
		}
		if s.err != nil {
			yield(nil, s.err)
			return
		}
	}
}

// begin begins to read a stretch.
func (a *ahead) begin(start int64) *stretch {
	s := &stretch{ready: make(chan struct{}), rest: make(chan *warc.Record)}
	o := a.o
	if o.Start = start; start+stretchSize < a.size {
		o.End = start + stretchSize
	}
	content := &bounded{ReaderAt: a.at}
	content.left.Store(stretchReads)
	reader := warc.NewReader(io.NewSectionReader(content, 0, a.size), o)
	a.reads.Go(func() {
		defer close(s.rest)
		s.err = s.read(reader, content, a.stop)
	})
	return s
}

// read reads the records. After content has failed a record may be cut short, and is none.
func (s *stretch) read(r *warc.Reader, content *bounded, stop <-chan struct{}) error {
	ready := sync.OnceFunc(func() { close(s.ready) })
	defer ready()
	for held := 0; ; {
		rec, err := r.Next()
		if content.left.Load() < 0 {
			return errDear
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if !listed(rec) {
			rec.Release() // its number counts
		}
		if held < stretchHolds {
			s.held = append(s.held, rec)
			held += cap(rec.Data)
			select {
			case <-stop:
				return nil
			default:
			}
			continue
		}
		ready()
		select {
		case s.rest <- rec:
		case <-stop:
			return nil
		}
	}
}

// take yields the records of a stretch, and reports whether more are wanted.
func (a *ahead) take(s *stretch, yield func(*warc.Record, error) bool) bool {
	<-s.ready
	for _, rec := range s.held {
		if !a.give(rec, yield) {
			return false
		}
	}
	s.held = nil
	for rec := range s.rest {
		if !a.give(rec, yield) {
			return false
		}
	}
	return true
}

// give numbers and yields a record.
func (a *ahead) give(rec *warc.Record, yield func(*warc.Record, error) bool) bool {
	if rec.Number > 0 {
		a.number++
		rec.Number = a.number
	}
	if rec.Offset != a.offset {
		a.offset, a.first = rec.Offset, rec.Number
	}
	return yield(rec, nil)
}

// left yields the records behind those that were given, as one Reader finds them from the
// last member on.
func (a *ahead) left(yield func(*warc.Record, error) bool) {
	o := a.o
	if a.first > 0 {
		o.Start, o.Number = a.offset, a.first
	}
	given := a.offset >= 0
	for rec, err := range inOrder(warc.NewReader(io.NewSectionReader(a.at, 0, a.size), o)) {
		if given && rec != nil && rec.Number <= a.number {
			rec.Release()
		} else if !yield(rec, err) {
			return
		}
	}
}

// inOrder returns what a Reader reads, and at last an error, if there is one.
func inOrder(r *warc.Reader) func(yield func(*warc.Record, error) bool) {
	return func(yield func(*warc.Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
