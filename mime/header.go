package mime

import (
	"bytes"
	"slices"
	"strings"

	"absolink/mime/internal/header"
)

// readHeader reads the header block of e at the position of the scanner, and leaves the scanner at
// the start of the body. The block ends at a blank line, at a boundary line, or at the end of the
// message. A line with the boundary that e itself has just declared ends the block, too. A line
// that is not a field is kept as a field without a colon. If no blank line ends the block, the body
// begins at the first line that is not a field.
func (s *scanner) readHeader(e *Entity) {
	junk := -1 // index of the first line that is not a field, or -1
	var own ownBoundary
	for {
		if s.atDashes() {
			own.update(e)
			if s.atOwnBoundary(own.boundary) && !s.atBoundary() {
				s.addDefect(e, s.pos, "no blank line before the first boundary line, which ends the header")
				s.finishHeader(e)
				return
			}
		}
		line, kind := s.readHeaderLine(e)
		switch kind {
		case blankLine:
			s.finishHeader(e)
			s.pos = line.End
			return
		case noLine:
			s.endWithoutBlank(e, junk)
			return
		case lineOverLimit:
			e.whyNotEntered = "header larger than the limit"
			s.finishHeader(e)
			return
		}
		if s.addLine(e, line) && junk < 0 {
			junk = len(e.fields) - 1
		}
		s.pos, e.Head.End = line.End, line.End
	}
}

// atBoundary reports whether the scanner is at a line of an open boundary.
func (s *scanner) atBoundary() bool {
	_, is := s.boundaryLineAt(s.pos)
	return is
}

// atDashes reports whether the scanner is at two dashes.
func (s *scanner) atDashes() bool {
	v := s.w.view(s.pos, 2)
	return len(v) >= 2 && v[0] == '-' && v[1] == '-'
}

// ownBoundary finds the boundary of the entity whose header block is being read. boundary is empty
// until a Content-Type with a boundary has been read.
type ownBoundary struct {
	boundary string
	examined int  // number of fields that were examined
	found    bool // a Content-Type was examined
}

// update examines the fields of e that were read since its last call. The first Content-Type
// counts.
func (o *ownBoundary) update(e *Entity) {
	for ; o.examined < len(e.fields) && !o.found; o.examined++ {
		f := e.fields[o.examined]
		if f.Colon < 0 || knownFieldFold(trimBlanks(e.bytes(Span{f.Start, f.Colon}))) != contentType {
			continue
		}
		o.found = true
		value := header.Unfold(string(header.Trim(e.bytes(Span{f.Colon + 1, f.End}))))
		if strings.HasPrefix(header.MediaType(value), "multipart/") {
			o.boundary = usableBoundary(header.Param(value, "boundary"))
		}
	}
}

// atOwnBoundary reports whether the scanner, which is at two dashes, is at a line of the boundary.
// It returns false if the boundary is empty.
func (s *scanner) atOwnBoundary(boundary string) bool {
	if boundary == "" {
		return false
	}
	n := len("--") + len(boundary) + maxPadding
	line := s.w.view(s.pos, n)
	line = line[:min(len(line), n)]
	if i := bytes.IndexByte(line, s.m.eol); i >= 0 {
		line = line[:i]
	}
	return string(bytes.TrimRight(line[len("--"):], " \t\r")) == boundary
}

// endWithoutBlank ends a header block that has no blank line at its end. junk is the index of its
// first line that is not a field, or -1.
func (s *scanner) endWithoutBlank(e *Entity, junk int) {
	if junk >= 0 {
		s.pos = e.fields[junk].Start
		e.fields = e.fields[:junk]
		e.Head.End = s.pos
		e.head = e.head[:s.pos-e.Head.Start]
	}
	if e.Head.Len() > 0 {
		s.addDefect(e, s.pos, "no blank line after the header")
	}
	s.finishHeader(e)
}

// finishHeader adds the header block to the totals of the scanner, records the places of its known
// fields, and reports its defects: repeated fields and malformed lines.
func (s *scanner) finishHeader(e *Entity) {
	if e.fields != nil {
		s.fieldBuffer, e.fields = e.fields[:0], slices.Clone(e.fields)
	}
	s.fieldCount += len(e.fields)
	s.headBytes += e.Head.Len()
	if len(e.fields) > longHeading {
		e.makeIndex()
	}
	for i, f := range e.fields {
		if f.Colon < 0 {
			s.addDefect(e, f.Start, "header line without a field name")
		} else if k := e.recordField(i); k < firstRepeatable {
			s.checkField(e, f, k)
		}
	}
}

