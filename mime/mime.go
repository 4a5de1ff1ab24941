// Package mime finds where the parts of a message or an MHTML archive stand in its bytes, and
// turns edits of decoded documents into edits of the message.
//
// [Parse] scans a message once and records spans only: it decodes nothing, and keeps only the
// headings in memory. Entity.Leaf decodes one body together with a map back to the bytes of the
// message, Entity.Layer gives the base layers around it, and a Change collects edits, verifies
// them and yields splices that Write streams from the input. Of a message in memory
// Message.Reset refers to the bytes where they stand, and FillLeaf decodes one body after the
// other into the same memory.
//
//	m, err := mime.Parse(file, size, mime.Limits{})
//	c := m.Change()
//	for e := range m.Root.All() {
//		if !e.HTML() || e.Protected() != "" {
//			continue
//		}
//		leaf, err := e.Leaf()
//		doc := leaf.Doc(outer)
//		err = c.Edit(leaf, resolver.Edits(nil, doc))
//	}
//	edits, err := c.Edits()
//	err = mime.Write(out, file, size, edits)
//
// Damaged input is not an error: the bytes stay where they are and a [Defect] tells
// what is wrong and where.
//
// Its name is that of a package of the standard library. A program that needs both imports
// this one under another name:
//
//	import (
//		"mime"
//
//		message "absolink/mime"
//	)
//
// Few programs need this package itself: package rewrite rewrites a message in one step, and
// package document yields its documents.
//
// Files in reading order: mime.go; reading the tree: window.go, boundary.go, header.go,
// known.go, format.go, scan.go; what is known of an entity: layer.go, names.go, partname.go,
// envelope.go, protect.go, leaf.go; edits of a leaf: edit.go, identity.go, quoted.go, base64.go;
// edits of a message: bounds.go, count.go, change.go, splice.go.
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

// Span is a half-open range [Start, End) of bytes of the message, as they stand there.
type Span struct{ Start, End int64 }

// Len returns the number of bytes.
func (s Span) Len() int64 { return s.End - s.Start }

// Edit replaces the bytes of a span of the message by New, which must not change until the
// edit is made.
type Edit struct {
	Span
	New []byte
}

