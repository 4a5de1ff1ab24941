package mime

import (
	"bytes"
	"slices"
	"strings"

	"absolink/mime/internal/header"
)

// header reads the header block of e at the position of the scanner and leaves
// the scanner at the start of the body. The block ends at a blank line, at a
// line of an open boundary or of the boundary that e itself has, or at the end of the
// message. A line that is not a field is kept as one without a colon; if no blank line ends
// the block, the body begins at the first such line.
func (s *scanner) header(e *Entity) {
	junk := -1
	var own ownBoundary
	for {
		if s.dashes() && own.begins(s, e) && !s.atBoundary() {
			s.defect(e, s.pos, "no blank line before the first boundary line, which ends the header")
			s.closeHead(e)
			return
		}
		line, blank, ok := s.headerLine(e)
		switch {
		case blank:
			s.closeHead(e)
			s.pos = line.End
			return
		case !ok:
			s.unended(e, junk)
			return
		case e.opaque != "":
			s.closeHead(e)
			return
		}
		if s.field(e, line) && junk < 0 {
			junk = len(e.fields) - 1
		}
		s.pos, e.Head.End = line.End, line.End
	}
}

// atBoundary reports whether the scanner stands at a line of an open boundary.
func (s *scanner) atBoundary() bool {
	_, is := s.delimiter(s.pos)
	return is
}

// dashes reports whether the scanner stands at two dashes.
func (s *scanner) dashes() bool {
	v := s.w.view(s.pos, 2)
	return len(v) >= 2 && v[0] == '-' && v[1] == '-'
}

// ownBoundary is the boundary that the header block at hand gives to its own entity, "" as long as
// none is found.
type ownBoundary struct {
	boundary string
	looked   int // fields that were looked at
	found    bool
}

// begins reports whether the scanner stands at a line of the boundary in the fields that e has so
// far. The first Content-Type counts.
func (o *ownBoundary) begins(s *scanner, e *Entity) bool {
	for ; o.looked < len(e.fields) && !o.found; o.looked++ {
		f := e.fields[o.looked]
		if f.Colon < 0 || knownAs(trimBlanks(e.bytes(Span{f.Start, f.Colon}))) != contentType {
			continue
		}
		o.found = true
		value := header.Unfold(string(header.Trim(e.bytes(Span{f.Colon + 1, f.End}))))
		if strings.HasPrefix(header.MediaType(value), "multipart/") {
			o.boundary = usable(header.Param(value, "boundary"))
		}
	}
	if o.boundary == "" {
		return false
	}
	n := len("--") + len(o.boundary) + maxPadding
	line := s.w.view(s.pos, n)
	line = line[:min(len(line), n)]
	if i := bytes.IndexByte(line, s.m.eol); i >= 0 {
		line = line[:i]
	}
	return string(bytes.TrimRight(line[len("--"):], " \t\r")) == o.boundary
}

// unended ends a header block that no blank line ended.
func (s *scanner) unended(e *Entity, junk int) {
	if junk >= 0 {
		s.pos = e.fields[junk].Start
		e.fields = e.fields[:junk]
		e.Head.End = s.pos
		e.head = e.head[:s.pos-e.Head.Start]
	}
	if e.Head.Len() > 0 {
		s.defect(e, s.pos, "no blank line after the header")
	}
	s.closeHead(e)
}

// closeHead does the accounts of a header block and reports what it holds too
// often or in a wrong form.
func (s *scanner) closeHead(e *Entity) {
	if e.fields != nil {
		s.list, e.fields = e.fields[:0], slices.Clone(e.fields)
	}
	s.fields += len(e.fields)
	s.heads += e.Head.Len()
	if len(e.fields) > longHeading {
		e.makeIndex()
	}
	for i, f := range e.fields {
		if f.Colon < 0 {
			s.defect(e, f.Start, "header line without a field name")
		} else if k := e.note(i); k < oneExpected {
			s.checkField(e, f, k)
		}
	}
}

// checkField reports what is wrong with the name of a field of which one is expected.
func (s *scanner) checkField(e *Entity, f field, k known) {
	name := knownNames[k]
	if f.Colon-f.Start != int64(len(name)) {
		s.defect(e, f.Start, "blank before the colon of "+name)
	}
	if e.known[k].n == 2 {
		s.defect(e, f.Start, "second "+name+", the first counts")
	}
}

// headerLine reads one line of the header block into e.head. ok is false at a
// boundary and at the end. A line that passes the limit makes e opaque.
func (s *scanner) headerLine(e *Entity) (line Span, blank, ok bool) {
	if s.atBoundary() || s.pos >= s.w.size {
		return line, false, false
	}
	line = Span{s.pos, s.pos}
	if len(e.head) == 0 {
		s.reserve(e)
	}
	mark := len(e.head)
	for {
		v := s.w.view(line.End, 1)
		i := bytes.IndexByte(v, s.m.eol)
		if i >= 0 {
			v = v[:i+1]
		}
		s.extend(e, v)
		line.End += int64(len(v))
		if int64(len(e.head)) > s.m.lim.Header || s.fields+len(e.fields) >= maxFields {
			e.head, e.opaque = e.head[:mark], "header larger than the limit"
			return line, false, true
		}
		if i >= 0 || len(v) == 0 {
			break
		}
	}
	if isBlank(e.head[mark:]) {
		e.head = e.head[:mark]
		return line, true, true
	}
	return line, false, true
}

// extend adds what follows to the heading: of a message in memory the bytes as they
// stand there.
func (s *scanner) extend(e *Entity, v []byte) {
	if m, ok := s.m.r.(memory); ok {
		e.head = m[e.Head.Start : e.Head.Start+int64(len(e.head)+len(v))]
		return
	}
	e.head = append(e.head, v...)
}

// reserve makes room for the heading at the position of the scanner, as far as it is
// in view.
func (s *scanner) reserve(e *Entity) {
	e.fields = s.list[:0]
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

// maxReserve is where reserve stops looking for the end of a heading.
const maxReserve = 8 << 10

// isBlank reports whether a line is nothing but its end.
func isBlank(line []byte) bool {
	for _, c := range line {
		if c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// field adds a line to the fields of e: to the one before if it begins with a
// blank. It reports whether the line is not a field.
func (s *scanner) field(e *Entity, line Span) (junk bool) {
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

func trimBlanks(b []byte) []byte { return bytes.Trim(b, " \t") }