// checkField reports defects of a field that should occur only once: a blank before the colon, or a
// second field.
func (s *scanner) checkField(e *Entity, f field, k known) {
	name := knownNames[k]
	if f.Colon-f.Start != int64(len(name)) {
		s.addDefect(e, f.Start, "blank before the colon of "+name)
	}
	if e.known[k].n == 2 {
		s.addDefect(e, f.Start, "second "+name+", the first counts")
	}
}

// headerLine is the kind of a line that readHeaderLine returns.
type headerLine uint8

const (
	textLine      headerLine = iota // a line of the header block, now in e.head
	blankLine                       // the blank line that ends the header block
	noLine                          // a boundary, or the end of the message
	lineOverLimit                   // a line with which the header is larger than the limit
)

// readHeaderLine reads one line of the header block of e. Only a textLine is added to e.head.
func (s *scanner) readHeaderLine(e *Entity) (line Span, kind headerLine) {
	if s.atBoundary() || s.pos >= s.w.size {
		return line, noLine
	}
	line = Span{s.pos, s.pos}
	if len(e.head) == 0 {
		s.prepareHead(e)
	}
	lineStart := len(e.head)
	for {
		v := s.w.view(line.End, 1)
		i := bytes.IndexByte(v, s.m.eol)
		if i >= 0 {
			v = v[:i+1]
		}
		s.appendHead(e, v)
		line.End += int64(len(v))
		if int64(len(e.head)) > s.m.limits.Header || s.fieldCount+len(e.fields) >= maxFields {
			e.head = e.head[:lineStart]
			return line, lineOverLimit
		}
		if i >= 0 || len(v) == 0 {
			break
		}
	}
	if isBlank(e.head[lineStart:]) {
		e.head = e.head[:lineStart]
		return line, blankLine
	}
	return line, textLine
}

// appendHead appends v to the heading. If the message is in memory, the heading refers to the bytes
// of the message and nothing is copied.
func (s *scanner) appendHead(e *Entity, v []byte) {
	if m, ok := s.m.r.(memory); ok {
		e.head = m[e.Head.Start : e.Head.Start+int64(len(e.head)+len(v))]
		return
	}
	e.head = append(e.head, v...)
}

// prepareHead gives e memory for the fields of the heading at the position of the scanner. It also
// allocates memory for the heading itself if the end of the heading is in view.
func (s *scanner) prepareHead(e *Entity) {
	e.fields = s.fieldBuffer[:0]
	if _, ok := s.m.r.(memory); ok {
		return
	}
	v := s.w.view(s.pos, 1)
	n := -1
	for _, end := range [...]string{"\n\n", "\n\r\n"} {
		if i := bytes.Index(v[:min(len(v), maxReserve)], []byte(end)); i >= 0 && (n < 0 || i < n) {
			n = i
		}
	}
	if n >= 0 {
		e.head = slices.Grow(e.head, n+len("\n\r\n"))
	}
}

// maxReserve is the number of bytes in which prepareHead looks for the end of a heading.
const maxReserve = 8 << 10

// isBlank reports whether a line consists only of its line end.
func isBlank(line []byte) bool {
	for _, c := range line {
		if c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// addLine adds a line of the header to the fields of e. A line that begins with a blank continues
// the field before it. junk reports that the line is not a field.
func (s *scanner) addLine(e *Entity, line Span) (junk bool) {
	b := e.head[line.Start-e.Head.Start:]
	if header.Folds(b[0]) && len(e.fields) > 0 {
		e.fields[len(e.fields)-1].End = line.End
		return false
	}
	f := field{line.Start, -1, line.End}
	if colon := header.Colon(b); colon >= 0 {
		f.Colon = line.Start + int64(colon)
	}
	e.fields = append(e.fields, f)
	return f.Colon < 0
}

// trimBlanks returns b without the blanks around it.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && header.Folds(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && header.Folds(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
