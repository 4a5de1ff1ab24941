package sealed

import "bytes"

// stream is the state of the lines of one depth of quoting.
type stream struct {
	inside inside
	footer bool // a line "-- " came before

	// Of a hunk: the numbers of lines of the old and the new file that are missing.
	before, after int
	empty         bool // the last line of the hunk was empty

	block Reason // of a block with an end line
	end   string // the start of that line
}

// inside says what the last line was a part of.
type inside uint8

const (
	inText    inside = iota
	inHeading        // the heading of a diff, or after a complete hunk
	inHunk           // a unified hunk that is not complete
	inLoose          // a hunk whose length is unknown: of several parents, or a context diff
	inNormal         // a hunk of diff without options
	inBlock          // a block with an end line
	inUU             // uuencode
)

// takesMarks reports whether line, which may begin with '>', continues a hunk of diff without
// options.
func (s *stream) takesMarks(line []byte) bool {
	return s.inside == inNormal && (bytes.HasPrefix(line, []byte("> ")) || string(line) == ">")
}

// reason reads the next line of the stream, which is a line of f, and returns why it must stay.
func (s *stream) reason(f *finder, line []byte) Reason {
	if r, ok := s.goesOn(line, f.depth > 0); ok {
		return r
	}
	s.inside = inText
	if len(line) > 0 && begins[line[0]] {
		if r := s.begin(line, f.following()); r != "" {
			return r
		}
	}
	if string(line) == "-- " {
		s.footer = true
	}
	if s.footer {
		return Footer
	}
	return ""
}

// goesOn reads a line that belongs to the same thing as the line before it. ok is false for any
// other line.
func (s *stream) goesOn(line []byte, quoted bool) (r Reason, ok bool) {
	switch s.inside {
	case inHeading:
		return Patch, s.heading(line)
	case inHunk:
		return Patch, s.hunk(line, quoted)
	case inLoose:
		return Patch, isLoose(line)
	case inNormal:
		return Patch, isNormal(line)
	case inBlock:
		if bytes.HasPrefix(line, []byte(s.end)) {
			s.inside = inText
		}
		return s.block, true
	case inUU:
		if string(line) == "end" {
			s.inside = inText
			return Encoded, true
		}
		return Encoded, isUU(line)
	}
	return "", false
}

// begin reads a line that may begin something. following is the line after it.
func (s *stream) begin(line, following []byte) Reason {
	if s.beginsPatch(line, following) {
		return Patch
	}
	if s.beginsBlock(line, following) {
		return s.block
	}
	return ""
}
