package mime

import (
	"path"
	"strings"

	"absolink/extract"
	"absolink/mime/internal/header"
)

// What the body of an entity is follows from its media type, and from its name if the type says
// nothing. A body whose kind is told by its name alone, and a message in a transfer encoding, can
// be read and are never edited.

// generic are the media types that say nothing about a body (RFC 2046 Section 4.5.1), with others
// that senders of attachments use for it.
var generic = map[string]bool{
	"application/octet-stream": true, "application/octetstream": true, "application/x-octet-stream": true,
	"binary/octet-stream": true, "application/binary": true, "application/unknown": true, "application/x-unknown": true,
	"application/download": true, "application/x-download": true, "application/force-download": true,
	"application/x-force-download": true,
}

// attached are the media types of bodies that only messages hold, by the endings of their names.
// Those of documents are in package extract.
var attached = map[string]string{
	".ics": "text/calendar", ".vcs": "text/calendar", ".vcf": "text/vcard",
	".eml": "message/rfc822", ".mht": "message/rfc822", ".mhtml": "message/rfc822",
}

// attachedAs returns the media type that the name of an attachment tells, "" if it tells none.
func attachedAs(name string) string {
	ending := strings.ToLower(path.Ext(strings.TrimSpace(name)))
	if kind := attached[ending]; kind != "" {
		return kind
	}
	return extract.Detect(nil, "x"+ending).MediaType()
}

// settle sets what the body of e is, once its media type and its transfer encoding are known.
func (e *Entity) settle() {
	if e.opaque != "" {
		return // the fields that say what it is were not read
	}
	kind := e.kind
	if e.Generic() {
		_, name := e.Disposition()
		kind = attachedAs(name)
		e.attached = kind != ""
	}
	e.format = formatOf(kind)
	switch kind {
	case "message/rfc822", "message/global", "message/news":
		e.enclosed = e.attached || !header.Identity(e.coding)
	}
}

// formatOf returns the format of a body by its media type. Reports on messages are text, and so is
// every subtype of text that has no format of its own (RFC 2046 Section 4.1.4).
func formatOf(kind string) extract.Format {
	switch kind {
	case "text/rfc822-headers", "text/rfc822-header", "message/global-headers":
		return extract.Heading
	case "message/delivery-status", "message/global-delivery-status", "message/disposition-notification",
		"message/global-disposition-notification", "message/feedback-report", "message/tracking-status":
		return extract.Plain
	}
	format := extract.FormatOf(kind)
	if format == extract.Unknown && strings.HasPrefix(kind, "text/") {
		return extract.Plain
	}
	return format
}

// Enclosed reports whether the body of e is a message that is no part of the tree: it is in a
// transfer encoding, which RFC 2046 Section 5.2.1 forbids, or its name alone says that it is a
// message. [Message.ResetEnclosed] reads it.
func (e *Entity) Enclosed() bool { return e.enclosed }

// Generic reports whether the media type of e says nothing about its body, as
// application/octet-stream does.
func (e *Entity) Generic() bool { return generic[e.kind] }

// Attached reports whether the name of e alone says what its body is. The media type is then a
// generic one, such as application/octet-stream.
func (e *Entity) Attached() bool { return e.attached }

// ResetEnclosed is [Parse] of the message that l, the decoded body of an entity that is Enclosed,
// holds. The entity is the parent of m.Root, which is not among its Parts: layers, names and
// section numbers go on from it. Offsets of m are those of l.Data, to which m refers. No edit may
// touch m.
func (m *Message) ResetEnclosed(l *Leaf, lim Limits) {
	m.scanInside(memory(l.Data), int64(len(l.Data)), lim, windowSize, l.Entity)
}

// Enclosures returns how many entities that are Enclosed e stands in.
func (e *Entity) Enclosures() (n int) {
	for m := e.m; m.within != nil; m = m.within.m {
		n++
	}
	return n
}

// top returns the message that is not enclosed in another one.
func (m *Message) top() *Message {
	for m.within != nil {
		m = m.within.m
	}
	return m
}
