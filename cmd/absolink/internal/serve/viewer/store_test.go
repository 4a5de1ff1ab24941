package viewer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func keep(t *testing.T, s *store, text string) (*upload, string) {
	t.Helper()
	u, err := newUpload(strings.NewReader(text), "x", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return u, s.add(u)
}

// An upload stands in a file of mode 0600 without a name, which is closed when it is no longer
// kept and the last reader is done.
func TestUpload(t *testing.T) {
	s := &store{maxBytes: 100}
	u, id := keep(t, s, "abc")
	info, err := u.file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file has mode %v, want 0600", info.Mode())
	}
	if _, err := os.Lstat(u.file.Name()); !os.IsNotExist(err) && runtime.GOOS != "windows" {
		t.Errorf("the file is still reached as %s: %v", u.file.Name(), err)
	}
	if runtime.GOOS == "linux" {
		if to, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", u.file.Fd())); err != nil ||
			!strings.HasSuffix(to, " (deleted)") {
			t.Errorf("the kernel calls the file %q (%v), want it to be deleted", to, err)
		}
	}
	if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
		t.Errorf("it is reached by %q, want 128 bits in hexadecimal", id)
	}
	if s.acquire(id[:31]) != nil || s.acquire("") != nil {
		t.Error("it is reached by less than all bits")
	}
	read := s.acquire(id)
	if read != u {
		t.Fatal("it is not reached by its bits")
	}
	keep(t, s, strings.Repeat("x", 100)) // no room for both
	if s.acquire(id) != nil {
		t.Error("it is kept though there is no room")
	}
	var text [3]byte
	if _, err := read.At.ReadAt(text[:], 0); err != nil || string(text[:]) != "abc" {
		t.Errorf("while it is read: got %q and %v, want abc", text, err)
	}
	s.release(read)
	if _, err := u.file.Stat(); err == nil {
		t.Error("the file is open though is not read")
	}
}

// Beyond the size that is kept the oldest go, but never the newest.
func TestKeepSize(t *testing.T) {
	s := &store{maxBytes: 10}
	_, a := keep(t, s, "aaaa")
	_, b := keep(t, s, "bbbb")
	_, c := keep(t, s, "cccc")
	for id, want := range map[string]bool{a: false, b: true, c: true} {
		if u := s.acquire(id); (u != nil) != want {
			t.Errorf("after 12 of 10 bytes: kept is %v, want %v", u != nil, want)
		} else if u != nil {
			s.release(u)
		}
	}
	_, d := keep(t, s, strings.Repeat("d", 50))
	if len(s.list) != 1 || s.acquire(d) == nil {
		t.Errorf("after one that is larger than the limit: %d are kept, want that one", len(s.list))
	}
}

// An upload is kept for 15 minutes, and its file is closed then though no request comes.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{maxBytes: 100}
		u, id := keep(t, s, "abc")
		time.Sleep(14*time.Minute + 59*time.Second)
		if got := s.acquire(id); got == nil {
			t.Fatal("it is gone after 14:59 minutes")
		} else {
			s.release(got)
		}
		time.Sleep(time.Second + time.Millisecond)
		if s.acquire(id) != nil {
			t.Error("it is kept for more than 15 minutes")
		}
		v, _ := keep(t, s, "def")
		time.Sleep(15*time.Minute + 2*time.Second)
		synctest.Wait()
		for name, u := range map[string]*upload{"first": u, "second": v} {
			if _, err := u.file.Stat(); err == nil {
				t.Errorf("the file of the %s is open after 15 minutes", name)
			}
		}
	})
}

// More than the limit is not kept, and read no further than to see that.
func TestUploadTooLarge(t *testing.T) {
	in := bytes.NewReader(make([]byte, 1000))
	if _, err := newUpload(in, "x", 10); err != errLarge || in.Len() == 0 {
		t.Errorf("got %v with %d bytes left unread, want errLarge", err, in.Len())
	}
	if _, err := newUpload(io.LimitReader(strings.NewReader("0123456789"), 10), "x", 10); err != nil {
		t.Errorf("a document of the limit: %v", err)
	}
}

// Of many small uploads a hundred are kept: each has an open file.
func TestKeepCount(t *testing.T) {
	s := &store{maxBytes: 1 << 30}
	var all []*upload
	var ids []string
	for range maxKept + 20 {
		u, id := keep(t, s, "a")
		all, ids = append(all, u), append(ids, id)
	}
	for i, id := range ids {
		u := s.acquire(id)
		if (u != nil) != (i >= 20) {
			t.Errorf("upload %d of %d: kept is %v, want the last %d", i+1, len(ids), u != nil, maxKept)
		}
		if _, err := all[i].file.Stat(); (err == nil) != (i >= 20) {
			t.Errorf("the file of upload %d of %d: %v", i+1, len(ids), err)
		}
		if u != nil {
			s.release(u)
		}
	}
}
