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

// A Content-Length leads to an offset: the start of the body plus the value of the field. In this
// package, a Content-Length is valid if it leads to a separator, or to one or two blank lines
// before a separator. Otherwise it is invalid. In this file, the end of the mailbox counts as a
// separator.
//
// Some programs use a valid field in every variant of the mailbox. If the field is invalid, they
// search for separators. So edits must not make a valid field invalid. They also must not make an
// invalid field valid: it would then end its message at the wrong separator.

// contentLength describes the Content-Length of a message. Its offsets count from the start of the
// message.
type contentLength struct {
	fieldStart         int64     // offset of the field
	digits             mime.Span // digits of the value
	bodyStart, bodyEnd int64     // start of the body, and the offset to which the field leads
	nextMessage        int64     // offset of the separator to which a valid field leads; 0 if it is invalid
}

// isValid reports whether a message has a valid Content-Length. If it has no Content-Length, l is
// nil.
func (l *contentLength) isValid() bool { return l != nil && l.nextMessage > 0 }

// Measured returns edits with one more edit. This edit corrects the value of Content-Length, so
// that the field still leads to the same separator. In these cases Measured returns edits
// unchanged:
//
//   - m has no Content-Length, or the field does not lead to a separator or the end of the mailbox.
//   - The field leads to a line inside m that looks like a separator.
//   - One of the edits changes the value of the field.
//   - The edits do not change the length of the body.
//
// The mailbox must have been read with Options.Lengths.
func (m *Message) Measured(edits []mime.Edit) []mime.Edit {
	if !m.length.isValid() || m.length.nextMessage < m.size {
		return edits
	}
	inContent := func(start, end int64) mime.Span {
		return mime.Span{Start: start - m.Content.Start, End: end - m.Content.Start}
	}
	digits := inContent(m.length.digits.Start, m.length.digits.End)
	body := inContent(m.length.bodyStart, m.length.bodyEnd)
	grown := int64(0)
	for _, e := range edits {
		if e.Start < digits.End && e.End > digits.Start {
			return edits
		}
		if e.Start >= body.Start && e.Start < body.End {
			grown += int64(len(e.New)) - e.Len()
		}
	}
	if grown == 0 {
		return edits
	}
	i, _ := slices.BinarySearchFunc(edits, digits.Start,
		func(e mime.Edit, start int64) int { return cmp.Compare(e.Start, start) })
	return slices.Insert(slices.Clone(edits), i,
		mime.Edit{Span: digits, New: strconv.AppendInt(nil, body.Len()+grown, 10)})
}

// lengthChecker checks the Content-Lengths of a mailbox while it is written, message by message.
// The zero value is ready for the first message.
//
// An invalid Content-Length leads to an offset without a separator. Edits move all bytes after
// them, and could move a separator to that offset. So a message may be edited only if all invalid
// fields stay invalid. The check of a message assumes that the later messages have no edits. If one
// of them has edits, its own check comes later.
type lengthChecker struct {
	written int64      // number of bytes that were written
	added   int64      // number of bytes that edits have added so far
	invalid offsetHeap // offsets to which invalid fields lead, in the written mailbox; all are above written
	covered int64      // largest offset in the original mailbox to which a valid field has led so far
}

// maxInvalid is the largest number of invalid fields that may lead to offsets after a message with
// edits. If there are more, the edits are refused: the check of each message with edits examines
// all of these fields, and would take too long.
const maxInvalid = 1000

// Errors of [Message.Admit].
var (
	errCovered = errors.New("this message lies within the Content-Length of an earlier message (--mbox cl2 reads " +
		"both as one message)")
	errInside = errors.New("the Content-Length ends this message too early, at a line that begins with \"From \" " +
		"(--mbox cl2 ends the message there)")
	errAstray = errors.New("after the edits, an invalid Content-Length would lead to a separator")
	errLost   = errors.New("after the edits, the Content-Length of this message would not lead to a separator")
)

// Some programs find messages by their Content-Length. Admit returns an error if the edits of m
// could make such a program find other messages. m must then not be written with the edits. These
// are the cases:
//
//   - The Content-Length of an earlier message leads to a separator after the start of m.
//   - The Content-Length of m leads to a line inside m that looks like a separator.
//   - The Content-Length of m leads to a separator, but after the edits it would not.
//   - The Content-Length of m, or of an earlier message, does not lead to a separator, but after
//     the edits it would.
//   - Too many invalid fields lead to offsets after m.
//   - Reading the mailbox fails.
//
// The end of the mailbox counts as a separator. If the length of m is valid, the edits must come
// from [Message.Measured], which corrects it. The mailbox must have been read with Options.Lengths.
// Call Admit for all messages in their order, before they are released, also for messages without
// edits. If Admit returns an error, call Admit(nil), and then write m without edits. Admit(nil)
// never fails.
func (m *Message) Admit(edits []mime.Edit) error {
	if m.src == nil {
		return nil
	}
	return m.src.lengths.admit(m, edits)
}

// admit does the work of [Message.Admit]. If it returns an error, m does not count as written.
func (l *lengthChecker) admit(m *Message, edits []mime.Edit) error {
	size := m.size
	for _, e := range edits {
		size += int64(len(e.New)) - e.Len()
	}
	bodyEnd := m.editedBodyEnd(edits)
	if len(edits) > 0 {
		if err := l.check(m, edits, size, bodyEnd); err != nil {
			return err
		}
	}
	l.written += size
	l.added += size - m.size
	passed := len(l.popUntil(l.written)) // number of invalid fields that lead to written bytes
	switch own := m.length; {
	case own == nil:
	case own.isValid():
		l.covered = max(l.covered, m.Offset+own.nextMessage)
	case bodyEnd > size:
		heap.Push(&l.invalid, l.written-size+bodyEnd)
	default:
		passed++
	}
	m.src.unhold(passed)
	return nil
}

