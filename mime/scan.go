package mime

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"absolink/mime/internal/header"
)

// The scanner goes through a message once, from boundary line to boundary line.
//
// It has a list of the open entities, those whose end is not yet known. It also has a stack of the
// boundaries that may occur. A line that starts with "--" is looked up in a map of the boundaries,
// so the cost of a line does not grow with the depth. A boundary line ends every entity inside its
// multipart, so an outer boundary also ends inner multiparts without a final boundary. Between
// lines that start with "--" the scanner jumps with bytes.IndexByte. Outside any multipart it does
// not read the body at all.
//
// All results are spans. Only headings are kept as bytes, within limits. Time is linear in the size
// of the message. Memory is linear in the number of header fields and parts, which the limits
// bound.

const (
	maxBoundary = 10_000  // bytes of the longest boundary that is recognised (RFC 2046 allows 70)
	maxPadding  = 1000    // blanks after a boundary
	maxFields   = 200_000 // header fields of a message
	maxDefects  = 1000
	maxHeads    = 16 // bytes of all header blocks of a message together, as a multiple of Limits.Header
)

// Parse finds the structure of the message in the first size bytes of r. It goes through r once,
// in linear time, and always returns a tree. It reads the body only of a multipart. Only r can
// cause an error; the tree then describes the bytes before the error.
func Parse(r io.ReaderAt, size int64, lim Limits) (*Message, error) {
	m := new(Message)
	return m, m.scan(r, size, lim, windowSize)
}

// Reset does the work of [Parse] for a message in memory, and stores the result in m. m refers to
// msg, which must not change while m is in use.
func (m *Message) Reset(msg []byte, lim Limits) {
	m.scan(memory(msg), int64(len(msg)), lim, windowSize) // memory does not fail
}

// scan reads the message in r into m, through a window of the given size.
func (m *Message) scan(r io.ReaderAt, size int64, lim Limits, window int) error {
	return m.scanInside(r, size, lim, window, nil)
}

// scanInside does the work of scan for an enclosed message: enclosing is the entity whose decoded
// body it is. If enclosing is nil, the message is the outermost one.
func (m *Message) scanInside(r io.ReaderAt, size int64, lim Limits, window int, enclosing *Entity) error {
	*m = Message{r: r, size: size, limits: lim.withDefaults(), enclosing: enclosing}
	s := scanners.Get().(*scanner)
	defer s.release()
	s.m = m
	s.w.open(r, size, window)
	defer s.w.close()
	m.eol = s.findEOL()
	start := s.skipEnvelope()
	s.openEntity(enclosing, start)
	for s.next() {
	}
	s.closeEntities(len(s.openEntities), s.w.size)
	s.reportUnended()
	slices.SortStableFunc(m.Defects, func(a, b Defect) int { return int(min(1, max(-1, a.Offset-b.Offset))) })
	m.size, m.examined = s.w.size, s.w.examined
	return s.w.err
}

// reportUnended reports the multiparts without a final boundary. If the message has more parts than
// the limit, it reports nothing, because the scanner did not look for final boundaries.
func (s *scanner) reportUnended() {
	if s.isFull() {
		return
	}
	for _, f := range slices.Backward(s.stack.frames) {
		s.addDefect(f.entity, s.w.size, "no final boundary")
	}
}

// scanner is one scan of a message.
type scanner struct {
	m            *Message
	w            window
	pos          int64
	openEntities []*Entity
	stack        boundaries
	partCount    int
	fieldCount   int
	headBytes    int64
	fieldBuffer  []field // memory for the fields of a heading
}

// scanners keeps the memory of scanners from one message to the next.
var scanners = sync.Pool{New: func() any { return new(scanner) }}

