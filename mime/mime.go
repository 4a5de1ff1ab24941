// Package mime finds the parts of a message or MHTML archive in its bytes, and turns edits of
// decoded documents into edits of the message.
//
// [Parse] scans a message once and records only spans: it decodes nothing, and keeps only the
// headings in memory. [Entity.Leaf] decodes one body, with a map back to the bytes of the message.
// [Entity.Layer] gives the bases for relative references in it. A [Change] collects edits, verifies
// them and returns edits of the message, which [Write] applies while it streams from the input. If
// a message is in memory, [Message.Reset] refers to its bytes without copying them.
// [Entity.FillLeaf] decodes one body after the other into the same memory.
//
//	var resolver extract.Resolver
//	m, err := mime.Parse(file, size, mime.Limits{})
//	c := m.Change()
//	for e := range m.Root.All() {
//		if !e.HTML() || e.Protected() != "" {
//			continue
//		}
//		leaf, err := e.Leaf()
//		doc := leaf.Doc(&base.Layer{Source: base.Option, Value: "http://example.com/"})
//		err = c.Edit(leaf, resolver.Edits(nil, doc))
//	}
//	edits, err := c.Edits()
//	err = mime.Write(out, file, size, edits)
//
// Damaged input is not an error: the bytes stay in place, and a [Defect] describes the fault.
//
// A package of the standard library has the same name. A program that needs both imports this
// package under another name:
//
//	import (
//		"mime"
//
//		message "absolink/mime"
//	)
//
// Few programs need this package directly: package rewrite rewrites a message in one step, and
// package document yields its documents.
//
// Files in reading order: mime.go; reading the tree: window.go, boundary.go, header.go, known.go,
// format.go, scan.go; facts about an entity: layer.go, names.go, partname.go, date.go,
// messageid.go, envelope.go, protect.go, leaf.go; edits of a leaf: edit.go, identity.go, quoted.go,
// base64.go; edits of a message: bounds.go, count.go, change.go, splice.go.
package mime

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/mime/internal/header"
)

// Span is a half-open range [Start, End) of raw bytes of the message.
type Span struct{ Start, End int64 }

// Len returns the number of bytes.
func (s Span) Len() int64 { return s.End - s.Start }

// Edit replaces a span of the message by New. New must not change until the edit is made.
type Edit struct {
	Span
	New []byte
}

// Limits bound the work of [Parse]. A field that is zero takes its default.
type Limits struct {
	Depth  int   // nesting of entities; default 100
	Parts  int   // entities of a message; default 10,000
	Header int64 // bytes of one header block; default 1 MiB
	Leaf   int64 // bytes of an encoded body; a larger one is not decoded; default 64 MiB
}

func (l Limits) withDefaults() Limits {
	if l.Depth <= 0 {
		l.Depth = 100
	}
	if l.Parts <= 0 {
		l.Parts = 10_000
	}
	if l.Header <= 0 {
		l.Header = 1 << 20
	}
	if l.Leaf <= 0 {
		l.Leaf = 64 << 20
	}
	return l
}

// Defect is a fault in a message. As an error it says why a part or the message stays unchanged.
type Defect struct {
	Offset int64  // in the bytes of the message
	Part   string // section number of the entity, or empty for the whole message
	Text   string // for people, in English
	// Minor is set if the fault loses nothing that the file holds. Package mime never sets it. The
	// packages warc and httpmsg set it, for instance if the writer cut off a record on purpose.
	Minor bool
}

// Error returns the place and the text of d.
func (d *Defect) Error() string {
	if d.Part == "" {
		return fmt.Sprintf("offset %d: %s", d.Offset, d.Text)
	}
	return fmt.Sprintf("part %s: offset %d: %s", d.Part, d.Offset, d.Text)
}

// Message is a parsed message: a tree of entities over the bytes of a reader. After Parse it is
// read-only, and safe for concurrent use if the reader is.
type Message struct {
	Root    *Entity
	Defects []Defect // sorted by offset; at most the first thousand

	r      io.ReaderAt
	size   int64
	limits Limits
	eol    byte // the byte that ends lines: '\n', or '\r' in a message without any '\n'

	tooManyParts bool // the message has more parts than the limit

	examined int64 // bytes that the scanner examined; tests compare it with the size

	enclosing *Entity // the entity whose decoded body is this message, or nil

	layersMu sync.Mutex // guards layerCache of all entities; only the mutex of the outermost message is used

	idsOnce sync.Once
	ids     map[string]*Entity // the parts by the IDs that cid: URLs may have; idsOnce guards it

	byNameMu sync.Mutex                     // guards byName
	byName   map[*Entity]map[string]*Entity // the parts of each multipart by their Content-IDs and names
}

// Entity is a message, a part of a multipart, or the message inside a message/rfc822 (RFC 2045
// Section 2.4). It belongs to its [Message] and must not be changed.
type Entity struct {
	Parent *Entity
	// Parts are the parts of a multipart in their order, or the only message of a message/rfc822,
	// message/global or message/news.
	Parts []*Entity
	// Section is the section number as in IMAP: "1", "2.1". A message that is a multipart has no
	// number in IMAP. Its Section is the number of the part that holds the message, or empty for
	// the outermost message.
	Section string
	Head    Span // header fields, without the blank line that ends them
	Body    Span // the bytes after the blank line, without the line end that belongs to a boundary

	m *Message
	heading
	content
	layerCache *layerCache // nil until it is needed
}

