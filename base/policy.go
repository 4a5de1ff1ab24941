package base

import (
	"absolink/resolve"
)

// MIMEBase is the RFC by which the header fields of a message give a base. The zero value is
// MIMERFC2396. With another value, Snapshot-Content-Location gives no base, and a relative BASE is
// not resolved against a base from a header field.
type MIMEBase uint8

const (
	// MIMERFC2396 is RFC 2396 5.1. An absolute Content-Base of the part gives the base. If there is
	// none, the Content-Location of the part gives it. If there is none either, the fields of the
	// entities around the part count. A relative Content-Location is resolved against the base of
	// the layers around it.
	MIMERFC2396 MIMEBase = iota
	// MIMERFC2557 is RFC 2557 5. An absolute Content-Location gives the base: that of the part, or
	// else that of an entity around it. Content-Base and a relative Content-Location are ignored.
	MIMERFC2557
	// MIMERFC2110 is RFC 2110 4. Only the Content-Base or Content-Location of the part itself gives
	// a base. The fields of the entities around the part are ignored.
	MIMERFC2110
)

var mimeBaseNames = [...]string{MIMERFC2396: "rfc2396", MIMERFC2557: "rfc2557", MIMERFC2110: "rfc2110"}

// String returns the name of m: rfc2396, rfc2557 or rfc2110.
func (m MIMEBase) String() string { return mimeBaseNames[m] }

// Trust selects the layers that may give a base. Other people control some layers: for instance,
// the sender of a message writes its header fields and its documents. The zero value is TrustAll.
type Trust uint8

const (
	// TrustAll allows every layer.
	TrustAll Trust = iota
	// TrustHeaders ignores bases from documents in messages, such as a BASE element. Header fields
	// of messages still give a base, and so do documents outside of messages.
	TrustHeaders
	// TrustNone ignores bases from all documents and header fields. Only the options of the
	// operator and the URI from which a document was retrieved can give a base.
	TrustNone
)

var trustNames = [...]string{TrustAll: "all", TrustHeaders: "headers", TrustNone: "none"}

// String returns the name of t: all, headers or none.
func (t Trust) String() string { return trustNames[t] }

var distrustReasons = [...]string{
	TrustHeaders: "not trusted: it is from a document in a message",
	TrustNone:    "not trusted: it is from a document or a header field",
}

// distrusts reports whether t ignores l. An embedded layer with a Part comes from a document in a
// message.
func (t Trust) distrusts(l *Layer) bool {
	switch t {
	case TrustHeaders:
		return l.Source.isEmbedded() && l.Part != ""
	case TrustNone:
		return l.Source.isEmbedded() || l.Source.isMIMEField() || l.Source == Snapshot
	}
	return false
}

// Policy says which layers count, and how their values are resolved. The zero value is the default.
// A nil *Policy means the zero value.
type Policy struct {
	// Rules say whether the value of a layer is absolute, and how a relative value is resolved. The
	// rule set is Rules.Rules.
	Rules resolve.Options
	// MIME is the RFC by which header fields give a base.
	MIME MIMEBase
	// NoInheritAcrossMessages ignores header fields with [Layer].Across. The Content-Base and
	// Content-Location of a message then give no base to documents in another message inside it.
	NoInheritAcrossMessages bool
	// FileBase allows a file: base from the input: from a document, a message or a web archive.
	FileBase bool
	// Trust selects the layers from documents and messages that may give a base.
	Trust Trust
	// Force is the base of every document, whatever its layers are. If Force is "", the layers give
	// the base.
	Force string
}

var defaults Policy

// ignoreReason returns the reason why the policy ignores l, or "" if l counts.
func (p *Policy) ignoreReason(l *Layer) string {
	switch {
	case p.Trust.distrusts(l):
		return distrustReasons[p.Trust]
	case l.Source == ContentBase && p.MIME == MIMERFC2557:
		return "RFC 2557 does not use Content-Base"
	case l.Source.isMIMEField() && p.MIME == MIMERFC2110 && l.Inherited:
		return "RFC 2110 does not use the fields of the entities around a part"
	case l.Source.isMIMEField() && p.NoInheritAcrossMessages && l.Across:
		return "not inherited across messages"
	case l.Source == Snapshot && p.MIME != MIMERFC2396:
		return p.MIME.String() + " does not use Snapshot-Content-Location"
	}
	return ""
}
