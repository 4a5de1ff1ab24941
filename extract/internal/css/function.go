package css

// function is the meaning of a name before a '('.
type function uint8

const (
	otherFunc  function = iota
	urlFunc             // url()
	stringFunc          // its string is a URL: src()
	imageFunc           // its strings are URLs: image-set(), image()
)

// lastLetters are the last letters of the names in functionNamed.
var lastLetters = [256]bool{'l': true, 'L': true, 'c': true, 'C': true, 't': true, 'T': true, 'e': true, 'E': true}

// functionNamed returns the meaning of name, which may have any case and contains no escapes.
func functionNamed(name []byte) function {
	switch {
	case is(name, "url"):
		return urlFunc
	case is(name, "src"):
		return stringFunc
	case is(name, "image-set"), is(name, "-webkit-image-set"), is(name, "image"):
		return imageFunc
	}
	return otherFunc
}

// is reports whether name is word in any case. word is in lower case.
func is(name []byte, word string) bool {
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

// meaning returns the meaning of name at s.pos: functionNamed, or urlPrefix in a @document.
func (s *Scanner) meaning(name []byte) function {
	if s.at == Document && is(name, urlPrefix) {
		return urlFunc
	}
	return functionNamed(name)
}

// wordBefore returns the meaning of the name that ends at i. This name contains no escapes, because
// escapedName consumes the others together with their '('.
func (s *Scanner) wordBefore(i int) function {
	if i == 0 || !lastLetters[s.data[i-1]] && s.at != Document {
		return otherFunc
	}
	start := i
	for start > 0 && nameByte(s.data[start-1]) {
		start--
	}
	if s.prefixed(start) {
		return otherFunc
	}
	return s.meaning(s.data[start:i])
}

// escapedNameEnd returns the end of the name that has an escape at i. If a '(' follows the name, f
// is its meaning. If the backslash at i does not begin an escape, end is the offset after it.
func (s *Scanner) escapedNameEnd(i int) (end int, f function) {
	if i+1 < len(s.data) && isNewline(s.data[i+1]) {
		return i + 1, otherFunc
	}
	start := i
	for start > 0 && nameByte(s.data[start-1]) {
		start--
	}
	end = nameEnd(s.data, i)
	if end == len(s.data) || s.data[end] != '(' || s.prefixed(start) {
		return end, otherFunc
	}
	return end, s.meaning(s.name(start, end))
}

// prefixed reports whether the name that begins at start belongs to a hash or an at-keyword.
func (s *Scanner) prefixed(start int) bool {
	return start > 0 && (s.data[start-1] == '#' || s.data[start-1] == '@')
}

// name returns the name between start and end without its escapes. It may be cut after longest
// bytes. It is valid until the next call.
func (s *Scanner) name(start, end int) []byte {
	name := s.word[:0]
	for i := start; i < end && len(name) < longest; {
		if s.data[i] == '\\' {
			name, i = appendEscape(name, s.data[:end], i)
			continue
		}
		name = append(name, s.data[i])
		i++
	}
	return name
}
