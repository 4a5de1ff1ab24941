package fetch

import (
	"context"
	"io"
	"net/url"
	"os"
	"slices"
	"sync"
)

// A File is read in blocks, each by a request of its own, so that no connection waits while
// a reader works. Blocks that follow each other grow, the one that comes next is retrieved
// while a reader is at the last one, and some are kept for readers that go back. None goes
// over the end of what is wanted until a reader asks for bytes behind it. A server that does
// not support ranges sends all of the file, which goes to a temporary file then.

const (
	firstBlock = 64 << 10
	largeBlock = 2 << 20  // the largest
	beyond     = 16 << 10 // the first one behind what is wanted
	keptBlocks = 3
)

// File is a file on a server, of which ranges are read (RFC 9110 Section 14). It is safe
// for concurrent use.
type File struct {
	client *Client
	ctx    context.Context // of Open
	cancel context.CancelFunc
	first  *url.URL // that was asked for
	end    int64    // of what is wanted
	share  *share   // what its blocks take
	spool  func() (*os.File, error)

	// What the first answer says, and all others must say again.
	at   string // the URL after redirects
	size int64
	mark mark

	mu     sync.Mutex
	blocks []block // that are kept, the one that was used last at the end
	ahead  *loading
	grown  int64    // size of the last block of those that follow each other
	whole  *os.File // all of it, where the server does not support ranges
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

// Range is what is wanted of a file.
type Range struct {
	Offset, Length int64 // in bytes
	// Exact says that all of it is needed, and likely nothing else.
	Exact bool
	// Turn is closed when no other input is waited for: see [Client.Get].
	Turn <-chan struct{}
	// Spool makes the temporary file for servers that do not support ranges.
	Spool func() (*os.File, error)
}

// Open opens a URL as a file, and retrieves the beginning of what is wanted of it. Other
// ranges may be read as well. It must be closed, and its reading ends with ctx. The error
// is an *Error, or that of ctx.
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

// Close gives back what f holds.
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

// URL returns the URL that the file came from, after redirects, without user name and password.
func (f *File) URL() string { return f.at }

// Whole reports whether the server does not support ranges, so that all was retrieved.
func (f *File) Whole() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.whole != nil
}

// ReadAt implements io.ReaderAt. Its errors are those of Open.
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

// block returns one that holds the byte at an offset, of which n bytes are wanted.
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

// next returns how much is retrieved from an offset on, of which n bytes are wanted.
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

// look retrieves the block behind one that ends at an offset, unless nothing is wanted there.
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

// keep adds a block to those that are kept.
func (f *File) keep(b block) {
	if len(f.blocks) == keptBlocks {
		f.blocks = slices.Delete(f.blocks, 0, 1)
	}
	f.blocks = append(f.blocks, b)
}
