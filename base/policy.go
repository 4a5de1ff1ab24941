package base

import (
	"absolink/resolve"
)

// MIMEBase is the RFC by which the headings of messages give a base. The zero value is MIMERFC2396.
type MIMEBase uint8

const (
	// MIMERFC2396 is RFC 2396 5.1: Content-Base, then Content-Location, of the part and of every
	// entity around it. A relative Content-Location is resolved against the base of the entities
	// around it.
	MIMERFC2396 MIMEBase = iota
	// MIMERFC2557 is RFC 2557 5: Content-Base is ignored. Only an absolute Content-Location counts,
	// of the part or inherited.
	MIMERFC2557
	// MIMERFC2110 is RFC 2110 4: Content-Base and Content-Location of the part itself; nothing is
	// inherited.
	MIMERFC2110
)

var mimeBaseNames = [...]string{MIMERFC2396: "rfc2396", MIMERFC2557: "rfc2557", MIMERFC2110: "rfc2110"}

// String returns the name of m: rfc2396, rfc2557 or rfc2110.
func (m MIMEBase) String() string { return mimeBaseNames[m] }

// Trust decides which layers inside a message may give a base, since the sender of the message
// controls them. The zero value is TrustAll.
type Trust uint8

const (
	// TrustAll allows every layer.
	TrustAll Trust = iota
	// TrustHeaders ignores bases from documents in messages, such as a BASE element. The headings
	// of messages count, and so do documents outside messages.
	TrustHeaders
	// TrustNone ignores every base from a document or heading. Only the options of the operator
	// count, and the URI from which a document was retrieved.
	TrustNone
)

var trustNames = [...]string{TrustAll: "all", TrustHeaders: "headers", TrustNone: "none"}

// String returns the name of t: all, headers or none.
func (t Trust) String() string { return trustNames[t] }

var trusted = [...]string{TrustHeaders: "the headings of a message", TrustNone: "the operator"}

// refuses reports whether l is ignored because of its source. A layer from a document in a message
// has the number of its part.
func (t Trust) refuses(l *Layer) bool {
	switch t {
	case TrustHeaders:
		return l.Source.embedded() && l.Part != ""
	case TrustNone:
		return l.Source.embedded() || l.Source.header() || l.Source == Snapshot
	}
	return false
}

// Policy is the operator's choice of layers and rules. The zero value, and a nil *Policy, are the
// defaults.
type Policy struct {
	// Rules are the rules by which one layer is resolved against the next.
	Rules resolve.Options
	MIME  MIMEBase
	// NoInheritAcrossMessages stops the headings around a message/rfc822 from giving a base to its
	// content.
	NoInheritAcrossMessages bool
	// FileBase lets a document or a message set a file: base.
	FileBase bool
	// Trust decides which layers inside a message may give a base.
	Trust Trust
	// Force is the base whatever the layers say; "" forces nothing.
	Force string
}

var defaults Policy

// skips returns the reason why the policy ignores l, or "".
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
