package markup

// A frameset replaces the body if no body has begun or nothing in it prevents that (13.2.6.4.6, and
// "frameset-ok" in 13.2.6.4.7). Few documents have a frameset. If one does, the scanner reads the
// part before it a second time.

// start describes the part of the input before a frameset.
type start struct {
	body bool // the body has begun, perhaps only because of content that the head cannot hold
	at   int  // the offset where it began
	kept bool // some content prevents a frameset; this counts only if the body has begun
}

// framesetCounts reports whether the tree builder accepts the frameset start tag that was just
// read. It sets s.Head.
func (s *Scanner) framesetCounts() bool {
	if s.templates > 0 || s.ForeignDepth() > 0 || s.noFrameset {
		return false
	}
	var st start
	other := s.other()
	other.Reset(s.data[:s.NameStart-1])
	other.noFrameset = true
	kind := StartTag
	for end := 0; kind != EOF && !(st.body && st.kept); end = other.End {
		inside := other.templates > 0
		kind = other.Next()
		if !blank(s.data[end:other.Start]) {
			st.add(true, inside, end)
		}
		switch kind {
		case StartTag:
			st.startTag(other)
		case EndTag:
			st.endTag(other)
		}
	}
	s.noFrameset = st.body && st.kept
	s.Head = s.NameStart - 1
	if st.body {
		s.Head = st.at
	}
	return !s.noFrameset
}

// add notes content at an offset. The content begins the body, unless it is inside a template.
// keeps reports whether it also keeps the body.
func (st *start) add(keeps, inside bool, at int) {
	if !st.body && !inside {
		st.body, st.at = true, at
	}
	st.kept = st.kept || keeps
}

// startTag notes the start tag that o read.
func (st *start) startTag(o *Scanner) {
	var w word
	name := string(w.fold(o.data[o.NameStart:o.NameEnd]))
	switch {
	case o.Space != HTML:
		st.add(false, o.Template > 0, o.Start)
	case name == "template":
		st.kept = true
	case name == "input":
		value, _ := o.attribute("type")
		st.add(!is(AppendUnescaped(nil, value, true), "hidden"), o.Template > 0, o.Start)
	case !inHead(name):
		st.add(keepsBody(name), o.Template > 0, o.Start)
	}
}

// endTag notes the end tag that o read. The end tag of br counts as its start tag.
func (st *start) endTag(o *Scanner) {
	var w word
	switch string(w.fold(o.data[o.NameStart:o.NameEnd])) {
	case "br":
		st.add(true, o.Template > 0, o.Start)
	case "body", "html":
		st.add(false, o.Template > 0, o.Start)
	}
}
