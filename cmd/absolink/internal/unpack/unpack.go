// Package unpack turns an MHTML page, or a message with a page and its pictures, into files that a
// browser opens from a disk.
//
//	p, err := unpack.Read(ctx, "page.mht", os.Stdin, unpack.Options{Outer: outer})
//	if err != nil {
//		return err // it has no page, or a part must not become a file
//	}
//	err = p.Write(dir)
//
// The page becomes index.html, and each part that a reference can name becomes a file beside it.
// Links between the parts lead to the files, and all other links are absolute. Nothing is written
// before everything is checked. With [Options.Single] the page is one file, in which the parts are
// data: URLs.
//
//	file.go     reads the message from a file or mailbox
//	unpack.go   the parts that become files, and their content
//	name.go     the names of the files
//	single.go   the parts as data: URLs
//	guard.go    removes attributes that keep a browser from loading the files
//	write.go    writes the files
//	mark.go     marks the files as files from the network
package unpack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/charset"
	"absolink/extract"
	"absolink/mime"
)

// Page holds the files that a message becomes.
type Page struct {
	Files    []File   // the HTML file comes first
	Problems []string // messages about parts, such as parts that were left out
	Missing  int      // number of cid: references to missing parts; they stay as they are
}

// File is one file of a page.
type File struct {
	Name string // base name; unique in the page, even if upper and lower case are equal
	Data []byte
}

// Plan returns the files of m. It returns an error if m has no page. Without Options.Single, it
// also does if the Content-Location of a part leads out of the directory or names a device.
func Plan(m *mime.Message, o Options) (*Page, error) {
	u := &unpacking{outer: o.Outer, partOf: make(map[*mime.Entity]*part), entityNamed: m.PartFinder(nil, o.Outer)}
	page := findPage(m.Root)
	if page == nil {
		return nil, errors.New("holds no page: none of its parts is text/html (attachments do not count)")
	}
	if err := u.collect(page, m.Root, !o.Single); err != nil {
		return nil, err
	}
	if o.Single {
		return u.planSingle(u.partOf[page])
	}
	p := new(Page)
	for _, part := range u.parts {
		data, _, err := u.content(part)
		switch {
		case err != nil && part.entity == page:
			return nil, err
		case err != nil:
			p.Problems = append(p.Problems, fmt.Sprintf("part %s is left out: %v", part.entity.Section, err))
			continue
		case part.problem != "":
			p.Problems = append(p.Problems, fmt.Sprintf("part %s: %s", part.entity.Section, part.problem))
		}
		p.Files = append(p.Files, File{part.name, data})
		p.Missing += part.missing
	}
	return p, nil
}

// part is a part of the message that becomes a file.
type part struct {
	entity  *mime.Entity
	name    string // name of the file
	problem string // problem of its content, for Page.Problems; set by content
	missing int    // number of cid: references in it to missing parts; set by content
}

// unpacking is the work on one message.
type unpacking struct {
	outer  *base.Layer // around the message
	parts  []*part     // the parts that become files; the page comes first
	partOf map[*mime.Entity]*part
	// entityNamed returns the entity that a reference in e names, or nil.
	entityNamed func(e *mime.Entity, value, uri []byte) *mime.Entity
	names       names

	single   *embedding // nil without Options.Single
	problems []string   // with Single: the problems of all parts
	missing  int        // with Single: the number of cid: references to missing parts, without those of the page
}

// findPage returns the page of a message. This is the part that the start parameter of a
// multipart/related names, or otherwise the first HTML part that is not an attachment. It returns
// nil if the message has no page.
func findPage(root *mime.Entity) *mime.Entity {
	var first *mime.Entity
	for e := range root.All() {
		if start := strings.Trim(e.Param("start"), "<> \t"); e.MediaType() == "multipart/related" && start != "" {
			for _, p := range e.Parts {
				if p.HTML() && p.ContentID() == start {
					return p
				}
			}
		}
		disposition, _ := e.Disposition()
		if first == nil && e.HTML() && len(e.Parts) == 0 && disposition != "attachment" {
			first = e
		}
	}
	return first
}

// collect adds the page, and all parts that a reference can name, to u.parts. If checks is set, it
// returns an error for a part whose Content-Location must not become the name of a file.
func (u *unpacking) collect(page, root *mime.Entity, checks bool) error {
	name := "index.html"
	if page.MediaType() == "application/xhtml+xml" {
		name = "index.xhtml"
	}
	u.names.reserve(name)
	u.add(&part{entity: page, name: name})
	for e := range root.All() {
		if len(e.Parts) > 0 {
			continue
		}
		value, uri := e.Location(nil, u.outer)
		if err := checkLocation(value, uri); err != nil && checks {
			return fmt.Errorf("part %s: Content-Location %q %w: nothing is written", e.Section, value, err)
		}
		if e != page && (value != "" || e.ContentID() != "") {
			u.add(&part{entity: e, name: u.names.nameFor(e, cmp.Or(uri, value))})
		}
	}
	return nil
}

// add adds p to the parts.
func (u *unpacking) add(p *part) {
	u.parts = append(u.parts, p)
	u.partOf[p.entity] = p
}

