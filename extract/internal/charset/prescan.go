package charset

import (
	"bytes"
	"slices"
	"sync"

	"absolink/extract/internal/byteset"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The search for a declared charset follows browsers rather than the prescan of the HTML Standard
// (13.2.3.2), which ends after 1024 bytes. It reads the tags of the head to its end, however long
// the head is, and at least the first 1024 bytes. Declarations in raw text and comments do not
// count.

// metaFilter keeps the attributes that the search needs.
var metaFilter = sync.OnceValue(func() *markup.Filter {
	f := markup.NewFilter()
	f.Attrs("meta", "charset", "http-equiv", "content")
	f.Tags()
	return f
})

// minPrescan is the number of bytes that are searched even outside of the head.
const minPrescan = 1024

// fromHTML returns the charset that a meta element declares, or else the charset of an XML
// declaration, or nil.
func (f *Finder) fromHTML(data []byte, s *markup.Scanner) *Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00?\x00x\x00")):
		return f.lookUp(labelUTF16LE)
	case bytes.HasPrefix(data, []byte("\x00<\x00?\x00x")):
		return f.lookUp(labelUTF16BE)
	}
	if e := f.prescan(data, s); e != nil {
		return e
	}
	return f.fromDocument(xmlEncoding(data))
}

// prescan returns the charset that a meta element declares, or nil.
func (f *Finder) prescan(data []byte, s *markup.Scanner) *Encoding {
	if len(data) <= shortDocument && !mayHoldMeta(data) {
		return nil
	}
	s.Filter = metaFilter()
	s.Only = 0
	s.Reset(data)
	for inHead := true; inHead || s.Offset() < minPrescan; {
		k := s.Next()
		if k == markup.EOF {
			return nil
		}
		if k != markup.StartTag && k != markup.EndTag {
			continue
		}
		name := data[s.NameStart:s.NameEnd]
		if k == markup.StartTag && bytes.EqualFold(name, []byte("meta")) {
			if e := f.declaredInMeta(data, s); e != nil {
				return e
			}
		}
		inHead = inHead && isHeadTag(name, k == markup.StartTag)
	}
	return nil
}

// shortDocument is the size in bytes up to which a document is first searched as a whole for the
// beginning of a meta element.
const shortDocument = 4 << 10

// metaBegins are the beginnings of tags whose name begins with m.
var metaBegins = [...]*byteset.Pair{byteset.NewPair("<", "m", "m"), byteset.NewPair("<", "M", "M")}

// mayHoldMeta reports whether a tag in data may begin a meta element: its name begins with m.
func mayHoldMeta(data []byte) bool {
	for _, begin := range metaBegins {
		search := begin.In(data)
		if search.From(0) < len(data) {
			return true
		}
	}
	return false
}

// isHeadTag reports whether a tag can be in a head, or begins a head.
func isHeadTag(name []byte, start bool) bool {
	var buf [len("noscript")]byte
	if len(name) > len(buf) {
		return false
	}
	switch string(text.AppendLower(buf[:0], name)) {
	case "script", "noscript", "style", "link", "meta", "object", "title", "base":
		return true
	case "html", "head":
		return start
	}
	return false
}

// declaredInMeta returns the charset that the current meta element declares, or nil.
func (f *Finder) declaredInMeta(data []byte, s *markup.Scanner) *Encoding {
	var label, content []byte
	pragma, scratch := false, f.scratch[:0]
	for i := range s.Attrs {
		a := &s.Attrs[i]
		value := data[a.Start:a.End]
		if bytes.IndexByte(value, '&') >= 0 {
			start := len(scratch)
			scratch = markup.AppendUnescaped(scratch, value, true)
			value = scratch[start:]
		}
		switch name := data[a.NameStart:a.NameEnd]; {
		case bytes.EqualFold(name, []byte("charset")):
			label = value
		case bytes.EqualFold(name, []byte("content")):
			content = value
		case bytes.EqualFold(name, []byte("http-equiv")):
			pragma = bytes.EqualFold(value, []byte("content-type"))
		}
	}
	f.scratch = scratch
	if label == nil && pragma {
		label = labelIn(content)
	}
	return f.fromMeta(label)
}

// fromMeta returns the charset for the label in a meta element (13.2.3.2), or nil.
func (f *Finder) fromMeta(label []byte) *Encoding {
	e := f.fromDocument(label)
	if e != nil && e.Name == "x-user-defined" {
		return f.lookUp(labelLatin)
	}
	return e
}

// labelIn returns the label in the content of a meta element (HTML 2.7.6), or nil.
func labelIn(content []byte) []byte {
	for {
		n := text.IndexFold(content, "charset")
		if n < 0 {
			return nil
		}
		content = content[n+len("charset"):]
		i := text.SkipBlank(content, 0)
		if i == len(content) || content[i] != '=' {
			continue
		}
		return labelAt(content[text.SkipBlank(content, i+1):])
	}
}

// labelAt returns the label at the start of b, with or without quotes.
func labelAt(b []byte) []byte {
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

// xmlEncoding returns the label in a text like an XML declaration at the start of data ("get an XML
// encoding", HTML 13.2.3.2), or nil. It is less strict than XML.
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

// trimLow returns b without the white space and controls at its start.
func trimLow(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	return b
}
