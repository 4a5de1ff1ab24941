package warc

import (
	"slices"
	"sort"

	"absolink/mime"
)

// mark is a member with the position at which its bytes begin.
type mark struct {
	pos int64
	member
}

// hard reports whether no record continues across the mark.
func (m *mark) hard() bool { return m.record || m.gap }

// marks holds the members that begin in a window, and the member in which the window begins. A file
// may have a member for each byte, and any number of empty members. So all members at one position
// are one mark, and no mark is examined again for each byte that is read.
type marks struct {
	all   []mark // by position
	head  int    // index in all of the first mark that counts
	soft  int    // all[head:soft] are not hard
	steps int    // marks that were examined or moved; tests compare it with their number
}

// live returns the marks that count, in their order.
func (m *marks) live() []mark { return m.all[m.head:] }

// reset removes all marks.
func (m *marks) reset() { m.all, m.head, m.soft = m.all[:0], 0, 0 }

// add adds a member at a position that is not before the last mark. If several empty members have
// the same position, a reader can begin at the last of them.
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

// next returns the position of the first hard mark after pos, or -1. Marks up to pos never count
// again.
func (m *marks) next(pos int64) int64 {
	for m.soft = max(m.soft, m.head); m.soft < len(m.all); m.soft++ {
		m.steps++
		if k := &m.all[m.soft]; k.pos > pos && k.hard() {
			return k.pos
		}
	}
	return -1
}

// at returns the last mark at or before pos, or nil.
func (m *marks) at(pos int64) *mark {
	live := m.live()
	i := sort.Search(len(live), func(i int) bool { m.steps++; return live[i].pos > pos })
	if i == 0 {
		return nil
	}
	return &live[i-1]
}

// pass drops the marks before the one that contains pos. It appends to failed the defects of all
// marks up to pos.
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
	if m.head > len(m.all)/2 { // fewer marks are moved than were dropped
		m.steps += len(m.live())
		m.all = slices.Delete(m.all, 0, m.head)
		m.soft, m.head = max(m.soft-m.head, 0), 0
	}
	return failed
}