// Limits bound what [Parse] follows. The zero value takes the defaults, and so does each
// field that is zero.
type Limits struct {
	Depth  int   // entities inside each other; default 100
	Parts  int   // entities of a message; default 10,000
	Header int64 // bytes of one header block; default 1 MiB
	Leaf   int64 // bytes of a leaf that is decoded; default 64 MiB
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

// Defect is something wrong with a message. As an error it says why a part stays as it is.
type Defect struct {
	Offset int64  // in the bytes of the message
	Part   string // section number of the entity, "" for the whole message
	Text   string // for people, in English
	Minor  bool   // nothing was lost by it but what a writer left out on purpose
}

// Error returns the place and the text of d.
func (d *Defect) Error() string {
	if d.Part == "" {
		return fmt.Sprintf("offset %d: %s", d.Offset, d.Text)
	}
	return fmt.Sprintf("part %s: offset %d: %s", d.Part, d.Offset, d.Text)
}

// Message is a parsed message: a tree of entities over the bytes of a reader.
// It is read-only after Parse and safe for concurrent use if the reader is.
type Message struct {
	Root    *Entity
	Defects []Defect // sorted by offset; the first thousand

	r    io.ReaderAt
	size int64
	lim  Limits
	eol  byte // what lines end with: '\n', or '\r' in a message without any '\n'

	partial bool // it has more parts than the limit

	looked int64 // bytes that the scanner looked at; tests hold it against the size

	within *Entity // whose decoded body the message is; nil at the top

	layers sync.Mutex // of the message at the top: guards what the entities keep of layers

	once sync.Once
	ids  map[string]*Entity // the parts by their Content-IDs, made once

	named sync.Mutex                     // guards parts
	parts map[*Entity]map[string]*Entity // of a multipart by their Content-IDs and names
}

// Entity is a message, a part of a multipart, or the message inside a message/rfc822 (RFC
// 2045 Section 2.4). It belongs to its [Message] and must not be changed.
type Entity struct {
	Parent *Entity
	// Parts are the parts of a multipart in their order, or the one message of a
	// message/rfc822, message/global or message/news.
	Parts []*Entity
	// Section is the section number as in IMAP: "1", "2.1". A message that is a multipart has
	// no number of its own there: its Section is that of the part that holds it, "" at the top.
	Section string
	Head    Span // header fields, without the blank line that ends them
	Body    Span // what follows the blank line, without the line end that belongs to a boundary
	fields  []field

	m      *Message
	head   []byte // the bytes of Head
	known  [knownFields]place
	index  map[string]found // by names in lower case, of a long heading
	kind   string           // media type
	format extract.Format   // of the body
	about  string           // Content-Type, unfolded
	coding string           // transfer encoding, normalised
	opaque string           // why the body was not entered, "" if it was or needs no entering

	attached bool // its name says what the body is, since its media type does not
	enclosed bool // the body is a message that is no part of the tree

	layered *layered // nil until they are asked for
}

// field is one header field: the value is [Colon+1, End) with its folding, End
// lies past its line end. Colon is -1 in a line of the header block that is not a field.
type field struct{ Start, Colon, End int64 }

// All iterates over e and everything below it, in the order of the message (RFC 2046
// Section 5.1).
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

// Get returns the raw value of the first field of the name, folding kept and blanks around
// it trimmed, and how many fields of that name there are; "" and 0 if there is none. Case
// does not matter (RFC 5322 Section 1.2.2).
func (e *Entity) Get(name string) (value string, n int) {
	f, n := e.field(name)
	if n == 0 {
		return "", 0
	}
	return string(header.Trim(e.bytes(Span{f.Colon + 1, f.End}))), n
}

// field returns the first field of the name and how many there are.
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

// found is what the index of a long heading holds of a name.
type found struct {
	first field
	n     int
}

// longHeading is the number of fields from which on a heading has an index, so
// that asking for a field of it, once for each part below, takes no time.
const longHeading = 64

func (e *Entity) makeIndex() {
	e.index = make(map[string]found)
	for _, f := range e.fields {
		if f.Colon < 0 {
			continue
		}
		name := strings.ToLower(string(trimBlanks(e.bytes(Span{f.Start, f.Colon}))))
		in := e.index[name]
		in.n++
		if in.n == 1 {
			in.first = f
		}
		e.index[name] = in
	}
}

// bytes returns bytes of the heading.
func (e *Entity) bytes(s Span) []byte {
	return e.head[s.Start-e.Head.Start : s.End-e.Head.Start]
}

// unfolded returns the value of the first field of the name in one line.
func (e *Entity) unfolded(name string) string {
	value, _ := e.Get(name)
	return header.Unfold(value)
}

// MediaType returns the media type in lower case. Where none is given or none
// can be read it is text/plain, or message/rfc822 for a part of a
// multipart/digest (RFC 2045 Section 5.2, RFC 2046 Section 5.1.5).
func (e *Entity) MediaType() string { return e.kind }

// Param returns a parameter of Content-Type, "" where there is none. What real
// messages write is read: unquoted values with '=' in them, missing quotes and
// semicolons, RFC 2231 continuations and charsets. The name is in lower case.
func (e *Entity) Param(name string) string {
	return header.Param(e.about, name)
}

// Disposition returns the disposition of Content-Disposition in lower case and
// its filename, or else the name parameter of Content-Type; "" for what is not given.
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

// Encoding returns the transfer encoding in lower case without quotes, comments
// and what else stands around it; "7bit" where none is given, and for a
// multipart, which cannot have another (RFC 2045 Section 6.4).
func (e *Entity) Encoding() string { return e.coding }

// Format returns the format of the body by its media type, or by its name if it is Attached;
// Unknown if the body is no document.
func (e *Entity) Format() extract.Format { return e.format }

// HTML reports whether the entity says that its body is HTML.
func (e *Entity) HTML() bool {
	return e.kind == "text/html" || e.kind == "application/xhtml+xml"
}

func (e *Entity) errorf(format string, args ...any) *Defect {
	return &Defect{Part: e.Section, Offset: e.Body.Start, Text: fmt.Sprintf(format, args...)}
}