// content returns the content of the file for p: its decoded bytes. If p is a document, edited is
// true and the links are edited. content also sets p.problem and p.missing.
func (u *unpacking) content(p *part) (data []byte, edited bool, err error) {
	leaf, err := p.entity.Leaf()
	if err != nil {
		return nil, false, err
	}
	p.problem = leaf.Problem
	if p.entity.Protected() == "encrypted" {
		return nil, false, errors.New("it is encrypted")
	}
	format := p.entity.Format()
	if format == extract.Unknown || format.ListOnly() || p.entity.Attached() {
		return slices.Clone(leaf.Data), false, nil
	}
	d := leaf.Doc(u.outer)
	if d.ReadOnly() {
		d = inUTF8(d)
		return append([]byte(utf8BOM), extract.Apply(nil, d.Data, u.edits(p, d))...), true, nil
	}
	data = extract.Apply(nil, leaf.Data, u.edits(p, d))
	return readableAlone(d, data), true, nil
}

// utf8BOM is the byte order mark in UTF-8.
const utf8BOM = "\xef\xbb\xbf"

// inUTF8 returns a copy of d in UTF-8. It is for charsets that absolink only reads
// (extract.Doc.ReadOnly), such as UTF-7. Browsers do not know these charsets.
func inUTF8(d *extract.Doc) *extract.Doc {
	return &extract.Doc{
		Format: d.Format, Data: slices.Clone(d.Scanned().Data), Charset: "utf-8",
		Layer: d.Layer, Part: d.Part, Cut: d.Cut, Options: d.Options,
	}
}

// edits returns the edits of d, the document of p. Links to parts become links to their files, and
// all other links become absolute. BASE is removed, because it would change the links to files. The
// attributes that keep a browser from loading files are removed too.
func (u *unpacking) edits(p *part, d *extract.Doc) []extract.Edit {
	var target *part // the part that the current link names, if its status is InMessage
	r := extract.Resolver{BaseElement: extract.DropBase}
	r.InMessage = func(value, uri []byte) bool {
		target = u.partOf[u.entityNamed(p.entity, value, uri)]
		return target != nil
	}
	var edits []extract.Edit
	var toFiles []int // offsets of links to files
	for l := range r.Links(d) {
		value := l.Stripped()
		if l.Status != extract.InMessage || l.ListOnly {
			if l.Status == extract.AbsoluteRef && p.entity.Missing(value) {
				p.missing++
			}
			edits = r.AppendEdits(edits, &l)
			continue
		}
		text := []byte(u.linkText(p, &l, target))
		if len(text) > 0 && l.Holds(text) {
			edits = append(edits, l.Edit(text))
			toFiles = append(toFiles, l.Span.Start)
		} else if u.single != nil && l.URI != nil && !isCID(value) && l.Holds(l.URI) {
			edits = append(edits, l.Edit(l.URI))
		}
	}
	if d.Format == extract.HTML || d.Format == extract.XHTML {
		slices.Sort(toFiles)
		edits = append(edits, removeGuards(d.Data, toFiles)...)
	}
	slices.SortStableFunc(edits, extract.Edit.Compare)
	return edits
}

// linkText returns the new text of l, a link in p to the part target: a reference to its file or
// its data: URL. It returns "" if l cannot be a data: URL.
func (u *unpacking) linkText(p *part, l *extract.Link, target *part) string {
	if u.single != nil {
		return u.embeddedText(p, l, target)
	}
	name := target.name
	value := l.Stripped()
	if i := bytes.IndexByte(value, '#'); i >= 0 {
		name += string(value[i:])
	}
	if !l.Holds([]byte(name)) {
		name = "./" + name // an import map does not accept a bare name
	}
	return name
}

// The message may state the charset of d, but a file has no such statement. So readableAlone
// returns data, the edited content of d, in a form that browsers read correctly from a file. An
// ASCII document, and a document that declares its charset, stay as they are. Any other document
// becomes UTF-8 with a byte order mark, if its charset can be decoded.
func readableAlone(d *extract.Doc, data []byte) []byte {
	name := d.Encoding()
	if declaresCharset(d.Format, data, name) {
		return data
	}
	decoder := charset.Decoder(name)
	if decoder == nil {
		return data
	}
	text, err := decoder.Bytes(data)
	if err != nil {
		return data
	}
	return append([]byte(utf8BOM), text...)
}

// declaresCharset reports whether data is ASCII, or declares its charset. Then browsers read it
// without the message. name is the charset.
func declaresCharset(f extract.Format, data []byte, name string) bool {
	ascii := make([]byte, 0, len(data)+2)
	for _, c := range data {
		if c < 0x80 {
			ascii = append(ascii, c)
		}
	}
	if len(ascii) == len(data) && !strings.HasPrefix(name, "utf-16") && !strings.HasPrefix(name, "iso-2022") {
		return true
	}
	// Without a declaration, Encoding guesses. The bytes in unlike lead the guess away from name.
	// So if Encoding returns name, data declares it.
	unlike := "\xc3\xa9" // looks like UTF-8
	if name == "utf-8" {
		unlike = "\xe9" // cannot be UTF-8
	}
	declared := extract.Doc{Format: f, Data: append(ascii, unlike...)}
	start := extract.Doc{Format: f, Data: data[:min(len(data), 3)]}
	return declared.Encoding() == name || bytes.HasPrefix(data, []byte(utf8BOM)) ||
		strings.HasPrefix(start.Encoding(), "utf-16")
}
