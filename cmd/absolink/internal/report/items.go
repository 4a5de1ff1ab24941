package report

import "absolink/cmd/absolink/internal/record"

// Items are the counts of a container's items.
type Items struct {
	Messages int // of a mailbox
	Records  int // of a web archive: those that hold documents or are damaged

	// Entries are items that are told together with their container, before it.
	Entries []*Entry

	undone bool
}

// Count counts an item by its Subject.Inner.
func (i *Items) Count(inner string) {
	if inner == Record {
		i.Records++
	} else {
		i.Messages++
	}
}

// None reports whether there are no items.
func (i *Items) None() bool { return i.Messages == 0 && i.Records == 0 }

// Undo says that the container could not be written, so that no item was rewritten, whatever its
// own entry says.
func (i *Items) Undo() { i.undone = true }

func (i *Items) append(o record.Object) record.Object {
	if i.Messages > 0 {
		o = o.Int("messages", int64(i.Messages))
	}
	if i.Records > 0 {
		o = o.Int("records", int64(i.Records))
	}
	return o
}