// release gives the memory of s back, unless it is unusually large.
func (s *scanner) release() {
	if cap(s.fieldBuffer) > maxKept || cap(s.openEntities) > maxKept ||
		cap(s.stack.frames) > maxKept || len(s.stack.innermost) > maxKept {
		return
	}
	clear(s.openEntities[:cap(s.openEntities)])
	clear(s.stack.frames[:cap(s.stack.frames)])
	clear(s.stack.innermost)
	*s = scanner{
		openEntities: s.openEntities[:0],
		fieldBuffer:  s.fieldBuffer[:0],
		stack:        boundaries{frames: s.stack.frames[:0], innermost: s.stack.innermost},
	}
	scanners.Put(s)
}

// maxKept is the largest number of fields, entities and boundaries whose memory is kept.
const maxKept = 1000

// addDefect adds a defect of the entity e, or of the message if e is nil.
func (s *scanner) addDefect(e *Entity, at int64, text string) {
	if len(s.m.Defects) >= maxDefects {
		return
	}
	d := Defect{Offset: at, Text: text}
	if e != nil {
		d.Part = e.Section
	}
	s.m.Defects = append(s.m.Defects, d)
}

// findEOL returns the byte that ends lines: LF, or CR in a message that has CR but no LF.
func (s *scanner) findEOL() byte {
	cr := false
	for at := int64(0); at < s.w.size; {
		v := s.w.view(at, 1)
		if bytes.IndexByte(v, '\n') >= 0 {
			return '\n'
		}
		if !cr && bytes.IndexByte(v, '\r') < 0 {
			return '\n'
		}
		cr = true
		at += int64(len(v))
	}
	if cr {
		return '\r'
	}
	return '\n'
}

// skipEnvelope returns the start of the header, after a byte order mark and separators of mailbox
// files.
func (s *scanner) skipEnvelope() int64 {
	at := int64(0)
	if bytes.HasPrefix(s.w.view(0, 3), []byte("\xef\xbb\xbf")) {
		s.addDefect(nil, 0, "byte order mark before the header")
		at = 3
	}
	for isSeparator(s.w.view(at, 1000)) {
		at = s.lineAfter(at)
	}
	return at
}

// isSeparator reports whether a line begins with "From " or ">From " and is not a From field.
func isSeparator(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(">"))
	rest, ok := bytes.CutPrefix(line, []byte("From "))
	return ok && !bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(":"))
}

// lineAfter returns the start of the line after the one that has the byte at an offset.
func (s *scanner) lineAfter(at int64) int64 {
	for {
		v := s.w.view(at, 1)
		if len(v) == 0 {
			return s.w.size
		}
		i := bytes.IndexByte(v, s.m.eol)
		s.w.examined += examinedBytes(v, i)
		if i >= 0 {
			return at + int64(i) + 1
		}
		at += int64(len(v))
	}
}

// openEntity opens an entity whose header begins at start. If the entity holds a message, it opens
// that message too. Afterwards the scanner is at the start of the innermost body.
func (s *scanner) openEntity(parent *Entity, start int64) {
	for {
		e := &Entity{Parent: parent, m: s.m, Head: Span{start, start}}
		s.setSection(e)
		s.partCount++
		s.openEntities = append(s.openEntities, e)
		s.pos = start
		e.whyNotEntered = s.refusal()
		if e.whyNotEntered == "" {
			s.readHeader(e)
		}
		e.Body = Span{s.pos, s.pos}
		s.readType(e)
		s.correctSection(e)
		if !s.enter(e) {
			return
		}
		parent, start = e, s.pos
	}
}

// setSection adds e to its parent, and sets its section number.
func (s *scanner) setSection(e *Entity) {
	if e.Parent == s.m.enclosing {
		s.m.Root = e
		e.Section = "1"
		if e.Parent != nil {
			e.Section = e.Parent.Section + ".1"
		}
		return
	}
	e.Parent.Parts = append(e.Parent.Parts, e)
	e.Section = strconv.Itoa(len(e.Parent.Parts))
	if outer := e.Parent.Section; outer != "" {
		e.Section = outer + "." + e.Section
	}
}

