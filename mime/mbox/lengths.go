package mbox

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"absolink/mime"
)

// A Content-Length is right if it leads to a separator or to the end of the mailbox, perhaps after
// one or two blank lines. Programs that read mailboxes use a right field, in every variant of the
// mailbox. If the field is wrong, they search for separators. So edits of a message must keep a
// right field right, and must not make a wrong field right: it would then end its message in a
// wrong place.

// contentLength describes the Content-Length of a message. Its offsets count in the bytes of the
// message.
type contentLength struct {
	fieldStart         int64     // offset of the field
	digits             mime.Span // digits of the value
	bodyStart, bodyEnd int64     // span of the body by the value
	nextMessage        int64     // start of the next message by the value; 0 if the field is wrong
}

// isRight reports whether a message has a right Content-Length. l may be nil.
func (l *contentLength) isRight() bool { return l != nil && l.nextMessage > 0 }

// Measured returns edits with one more edit, which corrects Content-Length so that it still leads
// to the same separator. It returns edits itself in three cases:
//
//   - The edits do not change the length of the body.
//   - One of the edits changes the value of the field.
//   - The field does not lead to the separator at the end of m, or to a later one.
//
// The mailbox must have been read with Options.Lengths.
func (m *Message) Measured(edits []mime.Edit) []mime.Edit {
	if !m.length.isRight() || m.length.nextMessage < m.size {
		return edits
	}
	digits, start, end := m.length.digits, m.length.bodyStart-m.Content.Start, m.length.bodyEnd-m.Content.Start
	digits.Start, digits.End = digits.Start-m.Content.Start, digits.End-m.Content.Start
	grown := int64(0)
	for _, e := range edits {
		if e.Start < digits.End && e.End > digits.Start {
			return edits
		}
		if e.Start >= start && e.Start < end {
			grown += int64(len(e.New)) - e.Len()
		}
	}
	if grown == 0 {
		return edits
	}
	i, _ := slices.BinarySearchFunc(edits, digits.Start,
		func(e mime.Edit, at int64) int { return int(min(max(e.Start-at, -1), 1)) })
	return slices.Insert(slices.Clone(edits), i,
		mime.Edit{Span: digits, New: strconv.AppendInt(nil, end-start+grown, 10)})
}

// lengthChecker checks the Content-Lengths of a mailbox while it is written, message by message.
// The zero value is ready for the first message.
//
// A wrong Content-Length leads to an offset without a separator. Edits move the messages after
// them, and could move a separator to that offset. So a message may be edited only if all wrong
// fields stay wrong. The check assumes that no later message is edited.
type lengthChecker struct {
	written int64      // number of bytes that were written
	added   int64      // number of bytes that edits have added so far
	wrong   offsetHeap // offsets in the written mailbox to which wrong fields lead
	covered int64      // the largest offset in the mailbox to which a right Content-Length has led so far
}

// maxWrong is the largest number of wrong fields that may lead to offsets after an edited message.
// If there are more, the edits are refused, because the check of each edit examines all of these
// fields.
const maxWrong = 1000

// Errors of [Message.Admit].
var (
	errCovered = errors.New("the Content-Length of an earlier message covers this message; --mbox cl2 reads both " +
		"as one message")
	errInside = errors.New("its Content-Length ends before a line of its text that begins with \"From \"; --mbox " +
		"cl2 ends the message there")
	errAstray = errors.New("a Content-Length that is wrong would lead to a separator")
	errMany   = fmt.Errorf("the Content-Lengths of more than %d messages before it are wrong and lead behind it",
		maxWrong)
	errLost = errors.New("its Content-Length would not lead to a separator any more")
)

// Admit returns an error if m must not be written with the edits. They must not make a wrong
// Content-Length, of m or of an earlier message, lead to a separator. They must not make the right
// Content-Length of m wrong.
//
// The mailbox must have been read with Options.Lengths. Call Admit for all messages in their order,
// before they are released. After an error, call it again without edits, which never fails, and
// write m without edits.
func (m *Message) Admit(edits []mime.Edit) error {
	if m.src == nil {
		return nil
	}
	return m.src.lengths.admit(m, edits)
}

// admit does the work of [Message.Admit]. After an error, m does not count as written.
func (l *lengthChecker) admit(m *Message, edits []mime.Edit) error {
	size, leads := m.size, m.lengthEnd(edits)
	for _, e := range edits {
		size += int64(len(e.New)) - e.Len()
	}
	if len(edits) > 0 {
		if err := l.check(m, edits, size, leads); err != nil {
			return err
		}
	}
	l.written += size
	l.added += size - m.size
	passed := len(l.popUntil(l.written))
	switch own := m.length; {
	case own == nil:
	case own.isRight():
		l.covered = max(l.covered, m.Offset+own.nextMessage)
	case leads > size:
		heap.Push(&l.wrong, l.written-size+leads)
	default:
		passed++
	}
	m.src.unhold(passed)
	return nil
}

