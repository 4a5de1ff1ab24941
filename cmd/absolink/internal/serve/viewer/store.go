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

// keptTime is how long an upload is kept.
const keptTime = 15 * time.Minute

// upload is a document in a temporary file that has no name.
type upload struct {
	input.Given
	name string
	file *os.File
	id   string
	made time.Time
	used int  // requests that read it
	gone bool // it is closed when they are done
}

var errLarge = errors.New("too large")

// newUpload keeps at most so many bytes of in.
func newUpload(in io.Reader, name string, most int64) (*upload, error) {
	f, err := files.Nameless()
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(f, io.LimitReader(in, most+1))
	if err == nil && n > most {
		err = errLarge
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &upload{Given: input.Given{At: f, Size: n}, name: name, file: f, made: time.Now()}, nil
}

// maxKept is how many uploads are kept: each has an open file.
const maxKept = 100

// store keeps uploads: each for some time, and of all of them the newest.
type store struct {
	most  int64 // bytes of all
	mu    sync.Mutex
	list  []*upload // the oldest first
	timed bool      // sweep is called when the oldest is too old
}

// add keeps u, and returns what it is reached by: 128 random bits.
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

// sweep drops what is too old, and the oldest where there is too much. The newest stays.
func (s *store) sweep() {
	sum := int64(0)
	for _, u := range s.list {
		sum += u.Size
	}
	for len(s.list) > 0 && (time.Since(s.list[0].made) > keptTime ||
		sum > s.most && len(s.list) > 1 || len(s.list) > maxKept) {
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

// take returns what id reaches, nil if that is not kept. It must be released.
func (s *store) take(id string) *upload {
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
