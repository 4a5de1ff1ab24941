package page

import (
	"absolink/base"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Finder finds the references of one HTML text. The zero value is ready for Reset.
type Finder struct {
	reading.Text
	Scan  markup.Scanner
	Row   []uint8 // row of the table for the element of the current tag
	IDs   []uint8 // numbers in the table of the attributes of the current tag
	Marks bool    // the text is a bookmark file
	Other bool    // base elements do not count: the tag is XML outside the namespace of XHTML

	table     *place.Lookup
	codebase  int    // number of the layer of the codebase of the current tag, or 0 if it was not looked up yet
	lastRel   string // the last link types that were not empty
	based     int    // start of the tag of the base element that counts, or -1
	commented bool   // the text is in a comment
	noscript  bool   // the text is in a noscript element
	repeats   repeats
	versioned int // start of the name of the last tag that NoteXSLT has read
	script    script
	style     style
	visible   visible
	inner     *Finder // the finder for documents inside this text; reused
	frame     ref.Ref // memory for the reference from which a srcdoc gets its context
}

// repeats holds the shapes of the last URLs in attributes, so that the next URLs can use them.
type repeats struct {
	on    bool       // shapes are noted: the text is HTML, and it is the document itself
	text  uint32     // number of the current text
	noted [64]repeat // by a hash of element, attribute and link types
}

// repeat is the shape of the last URL in an attribute of one name.
type repeat struct {
	row   *place.Row
	shape uint32
	text  uint32 // repeats.text when the shape was noted; a shape of another text is void
}

// style is the current style element.
type style struct {
	skip  bool // its text is not CSS
	start int  // start of the text of an open svg style element, or 0
	depth int  // depth of that element
}

// script is the script element whose tag was read last.
type script struct {
	row *place.Row // row of its text, or nil
	at  int        // start of its name
}

// Reset prepares f to read f.Text, which the caller has set to the text of a document.
func (f *Finder) Reset() {
	f.based, f.commented, f.noscript, f.Other = -1, false, false, false
	f.Marks = BeginsBookmarks(f.Data)
	f.XSLT, f.versioned = false, 0
	f.style.start, f.script.at, f.repeats.on = 0, -1, false
	f.table = place.HTML()
	f.Scan.Filter = f.wants()
	f.Scan.Only = f.kinds()
	f.Scan.Reset(f.Data)
}

// inside returns the finder for v, a document inside this one. fallback is the number of the layer
// around it.
func (f *Finder) inside(v reading.Value, fallback int) *Finder {
	if f.inner == nil {
		f.inner = new(Finder)
	}
	f.Inside(&f.inner.Text, v, fallback)
	f.inner.Reset()
	f.inner.noscript = f.inNoScript()
	return f.inner
}

// inNoScript reports whether the current token is in a noscript element. Browsers that run scripts
// treat the content of noscript as text.
func (f *Finder) inNoScript() bool { return f.noscript || f.Scan.NoScript > 0 }

// wants returns the filter of the scanner. A nil filter takes all tags.
func (f *Finder) wants() *markup.Filter {
	if f.readsText() {
		return nil
	}
	return f.table.WantFor(f.Doc.Options.Lazy, f.Doc.Options.Scripts)
}

// ReadsComments reports whether f reads comments.
func (f *Finder) ReadsComments() bool {
	return f.Doc.Options.Comments || f.Doc.Options.ConditionalComments
}

// kinds returns the kinds of tokens that f reads.
func (f *Finder) kinds() markup.Kinds {
	if f.readsText() {
		return 0 // any token may end a piece of text
	}
	if f.ReadsComments() {
		return markup.Set(markup.StartTag, markup.RawText, markup.Comment)
	}
	return markup.Set(markup.StartTag, markup.RawText)
}

// Enter begins a tag. element is "" if the table has no row for the element. The link types and the
// codebase of the tag are looked up later.
func (f *Finder) Enter(row []uint8, element string) {
	f.Row, f.Element, f.Rel, f.codebase = row, element, "", 0
}

// RowOf returns the row with number n in the matrix. If several rows share the place, it returns
// the one that applies to the element. It returns nil without a row, or if the options or
// the format leave the row out.
func (f *Finder) RowOf(n uint8) *place.Row {
	if n == 0 {
		return nil
	}
	p := place.RowAt(n)
	if c := place.ChoiceOf(n); c != nil {
		best := len(c.Rows)
		for i := range c.Tests {
			if a := f.Attribute(c.Tests[i].Attr); a != nil {
				best = c.Tests[i].Find(text.Stripped(f.AttrBytes(a)), best)
			}
		}
		p = c.Row(best)
	}
	if p == nil || p.Default == place.Bookmarks && !f.Marks || p.Default == place.Lazy && !f.Doc.Options.Lazy ||
		p.Default == place.Scripts && !f.Doc.Options.Scripts {
		return nil
	}
	return p
}

// Attribute returns the attribute with a number, or nil.
func (f *Finder) Attribute(id uint8) *markup.Attr {
	for i, n := range f.IDs {
		if n == id {
			return &f.Scan.Attrs[i]
		}
	}
	return nil
}

// layerFor returns the number of the layer against which references in a place are resolved.
func (f *Finder) layerFor(p *place.Row) int {
	switch p.Base {
	case place.BaseOuter:
		return f.Fallback
	case place.BaseSoFar:
		if f.based < 0 {
			return f.Fallback
		}
	case place.BaseCodebase:
		if !f.Doc.Options.HTML5Objects {
			return f.codebaseLayer()
		}
	}
	return f.Current
}

// codebaseLayer returns the number of the layer of the element's codebase.
func (f *Finder) codebaseLayer() int {
	if f.codebase == 0 {
		f.codebase = f.Current
		if a := f.Attribute(place.AttrCodebase); a != nil {
			value := f.Doc.Intern(f.AttrBytes(a))
			f.codebase = f.Doc.Layers.Add(base.Codebase, value, f.Current)
		}
	}
	return f.codebase
}
