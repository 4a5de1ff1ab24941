package report

import "absolink/cmd/absolink/internal/record"

// Items counts the items of a container.
type Items struct {
	Messages int // messages of a mailbox
	Records  int // records of a web archive that have a document or a defect

	// Unreported holds the entries of items that are not reported yet. They are reported just
	// before the entry of the container.
	Unreported []*Entry

	unwritten bool // MarkUnwritten was called
}

// Count counts an item. inner is the Inner of its Subject.
func (i *Items) Count(inner string) {
	if inner == Record {
		i.Records++
	} else {
		i.Messages++
	}
}

// Empty reports whether there are no items.
func (i *Items) Empty() bool { return i.Messages == 0 && i.Records == 0 }

// MarkUnwritten records that the mailbox could not be written. In [Totals] none of its messages
// then counts as rewritten, even if the entry of the message has that outcome.
func (i *Items) MarkUnwritten() { i.unwritten = true }

// appendMembers appends the members of i to an object of JSON.
func (i *Items) appendMembers(o record.Object) record.Object {
	if i.Messages > 0 {
		o = o.Int("messages", int64(i.Messages))
	}
	if i.Records > 0 {
		o = o.Int("records", int64(i.Records))
	}
	return o
}
