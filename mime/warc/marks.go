package warc

import (
	"slices"
	"sort"

	"absolink/mime"
)

// mark is a member, with the position of its first decoded byte.
type mark struct {
	pos int64
	member
}

// hard reports whether the record before the mark certainly ends at the mark.
func (m *mark) hard() bool { return m.beginsRecord || m.afterGap }

// marks holds the members that begin in a window, and the member that contains the first byte of
// the window. A hostile file may have a member for each byte, and any number of empty members. So
// all members at one position share one mark, and the methods examine each mark only a few times.
type marks struct {
	all      []mark // by position
	first    int    // all[:first] were dropped
	searched int    // nextHard has examined all[:searched]
	steps    int    // number of marks that were examined or moved; only tests read it
}

// live returns the marks that were not dropped.
func (m *marks) live() []mark { return m.all[m.first:] }

// reset removes all marks.
func (m *marks) reset() {
	*m = marks{all: m.all[:0], steps: m.steps}
}

// add adds a member that begins at pos. pos must not be before the last mark. After an empty
// member, the next member begins at the same position. Both then share one mark, which has the
// offset of the later member.
func (m *marks) add(pos int64, next member) {
	if live := m.live(); len(live) > 0 && live[len(live)-1].pos == pos {
		last := &live[len(live)-1]
		last.off = next.off
		last.beginsRecord = last.beginsRecord || next.beginsRecord
		last.afterGap = last.afterGap || next.afterGap
		last.plain = next.plain
		last.defects = append(last.defects, next.defects[:min(len(next.defects), maxDefects-len(last.defects))]...)
		m.searched = min(m.searched, len(m.all)-1)
		return
	}
	m.all = append(m.all, mark{pos, next})
}

// nextHard returns the position of the first hard mark after pos, or -1. A later call must not have
// a smaller pos.
func (m *marks) nextHard(pos int64) int64 {
	for m.searched = max(m.searched, m.first); m.searched < len(m.all); m.searched++ {
		m.steps++
		if k := &m.all[m.searched]; k.pos > pos && k.hard() {
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

// dropTo drops all marks before the mark whose member contains pos. It appends the defects of all
// marks up to pos to defects, and returns the result.
func (m *marks) dropTo(pos int64, defects []mime.Defect) []mime.Defect {
	for live := m.live(); len(live) > 0 && live[0].pos <= pos; live = m.live() {
		m.steps++
		if len(defects) < maxDefects { // a record keeps only maxDefects
			defects = append(defects, live[0].defects...)
		}
		live[0].defects = nil
		if len(live) == 1 || live[1].pos > pos {
			break
		}
		m.first++
	}
	if m.first > len(m.all)/2 { // so fewer marks move than were dropped
		m.steps += len(m.live())
		m.all = slices.Delete(m.all, 0, m.first)
		m.searched = max(m.searched-m.first, 0)
		m.first = 0
	}
	return defects
}
