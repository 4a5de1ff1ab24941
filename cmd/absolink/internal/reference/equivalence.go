package reference

import (
	"cmp"

	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// equivalence prints the first level on which two URIs are the same.
func (s *Shower) equivalence(a, b []byte) error {
	first, err := s.comparable(a)
	second, err2 := s.comparable(b)
	err = cmp.Or(err, err2)
	level := ""
	if err == nil {
		level = s.level(first, second)
	}
	s.failed = s.failed || level == different
	if s.entry.format == record.Text {
		_, err := s.out.WriteString(level + "\n")
		return err
	}
	s.entry.begin()
	s.entry.bytes("a", known(a))
	s.entry.bytes("b", known(b))
	s.entry.text("level", level)
	if err != nil {
		s.entry.text("error", fault.ErrorText(err))
	}
	return s.entry.end(s.out)
}

// comparable returns the URI of a reference, or an error.
func (s *Shower) comparable(given []byte) (string, error) {
	ref, _ := s.strip(given)
	if err := s.find(ref); err != nil {
		return "", s.fail(given, err)
	}
	return s.written(ref), nil
}

const different = "different"

// level returns the name of the first level on which two URIs are the same, or different.
func (s *Shower) level(a, b string) string {
	for level := resolve.Exact; level <= s.o.Level; level++ {
		if level.Equivalent(a, b) {
			return level.String()
		}
	}
	return different
}