// popUntil removes the offsets up to end from l.invalid, and returns them in rising order.
func (l *lengthChecker) popUntil(end int64) (list []int64) {
	for len(l.invalid) > 0 && l.invalid[0] <= end {
		list = append(list, heap.Pop(&l.invalid).(int64))
	}
	return list
}

// check returns an error if m must not be written with the edits. size is the size of the edited
// message, and bodyEnd is m.editedBodyEnd(edits).
func (l *lengthChecker) check(m *Message, edits []mime.Edit, size, bodyEnd int64) error {
	own := m.length
	switch {
	case m.Offset < l.covered:
		return errCovered
	case own.isValid() && own.nextMessage < m.size:
		return errInside
	}
	inMessage := l.popUntil(l.written + size) // offsets that will be in the edited message
	err := m.check(edits, inMessage, l.written, bodyEnd, size)
	if err == nil {
		after := &mailboxAfter{m: m, added: l.added + size - m.size, end: math.MaxInt64}
		if own != nil && !own.isValid() && bodyEnd > size {
			err = after.check(l.written + bodyEnd)
		}
		err = cmp.Or(err, after.checkHeap(l.invalid, 0))
	}
	for _, offset := range inMessage {
		heap.Push(&l.invalid, offset)
	}
	return err
}

// mailboxAfter examines the mailbox after m. Its methods take offsets in the written mailbox. The
// bytes after m are not written yet, so the methods read them from the original mailbox: there they
// are at offset - added.
type mailboxAfter struct {
	m        *Message
	added    int64 // number of bytes that edits add up to the end of m
	end      int64 // the original mailbox ends at this offset or earlier
	examined int   // number of offsets that were examined
	buf      [afterBody]byte
}

// checkHeap calls check for element i of the heap and the elements below it. It skips offsets after
// the end of the mailbox.
func (a *mailboxAfter) checkHeap(h offsetHeap, i int) error {
	if i >= len(h) || h[i]-a.added-1 >= a.end {
		return nil
	}
	if err := a.check(h[i]); err != nil {
		return err
	}
	return cmp.Or(a.checkHeap(h, 2*i+1), a.checkHeap(h, 2*i+2))
}

// check returns an error if a separator is at an offset, perhaps after blank lines. It also returns
// an error if more than maxInvalid offsets were examined, or if reading fails. If offset is after
// the end of the mailbox, check returns nil.
func (a *mailboxAfter) check(offset int64) error {
	before := offset - a.added - 1 // the byte before offset is here in the original mailbox
	n, err := a.m.src.peek(a.buf[:], before)
	switch {
	case err != nil:
		return err
	case n == 0:
		a.end = min(a.end, before)
		return nil
	}
	a.examined++
	if a.examined > maxInvalid {
		return fmt.Errorf("more than %d invalid Content-Lengths, of this message and earlier ones, lead to offsets "+
			"after this message", maxInvalid)
	}
	if _, _, ok := separatorAfter(a.buf[:n], a.m.eol); ok {
		return errAstray
	}
	return nil
}

// editedBodyEnd returns the offset to which the Content-Length of m leads after the edits. It is an
// offset in the edited message, or 0 if m has no Content-Length. If the field is valid, the edits
// come from [Message.Measured], which has corrected it. So edits of the header and of the body move
// the offset of a valid field. An invalid field keeps its value, so only edits of the header move
// its offset.
func (m *Message) editedBodyEnd(edits []mime.Edit) int64 {
	if m.length == nil {
		return 0
	}
	end := m.length.bodyStart // edits before this offset count
	if m.length.isValid() {
		end = m.length.bodyEnd
	}
	bodyEnd := m.length.bodyEnd
	for _, e := range m.inMessage(edits) {
		if e.Start < end {
			bodyEnd += int64(len(e.New)) - e.Len()
		}
	}
	return bodyEnd
}

// check returns an error if, after the edits, an invalid field leads to a separator in m. It also
// returns an error if the valid field of m leads into m after the edits, but not to a separator.
// invalid has the offsets in the written mailbox to which invalid fields of earlier messages lead.
// start is the offset of m in the written mailbox. size is the size of the edited message, and
// bodyEnd is m.editedBodyEnd(edits).
func (m *Message) check(edits []mime.Edit, invalid []int64, start, bodyEnd, size int64) error {
	offsets := make([]int64, 0, len(invalid)+1)
	for _, offset := range invalid {
		offsets = append(offsets, offset-start)
	}
	switch own := m.length; {
	case own == nil || bodyEnd > size:
	case !own.isValid():
		offsets = append(offsets, bodyEnd)
	default:
		if found, err := m.anySeparatorAt(edits, []int64{bodyEnd}); err != nil || !found {
			return cmp.Or(err, errLost)
		}
	}
	if found, err := m.anySeparatorAt(edits, offsets); err != nil || found {
		return cmp.Or(err, errAstray)
	}
	return nil
}

// anySeparatorAt reports whether a separator or the end of m is at one of the offsets, perhaps
// after blank lines. The offsets count from the start of the edited message.
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
	n := len(*o) - 1
	offset := (*o)[n]
	*o = (*o)[:n]
	return offset
}
