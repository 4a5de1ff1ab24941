package mime

import (
	"path"
	"strings"

	"absolink/extract"
	"absolink/mime/internal/header"
)

// The media type of an entity tells the format of its body. If the media type says nothing, the
// file name tells it. Three kinds of bodies can be read but are never edited: a body whose format
// only the name tells, a body with a media type that is not registered for its format, and a
// message in a transfer encoding.

// genericTypes are the media types that say nothing about a body: application/octet-stream (RFC
// 2046 Section 4.5.1), and others that programs give to attachments.
var genericTypes = map[string]bool{
	"application/octet-stream": true, "application/octetstream": true, "application/x-octet-stream": true,
	"binary/octet-stream": true, "application/binary": true, "application/unknown": true, "application/x-unknown": true,
	"application/download": true, "application/x-download": true, "application/force-download": true,
	"application/x-force-download": true,
}

// fileTypes are media types that a program made up, or that are not registered, for files that have
// a media type of their own. Calendars come as application/ics from Google and Meetup.
var fileTypes = map[string]string{
	"application/ics": "text/calendar", "application/x-ics": "text/calendar",
	"application/html": "text/html", "application/x-html": "text/html",
	"application/x-mimearchive": "message/rfc822",
}

// typesByEnding has the media types of attachments by the endings of their file names. Package
// extract knows the endings of documents.
var typesByEnding = map[string]string{
	".ics": "text/calendar", ".vcs": "text/calendar", ".vcf": "text/vcard",
	".eml": "message/rfc822", ".mht": "message/rfc822", ".mhtml": "message/rfc822",
}

// typeOfName returns the media type for the file name of an attachment, or an empty string.
func typeOfName(name string) string {
	ending := strings.ToLower(path.Ext(strings.TrimSpace(name)))
	if kind := typesByEnding[ending]; kind != "" {
		return kind
	}
	return extract.Detect(nil, "x"+ending).MediaType()
}

// setFormat sets the format of the body of e, and whether e is attached or enclosed. The media type
// and the transfer encoding of e must be set.
func (e *Entity) setFormat() {
	if e.whyNotEntered != "" {
		return // the fields that tell the format were not read
	}
	kind := e.mediaType
	if e.Generic() {
		_, name := e.Disposition()
		kind = typeOfName(name)
		e.attached = kind != ""
	}
	if usual := fileTypes[kind]; usual != "" {
		kind = usual
		e.attached = true
	}
	e.format = formatOf(kind)
	switch kind {
	case "message/rfc822", "message/global", "message/news":
		e.enclosed = e.attached || !header.Identity(e.encoding)
	}
}

// formatOf returns the format of a body by its media type. Reports on messages are plain text. So
// is every subtype of text without a format of its own (RFC 2046 Section 4.1.4).
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

// NamesGzip reports whether the file name of e is that of a document or message with the ending .gz
// behind its own.
func (e *Entity) NamesGzip() bool {
	_, name := e.Disposition()
	inside, ok := strings.CutSuffix(strings.ToLower(strings.TrimSpace(name)), ".gz")
	return ok && typeOfName(inside) != ""
}

// Enclosed reports whether the body of e is a message that is not part of the tree. Such a message
// is in a transfer encoding, which RFC 2046 Section 5.2.1 forbids, or only its file name says that
// it is a message. [Message.ResetEnclosed] reads it.
func (e *Entity) Enclosed() bool { return e.enclosed }

// Generic reports whether the media type of e says nothing about its body, as
// application/octet-stream does.
func (e *Entity) Generic() bool { return genericTypes[e.mediaType] }

// Attached reports whether the media type of e is not the one for the format of its body. It is a
// generic one, such as application/octet-stream, and the file name tells the format. Or it is one
// that programs give to attachments, such as application/ics.
func (e *Entity) Attached() bool { return e.attached }

// ResetEnclosed parses an enclosed message, as [Parse] does. l is the decoded body of an entity for
// which [Entity.Enclosed] is true. That entity is the parent of m.Root, but m.Root is not among its
// Parts. So the entities of m inherit the layers of that entity, references in them can name parts
// of the message around m, and their section numbers begin with the number of that entity. m refers
// to l.Data, and offsets of m count in l.Data. m must not be edited.
func (m *Message) ResetEnclosed(l *Leaf, lim Limits) {
	m.scanInside(memory(l.Data), int64(len(l.Data)), lim, windowSize, l.Entity)
}

// Enclosures returns the number of enclosed messages around e.
func (e *Entity) Enclosures() (n int) {
	for m := e.m; m.enclosing != nil; m = m.enclosing.m {
		n++
	}
	return n
}

// top returns the outermost message around m, or m itself if it is not enclosed.
func (m *Message) top() *Message {
	for m.enclosing != nil {
		m = m.enclosing.m
	}
	return m
}
