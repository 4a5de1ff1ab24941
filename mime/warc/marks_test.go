package warc

import "testing"

// A member at the position of an empty one makes their mark hard, even if the mark was examined.
func TestMergedMarks(t *testing.T) {
	for _, hard := range []member{{beginsRecord: true}, {afterGap: true}} {
		for before := range 3 {
			var m marks
			for i := range before {
				m.add(int64(i), member{})
			}
			m.add(10, member{off: 100})
			if got := m.nextHard(5); got != -1 {
				t.Errorf("nextHard before a mark of an empty member = %d, want -1", got)
			}
			last := hard
			last.off = 200
			m.add(10, last)
			if got := m.nextHard(5); got != 10 {
				t.Errorf("nextHard before a merged mark = %d, want 10", got)
			}
			if k := m.at(10); k == nil || k.off != 200 || len(m.live()) != before+1 {
				t.Errorf("at(10) = %+v of %d marks, want the last member of %d", k, len(m.live()), before+1)
			}
		}
	}
}