// heading is the header fields of an entity.
type heading struct {
	fields []field
	head   []byte // the bytes of Head, in memory
	known  [knownFields]fieldPlace
	index  map[string]indexEntry // by names in lower case; nil unless the heading is long
}

// content is the meaning of the header fields for the body of an entity.
type content struct {
	mediaType     string         // media type
	format        extract.Format // of the body
	contentType   string         // value of Content-Type, unfolded
	encoding      string         // transfer encoding, see Encoding
	whyNotEntered string         // why the scanner did not look for parts in the body, or empty

	attached bool // only the file name tells the format of the body, see Attached
	enclosed bool // the body is a message that is not part of the tree, see Enclosed
}

// field is one header field. Its value is [Colon+1, End), including folding. End is after the line
// end. Colon is -1 if a line of the header block is not a field.
type field struct{ Start, Colon, End int64 }

// All iterates over e and all entities below it, in the order of the message (RFC 2046 Section
// 5.1).
func (e *Entity) All() iter.Seq[*Entity] {
	return func(yield func(*Entity) bool) { e.walk(yield) }
}

func (e *Entity) walk(yield func(*Entity) bool) bool {
	if !yield(e) {
		return false
	}
	for _, p := range e.Parts {
		if !p.walk(yield) {
			return false
		}
	}
	return true
}

// Get returns the raw value of the first field with this name, and the number of fields with it.
// The value keeps its folding, without blanks around it. If there is no such field, Get returns ""
// and 0. The case of the name does not matter (RFC 5322 Section 1.2.2).
func (e *Entity) Get(name string) (value string, n int) {
	f, n := e.field(name)
	if n == 0 {
		return "", 0
	}
	return string(header.Trim(e.bytes(Span{f.Colon + 1, f.End}))), n
}

// field returns the first field with this name, and the number of fields with it.
func (e *Entity) field(name string) (first field, n int) {
	if k := knownField(name); k < knownFields {
		if p := e.known[k]; p.n > 0 {
			return e.fields[p.first], int(p.n)
		}
		return field{}, 0
	}
	if e.index != nil {
		found := e.index[strings.ToLower(name)]
		return found.first, found.n
	}
	for _, f := range e.fields {
		if f.Colon < 0 || !header.Named(e.bytes(Span{f.Start, f.Colon}), name) {
			continue
		}
		n++
		if n == 1 {
			first = f
		}
	}
	return first, n
}

// indexEntry describes the fields of a name in the index of a long heading.
type indexEntry struct {
	first field
	n     int
}

// longHeading is the largest number of fields that a heading has without an index. All parts below
// an entity search the heading of the entity. Without an index, these searches would take too long
// in a long heading.
const longHeading = 64

// makeIndex indexes the fields of a long heading.
func (e *Entity) makeIndex() {
	e.index = make(map[string]indexEntry)
	for _, f := range e.fields {
		if f.Colon < 0 {
			continue
		}
		name := strings.ToLower(string(trimBlanks(e.bytes(Span{f.Start, f.Colon}))))
		entry := e.index[name]
		entry.n++
		if entry.n == 1 {
			entry.first = f
		}
		e.index[name] = entry
	}
}

// bytes returns the bytes of a span of the heading.
func (e *Entity) bytes(s Span) []byte {
	return e.head[s.Start-e.Head.Start : s.End-e.Head.Start]
}

// unfolded returns the value of the first field with this name, unfolded into one line.
func (e *Entity) unfolded(name string) string {
	value, _ := e.Get(name)
	return header.Unfold(value)
}

// MediaType returns the media type in lower case. If the heading gives no readable type, the media
// type is text/plain (RFC 2045 Section 5.2). For a part of a multipart/digest it is then
// message/rfc822 (RFC 2046 Section 5.1.5).
func (e *Entity) MediaType() string { return e.mediaType }

// Param returns a parameter of Content-Type, or an empty string. The name must be in lower case.
// Param understands the errors of real messages: unquoted values that contain '=', missing quotes
// and missing semicolons. It also reads RFC 2231 continuations and charsets.
func (e *Entity) Param(name string) string {
	return header.Param(e.contentType, name)
}

// Disposition returns the disposition type of Content-Disposition in lower case, and its filename.
// If there is no filename, it returns the name parameter of Content-Type. Missing values are empty.
func (e *Entity) Disposition() (kind, filename string) {
	v := e.unfolded("Content-Disposition")
	kind, _, _ = strings.Cut(v, ";")
	filename = header.Param(v, "filename")
	if filename == "" {
		filename = e.Param("name")
	}
	filename = header.Words(filename)
	return strings.ToLower(strings.TrimSpace(kind)), filename
}

// Encoding returns the transfer encoding in lower case, without quotes, comments and other text
// around it. It is "7bit" if the heading gives no encoding. It is also "7bit" for a multipart,
// which cannot have another one (RFC 2045 Section 6.4).
func (e *Entity) Encoding() string { return e.encoding }

// Format returns the format of the body by its media type, or by its file name if the entity is
// Attached. The format is Unknown if the body is not a document.
func (e *Entity) Format() extract.Format { return e.format }

// HTML reports whether the media type of e is text/html or application/xhtml+xml.
func (e *Entity) HTML() bool {
	return e.mediaType == "text/html" || e.mediaType == "application/xhtml+xml"
}

func (e *Entity) errorf(format string, args ...any) *Defect {
	return &Defect{Part: e.Section, Offset: e.Body.Start, Text: fmt.Sprintf(format, args...)}
}
