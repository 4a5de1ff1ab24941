package extract

import "bytes"

// Values that hold several URLs, or one with something around it. Each URL is a
// span of its own; what stands between them is never touched.

// blanks adds the tokens of a list separated by white space.
func (m *maker) blanks() {
	m.tokens(func(s Span) { m.add(s, blankList) })
}

// maybeURI reports whether an attribute value can hold "://" or "urn:", of which a part
// may be written as a character reference.
func maybeURI(raw []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(raw[i:], ':')
		if n < 0 {
			return bytes.IndexByte(raw, '&') >= 0
		}
		i += n
		if i+1 < len(raw) && raw[i+1] == '/' || i > 0 && raw[i-1]|0x20 == 'n' {
			return true
		}
	}
}

// names adds the tokens that are surely URIs, not names or prefixed names.
func (m *maker) names() {
	if bytes.IndexByte(m.v.bytes, ':') < 0 {
		return
	}
	m.tokens(func(s Span) {
		t := m.v.bytes[s.Start:s.End]
		if bytes.Contains(t, []byte("://")) || hasPrefixFold(t, "urn:") {
			m.add(s, blankList)
		}
	})
}

// tokens calls f with each run of bytes that are not white space.
func (m *maker) tokens(f func(Span)) {
	b := m.v.bytes
	for i := 0; i < len(b); {
		if blank(b[i]) {
			i++
			continue
		}
		start := i
		for i < len(b) && !blank(b[i]) {
			i++
		}
		f(Span{start, i})
	}
}

// commas adds the items of a list separated by commas, without the white space
// around them.
func (m *maker) commas() {
	m.items(Span{0, len(m.v.bytes)}, ',', func(s Span) { m.add(s, commaList) })
}

// semicolons adds the items of a list separated by semicolons.
func (m *maker) semicolons() {
	m.items(Span{0, len(m.v.bytes)}, ';', func(s Span) { m.add(s, semicolonList) })
}

// items calls f with what stands between separators in s, without the white space
// around it, unless it is empty.
func (m *maker) items(s Span, sep byte, f func(Span)) {
	b := m.v.bytes
	for i := s.Start; i <= s.End; {
		end := s.End
		if n := bytes.IndexByte(b[i:s.End], sep); n >= 0 {
			end = i + n
		}
		if t := trimmed(b, Span{i, end}); t.Start < t.End {
			f(t)
		}
		i = end + 1
	}
}

// uris adds the values of those items name=value whose names say that they are
// URIs, as in the pinned site metadata of msapplication-task.
func (m *maker) uris() {
	b, kind := m.v.bytes, m.kind
	m.items(Span{0, len(b)}, ';', func(s Span) {
		n := bytes.IndexByte(b[s.Start:s.End], '=')
		if n < 0 {
			return
		}
		name := bytes.TrimSpace(b[s.Start : s.Start+n])
		if indexFold(name, "uri") < 0 {
			return
		}
		if m.kind = kind; hasPrefixFold(name, "icon") {
			m.kind = KindRes
		}
		m.add(trimmed(b, Span{s.Start + n + 1, s.End}), semicolonList)
	})
}

// quotedURLs adds the strings in double quotes that are URLs.
func (m *maker) quotedURLs() {
	b := m.v.bytes
	for i := 0; ; {
		start := bytes.IndexByte(b[i:], '"')
		if start < 0 {
			return
		}
		start += i + 1
		n := bytes.IndexByte(b[start:], '"')
		if n < 0 {
			return
		}
		if bytes.Contains(b[start:start+n], []byte("://")) {
			m.add(Span{start, start + n}, quotedForm).place.inner = '"'
		}
		i = start + n + 1
	}
}

