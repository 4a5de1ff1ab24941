package mime

import (
	"fmt"

	"absolink/extract"
)

// Change collects the edits of one message. Nothing is written before all of
// them together are verified. It is not safe for concurrent use.
type Change struct {
	// BreakSignatures lets edits into what is signed. What is encrypted stays.
	BreakSignatures bool

	m      *Message
	edits  []Edit
	leaves map[*Entity][]extract.Edit
}

// Change begins a change of m without any edit.
func (m *Message) Change() *Change {
	return &Change{m: m, leaves: map[*Entity][]extract.Edit{}}
}

// Edit adds edits of a decoded leaf, sorted and apart, all of the leaf at once. An
// error says why the leaf stays as it is: it is signed, say, or cannot be edited
// in its transfer encoding; other leaves are not touched by that.
func (c *Change) Edit(l *Leaf, edits []extract.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	if c.leaves[l.Entity] != nil {
		panic("mime: a leaf is edited twice")
	}
	if reason := l.Protected(); reason != "" && (reason != "signed" || !c.BreakSignatures) {
		return l.Entity.errorf("%s", reason)
	}
	out, err := l.Edits(edits)
	if err != nil {
		return err
	}
	c.edits = append(c.edits, out...)
	c.leaves[l.Entity] = edits
	return nil
}

// Edits returns the edits of the message, sorted, none if no leaf has any: those
// of the leaves, and of Content-MD5, Lines and Content-Length of entities that
// they change, where these fields were right before. The message with the edits
// has been scanned again and has the same tree. An error means that the
// message must stay as it is.
func (c *Change) Edits() ([]Edit, error) {
	sortEdits(c.edits)
	edits := c.edits
	if len(edits) == 0 {
		return nil, nil
	}
	if err := c.m.verify(edits); err != nil {
		return nil, err
	}
	return edits, nil
}

// verify scans the edited message and compares the trees.
func (m *Message) verify(edits []Edit) error {
	s := newSplice(m.r, m.size, edits)
	out, err := Parse(s, s.size, m.lim)
	if err != nil {
		return fmt.Errorf("mime: reading the edited message: %w", err)
	}
	if out.eol != m.eol {
		return m.Root.errorf("edited, it would be read with other line ends")
	}
	return sameTree(m.Root, out.Root, edits)
}

// sameTree compares an entity with what became of it.
func sameTree(e, f *Entity, edits shift) error {
	same := e.Section == f.Section && e.kind == f.kind && e.opaque == f.opaque &&
		e.Encoding() == f.Encoding() && len(e.Parts) == len(f.Parts) && len(e.Fields) == len(f.Fields) &&
		edits.of(e.Head.Start, true) == f.Head.Start && edits.of(e.Head.End, false) == f.Head.End &&
		edits.of(e.Body.Start, false) == f.Body.Start && edits.of(e.Body.End, true) == f.Body.End
	if !same {
		return e.errorf("edited, the message would have another structure")
	}
	for i, p := range e.Parts {
		if err := sameTree(p, f.Parts[i], edits); err != nil {
			return err
		}
	}
	return nil
}
