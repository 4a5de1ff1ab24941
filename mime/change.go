package mime

import (
	"fmt"
	"slices"

	"absolink/extract"
)

// Change collects the edits of one message. Nothing is written until [Change.Edits] has verified
// all edits together. A Change is not safe for concurrent use.
type Change struct {
	// BreakSignatures allows edits in signed parts. Encrypted parts are never edited.
	BreakSignatures bool

	m         *Message
	edits     []Edit
	edited    map[*Entity]bool
	growth    map[*Entity]growth
	closed    bool // Edits was called
	needsScan bool // only a scan can tell whether the edited message keeps its structure
}

// Change returns a new Change of m, without any edit. m is never modified.
func (m *Message) Change() *Change {
	return &Change{m: m, edited: map[*Entity]bool{}, growth: map[*Entity]growth{}}
}

// Edit adds all edits of a decoded leaf in one call. They must be sorted and must not overlap. An
// error says why the leaf stays unchanged: for instance, it is signed, or its transfer encoding
// cannot be written. The error does not affect other leaves. Edit panics if l was edited before, or
// after a call of [Change.Edits].
func (c *Change) Edit(l *Leaf, edits []extract.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	if c.edited[l.Entity] || c.closed {
		panic("mime: a leaf is edited twice, or after Edits")
	}
	if reason := l.Protected(); reason != "" && (reason != signed || !c.BreakSignatures) {
		return l.Entity.errorf("%s", reason)
	}
	raw, decoded, err := l.encodeEdits(edits)
	if err != nil {
		return err
	}
	c.edited[l.Entity] = true
	c.needsScan = c.needsScan || !l.keepsBounds(raw)
	for _, e := range raw {
		c.add(l.Entity, Edit{l.inMessage(e.Span), e.New}, l.addedLines(e))
	}
	if e, ok := l.digestEdit(decoded); ok {
		c.needsScan = true
		c.add(l.Entity.Parent, e, 0)
	}
	return nil
}

// add adds an edit in the body of e, and counts the growth of e and of the entities around it.
// lines is the number of lines that the edit adds.
func (c *Change) add(e *Entity, edit Edit, lines int64) {
	c.edits = append(c.edits, edit)
	for ; e != nil; e = e.Parent {
		g := c.growth[e]
		g.bytes += int64(len(edit.New)) - edit.Len()
		g.lines += lines
		c.growth[e] = g
	}
}

// Edits returns the sorted edits of the message, or nil if no leaf has any. They include
// corrections of Content-MD5, Lines and Content-Length in the entities that change, if these fields
// were right before. The edited message has the same tree. Edits scans it again to make sure,
// unless all edits are in bodies and no line that they touch can be a boundary.
//
// An error means that the message must stay unchanged, for instance because it has more parts than
// the limit. Edits must be called only once: a second call panics. After Edits, no leaf can be
// edited.
func (c *Change) Edits() ([]Edit, error) {
	if c.closed {
		panic("mime: Edits is called twice")
	}
	c.closed = true
	if len(c.edits) == 0 {
		return nil, nil
	}
	if c.m.tooManyParts {
		return nil, c.m.Root.errorf("the message has more than %d parts", c.m.limits.Parts)
	}
	if err := c.correctFields(); err != nil {
		return nil, err
	}
	edits := slices.Clone(c.edits)
	sortEdits(edits)
	if c.needsScan {
		if err := c.m.verify(edits); err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// verify scans the edited message and compares its tree with the tree of m.
func (m *Message) verify(edits []Edit) error {
	s := newSplice(m.r, m.size, edits)
	out, err := Parse(s, s.size, m.limits)
	if err != nil {
		return fmt.Errorf("reading the edited message: %w", err)
	}
	if out.eol != m.eol {
		return m.Root.errorf("after the edits the message would be read with other line ends")
	}
	return sameTree(m.Root, out.Root, newShift(edits))
}

// sameTree compares f, an entity of the edited message, with e, the same entity before the edits,
// and all entities below f with those below e. If they do not match, it returns an error.
func sameTree(e, f *Entity, edits *shift) error {
	same := e.Section == f.Section && e.mediaType == f.mediaType && e.whyNotEntered == f.whyNotEntered &&
		e.Encoding() == f.Encoding() && len(e.Parts) == len(f.Parts) && len(e.fields) == len(f.fields) &&
		edits.afterInsertion(e.Head.Start) == f.Head.Start && edits.beforeInsertion(e.Head.End) == f.Head.End &&
		edits.beforeInsertion(e.Body.Start) == f.Body.Start && edits.afterInsertion(e.Body.End) == f.Body.End
	if !same {
		return e.errorf("after the edits the message would have another structure")
	}
	for i, p := range e.Parts {
		if err := sameTree(p, f.Parts[i], edits); err != nil {
			return err
		}
	}
	return nil
}
