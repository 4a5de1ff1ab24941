package report

import "absolink/cmd/absolink/internal/record"

// Items are the counts of the items of a container.
type Items struct {
	Messages int // of a mailbox
	Records  int // of a web archive; only records with a document or a defect count

	// Entries are the entries of items that are reported just before their container.
	Entries []*Entry

	undone bool // MarkUndone was called
}

// Count counts an item. inner is its Subject.Inner.
func (i *Items) Count(inner string) {
	if inner == Record {
		i.Records++
	} else {
		i.Messages++
	}
}

// Empty reports whether there are no items.
func (i *Items) Empty() bool { return i.Messages == 0 && i.Records == 0 }

// MarkUndone says that the container could not be written. Then none of its items counts as
// rewritten in [Totals], whatever the entries of the items say.
func (i *Items) MarkUndone() { i.undone = true }

func (i *Items) append(o record.Object) record.Object {
	if i.Messages > 0 {
		o = o.Int("messages", int64(i.Messages))
	}
	if i.Records > 0 {
		o = o.Int("records", int64(i.Records))
	}
	return o
}
