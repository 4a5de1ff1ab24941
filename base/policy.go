package base

import (
	"absolink/resolve"
)

// MIMEBase says by which RFC the headings of messages give a base. The zero value is
// MIMERFC2396.
type MIMEBase uint8

const (
	// MIMERFC2396 is RFC 2396 5.1: Content-Base, then Content-Location, of the
	// part and of every entity around it; a relative Content-Location is resolved
	// against what the entities around it say.
	MIMERFC2396 MIMEBase = iota
	// MIMERFC2557 is RFC 2557 5: Content-Base is ignored and only an absolute
	// Content-Location counts, that of the part or one inherited.
	MIMERFC2557
	// MIMERFC2110 is RFC 2110 4: Content-Base and Content-Location of the part
	// itself; nothing is inherited.
	MIMERFC2110
)

var mimeBaseNames = [...]string{MIMERFC2396: "rfc2396", MIMERFC2557: "rfc2557", MIMERFC2110: "rfc2110"}

// String returns the name of m: rfc2396, rfc2557 or rfc2110.
func (m MIMEBase) String() string { return mimeBaseNames[m] }

// Trust says which layers inside a message may give a base, since the sender of the message
// controls them. The zero value is TrustAll.
type Trust uint8

const (
	// TrustAll lets every layer count.
	TrustAll Trust = iota
	// TrustHeaders ignores bases that documents in messages give, such as a BASE element. The
	// headings of messages count, and so do documents outside messages.
	TrustHeaders
	// TrustNone ignores every base that a document or heading gives. Only what the operator
	// gives counts, and the URI that a document was retrieved from.
	TrustNone
)

var trustNames = [...]string{TrustAll: "all", TrustHeaders: "headers", TrustNone: "none"}

// String returns the name of t: all, headers or none.
func (t Trust) String() string { return trustNames[t] }

var trusted = [...]string{TrustHeaders: "the headings of a message", TrustNone: "the operator"}

// refuses reports whether l is passed over because of who gave it. A layer that
// a document in a message holds bears the number of its part.
func (t Trust) refuses(l *Layer) bool {
	switch t {
	case TrustHeaders:
		return l.Source.embedded() && l.Part != ""
	case TrustNone:
		return l.Source.embedded() || l.Source.header() || l.Source == Snapshot
	}
	return false
}

// Policy is what the operator decides about layers. The zero value, and a nil
// *Policy, are the defaults.
type Policy struct {
	// Rules are the rules by which one layer is resolved against the next.
	Rules resolve.Options
	MIME  MIMEBase
	// NoInheritAcrossMessages keeps the headings around a message/rfc822 from
	// giving a base to what is inside it.
	NoInheritAcrossMessages bool
	// FileBase lets a document or a message name a file: base.
	FileBase bool
	// Trust says which layers inside a message may give a base.
	Trust Trust
	// Force is the base whatever the layers say; "" forces nothing.
	Force string
}

var defaults Policy

// skips returns why the policy passes over l, "" if it does not.
func (p *Policy) skips(l *Layer) string {
	switch {
	case p.Trust.refuses(l):
		return "not trusted, as only " + trusted[p.Trust] + " may give a base"
	case l.Source == ContentBase && p.MIME == MIMERFC2557:
		return "RFC 2557 knows no Content-Base"
	case l.Source.header() && p.MIME == MIMERFC2110 && l.Inherited:
		return "RFC 2110 inherits nothing from the entities around a part"
	case l.Source.header() && p.NoInheritAcrossMessages && l.Across:
		return "not inherited across messages"
	case l.Source == Snapshot && p.MIME != MIMERFC2396:
		return "not known to " + p.MIME.String()
	}
	return ""
}
