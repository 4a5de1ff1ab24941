package warc

import (
	"slices"
	"sort"

	"absolink/mime"
)

// mark is a member at the position where its bytes begin.
type mark struct {
	pos int64
	member
}

// hard reports whether no record goes on over the mark.
func (m *mark) hard() bool { return m.record || m.gap }

// marks are the members that begin in what a window holds, and before them the one
// in which the window begins. A file may have a member for each byte, and any
// number of empty ones; so members at one position are one mark, and no mark is
// looked at again for each byte that is read.
type marks struct {
	all   []mark // by position
	head  int    // of all: the first that counts
	soft  int    // all[head:soft] are not hard
	steps int    // marks that were looked at or moved; tests hold it against their number
}

// live returns the marks in their order.
func (m *marks) live() []mark { return m.all[m.head:] }

// reset forgets all marks.
func (m *marks) reset() { m.all, m.head, m.soft = m.all[:0], 0, 0 }

// add adds a member at a position that is not before that of the last one. Of empty
// members at one position the last one is where a reader can begin.
func (m *marks) add(pos int64, next member) {
	if live := m.live(); len(live) > 0 && live[len(live)-1].pos == pos {
		last := &live[len(live)-1]
		last.off = next.off
		last.record = last.record || next.record
		last.gap = last.gap || next.gap
		last.stored = next.stored
		last.defects = append(last.defects, next.defects...)
		m.soft = min(m.soft, len(m.all)-1)
		return
	}
	m.all = append(m.all, mark{pos, next})
}

// next returns the position of the first hard mark behind pos, -1 if there is none.
// Marks up to pos never count again.
func (m *marks) next(pos int64) int64 {
	for m.soft = max(m.soft, m.head); m.soft < len(m.all); m.soft++ {
		m.steps++
		if k := &m.all[m.soft]; k.pos > pos && k.hard() {
			return k.pos
		}
	}
	return -1
}

// at returns the last mark that is not behind pos, nil if all are.
func (m *marks) at(pos int64) *mark {
	live := m.live()
	i := sort.Search(len(live), func(i int) bool { m.steps++; return live[i].pos > pos })
	if i == 0 {
		return nil
	}
	return &live[i-1]
}

// pass drops the marks before the one that pos lies in, and returns failed with the
// defects of all up to pos.
func (m *marks) pass(pos int64, failed []mime.Defect) []mime.Defect {
	for live := m.live(); len(live) > 0 && live[0].pos <= pos; live = m.live() {
		m.steps++
		failed = append(failed, live[0].defects...)
		live[0].defects = nil
		if len(live) == 1 || live[1].pos > pos {
			break
		}
		m.head++
	}
	if m.head > len(m.all)/2 { // what is moved is less than what was dropped
		m.steps += len(m.live())
		m.all = slices.Delete(m.all, 0, m.head)
		m.soft, m.head = max(m.soft-m.head, 0), 0
	}
	return failed
}