// correctSection corrects the section number of a message that is a multipart: it is the number of
// the parent of the message.
func (s *scanner) correctSection(e *Entity) {
	if !strings.HasPrefix(e.mediaType, "multipart/") || s.boundary(e) == "" {
		return
	}
	if e.Parent == nil {
		e.Section = ""
	} else if e.Parent == s.m.enclosing || e.Parent.holdsMessage() {
		e.Section = e.Parent.Section
	}
}

// refusal returns the reason why the scanner does not read the next entity, or an empty string.
func (s *scanner) refusal() string {
	switch {
	case s.isFull():
		return "more parts than the limit"
	case len(s.openEntities) > s.m.limits.Depth:
		return "nested deeper than the limit"
	case s.fieldCount >= maxFields, s.headBytes >= maxHeads*s.m.limits.Header:
		return "more header fields than the limit"
	}
	return ""
}

// isFull reports whether the message has more parts than the limit. The last part that was opened
// then reaches to the end of the message, and is not entered.
func (s *scanner) isFull() bool { return s.partCount > s.m.limits.Parts }

// readType sets the media type, the transfer encoding and the format of e.
func (s *scanner) readType(e *Entity) {
	e.contentType = e.unfolded("Content-Type")
	e.mediaType = header.MediaType(e.contentType)
	if e.mediaType == "" {
		if e.contentType != "" {
			f, _ := e.field("Content-Type")
			s.addDefect(e, f.Start, fmt.Sprintf("Content-Type %.60q has no type and subtype", e.contentType))
		}
		e.mediaType = "text/plain"
		if e.Parent != nil && e.Parent.mediaType == "multipart/digest" && e.whyNotEntered == "" {
			e.mediaType = "message/rfc822"
		}
	}
	e.encoding = "7bit"
	if !strings.HasPrefix(e.mediaType, "multipart/") {
		e.encoding = header.Encoding(e.unfolded("Content-Transfer-Encoding"))
	}
	e.setFormat()
}

// enter returns true if the body of e is a message, which the caller must open. If e is a
// multipart, enter pushes its boundary. It reports the reason if e is not entered.
func (s *scanner) enter(e *Entity) bool {
	if s.isFull() {
		s.m.tooManyParts = true
		s.addDefect(nil, e.Head.Start,
			fmt.Sprintf("the message has more than %d parts: the other parts are not read, and no part is edited",
				s.m.limits.Parts))
		return false
	}
	if e.whyNotEntered != "" {
		s.addDefect(e, e.Head.Start, e.whyNotEntered+": its parts are not read")
		return false
	}
	if strings.HasPrefix(e.mediaType, "multipart/") {
		if b := s.boundary(e); b != "" {
			s.stack.push(frame{boundary: b, entity: e, open: len(s.openEntities)})
			return false
		}
		e.whyNotEntered = "multipart without a usable boundary"
		s.addDefect(e, e.Head.Start, e.whyNotEntered)
		return false
	}
	return e.holdsMessage()
}

// holdsMessage reports whether the body of e is a message without a transfer encoding.
func (e *Entity) holdsMessage() bool {
	switch e.mediaType {
	case "message/rfc822", "message/global", "message/news":
		return header.Identity(e.Encoding()) && e.whyNotEntered == ""
	}
	return false
}

// boundary returns the boundary of a multipart, or an empty string if no line could match it.
func (s *scanner) boundary(e *Entity) string { return usableBoundary(e.Param("boundary")) }

// usableBoundary returns the boundary in a parameter, or an empty string if no line could match it.
func usableBoundary(b string) string {
	b = strings.TrimRight(b, " \t")
	if len(b) > maxBoundary || strings.ContainsAny(b, "\r\n\x00") {
		return ""
	}
	return b
}

