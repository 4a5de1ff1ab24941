package markup

// EveryAttr returns all attributes of the start tag just read, also those that Attrs leaves
// out: by Filter, or since the tag has one of that name already. They are valid until the
// next call of s.
func (s *Scanner) EveryAttr() []Attr {
	other := s.other()
	other.Reset(s.data[:s.pos])
	other.xml = true
	other.attributes(s.NameEnd, nil)
	return other.Attrs
}
