package css

// function is a function, as far as the scanner distinguishes them.
type function uint8

const (
	otherFunc  function = iota
	urlFunc             // url()
	stringFunc          // its string is a URL: src()
	imageFunc           // its strings are URLs: image-set(), image()
)

// lastLetters are the last letters of the names that functionNamed knows.
var lastLetters = [256]bool{'l': true, 'L': true, 'c': true, 'C': true, 't': true, 'T': true, 'e': true, 'E': true}

// functionNamed returns the function with a name, which may have any case and contains no escapes.
func functionNamed(name []byte) function {
	switch {
	case equalsFold(name, "url"):
		return urlFunc
	case equalsFold(name, "src"):
		return stringFunc
	case equalsFold(name, "image-set"), equalsFold(name, "-webkit-image-set"), equalsFold(name, "image"):
		return imageFunc
	}
	return otherFunc
}

// equalsFold reports whether name is word in any case. word must be in lower case.
func equalsFold(name []byte, word string) bool {
	if len(name) != len(word) {
		return false
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// urlPrefix is the function of @document that matches the beginning of addresses. It is written
// like url().
const urlPrefix = "url-prefix"

// functionOf returns the function with a name. In a @document it also knows urlPrefix.
func (s *Scanner) functionOf(name []byte) function {
	if s.rule == Document && equalsFold(name, urlPrefix) {
		return urlFunc
	}
	return functionNamed(name)
}

// functionBefore returns the function whose name ends at i. The name contains no escapes, because
// readEscapedName consumes names with escapes together with their '('.
func (s *Scanner) functionBefore(i int) function {
	if i == 0 || !lastLetters[s.data[i-1]] && s.rule != Document {
		return otherFunc
	}
	start := i
	for start > 0 && isNameByte(s.data[start-1]) {
		start--
	}
	if s.isPrefixed(start) {
		return otherFunc
	}
	return s.functionOf(s.data[start:i])
}

// escapedNameEnd returns the end of the name that has an escape at i. If a '(' follows the name, f
// is the function. If the backslash at i does not begin an escape, end is the offset after it.
func (s *Scanner) escapedNameEnd(i int) (end int, f function) {
	if i+1 < len(s.data) && isNewline(s.data[i+1]) {
		return i + 1, otherFunc
	}
	start := i
	for start > 0 && isNameByte(s.data[start-1]) {
		start--
	}
	end = nameEnd(s.data, i)
	if end == len(s.data) || s.data[end] != '(' || s.isPrefixed(start) {
		return end, otherFunc
	}
	return end, s.functionOf(s.unescapedName(start, end))
}

// isPrefixed reports whether the name that begins at start belongs to a hash or an at-keyword.
func (s *Scanner) isPrefixed(start int) bool {
	return start > 0 && (s.data[start-1] == '#' || s.data[start-1] == '@')
}

// unescapedName returns the name between start and end without its escapes. It may be cut after
// maxName bytes. It is valid until the next call.
func (s *Scanner) unescapedName(start, end int) []byte {
	name := s.nameBuffer[:0]
	for i := start; i < end && len(name) < maxName; {
		if s.data[i] == '\\' {
			name, i = appendEscape(name, s.data[:end], i)
			continue
		}
		name = append(name, s.data[i])
		i++
	}
	return name
}
