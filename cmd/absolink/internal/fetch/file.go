package fetch

import (
	"context"
	"io"
	"net/url"
	"os"
	"slices"
	"sync"
)

// A File is read in blocks, each by a request of its own, so that no connection waits while a
// reader works. Consecutive blocks grow. The next block is retrieved while the reader works on the
// last, and some blocks are kept for readers that go back. A block does not extend beyond the
// wanted range until a reader asks for bytes behind it. A server without support for ranges sends
// the whole file, which goes to a temporary file.

const (
	firstBlock = 64 << 10
	largeBlock = 2 << 20  // size of the largest block
	beyond     = 16 << 10 // size of the first block behind the wanted range
	keptBlocks = 3
)

// File is a file on a server that is read by ranges (RFC 9110 Section 14). It is safe for
// concurrent use.
type File struct {
	client *Client
	ctx    context.Context // of Open
	cancel context.CancelFunc
	first  *url.URL // the requested URL
	end    int64    // offset of the end of the wanted range
	share  *share   // memory of the blocks
	spool  func() (*os.File, error)

	// Facts of the first answer. All other answers must repeat them.
	at   string // the URL after redirects
	size int64
	mark mark

	mu     sync.Mutex
	blocks []block // kept blocks, the last used at the end
	ahead  *loading
	grown  int64    // size of the last of consecutive blocks
	whole  *os.File // the whole file, if the server does not support ranges
}

// block is a part of a file.
type block struct {
	from int64
	data []byte
}

func (b *block) to() int64 { return b.from + int64(len(b.data)) }

// loading is a block that is being retrieved.
type loading struct {
	from, to int64
	done     chan struct{} // closed when data and err are set
	data     []byte
	err      error
}

// Range is the wanted range of a file.
type Range struct {
	Offset, Length int64 // in bytes
	// Exact says that the whole range is needed, and probably nothing else.
	Exact bool
	// Turn is closed when it is the turn of this input; see [Client.Get].
	Turn <-chan struct{}
	// Spool makes the temporary file for a server without support for ranges.
	Spool func() (*os.File, error)
}

// Open opens a URL as a file, and retrieves the beginning of the range. Other ranges may be read as
// well. The caller must close the file, and reads fail once ctx ends. The error is an *Error, or
// ctx.Err().
func (c *Client) Open(ctx context.Context, url string, r Range) (*File, error) {
	u, err := parse(url)
	if err != nil {
		return nil, err
	}
	f := &File{client: c, first: u, end: r.Offset + max(r.Length, 1), size: -1, spool: r.Spool}
	f.share = &share{room: c.room, turn: r.Turn}
	if err := f.share.take(ctx, min((keptBlocks+1)*largeBlock, perBody*c.o.MaxSize)); err != nil {
		return nil, err
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	n := f.end - r.Offset
	f.grown = min(n, largeBlock)
	if !r.Exact {
		f.grown = min(n, firstBlock)
	}
	data, err := f.fetch(r.Offset, r.Offset+f.grown)
	if err != nil {
		f.Close()
		return nil, err
	}
	f.keep(block{r.Offset, data})
	return f, nil
}

// Close gives back the memory of f and closes its temporary file.
func (f *File) Close() error {
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blocks = nil
	f.share.keep(0)
	if f.whole == nil {
		return nil
	}
	whole := f.whole
	f.whole = nil
	return whole.Close()
}

// Size returns the size of the file.
func (f *File) Size() int64 { return f.size }

// URL returns the URL of the file after redirects, without user name and password.
func (f *File) URL() string { return f.at }

// Whole reports whether the whole file was retrieved, since the server does not support ranges.
func (f *File) Whole() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.whole != nil
}

// ReadAt implements io.ReaderAt. It returns the same errors as Open.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n < len(p) {
		at := off + int64(n)
		if at >= f.size {
			return n, io.EOF
		}
		if f.whole != nil {
			return f.whole.ReadAt(p, off)
		}
		b, err := f.block(at, len(p)-n)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], b.data[at-b.from:])
	}
	return n, nil
}

// block returns a block that holds the byte at an offset. n is the number of wanted bytes.
func (f *File) block(at int64, n int) (*block, error) {
	for i := range f.blocks {
		if b := f.blocks[i]; b.from <= at && at < b.to() {
			f.blocks = append(slices.Delete(f.blocks, i, i+1), b)
			return &f.blocks[len(f.blocks)-1], nil
		}
	}
	if l := f.ahead; l != nil && l.from <= at && at < l.to {
		<-l.done
		f.ahead = nil
		if l.err != nil {
			return nil, l.err
		}
		f.keep(block{l.from, l.data})
		f.look(l.to)
		return f.block(at, n)
	}
	follows := slices.ContainsFunc(f.blocks, func(b block) bool { return b.to() == at })
	size := f.next(at, int64(n), follows)
	data, err := f.fetch(at, at+size)
	if err != nil {
		return nil, err
	}
	f.keep(block{at, data})
	if follows {
		f.look(at + size)
	}
	return &f.blocks[len(f.blocks)-1], nil
}

// next returns the size of the block to retrieve at an offset. n is the number of wanted bytes.
func (f *File) next(at, n int64, follows bool) int64 {
	switch {
	case at == f.end:
		f.grown = beyond
	case follows:
		f.grown = min(2*f.grown, largeBlock)
	default:
		f.grown = min(n, largeBlock)
	}
	size := max(f.grown, min(n, largeBlock))
	if at < f.end {
		size = min(size, f.end-at)
	}
	return min(size, f.size-at)
}

// look starts to retrieve the block at an offset, unless the wanted range ends there.
func (f *File) look(at int64) {
	if at >= min(f.end, f.size) || f.whole != nil {
		return
	}
	l := &loading{from: at, to: at + f.next(at, 0, true), done: make(chan struct{})}
	f.ahead = l
	go func() {
		l.data, l.err = f.fetch(l.from, l.to)
		close(l.done)
	}()
}

// keep adds a block to the kept blocks, and drops the oldest if there are too many.
func (f *File) keep(b block) {
	if len(f.blocks) == keptBlocks {
		f.blocks = slices.Delete(f.blocks, 0, 1)
	}
	f.blocks = append(f.blocks, b)
}
