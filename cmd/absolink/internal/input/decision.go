package input

import (
	"context"
	"errors"
	"fmt"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
)

// Decision is the kind of a document, with the reason for it.
type Decision struct {
	Kind   Kind
	Reason Reason
	Why    string // the reason in words; empty unless Kind is Other or Reason is Misnamed
}

// Reason is the reason for the kind of a document.
type Reason uint8

// The reasons. Known comes with a kind that is read, and Misnamed with any kind. All other reasons
// come with the kind Other: the document is not read.
const (
	Known    Reason = iota // the name, the first bytes, the server or the user told the kind
	Misnamed               // the first bytes told the kind, because they contradict the name
	Unknown                // neither the name nor the first bytes tell a kind that is read
	Unasked                // files of this kind are read only with a flag, or the given type excludes them
	Template               // the name is that of a template, and the first bytes do not tell the kind
	Foreign                // mail in a format that another program converts
	Damaged                // the coding is damaged or expands to too many bytes
)

// decide returns the kind of d. head is the beginning of its content.
func (r *Reader) decide(ctx context.Context, d *Document, head []byte) Decision {
	if k := r.presetKind(d.File); k != Other {
		return Decision{Kind: k}
	}
	if r.kind() == Maildir {
		return Decision{Reason: Unasked,
			Why: "not a message of a Maildir: it is not in cur or new of a directory that has both"}
	}
	id := d.identity(head)
	if r.Manifest != nil && d.Path != "" && d.Inside == "" && kinds.IsManifest(head) && r.Manifest(ctx, d.Path) {
		return Decision{Kind: Kind(extract.Manifest)}
	}
	switch {
	case id.Kind == Kind(extract.Script) && !r.Scripts:
		return Decision{Reason: Unasked, Why: "a script; --scripts reads the string literals in it that look like URLs"}
	case id.Kind == Other && r.isPage(d, head, &id):
		return Decision{Kind: Kind(extract.HTML)}
	case id.Kind == Other:
		return Decision{Reason: unreadReason(&id, head, d.Rel), Why: explainUnknown(head, d.Rel, &id, r.Given)}
	case r.Given.refuses(d, id.Kind):
		why := fmt.Sprintf("given as %s, but begins as %s: not read; %s reads it as %[2]s", mediaType(r.Given.Type),
			id.Kind, r.Given.typeSetting(id.Kind.String()))
		return Decision{Reason: Unasked, Why: why}
	case id.Misnamed:
		return Decision{Kind: id.Kind, Reason: Misnamed, Why: explainMisnamed(&id, r.Given)}
	}
	return Decision{Kind: id.Kind}
}

// isPage reports whether d is read as HTML although nothing tells its kind. That is so if a client
// has sent d with the URL of a page, unless a media type, a known ending or the content says that d
// is of a kind that is not read.
func (r *Reader) isPage(d *Document, head []byte, id *kinds.Identity) bool {
	told := id.Ending != "" || id.Misnamed || foreignMedia(mediaType(d.Retrieval.Type))
	return r.Given != nil && d.URL != "" && !told && kinds.ForeignOf(head, d.Rel) == nil
}

// refuses reports whether the media type g.Type excludes k, the kind by the first bytes of d. Only
// a type that the client insists on (Typed) excludes a kind. The type application/json fits all
// kinds but HTML: manifests and feeds in JSON have it.
func (g *Given) refuses(d *Document, k Kind) bool {
	if g == nil || !g.Typed || !k.Single() || d.Coding != coding.None || extract.FormatOf(g.Type) != extract.Unknown {
		return false
	}
	media := mediaType(g.Type)
	return foreignMedia(media) && (media != "application/json" || k == HTML)
}

// unreadReason returns why a file with this name and these first bytes is not read. id.Kind must be
// Other.
func unreadReason(id *kinds.Identity, head []byte, name string) Reason {
	f := kinds.ForeignOf(head, name)
	switch {
	case id.Misnamed:
		return Misnamed
	case f != nil && f.Mail:
		return Foreign
	case id.Ending == "" && isTemplate(name):
		return Template
	}
	return Unknown
}

// markDamaged marks d as Damaged and returns nil if err says that the compressed data are damaged.
// It returns any other error.
func (d *Document) markDamaged(err error) error {
	var coded *coding.Error
	if !errors.As(err, &coded) || errors.Is(err, context.Canceled) {
		return err
	}
	d.Decision = Decision{Reason: Damaged, Why: coded.Error()}
	d.dropDecoded()
	return nil
}

// kind returns the kind that the user or the client gives, or Other.
func (r *Reader) kind() Kind {
	if g := r.Given; g != nil && (g.Typed || r.Kind == Other) {
		return g.Kind
	}
	return r.Kind
}

// presetKind returns the kind of f if it does not depend on the content. Otherwise it returns
// Other.
func (r *Reader) presetKind(f File) Kind {
	switch kind := r.kind(); {
	case kind != Other && kind != Maildir:
		return kind
	case f.Maildir != "":
		return Message
	}
	return Other
}
