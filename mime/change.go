package mime

import (
	"fmt"
	"slices"

	"absolink/extract"
)

// Change collects the edits of one message. Nothing is written before all of
// them together are verified. It is not safe for concurrent use.
type Change struct {
	// BreakSignatures lets edits into what is signed. What is encrypted stays.
	BreakSignatures bool

	m      *Message
	edits  []Edit
	edited map[*Entity]bool
	grown  map[*Entity]growth
	closed bool // Edits was called
	parse  bool // the structure of the edited message is found only by a scan
}

// Change returns a new Change of m, without any edit. m is never modified. A Change must not be
// used by two goroutines at once.
func (m *Message) Change() *Change {
	return &Change{m: m, edited: map[*Entity]bool{}, grown: map[*Entity]growth{}}
}

// Edit adds all edits of a decoded leaf in one call; they must be sorted and must not overlap.
// An error says why the leaf stays as it is: for instance, it is signed, or it cannot be edited
// in its transfer encoding. It does not affect other leaves.
func (c *Change) Edit(l *Leaf, edits []extract.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	if c.edited[l.Entity] || c.closed {
		panic("mime: a leaf is edited twice, or after Edits")
	}
	if reason := l.Protected(); reason != "" && (reason != "signed" || !c.BreakSignatures) {
		return l.Entity.errorf("%s", reason)
	}
	raw, decoded, err := l.encoded(edits)
	if err != nil {
		return err
	}
	c.edited[l.Entity] = true
	c.parse = c.parse || !l.keepsBounds(raw)
	for _, e := range raw {
		c.add(l.Entity, Edit{l.inMessage(e.Span), e.New}, l.lines(e))
	}
	if e, ok := l.digest(decoded); ok {
		c.parse = true
		c.add(l.Entity.Parent, e, 0)
	}
	return nil
}

// add adds an edit in the body of e that adds a number of lines.
func (c *Change) add(e *Entity, edit Edit, lines int64) {
	c.edits = append(c.edits, edit)
	for ; e != nil; e = e.Parent {
		g := c.grown[e]
		g.bytes += int64(len(edit.New)) - edit.Len()
		g.lines += lines
		c.grown[e] = g
	}
}

// Edits returns the edits of the message, sorted; nil if no leaf has any. They include those
// that correct Content-MD5, Lines and Content-Length of the entities that change, where these
// fields were right before. The message with the edits has the same tree. Edits scans it again
// to make sure, unless all edits are in bodies and no line that they touch can be a boundary. An
// error means that the message must stay as it is; one with more parts than the limit does.
// Edits must be called once only, a second call panics; no leaf can be edited after it.
func (c *Change) Edits() ([]Edit, error) {
	if c.closed {
		panic("mime: Edits is called twice")
	}
	c.closed = true
	if len(c.edits) == 0 {
		return nil, nil
	}
	if c.m.partial {
		return nil, c.m.Root.errorf("the message has more than %d parts", c.m.lim.Parts)
	}
	if err := c.count(); err != nil {
		return nil, err
	}
	edits := slices.Clone(c.edits)
	sortEdits(edits)
	if c.parse {
		if err := c.m.verify(edits); err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// verify scans the edited message and compares the trees.
func (m *Message) verify(edits []Edit) error {
	s := newSplice(m.r, m.size, edits)
	out, err := Parse(s, s.size, m.lim)
	if err != nil {
		return fmt.Errorf("reading the edited message: %w", err)
	}
	if out.eol != m.eol {
		return m.Root.errorf("edited, it would be read with other line ends")
	}
	return sameTree(m.Root, out.Root, newShift(edits))
}

// sameTree compares an entity with what became of it.
func sameTree(e, f *Entity, edits *shift) error {
	same := e.Section == f.Section && e.kind == f.kind && e.opaque == f.opaque &&
		e.Encoding() == f.Encoding() && len(e.Parts) == len(f.Parts) && len(e.fields) == len(f.fields) &&
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
