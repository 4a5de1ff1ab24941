package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/reading"
	own "absolink/extract/internal/text"
)

// Pieces of HTML depend on each other: a BASE holds for all of them, and a picture may have its
// source in one piece and its img in the next. So the Finder of package page reads a copy of the
// document in which only the HTML is left, and everything else is blank. The offsets are the same.
//
// A reference with a line end in it is only listed. An edit would join the lines, and a line with a
// whole tag may begin a block (CommonMark 4.6). A backquote or a new '|' in a tag could end a code
// span or a cell of a table, so Context.Markdown makes edits write both as character references.

// withHTMLOnly calls read while f.Data is a copy of the document with only the HTML in it. Blanks
// replace everything else, except for line feeds. If the document has no HTML, read is not called.
func (f *finder) withHTMLOnly(read func()) {
	if len(f.found.html) == 0 {
		return
	}
	slices.SortFunc(f.found.html, func(a, b text.Segment) int { return a.Start - b.Start })
	whole := f.Data
	f.Data = bytes.Repeat([]byte{' '}, len(whole))
	for _, s := range f.found.html {
		copy(f.Data[f.start+s.Start:], whole[f.start+s.Start:f.start+s.Stop])
	}
	for i, c := range whole {
		if c == '\n' {
			f.Data[i] = c
		}
	}
	f.Finder.Reset()
	read()
	f.Data = whole
}

// addHTML adds the references in HTML.
func (f *finder) addHTML() {
	f.withHTMLOnly(func() {
		f.HTML()
		f.completeHTML()
	})
}

// completeHTML completes the references in HTML, which are in f.Doc.
func (f *finder) completeHTML() {
	refs := &f.Doc.Refs
	refs.MarkUnsafe(func(at own.Span) bool {
		hasLineEnd := bytes.IndexByte(refs.Data[at.Start:at.End], '\n') >= 0
		if hasLineEnd {
			f.Doc.EachProblem(at.Start, reading.DisputedMarkdown)
		}
		return hasLineEnd
	})
	for i := range refs.Shapes {
		c := &refs.Shapes[i].Context
		c.Markdown = isInAttribute(c)
	}
}

// isInAttribute reports whether a reference is in an attribute of the HTML, perhaps inside a srcdoc
// there. Only in an attribute, a character reference is decoded.
func isInAttribute(c *escape.Context) bool {
	inAttribute := !c.Sheet
	for o := c.Outer; o != nil; o = o.Outer {
		if !o.Comment && !o.Literal && o.Wide == escape.Narrow {
			inAttribute = !o.Sheet
		}
	}
	return inAttribute
}
