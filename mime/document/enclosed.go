package document

import (
	"errors"

	"absolink/mime"
)

// A message in a transfer encoding, and one that is attached as a file, are no part of the tree of
// the message around them. Each is read as a set of its own, whose problems and places are those
// of the set around it. Nothing in it is ever edited.

// maxEnclosed is how many messages are read that enclose each other: each is decoded as a whole.
const maxEnclosed = 8

// yieldEnclosed yields the documents of the message that the body of e is. It reports whether to
// go on.
func (s *Set) yieldEnclosed(e *mime.Entity, yield func(*Document) bool) bool {
	if e.Enclosures() == maxEnclosed {
		s.unread(e, errors.New("messages that are encoded or attached enclose each other deeper than the limit"))
		return true
	}
	in := s.inner
	if in == nil {
		in = &Set{around: s}
		s.inner = in
	}
	shell := &in.shell
	if err := e.FillLeaf(shell); err != nil {
		p := s.Failure(e, err)
		p.Minor = true // absolink does not have to know its encoding
		s.add(p)
		return true
	}
	s.undecoded(shell)
	in.src = s.src
	in.outer = s.outer
	in.o = s.o
	in.names = s.names
	in.Message = new(mime.Message)
	in.Message.ResetEnclosed(shell, s.o.Limits)
	in.broken(in.Message)
	goOn := in.yieldParts(in.Message, yield)
	if len(shell.Data) > heldLeaf {
		s.inner = nil
	}
	return goOn
}