// reports adds the addresses that a content security policy sends reports to
// (Content Security Policy Level 3 section 6.5.1).
func (m *maker) reports() {
	b := m.v.bytes
	m.items(Span{0, len(b)}, ';', func(s Span) {
		i := s.Start + len("report-uri")
		if !hasPrefixFold(b[s.Start:s.End], "report-uri") || i < s.End && !blank(b[i]) {
			return
		}
		for i < s.End {
			start := skipBlank(b, i)
			for i = start; i < s.End && !blank(b[i]) && b[i] != ','; i++ {
			}
			if start < i && blank(b[start-1]) {
				m.add(Span{start, i}, policyList)
			}
			if i < s.End && b[i] == ',' {
				return // the next policy
			}
		}
	})
}

// trimmed returns s without the white space at its ends.
func trimmed(b []byte, s Span) Span {
	for s.Start < s.End && blank(b[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && blank(b[s.End-1]) {
		s.End--
	}
	return s
}

// srcset adds the URLs of a srcset attribute, by the parser of the HTML Standard
// (4.8.4.2.2), whatever it makes of their descriptors.
func (m *maker) srcset() { m.srcsetIn(Span{0, len(m.v.bytes)}) }

// srcsetIn is srcset for a span of the value.
func (m *maker) srcsetIn(s Span) {
	b := m.v.bytes[:s.End]
	for i := s.Start; ; {
		for i < len(b) && (blank(b[i]) || b[i] == ',') {
			i++
		}
		if i == len(b) {
			return
		}
		start := i
		for i < len(b) && !blank(b[i]) {
			i++
		}
		end := i
		for end > start && b[end-1] == ',' {
			end--
		}
		m.add(Span{start, end}, srcsetList)
		if end == i {
			i = descriptorsEnd(b, i)
		}
	}
}

// descriptorsEnd returns the offset after the descriptors at i and their comma.
// A comma in parentheses does not end them.
func descriptorsEnd(b []byte, i int) int {
	inside := false
	for ; i < len(b); i++ {
		switch b[i] {
		case '(':
			inside = true
		case ')':
			inside = false
		case ',':
			if !inside {
				return i + 1
			}
		}
	}
	return i
}

// refresh adds the URL of a refresh, if it has one, by the shared declarative
// refresh steps of the HTML Standard (4.2.5.3).
func (m *maker) refresh() {
	b := m.v.bytes
	i, ok := refreshTime(b)
	if !ok || i == len(b) {
		return
	}
	s := Span{i, len(b)}
	if n := refreshURL(b[i:]); n > 0 {
		s.Start += n
		if s.Start < s.End && (b[s.Start] == '"' || b[s.Start] == '\'') {
			m.quotedRefresh(s)
			return
		}
	} else if b[i] == '"' || b[i] == '\'' {
		m.quotedRefresh(s)
		return
	}
	m.add(trimmed(b, s), refreshForm)
}

// quotedRefresh adds the URL behind the quote at the start of s.
func (m *maker) quotedRefresh(s Span) {
	q := m.v.bytes[s.Start]
	s.Start++
	if n := bytes.IndexByte(m.v.bytes[s.Start:s.End], q); n >= 0 {
		s.End = s.Start + n
	}
	m.add(s, refreshForm).place.inner = q
}

// refreshTime reads the delay and what separates it from the URL. It returns the
// offset of the URL, and whether b is a refresh at all.
func refreshTime(b []byte) (i int, ok bool) {
	i = skipBlank(b, 0)
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start && (i == len(b) || b[i] != '.') {
		return 0, false
	}
	for i < len(b) && ('0' <= b[i] && b[i] <= '9' || b[i] == '.') {
		i++
	}
	if i < len(b) && b[i] != ';' && b[i] != ',' && !blank(b[i]) {
		return 0, false
	}
	i = skipBlank(b, i)
	if i < len(b) && (b[i] == ';' || b[i] == ',') {
		i++
	}
	return skipBlank(b, i), true
}

// refreshURL returns the length of "url =" and the white space around it at the
// start of b, 0 if it does not stand there.
func refreshURL(b []byte) int {
	if !hasPrefixFold(b, "url") {
		return 0
	}
	i := skipBlank(b, 3)
	if i == len(b) || b[i] != '=' {
		return 0
	}
	return skipBlank(b, i+1)
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && blank(b[i]) {
		i++
	}
	return i
}
