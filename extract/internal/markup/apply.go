package markup

// open applies the start tag that was just read to the tree. It sets s.Space.
func (s *Scanner) open(name []byte) {
	s.apply(name)
	s.settle()
}

// apply applies the start tag by the rules of the current node: foreign content or HTML.
func (s *Scanner) apply(name []byte) {
	var w word
	folded := w.fold(name)
	if len(s.stack) > 0 && !s.htmlRules(folded) {
		if !s.breaksOut(folded) {
			s.openForeign(folded)
			return
		}
		s.breakOut()
	}
	s.Space = HTML
	s.openHTML(folded)
}

// openHTML applies the rules of HTML content to a start tag.
func (s *Scanner) openHTML(name []byte) {
	r := roleOf(string(name))
	if s.whole {
		s.begin(string(name))
	}
	if s.frameset && string(name) != "noframes" {
		return
	}
	s.beginContent(string(name))
	switch r {
	case svgRoot, mathRoot:
		s.Space = SVG
		if r == mathRoot {
			s.Space = MathML
		}
		s.reconstruct()
		s.push(name, s.Space)
		return
	case template:
		s.templates++
	case noscript:
		s.noscripts++
	case frameset:
		s.frameset = s.framesetCounts()
	case rawText, script, forever:
		s.raw = r
	}
	if len(s.stack) > 0 || s.whole {
		s.openInside(string(name))
	}
}

// close applies the end tag that was just read to the tree.
func (s *Scanner) close(name []byte) {
	var w word
	folded := w.fold(name)
	switch {
	case len(s.stack) > 0 || s.whole:
		s.closeElement(name, string(folded))
		s.settle()
	case s.templates > 0 && string(folded) == "template":
		s.templates--
	}
	if s.noscripts > 0 && string(folded) == "noscript" {
		s.noscripts--
	}
}
