package document

import (
	"errors"

	"absolink/mime"
)

// A message in a transfer encoding, or attached as a file, is not part of the tree of the message
// around it. A Set of its own reads it. Its problems and offsets are reported by the outer set. It
// is never edited.

// maxEnclosed is the largest depth at which enclosed messages are read. Each of them is decoded as
// a whole.
const maxEnclosed = 8

// yieldEnclosed yields the documents of the message in the body of e. It reports whether to go on.
func (s *Set) yieldEnclosed(e *mime.Entity, yield func(*Document) bool) bool {
	if e.Enclosures() == maxEnclosed {
		s.noteUnread(e, errors.New("messages that are encoded or attached enclose each other deeper than the limit"))
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
		p.Minor = true // a rewriting copies the body and need not decode it
		s.add(p)
		return true
	}
	s.noteUndecoded(shell)
	in.src = s.src
	in.outer = s.outer
	in.o = s.o
	in.names = s.names
	in.Message = new(mime.Message)
	in.Message.ResetEnclosed(shell, s.o.Limits)
	in.noteDefects(in.Message)
	goOn := in.yieldParts(in.Message, yield)
	if len(shell.Data) > heldLeaf {
		s.inner = nil
	}
	return goOn
}
