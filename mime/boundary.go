package mime

import "bytes"

// boundaries is the stack of the boundaries of the open multiparts, the innermost last.
type boundaries struct {
	frames    []frame
	innermost map[string]int // index of the innermost frame of each boundary, plus one
}

// frame is a boundary on the stack.
type frame struct {
	boundary   string
	entity     *Entity
	open       int // number of open entities when the frame was pushed, including its own
	outerIndex int // the value of innermost for the same boundary before this frame was pushed
	longest    int // length of the longest boundary in this frame and the frames around it
}

func (b *boundaries) push(f frame) {
	f.outerIndex = b.innermost[f.boundary]
	f.longest = max(len(f.boundary), b.longest())
	b.frames = append(b.frames, f)
	if b.innermost == nil {
		b.innermost = make(map[string]int)
	}
	b.innermost[f.boundary] = len(b.frames)
}

// longest returns the length of the longest boundary on the stack, or 0 if the stack is empty.
func (b *boundaries) longest() int {
	if n := len(b.frames); n > 0 {
		return b.frames[n-1].longest
	}
	return 0
}

// truncate removes all boundaries except the first n.
func (b *boundaries) truncate(n int) {
	for len(b.frames) > n {
		f := b.frames[len(b.frames)-1]
		b.frames = b.frames[:len(b.frames)-1]
		if f.outerIndex > 0 {
			b.innermost[f.boundary] = f.outerIndex
		} else {
			delete(b.innermost, f.boundary)
		}
	}
}

// match returns the index of the innermost frame whose boundary a line has, or -1. final reports
// whether the line is the final delimiter. The line must not have blanks at its end.
func (b *boundaries) match(line []byte) (k int, final bool) {
	name, ok := bytes.CutPrefix(line, []byte("--"))
	if !ok {
		return -1, false
	}
	k = b.innermost[string(name)] - 1
	name, ok = bytes.CutSuffix(name, []byte("--"))
	if ok {
		if j := b.innermost[string(name)] - 1; j > k {
			return j, true
		}
	}
	return k, false
}
