// Package unpack turns an MHTML page, or a message with a page and its pictures, into files
// that a browser opens from a disk.
//
//	p, err := unpack.Read(ctx, "page.mht", os.Stdin, unpack.Options{Outer: outer})
//	if err != nil {
//		return err // nothing can be made of it
//	}
//	err = p.Write(dir)
//
// The page becomes index.html, and each part that a reference can name becomes a file beside it.
// Links between the parts lead to the files, all others are absolute. Nothing is written before
// everything is checked. A page in one file has its parts as data: URLs.
//
//	file.go     the message in a file
//	unpack.go   the parts that become files, and their content
//	name.go     the names of the files
//	single.go   the parts as data: URLs
//	guard.go    attributes that would keep a browser from loading them
//	write.go    writing them
package unpack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
)

// Page is a message as files.
type Page struct {
	Files    []File   // the first is the page
	Problems []string // messages about parts, such as those that were left out
	Missing  int      // number of cid: references to missing parts, which stay as they are
}

// File is one file of a page.
type File struct {
	Name string // without directories; no two names differ only in case
	Data []byte
}

// Plan returns the files of m. The error says why m cannot become files: it has no page, or the
// name of a part leads out of the directory or names a device.
func Plan(m *mime.Message, o Options) (*Page, error) {
	u := &unpacking{outer: o.Outer, files: make(map[*mime.Entity]*part), partNamed: m.Parts(nil, o.Outer)}
	page := pageOf(m.Root)
	if page == nil {
		return nil, errors.New("holds no page: no part of it is text/html")
	}
	if err := u.collect(page, m.Root, !o.Single); err != nil {
		return nil, err
	}
	if o.Single {
		return u.planSingle(u.files[page])
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
	name    string // of the file
	problem string // of its content, for Page.Problems
	missing int    // number of cid: references in it to missing parts
}

// unpacking has the parts of a message that become files, and their names.
type unpacking struct {
	outer     *base.Layer
	parts     []*part
	files     map[*mime.Entity]*part
	partNamed func(e *mime.Entity, value, uri []byte) *mime.Entity // returns the part that a reference in e names
	names     names

	single   *embedding // nil unless the page is one file; then problems and missing are about its parts
	problems []string
	missing  int
}

// pageOf returns the page of a message: the part that the start parameter of a multipart/related
// names, else the first HTML part that is not an attachment, or nil.
func pageOf(root *mime.Entity) *mime.Entity {
	var first *mime.Entity
	for e := range root.All() {
		if start := strings.Trim(e.Param("start"), "<> \t"); e.MediaType() == "multipart/related" && start != "" {
			for _, p := range e.Parts {
				if p.HTML() && p.ContentID() == start {
					return p
				}
			}
		}
		if kind, _ := e.Disposition(); first == nil && e.HTML() && len(e.Parts) == 0 && kind != "attachment" {
			first = e
		}
	}
	return first
}

// collect adds the page, and all parts that a reference can name. If files is set, the error names
// a part that must not become a file.
func (u *unpacking) collect(page, root *mime.Entity, files bool) error {
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
		if err := checkLocation(value, uri); err != nil && files {
			return fmt.Errorf("part %s: Content-Location %q %w: nothing is written", e.Section, value, err)
		}
		if e != page && (value != "" || e.ContentID() != "") {
			u.add(&part{entity: e, name: u.names.nameFor(e, cmp.Or(uri, value))})
		}
	}
	return nil
}

// add adds a part.
func (u *unpacking) add(p *part) {
	u.parts = append(u.parts, p)
	u.files[p.entity] = p
}

// content returns the content of the file for p: the decoded bytes, with edited links if p is a
// document. edited says that p is a document.
func (u *unpacking) content(p *part) (data []byte, edited bool, err error) {
	leaf, err := p.entity.Leaf()
	if err != nil {
		return nil, false, err
	}
	p.problem = leaf.Problem
	if reason := p.entity.Protected(); reason == "encrypted" {
		return nil, false, errors.New("it is encrypted")
	}
	format := p.entity.Format()
	if format == extract.Unknown || format.ListOnly() || p.entity.Attached() {
		return slices.Clone(leaf.Data), false, nil
	}
	d := leaf.Doc(u.outer)
	if d.ReadOnly() {
		d = inUTF8(d)
		return append([]byte(mark), extract.Apply(nil, d.Data, u.edits(p, d))...), true, nil
	}
	data = extract.Apply(nil, leaf.Data, u.edits(p, d))
	return utf8Marked(d, data), true, nil
}