// popUntil removes the offsets up to end from l.wrong, and returns them in rising order.
func (l *lengthChecker) popUntil(end int64) (list []int64) {
	for len(l.wrong) > 0 && l.wrong[0] <= end {
		list = append(list, heap.Pop(&l.wrong).(int64))
	}
	return list
}

// check returns an error if m must not be written with the edits. size is the size of m with the
// edits, and leads is m.lengthEnd(edits).
func (l *lengthChecker) check(m *Message, edits []mime.Edit, size, leads int64) error {
	own := m.length
	switch {
	case m.Offset < l.covered:
		return errCovered
	case own.isRight() && own.nextMessage < m.size:
		return errInside
	}
	due := l.popUntil(l.written + size)
	err := m.check(edits, due, l.written, leads, size)
	if err == nil {
		next := &mailboxAfter{m: m, added: l.added + size - m.size, end: math.MaxInt64}
		if own != nil && !own.isRight() && leads > size {
			err = next.lookAt(l.written + leads)
		}
		err = cmp.Or(err, next.walk(l.wrong, 0))
	}
	for _, at := range due {
		heap.Push(&l.wrong, at)
	}
	return err
}

// mailboxAfter examines the mailbox after m. It turns offsets of the written mailbox into offsets
// of the original mailbox.
type mailboxAfter struct {
	m        *Message
	added    int64 // number of bytes that edits add up to the end of m
	end      int64 // an offset at or after the end of the original mailbox
	examined int   // number of offsets that were examined
	buf      [afterBody]byte
}

// walk calls lookAt for element i of the heap and the elements below it, if they are in the
// mailbox.
func (a *mailboxAfter) walk(h offsetHeap, i int) error {
	if i >= len(h) || h[i]-a.added-1 >= a.end {
		return nil
	}
	if err := a.lookAt(h[i]); err != nil {
		return err
	}
	return cmp.Or(a.walk(h, 2*i+1), a.walk(h, 2*i+2))
}

// lookAt returns an error if a separator is at an offset of the written mailbox.
func (a *mailboxAfter) lookAt(to int64) error {
	n, err := a.m.src.peek(a.buf[:], to-a.added-1)
	switch {
	case err != nil:
		return err
	case n == 0:
		a.end = min(a.end, to-a.added-1)
		return nil
	}
	a.examined++
	if a.examined > maxWrong {
		return errMany
	}
	if _, _, ok := separatorAfter(a.buf[:n], a.m.eol); ok {
		return errAstray
	}
	return nil
}

// lengthEnd returns the offset to which the Content-Length of m leads after the edits, in the bytes
// of the edited message, or 0 if m has no Content-Length. It assumes that [Message.Measured] has
// corrected a right field.
func (m *Message) lengthEnd(edits []mime.Edit) int64 {
	if m.length == nil {
		return 0
	}
	before, leads := m.length.bodyStart, m.length.bodyEnd
	if m.length.isRight() {
		before = m.length.bodyEnd
	}
	for _, e := range m.inMessage(edits) {
		if e.Start < before {
			leads += int64(len(e.New)) - e.Len()
		}
	}
	return leads
}

// check returns an error if, after the edits, a wrong field leads to a separator in m, or if the
// right field of m is wrong. wrong has the offsets in the written mailbox to which wrong fields of
// earlier messages lead. at is the offset of m in the written mailbox. size is the size of m with
// the edits, and leads is m.lengthEnd(edits).
func (m *Message) check(edits []mime.Edit, wrong []int64, at, leads, size int64) error {
	offsets := make([]int64, 0, len(wrong)+1)
	for _, to := range wrong {
		offsets = append(offsets, to-at)
	}
	switch own := m.length; {
	case own == nil || leads > size:
	case !own.isRight():
		offsets = append(offsets, leads)
	default:
		if found, err := m.anySeparatorAt(edits, []int64{leads}); err != nil || !found {
			return cmp.Or(err, errLost)
		}
	}
	if found, err := m.anySeparatorAt(edits, offsets); err != nil || found {
		return cmp.Or(err, errAstray)
	}
	return nil
}

// anySeparatorAt reports whether a separator or the end of m is at one of the offsets, perhaps
// after blank lines. The offsets count in the bytes of the edited message.
func (m *Message) anySeparatorAt(edits []mime.Edit, offsets []int64) (bool, error) {
	if len(offsets) == 0 {
		return false, nil
	}
	edited := m.edited(edits)
	b := make([]byte, afterBody)
	for _, offset := range offsets {
		n, err := edited.ReadAt(b, offset-1)
		if err != nil && err != io.EOF {
			return false, err
		}
		if _, _, ok := separatorAfter(b[:n], m.eol); ok {
			return true, nil
		}
	}
	return false, nil
}

// offsetHeap is a heap with the lowest offset first.
type offsetHeap []int64

func (o offsetHeap) Len() int           { return len(o) }
func (o offsetHeap) Less(i, j int) bool { return o[i] < o[j] }
func (o offsetHeap) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o *offsetHeap) Push(x any)        { *o = append(*o, x.(int64)) }
func (o *offsetHeap) Pop() any {
	last := (*o)[len(*o)-1]
	*o = (*o)[:len(*o)-1]
	return last
}
