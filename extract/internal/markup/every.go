package markup

// EveryAttr returns all attributes of the start tag that was just read. It includes attributes that
// Attrs leaves out because of Filter or because their name occurred before in the tag. They are
// valid until the next call of s.
func (s *Scanner) EveryAttr() []Attr {
	other := s.other()
	other.Reset(s.data[:s.pos])
	other.xml = true
	other.attributes(s.NameEnd, nil)
	return other.Attrs
}
