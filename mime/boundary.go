package mime

import "bytes"

// boundaries is the stack of the boundaries that are open, the innermost last.
type boundaries struct {
	frames []frame
	last   map[string]int // index of the innermost frame of each boundary, plus one
}

type frame struct {
	boundary string
	entity   *Entity
	open     int // number of open entities when the frame was pushed, including its own
	hidden   int // the value of last for the same boundary before this frame
	longest  int // length of the longest boundary in this frame and the frames below it
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

// longest returns the length of the longest possible boundary line, without blanks at its end.
func (b *boundaries) longest() int {
	if n := len(b.frames); n > 0 {
		return b.frames[n-1].longest + 4
	}
	return 4
}

// cut keeps only the first n boundaries.
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

// match returns the index of the innermost boundary that a line delimits, or -1, and whether the
// line is the final delimiter. The line has no blanks at its end.
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
