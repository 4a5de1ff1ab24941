package sealed

import (
	"bytes"

	"absolink/resolve/ascii"
)

// These forms of patches are read: unified hunks (GNU diffutils manual, "Detailed Unified"), the
// same with ## for properties (svn diff), combined hunks of several parents (git diff-format),
// context hunks, hunks of darcs, and the output of diff without options.
//
// The first line of a unified hunk gives its length, so the lines after the hunk are ordinary text.
// A mail program may have wrapped the lines of a hunk. So a line with an unexpected first character
// still belongs to the hunk, unless it is quoted or follows an empty line.

// headings are the starts of lines in the heading of a diff.
var headings = []string{
	"diff ", "index ", "--- ", "+++ ", "*** ", "Index: ", "=====", "old mode ", "new mode ", "new file mode ",
	"deleted file mode ", "copy from ", "copy to ", "rename from ", "rename to ", "similarity index ",
	"dissimilarity index ", "Binary files ", "GIT binary patch", "RCS file: ", "retrieving revision ",
}

// readHeading reads line, which follows a line of a heading or a complete hunk. It returns false if
// line ends the patch.
func (s *stream) readHeading(line []byte) bool {
	if s.startHunk(line) || bytes.HasPrefix(line, []byte(`\ `)) {
		return true
	}
	for _, start := range headings {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// startPatch starts a patch if line, which follows ordinary text, is the first line of a patch. It
// returns false for any other line. following is the next line.
func (s *stream) startPatch(line, following []byte) bool {
	follows := func(start string) bool { return bytes.HasPrefix(following, []byte(start)) }
	switch {
	case s.startHunk(line):
		return true
	case bytes.HasPrefix(line, []byte("diff -")),
		bytes.HasPrefix(line, []byte("Index: ")) && follows("====="),
		bytes.HasPrefix(line, []byte("--- ")) && follows("+++ "),
		bytes.HasPrefix(line, []byte("*** ")) && follows("--- "):
		s.inside = inHeading
		return true
	case isNormalCommand(line) && (follows("< ") || follows("> ")):
		s.inside = inNormalDiff
		return true
	}
	return false
}

// startHunk starts a hunk if line is the first line of a hunk. It returns false for any other line.
func (s *stream) startHunk(line []byte) bool {
	switch {
	case bytes.HasPrefix(line, []byte("@@@ -")), bytes.HasPrefix(line, []byte("hunk ./")),
		string(bytes.TrimRight(line, " ")) == "***************":
		s.inside = inLooseHunk
		return true
	case !bytes.HasPrefix(line, []byte("@@ -")) && !bytes.HasPrefix(line, []byte("## -")):
		return false
	}
	mark := line[:len("@@")]
	oldLines, rest, ok := cutRange(line[len("@@ -"):])
	if !ok || !bytes.HasPrefix(rest, []byte(" +")) {
		return false
	}
	newLines, rest, ok := cutRange(rest[len(" +"):])
	if !ok || !bytes.HasPrefix(rest, []byte(" ")) || !bytes.HasPrefix(rest[1:], mark) {
		return false
	}
	s.inside = inHunk
	if oldLines+newLines == 0 {
		s.inside = inHeading
	}
	s.oldLeft, s.newLeft = oldLines, newLines
	s.emptyBefore = false
	return true
}

// cutRange returns the number of lines of the range at the start of b, and the text after the
// range. The range 12,3 has three lines, the range 12 has one.
func cutRange(b []byte) (lines int, rest []byte, ok bool) {
	_, rest, ok = cutNumber(b)
	if !ok || len(rest) == 0 || rest[0] != ',' {
		return 1, rest, ok
	}
	return cutNumber(rest[1:])
}

// cutNumber returns the number at the start of b, and the text after it.
func cutNumber(b []byte) (n int, rest []byte, ok bool) {
	const maxDigits = 9
	i := 0
	for i < len(b) && i < maxDigits && ascii.Digit.Has(b[i]) {
		n = n*10 + int(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}

// readHunk reads line, which follows an incomplete unified hunk. It returns false if line is not
// part of the hunk. quoted reports whether the text is a quotation.
func (s *stream) readHunk(line []byte, quoted bool) bool {
	empty := len(line) == 0
	first := byte(' ') // an empty line has lost its blank
	if !empty {
		first = line[0]
	}
	switch first {
	case ' ':
		s.oldLeft--
		s.newLeft--
	case '+':
		s.newLeft--
	case '-':
		s.oldLeft--
	case '\\':
	default:
		if quoted || s.emptyBefore {
			return false
		} // otherwise a mail program has wrapped the line before
	}
	s.emptyBefore = empty
	if s.oldLeft <= 0 && s.newLeft <= 0 {
		s.inside = inHeading
	}
	return true
}

// isInLooseHunk reports whether line may be in a hunk whose length is unknown.
func isInLooseHunk(line []byte) bool {
	return len(line) == 0 || string(line) != "-- " && bytes.IndexByte([]byte(" +-!*@\\"), line[0]) >= 0
}

// isNormalCommand reports whether line begins a hunk of diff without options, such as 3,4c5.
func isNormalCommand(line []byte) bool {
	_, rest, ok := cutRange(line)
	if !ok || len(rest) == 0 || bytes.IndexByte([]byte("acd"), rest[0]) < 0 {
		return false
	}
	_, rest, ok = cutRange(rest[1:])
	return ok && len(rest) == 0
}

// isInNormalDiff reports whether line may be in a hunk of diff without options, or begin the next
// hunk.
func isInNormalDiff(line []byte) bool {
	if isNormalCommand(line) {
		return true
	}
	switch string(line[:min(len(line), 2)]) {
	case "< ", "> ", "<", ">", "--", `\ `:
		return true
	}
	return false
}
