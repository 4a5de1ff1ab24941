package seen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"absolink/testdata/effort"
)

// open opens a list that must open.
func open(t *testing.T, path string) *List {
	t.Helper()
	l, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// save makes a file with the content.
func save(t *testing.T, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "list")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantContent reports an error unless the file has the texts, one after another. It reads pieces,
// so it needs little memory.
func wantContent(t *testing.T, path string, want ...string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	for _, text := range want {
		for len(text) > 0 {
			n, err := f.Read(buf[:min(len(buf), len(text))])
			if err != nil || string(buf[:n]) != text[:n] {
				t.Errorf("content of the list: got %.300q, %v, want %.300q of %.300q", buf[:n], err, text, want)
				return
			}
			text = text[n:]
		}
	}
	if n, err := f.Read(buf); err != io.EOF {
		t.Errorf("content of the list: got %.300q, %v after %.300q, want nothing", buf[:n], err, want)
	}
}

var long = "data:," + strings.Repeat("x", 200_000)

// tooLong returns a list of a URI that is a byte longer than a list can hold, and of a:b.
var tooLong = sync.OnceValue(func() string {
	var b strings.Builder
	b.Grow(longest + 100)
	b.WriteString("data:,")
	for b.Len() <= longest {
		b.WriteString(long[6:min(len(long), 6+longest+1-b.Len())])
	}
	b.WriteString("\na:b\n")
	return b.String()
})

// After the list is opened, it has the URIs of old and none of others. Then the file has the
// content left, and gets http://new.test/ after it.
func TestOpen(t *testing.T) {
	tests := []struct {
		name, content string
		old, others   []string
		cut, left     string
	}{
		{"an empty file", "", nil, []string{"http://a.test/"}, "", ""},
		{"lines", "http://a.test/\nmailto:x\n", []string{"http://a.test/", "mailto:x"}, []string{"http://a.test"}, "",
			"http://a.test/\nmailto:x\n"},
		{"CRLF", "http://a.test/\r\nb+c-d.1:x\r\n", []string{"http://a.test/", "b+c-d.1:x"}, nil, "",
			"http://a.test/\r\nb+c-d.1:x\r\n"},
		{"empty lines", "\n\r\n\nhttp://a.test/\n\n", []string{"http://a.test/"}, nil, "",
			"\n\r\n\nhttp://a.test/\n\n"},
		{"byte order mark", "\ufeffhttp://a.test/\n", []string{"http://a.test/"}, nil, "", "\ufeffhttp://a.test/\n"},
		{"repeated lines", "a:b\na:b\n", []string{"a:b"}, nil, "", "a:b\na:b\n"},
		{"incomplete line", "a:b\nhttp://a.test/lo", []string{"a:b"}, []string{"http://a.test/lo"},
			"http://a.test/lo", "a:b\n"},
		{"incomplete line without a scheme", "a:b\n<", []string{"a:b"}, nil, "<", "a:b\n"},
		{"incomplete line of NULs", "a:b\n\x00\x00", []string{"a:b"}, nil, "\x00\x00", "a:b\n"},
		{"an incomplete line alone", "ftp://a.te", nil, []string{"ftp://a.te"}, "ftp://a.te", ""},
		{"the beginning of http", "htt", nil, nil, "htt", ""},
		{"the beginning of https", "https", nil, nil, "https", ""},
		{"long line", long + "\na:b\n", []string{long, "a:b"}, []string{long[1:], long[:65536]}, "", long + "\na:b\n"},
		{"incomplete long line", "a:b\n" + long, []string{"a:b"}, nil, long[:1<<10], "a:b\n"},
		{"too long line", tooLong(), []string{"a:b"}, nil, "", tooLong()},
		{"not UTF-8", "http://a.test/\xff\n", []string{"http://a.test/\xff"}, []string{"http://a.test/\ufffd"}, "",
			"http://a.test/\xff\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := save(t, tt.content)
			l := open(t, path)
			if string(l.Cut) != tt.cut {
				t.Errorf("Cut: got %q, want %q", l.Cut, tt.cut)
			}
			wantContent(t, path, tt.left)
			for _, uri := range tt.old {
				if isNew, fits := l.Add([]byte(uri)); isNew || !fits {
					t.Errorf("Add %.50q: got %t, %t, want false, true", uri, isNew, fits)
				}
			}
			l.Add([]byte("http://new.test/"))
			if err := l.Commit(0); err != nil {
				t.Error(err)
			}
			wantContent(t, path, tt.left, "http://new.test/\n")
			for _, uri := range tt.others {
				if isNew, _ := l.Add([]byte(uri)); !isNew && isURI([]byte(uri)) {
					t.Errorf("Add %.50q: is not new", uri)
				}
			}
		})
	}
}

