package warc

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// guessed reads ranges of a size on a guess, as a prefetcher does. It describes the records, and
// returns the number of right guesses.
func guessed(t *testing.T, data []byte, step int64, limit int) (string, int) {
	t.Helper()
	var all strings.Builder
	right, number := 0, 0
	next := func(r *Reader) bool {
		rec, err := r.Next()
		if err != nil {
			return false
		}
		number = rec.Number
		all.WriteString(line(t, rec, true))
		rec.Release()
		return true
	}
	one, guess := readers.Get().(*Reader), readers.Get().(*Reader)
	defer readers.Put(one)
	defer readers.Put(guess)
	one.Reset(bytes.NewReader(data), Options{Limit: limit})
	for {
		at, whole := one.checkpoint()
		at -= at % step
		if !whole || at == 0 {
			if !next(one) {
				return all.String(), right
			}
			continue
		}
		held := guessedIn(guess, data, Options{Limit: limit, Start: at, End: at + step})
		end, read := guess.checkpoint()
		at, _ = one.checkpoint()
		if !read || len(held) == 0 || held[0].Offset != at {
			if !next(one) {
				return all.String(), right
			}
			continue
		}
		right++
		for _, rec := range held {
			rec.Number += number
			all.WriteString(line(t, rec, true))
		}
		number += len(held)
		one.continueAt(end, number)
		if !next(one) {
			return all.String(), right
		}
	}
}

// guessedIn returns the records that are read on a guess.
func guessedIn(r *Reader, data []byte, o Options) (held []*Record) {
	r.Reset(bytes.NewReader(data), o)
	r.mode = modeGuess
	for {
		rec, err := r.Next()
		if err != nil {
			return held
		}
		held = append(held, rec)
	}
}

// Ranges that are read on a guess give the records of the whole. If members begin with records, the
// guesses are right.
func TestGuess(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(' ' + random.IntN(90))
		}
		return string(b)
	}
	var texts []string
	for range 40 {
		texts = append(texts, response("http://a.test/", noise(random.IntN(4000))))
	}
	each := gz(texts...)
	inner := gzStored(rec("resource", "", each))
	large := gz(response("http://l.test/", strings.Repeat("x", maxGuess+1)))
	stored := gzStored(response("http://s.test/", strings.Repeat(noise(1<<10), (maxGuess+1<<20)>>10)))
	for _, tt := range []struct {
		name, data string
		step       int64
		right      int // at least
	}{
		{"gzip members", each, 5000, 8},
		{"ranges that hold nothing", each, 100, 20},
		{"frames of zstd", zst(texts...), 5000, 8},
		{"plain", strings.Join(texts, ""), 5000, 0},
		{"one member", gz(strings.Join(texts, "")), 5000, 0},
		{"records over members", gz(texts[0][:50], texts[0][50:]+texts[1][:20], texts[1][20:], texts[2]), 100, 0},
		{"an archive in another", each + inner + each, 5000, 16},
		{"a record that is large", each + large + each, 5000, 8},
		{"one that takes much reading", each + stored + each, 1 << 20, 1},
		{"damage", each[:20000] + "junk" + each[20500:], 5000, 6},
	} {
		want := outline(t, strings.NewReader(tt.data), Options{})
		if got, right := guessed(t, []byte(tt.data), tt.step, 0); got != want || right < tt.right {
			t.Errorf("%s: %d guesses were right, want %d at least; records\n%.2000s\nwant\n%.2000s",
				tt.name, right, tt.right, got, want)
		}
	}
}

// A guess is given up if the file cannot be read.
func TestGuessError(t *testing.T) {
	one := gz(response("http://a.test/", "x"))
	data := one + one + one
	bad := io.NewSectionReader(&failing{strings.NewReader(data), int64(2 * len(one))}, 0, int64(len(data)))
	r := NewReader(bad, Options{Start: int64(len(one)), End: int64(len(data))})
	r.mode = modeGuess
	for _, err := r.Next(); err == nil; _, err = r.Next() {
	}
	if at, whole := r.checkpoint(); whole {
		t.Errorf("stands: got %d, true; want false where reading fails", at)
	}
}

// failing returns an error from an offset on.
type failing struct {
	io.ReaderAt
	from int64
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.from {
		return 0, io.ErrNoProgress
	}
	return f.ReaderAt.ReadAt(p[:min(int64(len(p)), f.from-off)], off)
}
