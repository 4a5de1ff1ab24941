package extract

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/resolve/ascii"
)

// Comments hide markup. That of conditional comments is shown by the mail
// programs of an office suite, and is read in messages; that of all others, and of
// conditional ones in pages, is read with Options.Comments. Either is a text of its
// own inside the document, against whose base it is resolved; a BASE in it does not count.
// In XML it is read in the same way, as the HTML that it mostly is; two hyphens, which no
// comment of XML can hold (XML 1.0 production 15), are never written there.

// readsComments reports whether f looks at comments.
func (f *finder) readsComments() bool { return f.doc.Options.Comments || f.doc.Part != "" }

// kinds returns the kinds of tokens that f looks at.
func (f *finder) kinds() markup.Kinds {
	if f.readsComments() {
		return markup.Set(markup.StartTag, markup.RawText, markup.Comment)
	}
	return markup.Set(markup.StartTag, markup.RawText)
}

// comment looks at the comment that was scanned.
func (f *finder) comment() {
	s := &f.scan
	if !bytes.HasPrefix(f.data[s.Start:], []byte("<!--")) {
		return // a declaration that means nothing
	}
	if hidden, ok := conditional(f.data, Span{s.TextStart, s.TextEnd}); ok {
		f.hidden(hidden)
	} else if f.doc.Options.Comments {
		f.hidden(Span{s.TextStart, s.TextEnd})
	}
}

// conditional returns what is hidden by the text of a comment that begins with
// [if …]> and ends with <![endif].
func conditional(data []byte, text Span) (hidden Span, ok bool) {
	text = trimmed(data, text)
	b := data[text.Start:text.End]
	end := len(b) - len("<![endif]")
	if !hasPrefixFold(b, "[if") || end < 0 || !isFold(b[end:], "<![endif]") {
		return Span{}, false
	}
	start := bytes.Index(b[:end], []byte("]>"))
	if start < 0 {
		return Span{}, false
	}
	return Span{text.Start + start + len("]>"), text.Start + end}, true
}

// hidden reads the markup that stands in a comment.
func (f *finder) hidden(s Span) {
	if f.depth == maxSrcdoc {
		f.doc.problem(f.source(s).Start, "srcdoc-too-deep")
		return
	}
	v := f.sheetText(s.Start, s.End)
	if !v.mapped {
		v = f.copied(v)
	}
	in := f.inside(v, f.late)
	in.commented = true
	in.place = &place{outer: f.place, comment: true}
	in.html()
}

// commented reports whether p is in markup in a comment.
func (p *place) commented() bool {
	for ; p != nil; p = p.outer {
		if p.comment {
			return true
		}
	}
	return false
}

// inside returns the finder for a document inside of this one: v, around which
// the layer number early lies.
func (f *finder) inside(v value, early int) *finder {
	if f.inner == nil {
		f.inner = &finder{doc: f.doc, depth: f.depth + 1}
	}
	in := f.inner
	in.reset(v.bytes, early)
	in.outer, in.at, in.xmlDoc = f, v.start, f.xmlDoc
	return in
}

// enclosed reports whether something else than ">" stands behind every reference at p,
// whatever it is.
func (p *place) enclosed() bool {
	switch p.list {
	case angleForm, guessForm, textForm:
		return false
	}
	return p.quote != 0 || p.sheet
}

// appendCommented appends b, which is ready for the markup in a comment, so that the
// comment does not end in it, nor behind it where it is not enclosed: "-->" and "--!>"
// end one.
func appendCommented(dst, b []byte, enclosed bool) []byte {
	for i, c := range b {
		last := i == len(b)-1 && !enclosed
		if c == '>' || last && (c == '-' || c == '!' && (i == 0 || b[i-1] == '-')) {
			dst = ascii.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