// A file that is not a list stays as it is.
func TestOpenRefuses(t *testing.T) {
	tests := []struct{ content, want string }{
		{"<html>\n", `line 1 is not an absolute URI ("<html>")`},
		{"<html>", `line 1 is not an absolute URI ("<html>")`},
		{"hello", `line 1 is not an absolute URI ("hello")`},
		{"\x1f\x8b\x08\x00", `line 1 is not an absolute URI`},
		{"a:b\n\n/x\na:c", `line 3 is not an absolute URI ("/x")`},
		{"a:b\n# c:d\n", `line 2 is not an absolute URI`},
		{"a:b\n a:c\n", `line 2 is not an absolute URI`},
		{"a:b\x00\n", `line 1 is not an absolute URI ("a:b\x00")`},
		{"1a:b\n", `line 1 is not an absolute URI`},
		{":b\n", `line 1 is not an absolute URI`},
		{"word\n", `line 1 is not an absolute URI ("word")`},
		{"http://a.test/\n" + strings.Repeat("<p>", 40) + "\n",
			`line 2 is not an absolute URI ("<p><p><p><p><p><p><p><p><p><p><p><p><p><"…): give a list of URIs`},
		{"\xff\xfeh\x00t\x00t\x00p\x00:\x00\n\x00", `line 1 is not an absolute URI`},
	}
	for _, tt := range tests {
		path := save(t, tt.content)
		_, err := Open(t.Context(), path)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%.40q: got the error %v, want %s", tt.content, err, tt.want)
		}
		wantContent(t, path, tt.content)
	}
	dir := t.TempDir()
	if _, err := Open(t.Context(), dir); err != ErrKind {
		t.Errorf("a directory: got the error %v, want %v", err, ErrKind)
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "no", "list")); err == nil ||
		!strings.Contains(err.Error(), "make it, or give another name") {
		t.Errorf("no directory: got the error %v", err)
	}
}

func TestOpenCancelled(t *testing.T) {
	path := save(t, strings.Repeat("a:b\n", 1<<17)+"a:c")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, path); err != context.Canceled {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
}

func TestInUse(t *testing.T) {
	path := save(t, "")
	l := open(t, path)
	if _, err := Open(t.Context(), path); err != ErrInUse {
		t.Errorf("a second Open: got the error %v, want %v", err, ErrInUse)
	}
	l.Close()
	open(t, path)
}

// URIs that the list cannot hold as they are.
func TestAdd(t *testing.T) {
	path := save(t, "")
	l := open(t, path)
	tests := []struct {
		uri         string
		isNew, fits bool
	}{
		{"", false, false}, {"/x", false, false}, {"x", false, false},
		{tooLong()[:longest+1], false, false},
		{"a:b\nc", true, true}, {"a:b\nc", false, true}, {"a:b\r\x00", true, true}, {"a:b%0Ac", false, true},
		{long, true, true},
	}
	for _, tt := range tests {
		if isNew, fits := l.Add([]byte(tt.uri)); isNew != tt.isNew || fits != tt.fits {
			t.Errorf("Add %.50q: got %t, %t, want %t, %t", tt.uri, isNew, fits, tt.isNew, tt.fits)
		}
	}
	if err := l.Commit(0); err != nil {
		t.Error(err)
	}
	wantContent(t, path, "a:b%0Ac\na:b%0D%00\n"+long+"\n")
}

