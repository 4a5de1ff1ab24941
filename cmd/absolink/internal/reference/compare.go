package reference

import (
	"errors"

	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// useAll parses a base under every rule set.
func (s *Shower) useAll(base string) {
	s.bases, s.errs = s.bases[:0], s.errs[:0]
	o := s.o.Rules
	for _, o.Rules = range AllRules() {
		b, err := resolve.NewBase(base, o)
		s.bases, s.errs = append(s.bases, b), append(s.errs, err)
	}
}

// comparison prints the result of every rule set.
func (s *Shower) comparison(given, ref []byte) error {
	s.entry.begin()
	s.entry.reference(s.base, given)
	results, failures := record.Object{'{'}, record.Object{'{'}
	for i, name := range rulesNames() {
		whole := ref
		if AllRules()[i] == resolve.WHATWG {
			whole = given
		}
		uri, err := s.opinion(i, whole)
		if err == nil {
			results = results.Bytes(name, []byte(uri))
		} else {
			s.failed = true
			failures = failures.String(name, fault.ErrorText(err))
			uri = "no result: " + fault.ErrorText(err)
		}
		if s.entry.format != record.JSONL {
			s.entry.text(name, uri)
		}
	}
	s.entry.nested("results", append(results, '}'))
	if len(failures) > 1 {
		s.entry.nested("errors", append(failures, '}'))
	}
	return s.entry.end(s.out)
}

// opinion returns the result of a rule set for a reference.
func (s *Shower) opinion(i int, ref []byte) (uri string, err error) {
	b := s.bases[i]
	if b == nil {
		return "", s.errs[i]
	}
	out, err := b.Append(nil, ref)
	if errors.Is(err, resolve.ErrNoBase) && b.Form(ref) == resolve.SameDocument {
		return "(current document)" + string(ref), nil // RFC 2396 4.2
	}
	return string(out), err
}
