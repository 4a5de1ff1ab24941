package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/reading"
	own "absolink/extract/internal/text"
)

// Pieces of HTML depend on each other: a BASE holds for all of them, and a picture may have its
// source in one piece and its img in the next. So the HTML finder reads a copy of the document in
// which only the HTML is left, and everything else is blank. The offsets are the same.
//
// An edit must not join lines, because a line with a whole tag may begin a block (CommonMark 4.6).
// A backquote or a bar in a tag could end code or a cell of a table, so Context.Markdown makes
// edits write them as character references.

// blank replaces everything in f.Data by blanks, except for the HTML and line feeds, and returns
// true. It returns false if there is no HTML.
func (f *finder) blank() bool {
	if len(f.found.html) == 0 {
		return false
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
	return true
}

// readHTML adds the references in HTML.
func (f *finder) readHTML() {
	whole := f.Data
	if !f.blank() {
		return
	}
	f.HTML()
	f.Data = whole
	refs := &f.Doc.Refs
	refs.MarkUnsafe(func(at own.Span) bool {
		n := bytes.IndexByte(refs.Data[at.Start:at.End], '\n')
		if n >= 0 {
			f.Doc.Problem(at.Start, reading.DisputedMarkdown)
		}
		return n >= 0
	})
	if f.Context == nil {
		for i := range refs.Shapes {
			c := &refs.Shapes[i].Context
			c.Markdown = !c.Sheet
		}
	}
}
