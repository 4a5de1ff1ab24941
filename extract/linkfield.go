package extract

import "bytes"

// The Link field (RFC 8288 section 3, read as Appendix B.2 and B.3 say) and its
// relatives: lists of <URL>, separated by commas, with parameters or, in fields of
// mailing lists (RFC 2369), comments behind each. Unlike the appendix, a reader here
// goes on behind an element that does not begin with a '<', since the next one may.

// angles adds the URLs in angle brackets. Empty ones stand for the document, where there
// is a base.
func (m *maker) angles() { m.angleList(elementEnd, m.addTrimmed) }

// listAngles is angles for the fields of mailing lists.
func (m *maker) listAngles() { m.angleList(commentedEnd, m.addSpaced) }

func (m *maker) angleList(elementEnd func(b []byte, i int) int, add func(Span)) {
	for s, i := m.nextAngle(0, elementEnd); i >= 0; s, i = m.nextAngle(i, elementEnd) {
		if s = trimmed(m.v.bytes, s); s.Start < s.End || m.row.Base != BaseNone {
			add(s)
		}
		i = elementEnd(m.v.bytes, i)
	}
}

// addTrimmed adds a URL of a field of HTTP, in which white space is part of a URL but at its
// ends: there no rule folds URLs, as those of mail do.
func (m *maker) addTrimmed(s Span) { m.add(trimmed(m.v.bytes, s), textForm) }

// linkField adds the targets, the anchors and the sources of pictures of links, each with
// its link types.
func (m *maker) linkField() {
	kind := m.kind
	for s, i := m.nextAngle(0, elementEnd); i >= 0; s, i = m.nextAngle(i, elementEnd) {
		p := m.linkParams(i)
		m.f.rel = m.f.doc.intern(p.rel)
		m.kind = LinkKind(m.f.rel)
		m.addTrimmed(s)
		m.linkRest(&p)
		i = elementEnd(m.v.bytes, p.end)
	}
	m.f.rel, m.kind = "", kind
}

// linkRest adds what else a link refers to, in the order of its parameters.
func (m *maker) linkRest(p *linkParams) {
	before, behind := p.pictures, Span{}
	if p.anchored && p.anchor.Start < before.Start {
		before, behind = behind, before
	}
	m.kind = KindRes
	m.srcsetIn(before)
	if p.anchored {
		m.kind = KindMeta
		m.addTrimmed(p.anchor)
	}
	m.kind = KindRes
	m.srcsetIn(behind)
}

// nextAngle returns the span inside of the next angle brackets at or after i and
// the offset behind them, -1 if there are none. elementEnd is where another element ends.
func (m *maker) nextAngle(i int, elementEnd func(b []byte, i int) int) (s Span, next int) {
	b := m.v.bytes
	for i < len(b) {
		if i = skipBlank(b, i); i < len(b) && b[i] == '<' {
			n := bytes.IndexByte(b[i:], '>')
			if n < 0 {
				return s, -1
			}
			return Span{i + 1, i + n}, i + n + 1
		}
		i = elementEnd(b, i)
	}
	return s, -1
}

// elementEnd returns the offset behind the comma that ends the element at i.
// Commas in strings do not.
func elementEnd(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = quotedEnd(b, i) - 1
		case ',':
			return i + 1
		}
	}
	return i
}

// commentedEnd is elementEnd where there are comments, in which commas do not either.
func commentedEnd(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = quotedEnd(b, i) - 1
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// quotedEnd returns the offset behind the string whose opening quote is b[i].
func quotedEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
}

// linkParams are the parameters of one link that matter here. The first of each
// name counts.
type linkParams struct {
	rel      []byte
	related  bool
	anchor   Span
	anchored bool
	pictures Span // imagesrcset, as the attribute of LINK
	end      int
}

// linkParams reads the parameters at i.
func (m *maker) linkParams(i int) linkParams {
	b := m.v.bytes
	p := linkParams{end: i}
	for {
		name, value, next, ok := nextParam(b, p.end)
		if !ok {
			return p
		}
		p.end = next
		switch {
		case isFold(name, "rel") && !p.related:
			p.rel, p.related = unquoted(b[value.Start:value.End]), true
		case isFold(name, "anchor") && !p.anchored:
			p.anchor, p.anchored = value, true
		case isFold(name, "imagesrcset") && p.pictures == Span{}:
			p.pictures = value
		}
	}
}

// nextParam reads ";" name [ "=" value ] at i. The span of a value in quotes is
// without them; next is the offset behind it. ok is false where no parameter
// stands at i.
func nextParam(b []byte, i int) (name []byte, value Span, next int, ok bool) {
	for i = skipBlank(b, i); i < len(b) && b[i] == ';'; i = skipBlank(b, i) {
		i = skipBlank(b, i+1)
		start := i
		for i < len(b) && !blank(b[i]) && b[i] != '=' && b[i] != ';' && b[i] != ',' {
			i++
		}
		name = b[start:i]
		if i = skipBlank(b, i); i < len(b) && b[i] == '=' {
			value, i = paramValue(b, skipBlank(b, i+1))
			return name, value, i, true
		}
		if len(name) > 0 {
			return name, Span{i, i}, i, true
		}
	}
	return nil, Span{}, i, false
}

// paramValue reads the value of a parameter at i.
func paramValue(b []byte, i int) (value Span, next int) {
	if i < len(b) && b[i] == '"' {
		next = quotedEnd(b, i)
		end := next
		if b[end-1] == '"' && end-1 > i {
			end--
		}
		return Span{i + 1, end}, next
	}
	value = Span{i, i}
	for i < len(b) && b[i] != ';' && b[i] != ',' {
		i++
	}
	value.End = i
	return trimmed(b, value), i
}

// findParam returns the span of the value of the first parameter of a name, in
// lower case, at or after i. Parameters may be separated by commas too.
func findParam(b []byte, i int, name string) (value Span, next int, ok bool) {
	for i < len(b) {
		start := skipBlank(b, i)
		for i = start; i < len(b) && b[i] != '=' && b[i] != ';' && b[i] != ','; i++ {
		}
		key := bytes.TrimRight(b[start:i], " \t")
		if i < len(b) && b[i] == '=' {
			value, i = paramValue(b, skipBlank(b, i+1))
			if isFold(key, name) {
				return value, i, true
			}
		}
		for i < len(b) && b[i] != ';' && b[i] != ',' {
			i++
		}
		i++
	}
	return Span{}, i, false
}

// unquoted returns the content of a quoted string without its escapes.
func unquoted(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out = append(out, s[i])
	}
	return out
}