// next goes to the next boundary line, closes the entities that it ends and opens the part that
// follows it. It returns false if there is no boundary line.
func (s *scanner) next() bool {
	if s.isFull() {
		return false
	}
	start, line, ok := s.findBoundary(s.pos)
	if !ok {
		return false
	}
	k, final := s.stack.match(line) // k >= 0
	f := s.stack.frames[k]
	for _, inner := range s.stack.frames[k+1:] {
		s.addDefect(inner.entity, start, "no final boundary")
	}
	s.closeEntities(len(s.openEntities)-f.open, s.contentEnd(start))
	s.pos = s.lineAfter(start)
	if final {
		s.stack.truncate(k)
		return true
	}
	s.stack.truncate(k + 1)
	s.openEntity(f.entity, s.pos)
	return true
}

// closeEntities closes the last n open entities, and sets the end of their bodies. If the header of
// the innermost of them ends after end, the bodies end where this header ends.
func (s *scanner) closeEntities(n int, end int64) {
	keep := len(s.openEntities) - n
	for _, e := range s.openEntities[keep:] {
		end = max(end, e.Body.Start)
	}
	for _, e := range s.openEntities[keep:] {
		e.Body.End = end
	}
	s.openEntities = s.openEntities[:keep]
}

// contentEnd returns the end of the content before a boundary line that begins at start. The line
// end before that line belongs to the boundary (RFC 2046 Section 5.1.1).
func (s *scanner) contentEnd(start int64) int64 {
	v := s.w.view(start-2, 2) // the field with the boundary comes before
	if len(v) < 2 || v[1] != s.m.eol {
		return start
	}
	if s.m.eol == '\n' && v[0] == '\r' {
		return start - 2
	}
	return start - 1
}

// findBoundary returns the next boundary line at or after pos, without its line end. pos must be
// the start of a line.
func (s *scanner) findBoundary(pos int64) (start int64, line []byte, ok bool) {
	if len(s.stack.frames) == 0 {
		return 0, nil, false
	}
	line, ok = s.boundaryLineAt(pos)
	if ok {
		return pos, line, true
	}
	for {
		v := s.w.view(pos, 3)
		if len(v) < 3 {
			return 0, nil, false
		}
		i := indexDashes(v, s.m.eol)
		s.w.examined += examinedBytes(v, i)
		if i < 0 {
			pos += int64(len(v)) - 2
			continue
		}
		pos += int64(i) + 1
		line, ok = s.boundaryLineAt(pos)
		if ok {
			return pos, line, true
		}
	}
}

// indexDashes returns the index of the first line end before two dashes, or -1. It searches for
// dashes, not for line ends, because dashes are rarer in text, and base64 has none. Then it checks
// the two bytes before each dash.
func indexDashes(v []byte, eol byte) int {
	for at := 2; at < len(v); {
		i := bytes.IndexByte(v[at:], '-')
		if i < 0 {
			return -1
		}
		at += i
		if v[at-1] == '-' && v[at-2] == eol {
			return at - 2
		}
		for at++; at < len(v) && v[at] == '-'; at++ {
			if v[at-1] == '-' && v[at-2] == eol {
				return at - 2
			}
		}
	}
	return -1
}

// examinedBytes returns the number of bytes of v that a search examined if it returned i.
func examinedBytes(v []byte, i int) int64 {
	if i < 0 {
		return int64(len(v))
	}
	return int64(i) + 1
}

// boundaryLineAt returns the line at start, without its line end, if it is a line of an open
// boundary.
func (s *scanner) boundaryLineAt(start int64) ([]byte, bool) {
	if len(s.stack.frames) == 0 {
		return nil, false
	}
	if v := s.w.view(start, 2); len(v) < 2 || v[0] != '-' || v[1] != '-' {
		return nil, false
	}
	n := len("--") + s.stack.longest() + len("--") + maxPadding
	v := s.w.view(start, n)
	v = v[:min(len(v), n)]
	if i := bytes.IndexByte(v, s.m.eol); i >= 0 {
		v = v[:i]
	} else if len(v) == n && start+int64(n) < s.w.size {
		return nil, false
	}
	s.w.examined += int64(len(v))
	v = bytes.TrimRight(v, " \t\r")
	k, _ := s.stack.match(v)
	return v, k >= 0
}