// mark is the byte order mark of UTF-8.
const mark = "\xef\xbb\xbf"

// inUTF8 returns a copy of d in UTF-8. It is for charsets that are never written, and that browsers
// do not know.
func inUTF8(d *extract.Doc) *extract.Doc {
	return &extract.Doc{
		Format: d.Format, Data: slices.Clone(d.Scanned().Data), Charset: "utf-8",
		Layer: d.Layer, Part: d.Part, Cut: d.Cut, Options: d.Options,
	}
}

// edits returns the edits of the document d of p. Links to parts become links to their files, and
// all others become absolute. The BASE, which would change the links to files, is removed. So are
// the attributes that keep a browser from loading files.
func (u *unpacking) edits(p *part, d *extract.Doc) []extract.Edit {
	var file *part // file of the current link, if its status is InMessage
	r := extract.Resolver{BaseElement: extract.DropBase}
	r.InMessage = func(value, uri []byte) bool {
		file = u.files[u.partNamed(p.entity, value, uri)]
		return file != nil
	}
	var edits []extract.Edit
	var files []int // offsets of links to files
	for l := range r.Links(d) {
		value := l.Stripped()
		if l.Status != extract.InMessage || l.ListOnly {
			if l.Status == extract.AbsoluteRef && p.entity.Missing(value) {
				p.missing++
			}
			edits = r.AppendEdits(edits, &l)
			continue
		}
		name := u.nameOf(p, &l, file)
		if name != "" && l.Holds([]byte(name)) {
			edits = append(edits, l.Edit([]byte(name)))
			files = append(files, l.Span.Start)
		} else if u.single != nil && l.URI != nil && !isCID(value) && l.Holds(l.URI) {
			edits = append(edits, l.Edit(l.URI))
		}
	}
	if d.Format == extract.HTML || d.Format == extract.XHTML {
		slices.Sort(files)
		edits = append(edits, removeGuards(d.Data, files)...)
	}
	slices.SortStableFunc(edits, extract.Edit.Compare)
	return edits
}

// nameOf returns the text of l, a link in p to file, or "" if there is none.
func (u *unpacking) nameOf(p *part, l *extract.Link, file *part) string {
	if u.single != nil {
		return u.embedded(p, l, file)
	}
	name := file.name
	value := l.Stripped()
	if i := bytes.IndexByte(value, '#'); i >= 0 {
		name += string(value[i:])
	}
	if !l.Holds([]byte(name)) {
		name = "./" + name // an import map does not accept other names
	}
	return name
}

// utf8Marked returns data, the edited content of d, in a form that is read in the charset of d
// without the message. If nothing in data gives the charset, the result is UTF-8 with a byte order
// mark. ASCII documents, and documents that declare their charset, stay as they are.
func utf8Marked(d *extract.Doc, data []byte) []byte {
	name := d.Encoding()
	if declaresCharset(d.Format, data, name) {
		return data
	}
	e, err := htmlindex.Get(name)
	if err != nil { // only mail has this charset
		e, err = ianaindex.MIME.Encoding(name)
	}
	if e == nil || err != nil {
		return data
	}
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return data
	}
	return append([]byte(mark), text...)
}

// declaresCharset reports whether a browser reads data in the charset name without the message:
// data declares the charset, or is ASCII.
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
	other := "\xc3\xa9" // makes a document without a declaration look like UTF-8
	if name == "utf-8" {
		other = "\xe9" // makes it look unlike UTF-8
	}
	declared := extract.Doc{Format: f, Data: append(ascii, other...)}
	marked := extract.Doc{Format: f, Data: data[:min(len(data), 3)]}
	return declared.Encoding() == name || bytes.HasPrefix(data, []byte(mark)) ||
		strings.HasPrefix(marked.Encoding(), "utf-16")
}
