package input

import (
	"context"
	"errors"

	"absolink/cmd/absolink/internal/coding"
	"absolink/extract"
)

// Decision is the kind that a document was found to have, with the reason.
type Decision struct {
	Kind   Kind
	Reason Reason
	Why    string // Reason in words for a user if Kind is Other or Reason is Misnamed, else empty
}

// Reason is the reason for the kind of a document.
type Reason uint8

// The reasons. All but Known and Misnamed come with the kind Other: the document is not read.
const (
	Known    Reason = iota // by the name, the first bytes, the server or the user
	Misnamed               // files of that name never begin like this: the first bytes decided
	Unknown                // neither the name nor the first bytes tell a kind that is read
	Unasked                // the user did not ask for this kind of file
	Template               // a template by its name, and nothing tells the kind
	Foreign                // mail in a format that another program converts
	Damaged                // the coding is damaged or expands to too many bytes
)

// decide finds the kind of d, whose content begins with head.
func (r *Reader) decide(ctx context.Context, d *Document, head []byte) Decision {
	if k := r.presetKind(d.File); k != Other {
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
		return Decision{Reason: id.unreadReason(head, d.Rel), Why: explainUnknown(head, d.Rel, &id)}
	case id.Misnamed:
		return Decision{Kind: id.Kind, Reason: Misnamed, Why: id.explainMisnamed()}
	}
	return Decision{Kind: id.Kind}
}

// unreadReason returns the reason for not reading a file with the given name and first bytes. The
// kind of id is Other.
func (id *Identity) unreadReason(head []byte, name string) Reason {
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

// markDamaged handles an error of opening d. If the cause is the coding of the file itself, it
// marks d as Damaged and returns nil. It returns any other error.
func (d *Document) markDamaged(err error) error {
	var coded *coding.Error
	if !errors.As(err, &coded) || errors.Is(err, context.Canceled) {
		return err
	}
	d.Decision = Decision{Reason: Damaged, Why: coded.Error()}
	d.dropDecoded()
	return nil
}

// presetKind returns the kind of f if it is settled without its content, or Other.
func (r *Reader) presetKind(f File) Kind {
	switch {
	case r.Kind != Other && r.Kind != Maildir:
		return r.Kind
	case f.Maildir != "":
		return Message
	}
	return Other
}