// Over many runs, each URI is new once, unless its line was kept back or forgotten before the end.
// The file has the committed URIs in order.
func TestRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	path := save(t, "")
	inFile := make(map[string]bool)
	var content strings.Builder
	for range effort.Pick(60, 20) {
		l := open(t, path)
		known := make(map[string]bool)
		var pending []string
		for range random.IntN(300) {
			uri := fmt.Sprint("http://a.test/", random.IntN(2000))
			isNew, fits := l.Add([]byte(uri))
			if want := !inFile[uri] && !known[uri]; isNew != want || !fits {
				t.Fatalf("Add %s: got %t, %t, want %t, true", uri, isNew, fits, want)
			}
			if isNew {
				known[uri] = true
				pending = append(pending, uri)
			}
			switch random.IntN(50) {
			case 0:
				l.Forget()
				pending = nil
			case 1:
				keep := random.IntN(8)
				if err := l.Commit(keep); err != nil {
					t.Fatal(err)
				}
				end := max(len(pending)-keep, 0)
				for _, uri := range pending[:end] {
					inFile[uri] = true
					content.WriteString(uri + "\n")
				}
				pending = pending[end:]
				wantContent(t, path, content.String())
			}
		}
		l.Close()
		wantContent(t, path, content.String())
	}
}

// A commit is due after a mebibyte of new lines. Lines that were kept back do not count.
func TestDue(t *testing.T) {
	l := open(t, save(t, ""))
	l.committed = l.committed.Add(1 << 50) // no commit is due because of the time
	add := func(from, to int) {
		for i := from; i < to; i++ {
			l.Add(fmt.Appendf(nil, "http://a.test/%06d", i)) // 21 bytes with the line feed
		}
	}
	add(0, dueSize/21)
	if l.Due() {
		t.Error("due below the size")
	}
	add(dueSize/21, dueSize/21+1)
	if !l.Due() {
		t.Error("not due at the size")
	}
	l.Commit(1000)
	l.committed = l.committed.Add(1 << 50)
	if len(l.pending) != 21_000 || l.Due() {
		t.Errorf("after a commit that kept 1000 lines: got %d bytes and due %t, want 21000 and false", len(l.pending),
			l.Due())
	}
	l.committed = l.committed.Add(-1 << 51)
	if l.Due() {
		t.Error("due without new lines")
	}
	add(100_000, 100_001)
	if !l.Due() {
		t.Error("not due after a second")
	}
}

// faulty is a file on a disk that is full, or fails.
type faulty struct {
	*os.File
	room              int // number of bytes that WriteAt takes
	noCut, noSync     bool
	written, cutCalls int
}

func (f *faulty) WriteAt(p []byte, at int64) (int, error) {
	f.written++
	if len(p) <= f.room {
		f.room -= len(p)
		return f.File.WriteAt(p, at)
	}
	n, _ := f.File.WriteAt(p[:f.room], at)
	return n, &fs.PathError{Op: "write", Path: f.Name(), Err: errors.New("no space")}
}

func (f *faulty) Truncate(size int64) error {
	f.cutCalls++
	if f.noCut {
		return errors.New("no cut")
	}
	return f.File.Truncate(size)
}

func (f *faulty) Sync() error {
	if f.noSync {
		return errors.New("no sync")
	}
	return f.File.Sync()
}

