package markup

import "bytes"

// Nearly all tags of real pages are end tags and start tags of ordinary HTML elements, and most of
// these contain nothing that a finder of references wants. While no svg or math is open they have
// no effect on the scan, so skim passes over them in one loop. It reads only the name of an end
// tag. For a start tag, the letters and the length of its name decide which attributes are kept.
// Tags that are not so simple are left to the general rules. Names are measured byte by byte,
// because most are short and reading a word at a time takes longer.

// skim moves from '<' to '<' up to a wanted start tag. It reads this tag and returns true.
// Otherwise it returns the offset of a '<' that begins another token, or -1 at the end of the
// input.
func (s *Scanner) skim() (i int, found bool) {
	data := s.data
	if len(s.stack) > 0 || s.whole || s.Filter == nil || s.Only.has(EndTag) || !s.Only.has(StartTag) {
		return nextTag(data, s.pos), false
	}
	for i = s.pos; ; {
		if i+1 >= len(data) {
			return -1, false
		}
		if data[i] != '<' {
			n := bytes.IndexByte(data[i:], '<')
			i += n
			if n < 0 || i+1 >= len(data) {
				return -1, false
			}
		}
		c := data[i+1]
		if c == '/' {
			end := plainEndTag(data, i+2)
			if end < 0 {
				return i, false
			}
			i = end
			continue
		}
		if class[c]&letter == 0 {
			return i, false
		}
		name := tagNameEnd(data, i+1)
		w := s.Filter.wish(data, i+1, name)
		if w.role {
			return i, false
		}
		end := s.attributes(name, &w.attrs)
		if end < 0 {
			return i, false
		}
		if n := len(s.Attrs); n > 1 || n == 1 && !s.idle(&s.Attrs[0]) || w.tag {
			s.NameStart = i + 1
			s.NameEnd = name
			s.Space = HTML
			s.pos = end
			s.emit(StartTag, i, end)
			return i, true
		}
		i = end
	}
}

// idle reports whether a is the attribute of Filter.Calls without a call.
func (s *Scanner) idle(a *Attr) bool {
	return a.NameEnd-a.NameStart == len(s.Filter.calls) &&
		is(s.data[a.NameStart:a.NameEnd], s.Filter.calls) && !MayCall(s.data[a.Start:a.End])
}

// Outside of svg and math, only the end tags of template and noscript affect the scan. So the end
// tag of a name with up to longestPlain letters does not.
const longestPlain = 7

// plainEndTag returns the offset after the end tag whose name begins at i. It returns -1 if the tag
// contains more than a name, may affect the scan, or is not an end tag.
func plainEndTag(data []byte, i int) int {
	start := i
	for i < len(data) && class[data[i]]&alnum != 0 {
		i++
	}
	if i == len(data) || data[i] != '>' || i-start > longestPlain || class[data[start]]&letter == 0 {
		return -1
	}
	return i + 1
}

// nextTag returns the offset of the next '<' that is not the last byte, or -1.
func nextTag(data []byte, i int) int {
	if i+1 < len(data) && data[i] == '<' { // the next tag follows directly
		return i
	}
	n := bytes.IndexByte(data[i:], '<')
	if n < 0 || i+n+1 >= len(data) {
		return -1
	}
	return i + n
}
