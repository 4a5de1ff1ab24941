package move

import "time"

// In running text the end of a URI may be unclear. A rule for a prefix then changes only that
// prefix, and all bytes after it stay.

// MoveStart does what [Map.Move] does, and also returns n, the number of bytes at the start of uri
// that change. All bytes after them stay, so the result ends with uri[n:]. If uri
// does not change, or after an error, n is 0. For a rule that maps a prefix, n is the length of the
// prefix. In all other cases n is len(uri), even if only Unwayback, Unwrap or StripTracking changes
// uri.
func (m *Map) MoveStart(uri string, written time.Time) (to string, n int, err error) {
	to, err = m.Move(uri, written)
	if err != nil || to == uri {
		return to, 0, err
	}
	if from, n := m.findRule(uri); from != "" && m.clean(uri) == uri {
		return to, n, nil
	}
	return to, len(uri), nil
}

// Rule returns the OLD or the expression of the rule that changes an absolute URI. ok reports
// whether m changes the URI. It is also true if the result of a rule is no valid URI, or needs the
// time when the document was written. If only Unwayback, Unwrap or StripTracking changes the URI,
// rule is empty. Unlike [Map.Move], Rule does not record that the rule is used.
func (m *Map) Rule(uri string) (rule string, ok bool) {
	to, use, err := m.apply(m.clean(uri), time.Time{})
	switch {
	case use == nil:
		return "", to != uri
	case err == nil && to == uri:
		return "", false
	}
	return use.rule, true
}
