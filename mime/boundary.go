package mime

import "bytes"

// boundaries is the stack of the boundaries that may occur, the innermost last.
type boundaries struct {
	frames []frame
	last   map[string]int // index of the innermost frame of each boundary, plus one
}

type frame struct {
	boundary string
	entity   *Entity
	open     int // entities that were open at its beginning, its own included
	hidden   int // what last held for the same boundary before
	longest  int // of this boundary and those before it
}

func (b *boundaries) push(f frame) {
	f.hidden = b.last[f.boundary]
	f.longest = max(len(f.boundary), b.longest()-4)
	b.frames = append(b.frames, f)
	if b.last == nil {
		b.last = make(map[string]int)
	}
	b.last[f.boundary] = len(b.frames)
}

// longest returns the length of the longest line that can be a boundary line,
// blanks after it not counted.
func (b *boundaries) longest() int {
	if n := len(b.frames); n > 0 {
		return b.frames[n-1].longest + 4
	}
	return 4
}

// cut leaves the first n boundaries.
func (b *boundaries) cut(n int) {
	for len(b.frames) > n {
		f := b.frames[len(b.frames)-1]
		b.frames = b.frames[:len(b.frames)-1]
		if f.hidden > 0 {
			b.last[f.boundary] = f.hidden
		} else {
			delete(b.last, f.boundary)
		}
	}
}

// match returns the index of the innermost boundary that a line without
// trailing blanks delimits, and whether it is the final one; -1 if there is none.
func (b *boundaries) match(line []byte) (k int, final bool) {
	name, ok := bytes.CutPrefix(line, []byte("--"))
	if !ok {
		return -1, false
	}
	k = b.last[string(name)] - 1
	name, ok = bytes.CutSuffix(name, []byte("--"))
	if ok {
		if j := b.last[string(name)] - 1; j > k {
			return j, true
		}
	}
	return k, false
}
