package mbox

import (
	"bufio"
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

// Programs that read mailboxes trust a Content-Length if a separator follows the body, in every
// variant of the mailbox. Otherwise they search for separators. So an edit must correct a field
// that leads to a separator. It also must not make a wrong field lead to a separator.

// length describes the Content-Length of a message. Its offsets count in the bytes of the message.
type length struct {
	field      int64     // offset of the field
	digits     mime.Span // of the value
	start, end int64     // of the body, by the value
	next       int64     // end of the message by the value, after blank lines; 0 unless the field lands
}

// lands reports whether the message has a field that leads to a separator or to the end of the
// mailbox.
func (l *length) lands() bool { return l != nil && l.next > 0 }

// Measured returns the edits of the content with one more edit, which corrects Content-Length so
// that it still leads to the same separator. It returns edits itself in three cases:
//
//   - The edits keep the length of the body.
//   - One of them touches the value of the field.
//   - The field does not lead to a separator at the end of m or after it.
//
// The mailbox must have been read with Options.Lengths.
func (m *Message) Measured(edits []mime.Edit) []mime.Edit {
	if !m.length.lands() || m.length.next < m.size {
		return edits
	}
	digits, start, end := m.length.digits, m.length.start-m.Content.Start, m.length.end-m.Content.Start
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

// lengths checks the Content-Lengths of a mailbox while it is written, message by message. Its zero
// value is ready before the first message.
//
// A wrong Content-Length leads to an offset without a separator. Edits move the messages after that
// field, and could move a separator to that offset. So a message may be edited only if no wrong
// field would lead to a separator. The check assumes that no later message is edited.
type lengths struct {
	written int64         // bytes
	grown   int64         // bytes that the edits added so far
	astray  heapOfOffsets // offsets in the written mailbox to which wrong fields lead
	covered int64         // end, in the mailbox, of the messages that an earlier Content-Length covers
}

// maxAstray is the largest number of wrong fields that may lead to later messages. If there are
// more, edits are refused, because each edit checks all of these fields.
const maxAstray = 1000

// Errors of [Message.Admit].
var (
	errCovered = errors.New("by the Content-Length of an earlier message this is a part of that one; --mbox cl2 " +
		"reads it so")
	errInside = errors.New("its Content-Length ends it before a line of its text that begins with \"From \"; --mbox " +
		"cl2 reads it so")
	errAstray = errors.New("a Content-Length that is wrong would lead to a separator")
	errMany   = fmt.Errorf("the Content-Lengths of more than %d messages before it are wrong and lead behind it",
		maxAstray)
	errLost = errors.New("its Content-Length would not lead to a separator any more")
)

// Admit returns an error if m must not be written with the edits. They must not make a wrong
// Content-Length, of m or of an earlier message, lead to a separator. If the field of m leads to a
// separator, it must still do so.
//
// The mailbox must have been read with Options.Lengths. Call Admit for all messages in their order,
// before they are released. After an error, call it again without edits, which never fails, and
// write m without edits.
func (m *Message) Admit(edits []mime.Edit) error {
	if m.src == nil {
		return nil
	}
	return m.src.lengths.add(m, edits)
}

// add takes the next message and the edits with which it is written. After an error the message is
// not added.
func (l *lengths) add(m *Message, edits []mime.Edit) error {
	size, leads := m.size, m.leads(edits)
	for _, e := range edits {
		size += int64(len(e.New)) - e.Len()
	}
	if len(edits) > 0 {
		if err := l.check(m, edits, size, leads); err != nil {
			return err
		}
	}
	l.written, l.grown = l.written+size, l.grown+size-m.size
	passed := len(l.due(l.written))
	switch own := m.length; {
	case own == nil:
	case own.lands():
		l.covered = max(l.covered, m.Offset+own.next)
	case leads > size:
		heap.Push(&l.astray, l.written-size+leads)
	default:
		passed++
	}
	m.src.forget(passed)
	return nil
}

// due removes the offsets up to to from l.astray and returns them.
func (l *lengths) due(to int64) (list []int64) {
	for len(l.astray) > 0 && l.astray[0] <= to {
		list = append(list, heap.Pop(&l.astray).(int64))
	}
	return list
}

// check returns an error if m must not be written with the edits. With the edits, size is the size
// of m, and leads is the offset in its bytes to which its field leads.
func (l *lengths) check(m *Message, edits []mime.Edit, size, leads int64) error {
	own := m.length
	switch {
	case m.Offset < l.covered:
		return errCovered
	case own.lands() && own.next < m.size:
		return errInside
	}
	due := l.due(l.written + size)
	err := m.check(edits, due, l.written, leads, size)
	if err == nil {
		ahead := &ahead{m: m, grown: l.grown + size - m.size, end: math.MaxInt64}
		if own != nil && !own.lands() && leads > size {
			err = ahead.look(l.written + leads)
		}
		err = cmp.Or(err, ahead.walk(l.astray, 0))
	}
	for _, at := range due {
		heap.Push(&l.astray, at)
	}
	return err
}

// ahead examines the mailbox after m. The written mailbox is longer than the original by grown
// bytes.
type ahead struct {
	m      *Message
	grown  int64
	end    int64 // an offset at or after the end of the mailbox
	looked int
	buf    [landingSize]byte
}

// walk examines those offsets of a heap that are in the mailbox, from element i on.
func (a *ahead) walk(h heapOfOffsets, i int) error {
	if i >= len(h) || h[i]-a.grown-1 >= a.end {
		return nil
	}
	if err := a.look(h[i]); err != nil {
		return err
	}
	return cmp.Or(a.walk(h, 2*i+1), a.walk(h, 2*i+2))
}

// look returns an error if a separator is at an offset of the written mailbox.
func (a *ahead) look(to int64) error {
	n, err := a.m.src.peek(a.buf[:], to-a.grown-1)
	switch {
	case err != nil:
		return err
	case n == 0:
		a.end = min(a.end, to-a.grown-1)
		return nil
	}
	a.looked++
	if a.looked > maxAstray {
		return errMany
	}
	if _, _, ok := landing(a.buf[:n], a.m.eol); ok {
		return errAstray
	}
	return nil
}

// leads returns the offset to which the Content-Length of m leads after the edits, or 0 if m has no
// Content-Length. [Message.Measured] has corrected a field that leads to a separator, so it leads
// to the same place.
func (m *Message) leads(edits []mime.Edit) int64 {
	if m.length == nil {
		return 0
	}
	before, leads := m.length.start, m.length.end
	if m.length.lands() {
		before = m.length.end
	}
	for _, e := range m.moved(edits) {
		if e.Start < before {
			leads += int64(len(e.New)) - e.Len()
		}
	}
	return leads
}

// check returns an error if, after the edits, a wrong field leads to a separator in m. Wrong fields
// are those that lead to the offsets astray of the written mailbox, and the field of m if it is
// wrong. check also returns an error if the field of m was right and is not any more. at is the
// offset of m in the written mailbox. With the edits, size is the size of m, and leads is the
// offset in its bytes to which its field leads.
func (m *Message) check(edits []mime.Edit, astray []int64, at, leads, size int64) error {
	offsets := make([]int64, 0, len(astray)+1)
	for _, to := range astray {
		offsets = append(offsets, to-at)
	}
	switch own := m.length; {
	case own == nil || leads > size:
	case !own.lands():
		offsets = append(offsets, leads)
	default:
		if lands, err := m.landsAt(edits, []int64{leads}); err != nil || !lands {
			return cmp.Or(err, errLost)
		}
	}
	slices.Sort(offsets)
	if lands, err := m.landsAt(edits, offsets); err != nil || lands {
		return cmp.Or(err, errAstray)
	}
	return nil
}

// landsAt reports whether a separator or the end of m is at one of the offsets. They count in the
// bytes of the edited message and must be in rising order.
func (m *Message) landsAt(edits []mime.Edit, offsets []int64) (bool, error) {
	if len(offsets) == 0 {
		return false, nil
	}
	r := bufio.NewReaderSize(m.edited(edits), 2*landingSize)
	at := int64(0)
	for _, to := range offsets {
		if _, err := io.CopyN(io.Discard, r, to-1-at); err != nil {
			return false, err
		}
		at = to - 1
		b, err := r.Peek(landingSize)
		if err != nil && err != io.EOF {
			return false, err
		}
		if _, _, ok := landing(b, m.eol); ok {
			return true, nil
		}
	}
	return false, nil
}

// heapOfOffsets is a heap with the lowest offset first.
type heapOfOffsets []int64

func (o heapOfOffsets) Len() int           { return len(o) }
func (o heapOfOffsets) Less(i, j int) bool { return o[i] < o[j] }
func (o heapOfOffsets) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o *heapOfOffsets) Push(x any)        { *o = append(*o, x.(int64)) }
func (o *heapOfOffsets) Pop() any {
	last := (*o)[len(*o)-1]
	*o = (*o)[:len(*o)-1]
	return last
}