func TestFullDisk(t *testing.T) {
	tests := []struct {
		name          string
		noCut, noSync bool
		room          int
		left, want    string
	}{
		{"a part of a line has room", false, false, 10, "a:b\n", "no space: URIs of this run are missing in the list"},
		{"the part stays", true, false, 10, "a:b\nhttp://c.t", "no space: URIs"},
		{"the flush fails", false, true, 100, "a:b\nhttp://c.test/\n", "no sync: URIs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := save(t, "a:b\n")
			l := open(t, path)
			f := &faulty{File: l.file.(*os.File), room: tt.room, noCut: tt.noCut, noSync: tt.noSync}
			l.file = f
			l.Add([]byte("http://c.test/"))
			err := l.Commit(0)
			if err == nil || !strings.HasPrefix(err.Error(), "--seen "+path+": "+tt.want) {
				t.Errorf("got the error %v, want %s", err, tt.want)
			}
			if isNew, _ := l.Add([]byte("http://d.test/")); !isNew {
				t.Error("Add after the error: not new")
			}
			if isNew, _ := l.Add([]byte("http://d.test/")); isNew {
				t.Error("Add after the error, again: new")
			}
			f.room = 1000
			if err := l.Commit(0); err != nil || f.written != 1 {
				t.Errorf("Commit after the error: got %v and %d writes, want one", err, f.written)
			}
			wantContent(t, path, tt.left)
		})
	}
}

// hashes agrees with a map, for hashes that are spread and for hashes that are close together.
func TestHashes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	next := map[string]func(i int) uint64{
		"spread":       func(int) uint64 { return random.Uint64() },
		"repeated":     func(int) uint64 { return uint64(random.IntN(500)) * 0x9e3779b97f4a7c15 },
		"one bucket":   func(int) uint64 { return 7<<restBits | uint64(random.IntN(2000))*0x9e3779b9 },
		"low":          func(int) uint64 { return uint64(random.IntN(3000)) },
		"high":         func(int) uint64 { return ^uint64(random.IntN(3000)) },
		"ascending":    func(i int) uint64 { return uint64(i) },
		"descending":   func(i int) uint64 { return ^uint64(i) },
		"bucket alone": func(i int) uint64 { return uint64(i) << restBits },
	}
	for name, f := range next {
		var s hashes
		known := make(map[uint64]bool)
		n := 10_000 // more pages than a chunk has, if they are spread
		if name != "spread" {
			n = effort.Pick(n, 1500)
		}
		for i := range n {
			h := f(i)
			if got := s.add(h); got == known[h] {
				t.Fatalf("%s: add %#x, after %d hashes: got %t, want %t", name, h, i, got, !got)
			}
			known[h] = true
		}
		for h := range known {
			if s.add(h) {
				t.Fatalf("%s: add %#x again: got true", name, h)
			}
		}
		if s.n != len(known) {
			t.Errorf("%s: got %d hashes, want %d", name, s.n, len(known))
		}
	}
}

// A set takes at most 7.2 bytes for each hash, and 6 MiB, if it is as full as with 100 million
// hashes: the buckets have 95 hashes on average. The garbage collector is bound while the set is
// large.
func TestMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	buckets := effort.Pick(uint64(4096), 2048) // of more than a chunk
	var s hashes
	for range buckets * 95 {
		s.add(random.Uint64() & (1<<restBits*buckets - 1))
	}
	pages := s.pages * pageSize
	if perHash := float64(pages) / float64(s.n); perHash > 7.2 {
		t.Errorf("got %.2f bytes for each hash, want at most 7.2", perHash)
	}
	if got := len(s.chunks) * chunkPages * pageSize; got-pages > 1<<20 {
		t.Errorf("got %d bytes for %d bytes of pages", got, pages)
	}
	if got := 4*len(s.newest) + len(s.filled); got > 6<<20 {
		t.Errorf("got %d bytes for the buckets, want 6 MiB", got)
	}

	old := debug.SetGCPercent(100)
	defer debug.SetGCPercent(old)
	s.pages = 5 << 20
	s.tune()
	if got := debug.SetGCPercent(5); got != 5 {
		t.Errorf("GOGC with a large set: got %d, want 5", got)
	}
	s.pages = 20 << 20
	s.tune()
	if got := debug.SetGCPercent(3); got != 3 {
		t.Errorf("GOGC with a larger set: got %d, want 3", got)
	}
	s.free()
	if got := debug.SetGCPercent(-1); got != 100 {
		t.Errorf("GOGC after it: got %d, want 100", got)
	}
	s.pages = 5 << 20
	s.tune()
	if got := debug.SetGCPercent(100); got != -1 {
		t.Errorf("GOGC that is off: got %d, want -1", got)
	}
}
