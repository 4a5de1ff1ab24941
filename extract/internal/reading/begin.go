package reading

import (
	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Reset prepares d for the next document, data, and keeps the memory of d. It makes t the text of
// the document: data itself, or data decoded. how says how the document may declare its charset.
// around are the layers around it, and section is its number in a message. Reset uses s to scan
// data. ok is false if the charset cannot be read.
func (d *Document) Reset(t *Text, data []byte, how charset.Declaration,
	around *base.Layer, section string, s *markup.Scanner) (ok bool) {
	d.trim()
	d.Refs.Reset(data)
	d.Bases, d.Robots, d.RawEnds, d.Problems, d.used = d.Bases[:0], d.Robots[:0], d.RawEnds[:0], d.Problems[:0], 0
	d.Texts = d.Texts[:0]
	d.Open = false
	d.Layers.Reset(around, section)
	d.charsets.Mail = section != ""
	e, unknown := d.charsets.Find(data, d.Transport, how, s)
	d.named = e
	d.Layers.Unknown = d.Unknown()
	if unknown {
		d.Problem(0, UnknownCharset)
		d.Problems[0].Detail = d.Layers.Unknown
	}
	d.Conflict = d.charsets.Conflict
	if d.Conflict {
		d.Problem(0, CharsetConflict)
		if d.charsets.Marked {
			d.Problems[len(d.Problems)-1].Detail = "the byte order mark counts"
		}
	}
	ok = e == nil || e.Form != charset.Opaque
	if !ok {
		d.Problem(0, UnsupportedCharset)
	}
	var mark *escape.Context
	if d.switches.Decode(&d.Whole, data, e) {
		data = d.Whole.Data
		mark = wide(e.Form)
	}
	t.clear()
	t.reset(d, data, ref.OuterLayer)
	t.Context = mark
	return ok
}

// wide returns the outermost context of a document in UTF-16, or nil for other charsets.
func wide(form charset.Form) *escape.Context {
	switch form {
	case charset.UTF16LE:
		return &escape.Context{Sheet: true, Wide: escape.UTF16LE}
	case charset.UTF16BE:
		return &escape.Context{Sheet: true, Wide: escape.UTF16BE}
	}
	return nil
}

// clear removes the values of t and of the texts inside it. It releases their memory if it is
// unusually large.
func (t *Text) clear() {
	for ; t != nil; t = t.inner {
		text.Trim(&t.Decoded)
		t.Decoded.Reset()
	}
}

// reset makes data the text of t. fallback is the number of the layer around it.
func (t *Text) reset(d *Document, data []byte, fallback int) {
	t.Doc, t.Data, t.Fallback = d, data, fallback
	t.Context, t.Outer, t.at, t.Rules, t.Dropped = nil, nil, 0, nil, t.Dropped[:0]
	t.Own = d.Layers.Add(base.None, "", fallback)
	t.Current = t.Own
	t.Element, t.Name, t.Rel, t.NoScript = "", nil, "", false
}

// Inside sets inner to the text of a document inside t. v is this document, and fallback is the
// number of the layer around it. Values that inner has decoded before stay in use. t keeps inner
// and reuses its memory.
func (t *Text) Inside(inner *Text, v Value, fallback int) {
	if !v.mapped {
		v = t.copied(v)
	}
	inner.reset(t.Doc, v.Bytes, fallback)
	inner.Outer = t
	inner.Depth = t.Depth + 1
	inner.at = v.start
	inner.Rules = t.Rules
	t.inner = inner
}

// copied returns v as a part of t.Decoded.
func (t *Text) copied(v Value) Value {
	c := t.Begin(v.Raw)
	t.Decoded.AppendSame(v.Raw.Start, v.Bytes)
	return t.Taken(c)
}
