package sealed

import "bytes"

// stream is the state of the lines of one depth of quoting.
type stream struct {
	inside inside
	footer bool // a line "-- " came before

	// in an incomplete unified hunk
	oldLeft     int  // number of lines of the old file that must follow
	newLeft     int  // number of lines of the new file that must follow
	emptyBefore bool // the line before is empty

	// in a block
	reason   Reason
	lastLine string // start of the last line of the block; not for uuencode
}

// inside says to which kind of text the line before belongs.
type inside uint8

const (
	inText       inside = iota
	inHeading           // the heading of a diff, or a complete hunk
	inHunk              // an incomplete unified hunk
	inLooseHunk         // a hunk whose length is unknown: combined, context or darcs
	inNormalDiff        // a hunk of diff without options
	inBlock             // a block whose last line is known
	inUU                // uuencode
)

// takesMarks reports whether a '>' at the start of line is not a quoting mark, but belongs to a
// hunk of diff without options.
func (s *stream) takesMarks(line []byte) bool {
	return s.inside == inNormalDiff && (bytes.HasPrefix(line, []byte("> ")) || string(line) == ">")
}

// read reads the next line of the stream, and returns the reason why the line must stay. f gives
// the line after it.
func (s *stream) read(f *finder, line []byte) Reason {
	if r, ok := s.readNext(line, f.depth > 0); ok {
		return r
	}
	s.inside = inText
	if len(line) > 0 && mayBegin[line[0]] {
		if r := s.start(line, f.following()); r != "" {
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

// readNext reads line if it continues the patch or block of the line before. ok is false for any
// other line. quoted reports whether the text is a quotation.
func (s *stream) readNext(line []byte, quoted bool) (r Reason, ok bool) {
	switch s.inside {
	case inHeading:
		return Patch, s.readHeading(line)
	case inHunk:
		return Patch, s.readHunk(line, quoted)
	case inLooseHunk:
		return Patch, isInLooseHunk(line)
	case inNormalDiff:
		return Patch, isInNormalDiff(line)
	case inBlock:
		if bytes.HasPrefix(line, []byte(s.lastLine)) {
			s.inside = inText
		}
		return s.reason, true
	case inUU:
		if string(line) == "end" {
			s.inside = inText
			return Encoded, true
		}
		return Encoded, isUULine(line)
	}
	return "", false
}

// start starts a patch or block if line is its first line. It returns the reason why the line must
// stay, or "". following is the next line.
func (s *stream) start(line, following []byte) Reason {
	if s.startPatch(line, following) {
		return Patch
	}
	if s.startBlock(line, following) {
		return s.reason
	}
	return ""
}
