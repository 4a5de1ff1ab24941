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
	Row   []uint8 // of the table, for the element of the tag being read
	IDs   []uint8 // numbers of its attributes in the table
	Other bool    // a base element is one of another language here: XML without the namespace of XHTML

	table     *place.Lookup
	codebase  int    // number of the layer of the codebase of the tag being read, 0 = not looked for
	lastRel   string // link types that were not empty
	based     int    // where the tag of the base element that counts begins; -1 = none yet
	commented bool   // the text stands in a comment
	noscript  bool   // the text stands in a noscript element
	repeats   repeats
	script    script
	style     style
	inner     *Finder // for documents inside, kept for the next one
	frame     ref.Ref // scratch: the reference that a srcdoc would be
}

// repeats are the shapes of the last URLs in attributes of a text.
type repeats struct {
	on    bool       // the text is HTML, and the document itself: shapes are noted
	text  uint32     // number of the text that is read
	noted [64]repeat // by a hash of element, attribute and link types
}

// repeat is the shape of the last URL in an attribute of some name.
type repeat struct {
	row   *place.Row
	shape uint32
	text  uint32 // repeats.text when it was noted: that of another text is void
}

// style is the style element that is read.
type style struct {
	skip  bool // it is of another language
	start int  // where the text of an open svg style element begins, 0 = none
	depth int  // how deep that element is
}

// script is the script element whose tag was read last.
type script struct {
	row *place.Row // of its text, nil = none
	at  int        // where its name begins
}

// Reset makes f read its Text, which the caller has made that of a document.
func (f *Finder) Reset() {
	f.based, f.commented, f.noscript, f.Other = -1, false, false, false
	f.style.start, f.script.at, f.repeats.on = 0, -1, false
	f.table = place.HTML()
	f.Scan.Filter = f.wants()
	f.Scan.Only = f.kinds()
	f.Scan.Reset(f.Data)
}

// inside returns the finder for a document inside of this one: v, around which
// the layer number fallback lies.
func (f *Finder) inside(v reading.Value, fallback int) *Finder {
	if f.inner == nil {
		f.inner = new(Finder)
	}
	f.Inside(&f.inner.Text, v, fallback)
	f.inner.Reset()
	f.inner.noscript = f.inNoScript()
	return f.inner
}

// inNoScript reports whether the token that was read stands in a noscript element, in the text
// of which browsers that run scripts look for nothing but its end tag.
func (f *Finder) inNoScript() bool { return f.noscript || f.Scan.NoScript > 0 }

// wants returns what the scanner keeps.
func (f *Finder) wants() *markup.Filter {
	return f.table.WantFor(f.Doc.Options.Lazy, f.Doc.Options.Scripts)
}

// ReadsComments reports whether f looks at comments.
func (f *Finder) ReadsComments() bool {
	return f.Doc.Options.Comments || f.Doc.Options.ConditionalComments
}

// kinds returns the kinds of tokens that f looks at.
func (f *Finder) kinds() markup.Kinds {
	if f.ReadsComments() {
		return markup.Set(markup.StartTag, markup.RawText, markup.Comment)
	}
	return markup.Set(markup.StartTag, markup.RawText)
}

// Enter begins a tag of an element, "" if the table has no row for it by itself. Its link
// types and codebase are not looked for yet.
func (f *Finder) Enter(row []uint8, element string) {
	f.Row, f.Element, f.Rel, f.codebase = row, element, "", 0
}

// RowOf returns the row of the table with a number from the matrix, or that of the
// same place that applies to the element; nil if there is none or the options
// leave it out.
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
	if p == nil || p.Default == place.Lazy && !f.Doc.Options.Lazy ||
		p.Default == place.Scripts && !f.Doc.Options.Scripts {
		return nil
	}
	return p
}

// Attribute returns the attribute of a number, nil if there is none.
func (f *Finder) Attribute(id uint8) *markup.Attr {
	for i, n := range f.IDs {
		if n == id {
			return &f.Scan.Attrs[i]
		}
	}
	return nil
}

// layerFor returns the number of the layer that a place is resolved against.
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
