package fetch

import (
	"context"
	"io"
	"net/url"
	"os"
	"slices"
	"sync"
)

// A File retrieves a file in blocks. Each block has a request of its own, so that no connection is
// open while the reader works. The first block is the wanted range, up to largeBlock. Consecutive
// blocks from another offset on double in size, up to largeBlock. While the reader works on a
// block, the File retrieves the next block. It keeps some blocks for readers that go back. No block
// crosses the end of the wanted range, unless a reader asks for bytes after the range. A server
// without support for ranges sends the whole file. The File then stores it in a temporary file.

const (
	largeBlock = 2 << 20  // size of the largest block
	firstAfter = 16 << 10 // size of the first block after the wanted range
	keptBlocks = 3        // number of blocks that are kept
)

// File is a file on a server that is read by ranges (RFC 9110 Section 14). It is safe for
// concurrent use.
type File struct {
	client *Client
	ctx    context.Context // derived from the context of Open
	cancel context.CancelFunc
	first  *url.URL     // the requested URL
	end    int64        // offset of the end of the wanted range
	share  *reservation // memory of the blocks
	spool  func() (*os.File, error)

	// Facts of the first answer. All other answers must repeat them.
	url     string // the URL after redirects
	size    int64  // -1 before the first answer
	version version

	mu     sync.Mutex
	blocks []block  // kept blocks, the last used at the end
	ahead  *loading // the block that is read ahead, or nil
	whole  *os.File // the whole file, if the server does not support ranges
}

// block is a part of a file.
type block struct {
	from int64 // offset in the file
	data []byte
}

// to returns the offset of the end of b.
func (b *block) to() int64 { return b.from + int64(len(b.data)) }

// loading is a block that a goroutine retrieves.
type loading struct {
	from, to int64
	done     chan struct{} // closed when data and err are set
	data     []byte
	err      error
}

// Range is the wanted range of a file.
type Range struct {
	Offset, Length int64 // in bytes
	// Turn is closed when it is the turn of this input: see [Client.Get].
	Turn <-chan struct{}
	// Spool makes the temporary file for a server without support for ranges.
	Spool func() (*os.File, error)
}

// Open opens a URL as a file, and retrieves the start of the range. Bytes outside the range can be
// read, too. The caller must close the file. Reads fail once ctx is done. The error is an *Error,
// or ctx.Err().
func (c *Client) Open(ctx context.Context, url string, r Range) (*File, error) {
	u, err := parse(url)
	if err != nil {
		return nil, err
	}
	f := &File{client: c, first: u, end: r.Offset + max(r.Length, 1), size: -1, spool: r.Spool}
	f.share = &reservation{budget: c.budget, turn: r.Turn}
	if err := f.share.add(ctx, min((keptBlocks+1)*largeBlock, perBody*c.o.MaxSize)); err != nil {
		return nil, err
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	data, err := f.fetch(r.Offset, min(f.end, r.Offset+largeBlock))
	if err != nil {
		f.Close()
		return nil, err
	}
	f.addBlock(block{r.Offset, data})
	return f, nil
}

// Close frees the memory of f, and closes its temporary file.
func (f *File) Close() error {
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blocks = nil
	f.share.shrinkTo(0)
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
func (f *File) URL() string { return f.url }

// Whole reports whether the whole file was retrieved, because the server does not support ranges.
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
		b, err := f.blockAt(at, len(p)-n)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], b.data[at-b.from:])
	}
	return n, nil
}

// blockAt returns a block that contains the byte at the offset at. If no kept block contains it,
// blockAt retrieves a block. n is the number of wanted bytes.
func (f *File) blockAt(at int64, n int) (*block, error) {
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
		f.addBlock(block{l.from, l.data})
		f.readAhead(l.to, l.to-l.from)
		return f.blockAt(at, n)
	}
	before := f.sizeBefore(at)
	size := f.nextBlockSize(at, int64(n), before)
	data, err := f.fetch(at, at+size)
	if err != nil {
		return nil, err
	}
	f.addBlock(block{at, data})
	if before > 0 {
		f.readAhead(at+size, size)
	}
	return &f.blocks[len(f.blocks)-1], nil
}

// sizeBefore returns the size of the kept block that ends at an offset, or 0 if there is none.
func (f *File) sizeBefore(at int64) int64 {
	for _, b := range f.blocks {
		if b.to() == at {
			return int64(len(b.data))
		}
	}
	return 0
}

// nextBlockSize returns the size of the block to retrieve at the offset at. n is the number of
// wanted bytes. before is the size of the kept block that ends at this offset, or 0.
func (f *File) nextBlockSize(at, n, before int64) int64 {
	size := max(2*before, n)
	if at == f.end {
		size = max(firstAfter, n)
	}
	size = min(size, largeBlock)
	if at < f.end {
		size = min(size, f.end-at)
	}
	return min(size, f.size-at)
}

// readAhead starts a goroutine that retrieves the block at the offset at. It does nothing if the
// wanted range ends there. before is the size of the block that ends at the offset.
func (f *File) readAhead(at, before int64) {
	if at >= min(f.end, f.size) || f.whole != nil {
		return
	}
	l := &loading{from: at, to: at + f.nextBlockSize(at, 0, before), done: make(chan struct{})}
	f.ahead = l
	go func() {
		l.data, l.err = f.fetch(l.from, l.to)
		close(l.done)
	}()
}

// addBlock adds a block to the kept blocks. If there are too many, it drops the block that was not
// used for the longest time.
func (f *File) addBlock(b block) {
	if len(f.blocks) == keptBlocks {
		f.blocks = slices.Delete(f.blocks, 0, 1)
	}
	f.blocks = append(f.blocks, b)
}
