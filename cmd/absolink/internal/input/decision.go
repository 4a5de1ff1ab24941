package input

import (
	"context"
	"errors"

	"absolink/cmd/absolink/internal/coding"
	"absolink/extract"
)

// Decision is the kind that a document was found to be, and why.
type Decision struct {
	Kind   Kind
	Reason Reason
	Why    string // Reason in words for a user, if Kind is Other or Reason is Misnamed; else ""
}

// Reason is why a document has its kind.
type Reason uint8

// The reasons. All but Known and Misnamed go with the kind Other: the document is not read.
const (
	Known    Reason = iota // the name, the beginning, the server or the user says so
	Misnamed               // no file of that name begins so: the beginning decided
	Unknown                // neither the name nor the beginning tells a kind that is read
	Unasked                // the user did not ask for this kind of file
	Template               // the name tells that it is a template, and nothing tells of which kind
	Foreign                // it holds mail in a format that another program converts
	Damaged                // its coding is damaged, or expands to too much
)

// decide finds the kind of d, whose content begins with head.
func (r *Reader) decide(ctx context.Context, d *Document, head []byte) Decision {
	if k := r.decided(d.File); k != Other {
		return Decision{Kind: k}
	}
	if r.Kind == Maildir {
		return Decision{Reason: Unasked, Why: "in no Maildir, which has the directories cur and new"}
	}
	id := d.identity(head)
	if r.Manifest != nil && d.Path != "" && d.Inside == "" && isManifest(head) && r.Manifest(ctx, d.Path) {
		return Decision{Kind: Kind(extract.Manifest)}
	}
	switch {
	case id.Kind == Kind(extract.Script) && !r.Scripts:
		return Decision{Reason: Unasked, Why: "a script; --scripts reads the string literals in it that look like URLs"}
	case id.Kind == Other:
		return Decision{Reason: id.unread(head, d.Rel), Why: unknown(head, d.Rel, &id)}
	case id.Misnamed:
		return Decision{Kind: id.Kind, Reason: Misnamed, Why: id.misnamed()}
	}
	return Decision{Kind: id.Kind}
}

// unread returns why a file with a name is not read that begins with head. id has the kind Other.
func (id *Identity) unread(head []byte, name string) Reason {
	f := foreignFormat(head, name)
	switch {
	case id.Misnamed:
		return Misnamed
	case f != nil && f.mail:
		return Foreign
	case id.Ending == "" && isTemplate(name):
		return Template
	}
	return Unknown
}

// spoil decides that d cannot be read, for a reason that lies in the file itself: an error of its
// coding. It returns any other error.
func (d *Document) spoil(err error) error {
	var coded *coding.Error
	if !errors.As(err, &coded) || errors.Is(err, context.Canceled) {
		return err
	}
	d.Decision = Decision{Reason: Damaged, Why: coded.Error()}
	d.drop()
	return nil
}

// decided returns the kind of f if its content has no say in it, Other if it has.
func (r *Reader) decided(f File) Kind {
	switch {
	case r.Kind != Other && r.Kind != Maildir:
		return r.Kind
	case f.Maildir != "":
		return Message
	}
	return Other
}
