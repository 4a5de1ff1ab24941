package extract

import (
	"bytes"
	"slices"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
)

// The search for a declared charset follows what browsers do rather than the
// prescan of the HTML Standard (13.2.3.2), which ends after 1024 bytes: the tags
// of the head are read to its end, however long it is, and in any case the first
// 1024 bytes. Raw text and comments hold no declaration.

// declarations are the attributes that matter to the search.
var declarations = func() *markup.Filter {
	f := markup.NewFilter()
	f.Attrs("meta", "charset", "http-equiv", "content")
	f.Tags()
	return f
}()

// minPrescan is how many bytes are searched even outside of the head.
const minPrescan = 1024

// htmlCharset returns the charset that d declares in a meta element, or if it declares none
// there, in an XML declaration; nil if it declares none.
func (d *Doc) htmlCharset() *charset.Encoding {
	switch {
	case bytes.HasPrefix(d.Data, []byte("<\x00?\x00x\x00")):
		return d.sets.get(labelUTF16LE)
	case bytes.HasPrefix(d.Data, []byte("\x00<\x00?\x00x")):
		return d.sets.get(labelUTF16BE)
	}
	if cs := d.prescan(); cs != nil {
		return cs
	}
	cs := d.sets.get(xmlEncoding(d.Data))
	if cs != nil && wideForm(cs) != narrow {
		return d.sets.get(labelUTF8)
	}
	return cs
}

// xmlEncoding returns the label in what looks like an XML declaration at the start of data
// ("get an XML encoding", HTML 13.2.3.2), nil if there is none. It is less strict than XML.
func xmlEncoding(data []byte) []byte {
	end := bytes.IndexByte(data, '>')
	if end < 0 || !bytes.HasPrefix(data, []byte("<?xml")) {
		return nil
	}
	_, rest, _ := bytes.Cut(data[:end], []byte("encoding"))
	rest, ok := bytes.CutPrefix(trimLow(rest), []byte("="))
	rest = trimLow(rest)
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil
	}
	label, _, closed := bytes.Cut(rest[1:], rest[:1])
	if !closed || slices.ContainsFunc(label, func(c byte) bool { return c <= ' ' }) {
		return nil
	}
	return label
}

// trimLow drops white space and controls from the start of b.
func trimLow(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	return b
}

// prescan returns the charset that a meta element of d declares, nil if it declares none.
func (d *Doc) prescan() *charset.Encoding {
	if d.root == nil {
		d.root = &finder{doc: d}
	}
	s := &d.root.scan
	s.Filter, s.Only = declarations, 0
	s.Reset(d.Data)
	for inHead := true; inHead || s.Offset() < minPrescan; {
		k := s.Next()
		if k == markup.EOF {
			return nil
		}
		if k != markup.StartTag && k != markup.EndTag {
			continue
		}
		name := d.Data[s.NameStart:s.NameEnd]
		if k == markup.StartTag && bytes.EqualFold(name, []byte("meta")) {
			if cs := d.declared(s); cs != nil {
				return cs
			}
		}
		inHead = inHead && headTag(name, k == markup.StartTag)
	}
	return nil
}

// headTag reports whether a tag can stand in a head, or begins one.
func headTag(name []byte, start bool) bool {
	var buf [longestName]byte
	switch string(appendLower(buf[:0], name)) {
	case "script", "noscript", "style", "link", "meta", "object", "title", "base":
		return true
	case "html", "head":
		return start
	}
	return false
}

// declared returns the charset that the meta element scanned declares.
func (d *Doc) declared(s *markup.Scanner) *charset.Encoding {
	var label, content []byte
	pragma, scratch := false, d.scratch[:0]
	for i := range s.Attrs {
		a := &s.Attrs[i]
		value := d.Data[a.Start:a.End]
		if bytes.IndexByte(value, '&') >= 0 {
			start := len(scratch)
			scratch = markup.AppendUnescaped(scratch, value, true)
			value = scratch[start:]
		}
		switch name := d.Data[a.NameStart:a.NameEnd]; {
		case bytes.EqualFold(name, []byte("charset")):
			label = value
		case bytes.EqualFold(name, []byte("content")):
			content = value
		case bytes.EqualFold(name, []byte("http-equiv")):
			pragma = bytes.EqualFold(value, []byte("content-type"))
		}
	}
	d.scratch = scratch
	if label == nil && pragma {
		label = charsetOf(content)
	}
	return d.metaCharset(label)
}

// metaCharset returns the charset for a label in the document itself: one that
// says UTF-16 cannot be right (13.2.3.2).
func (d *Doc) metaCharset(label []byte) *charset.Encoding {
	cs := d.sets.get(label)
	switch {
	case cs == nil:
		return nil
	case wideForm(cs) != narrow:
		return d.sets.get(labelUTF8)
	case cs.Name == "x-user-defined":
		return d.sets.get(labelLatin)
	}
	return cs
}

// charsetOf returns the label in the content of a meta element (HTML 2.7.6), nil
// if there is none.
func charsetOf(content []byte) []byte {
	for {
		n := indexFold(content, "charset")
		if n < 0 {
			return nil
		}
		content = content[n+len("charset"):]
		i := skipBlank(content, 0)
		if i == len(content) || content[i] != '=' {
			continue
		}
		return charsetValue(content[skipBlank(content, i+1):])
	}
}

// charsetValue returns the label at the start of b, with or without quotes.
func charsetValue(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	if b[0] == '"' || b[0] == '\'' {
		n := bytes.IndexByte(b[1:], b[0])
		if n < 0 {
			return nil
		}
		return b[1 : 1+n]
	}
	if n := bytes.IndexAny(b, "\t\n\f\r ;"); n >= 0 {
		return b[:n]
	}
	return b
}

// indexFold returns the first index of word, which is lower case, in b in any case.
func indexFold(b []byte, word string) int {
	for i := 0; i+len(word) <= len(b); i++ {
		if hasPrefixFold(b[i:], word) {
			return i
		}
	}
	return -1
}
