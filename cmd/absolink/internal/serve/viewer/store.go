package viewer

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
)

// keptTime is the time for which an upload is kept.
const keptTime = 15 * time.Minute

// upload is a document in a nameless temporary file.
type upload struct {
	input.Given
	name string
	file *os.File
	id   string
	made time.Time
	used int  // number of requests that use the upload
	gone bool // the store has dropped the upload: its last request closes it
}

var errLarge = errors.New("too large")

// newUpload reads a document of at most maxSize bytes from src.
func newUpload(src io.Reader, name string, maxSize int64) (*upload, error) {
	f, err := files.Nameless()
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(f, io.LimitReader(src, maxSize+1))
	if err == nil && n > maxSize {
		err = errLarge
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &upload{Given: input.Given{At: f, Size: n}, name: name, file: f, made: time.Now()}, nil
}

// maxKept is the number of uploads that are kept: each has an open file.
const maxKept = 100

// store keeps uploads for keptTime. If they are too many or too large, it drops the oldest.
type store struct {
	maxBytes int64 // limit for all uploads together, in bytes
	mu       sync.Mutex
	list     []*upload // the oldest first
	timed    bool      // sweep will be called when the oldest upload expires
}

// add stores u, and returns the identifier of u: 128 random bits.
func (s *store) add(u *upload) string {
	var id [16]byte
	rand.Read(id[:])
	u.id = hex.EncodeToString(id[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, u)
	s.sweep()
	return u.id
}

// sweep drops expired uploads, and the oldest uploads if there are too many. The newest stays.
func (s *store) sweep() {
	sum := int64(0)
	for _, u := range s.list {
		sum += u.Size
	}
	for len(s.list) > 0 && (time.Since(s.list[0].made) > keptTime ||
		sum > s.maxBytes && len(s.list) > 1 || len(s.list) > maxKept) {
		u := s.list[0]
		s.list, sum = s.list[1:], sum-u.Size
		u.gone = true
		if u.used == 0 {
			u.file.Close()
		}
	}
	if len(s.list) == 0 || s.timed {
		return
	}
	s.timed = true
	time.AfterFunc(time.Until(s.list[0].made.Add(keptTime+time.Second)), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.timed = false
		s.sweep()
	})
}

// acquire returns the upload with an identifier, or nil if it is no longer kept. The caller must
// release the upload.
func (s *store) acquire(id string) *upload {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, u := range s.list {
		if u.id == id {
			u.used++
			return u
		}
	}
	return nil
}

func (s *store) release(u *upload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.used--
	if u.gone && u.used == 0 {
		u.file.Close()
	}
}
