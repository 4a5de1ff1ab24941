package inplace

import (
	"sync"

	"absolink/cmd/absolink/internal/files"
)

// held keeps the directory of the last file open, because the next file is usually in the same
// directory. The zero value is ready to use. A held is safe for concurrent use.
type held struct {
	mu   sync.Mutex
	path string
	last *heldDir // nil before the first directory
}

// heldDir is an open directory that several callers use, each for one file. Each caller must call
// Close. The directory is closed when held does not keep it and all callers have called Close.
type heldDir struct {
	*files.Dir
	held  *held
	users int // number of callers, plus one while held keeps the directory; guarded by held.mu
}

// directory returns the directory at path. It calls open only if the last file was in another
// directory. The caller must close the result.
func (h *held) directory(path string, open func(path string) (*files.Dir, error)) (*heldDir, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last != nil && h.path == path {
		h.last.users++
		return h.last, nil
	}
	dir, err := open(path)
	if err != nil {
		return nil, err
	}
	if h.last != nil {
		h.last.release()
	}
	h.path = path
	h.last = &heldDir{Dir: dir, held: h, users: 2}
	return h.last, nil
}

// close stops keeping the last directory. If callers still use the directory, it stays open until
// the last of them closes it.
func (h *held) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last != nil {
		h.last.release()
		h.last = nil
	}
}

// Close ends the use of d by one caller.
func (d *heldDir) Close() {
	d.held.mu.Lock()
	defer d.held.mu.Unlock()
	d.release()
}

// release is Close for a caller that has locked held.mu.
func (d *heldDir) release() {
	d.users--
	if d.users == 0 {
		d.Dir.Close()
	}
}
