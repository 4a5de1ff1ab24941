package sealed

import (
	"bytes"

	"absolink/resolve/ascii"
)

// The forms of diff: unified hunks (GNU diffutils manual, "Detailed Unified"), the same of several
// parents (git diff-format), context hunks, hunks of darcs, and the output without options. The
// length of a unified hunk is known, so text after it is ordinary text again. A mail program may
// have wrapped its lines. So a line of a hunk that begins like no such line belongs to the hunk
// too, unless an empty line is before it.

// headings are the starts of lines in the heading of a diff.
var headings = []string{
	"diff ", "index ", "--- ", "+++ ", "*** ", "Index: ", "=====", "old mode ", "new mode ", "new file mode ",
	"deleted file mode ", "copy from ", "copy to ", "rename from ", "rename to ", "similarity index ",
	"dissimilarity index ", "Binary files ", "GIT binary patch", "RCS file: ", "retrieving revision ",
}

// heading reads a line after another line of a heading, or after a complete hunk.
func (s *stream) heading(line []byte) bool {
	if s.beginsHunk(line) || bytes.HasPrefix(line, []byte(`\ `)) {
		return true
	}
	for _, start := range headings {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// beginsPatch reads a line of ordinary text that may begin a patch. following is the line after it.
func (s *stream) beginsPatch(line, following []byte) bool {
	follows := func(start string) bool { return bytes.HasPrefix(following, []byte(start)) }
	switch {
	case s.beginsHunk(line):
		return true
	case bytes.HasPrefix(line, []byte("diff -")),
		bytes.HasPrefix(line, []byte("Index: ")) && follows("====="),
		bytes.HasPrefix(line, []byte("--- ")) && follows("+++ "),
		bytes.HasPrefix(line, []byte("*** ")) && follows("--- "):
		s.inside = inHeading
		return true
	case isCommand(line) && (follows("< ") || follows("> ")):
		s.inside = inNormal
		return true
	}
	return false
}

// beginsHunk reads a line that may be the first line of a hunk.
func (s *stream) beginsHunk(line []byte) bool {
	switch {
	case bytes.HasPrefix(line, []byte("@@@ -")), bytes.HasPrefix(line, []byte("hunk ./")),
		string(bytes.TrimRight(line, " ")) == "***************":
		s.inside = inLoose
		return true
	case !bytes.HasPrefix(line, []byte("@@ -")):
		return false
	}
	before, rest, ok := cutRange(line[len("@@ -"):])
	if !ok || !bytes.HasPrefix(rest, []byte(" +")) {
		return false
	}
	after, rest, ok := cutRange(rest[len(" +"):])
	if !ok || !bytes.HasPrefix(rest, []byte(" @@")) {
		return false
	}
	s.inside = inHunk
	if before+after == 0 {
		s.inside = inHeading
	}
	s.before, s.after = before, after
	s.empty = false
	return true
}

// cutRange returns the number of lines of a range such as 12,3 at the start of b, and the text
// after it.
func cutRange(b []byte) (lines int, rest []byte, ok bool) {
	_, rest, ok = cutNumber(b)
	if !ok || len(rest) == 0 || rest[0] != ',' {
		return 1, rest, ok
	}
	return cutNumber(rest[1:])
}

func cutNumber(b []byte) (n int, rest []byte, ok bool) {
	const most = 9 // digits
	i := 0
	for i < len(b) && i < most && ascii.Digit.Has(b[i]) {
		n = n*10 + int(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}

// hunk reads a line of a unified hunk that is not complete. It reports false if the line is not
// part of the hunk.
func (s *stream) hunk(line []byte, quoted bool) bool {
	empty := len(line) == 0
	first := byte(' ')
	if !empty {
		first = line[0]
	}
	switch first {
	case ' ':
		s.before--
		s.after--
	case '+':
		s.after--
	case '-':
		s.before--
	case '\\':
	default:
		if quoted || s.empty {
			return false
		}
	}
	s.empty = empty
	if s.before <= 0 && s.after <= 0 {
		s.inside = inHeading
	}
	return true
}

// isLoose reports whether line may be in a hunk whose length is unknown.
func isLoose(line []byte) bool {
	return len(line) == 0 || string(line) != "-- " && bytes.IndexByte([]byte(" +-!*@\\"), line[0]) >= 0
}

// isCommand reports whether line begins a hunk of diff without options, such as 3,4c5.
func isCommand(line []byte) bool {
	for side := range 2 {
		_, rest, ok := cutRange(line)
		if !ok {
			return false
		}
		line = rest
		if side == 1 {
			return len(line) == 0
		}
		if len(line) == 0 || bytes.IndexByte([]byte("acd"), line[0]) < 0 {
			return false
		}
		line = line[1:]
	}
	return false
}

// isNormal reports whether line may be in a hunk of diff without options, or begin the next one.
func isNormal(line []byte) bool {
	if len(line) == 0 || isCommand(line) {
		return len(line) > 0
	}
	switch string(line[:min(len(line), 2)]) {
	case "< ", "> ", "<", ">", "--", `\ `:
		return true
	}
	return false
}
