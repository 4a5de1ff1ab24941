package escape

import (
	"bytes"

	"absolink/extract/internal/json"
	"absolink/resolve/ascii"
)

// Append appends uri as it is written at p. It keeps neither slice.
func (p *Context) Append(dst, uri []byte) []byte {
	switch {
	case *p == Context{Quote: p.Quote}: // the whole value of an attribute, the usual case
		return appendAttribute(dst, uri, p.Quote)
	case p.Roman != 0:
		return p.Roman.append(dst, p.appendASCII(nil, uri))
	}
	return p.appendASCII(dst, uri)
}

// appendASCII does the work of Append for an encoding in which ASCII is literal.
func (p *Context) appendASCII(dst, uri []byte) []byte {
	if p.List == Destination || p.List == Pointed {
		uri = appendDestination(nil, uri, p.List, p.LineStart, p.Bars)
	} else if (p.List != Single || p.Token != NoToken) && !inList(uri) {
		if p.List != Single {
			uri = appendListed(nil, uri, p.List, p.Inner)
		}
		uri = p.Token.append(uri, p.Inner)
		if p.List == Variables {
			uri = bytes.ReplaceAll(uri, []byte(`\u007b`), []byte("{")) // in JSON no template literal begins so
		}
	}
	if p.Outer == nil && !p.Markdown {
		return p.appendHTML(dst, uri, p.Open&1 > 0)
	}
	return p.appendOuter(dst, p.appendHTML(nil, uri, p.Open&1 > 0))
}

// appendOuter appends b, which is ready for its own document, with the escapes of the documents,
// the Markdown and the encoding around it.
func (p *Context) appendOuter(dst, b []byte) []byte {
	open := p.Open
	for o := p.Outer; o != nil; o = o.Outer {
		open >>= 1
		switch {
		case o.XML:
			b = o.appendXML(nil, b, p.CDATA)
		case o.Literal:
			b = json.AppendString(nil, b)
		case o.Comment:
			b = appendCommented(nil, b, p.enclosed())
		default:
			b = o.appendHTML(nil, b, open&1 > 0)
		}
	}
	if p.Markdown {
		b = appendInMarkdown(nil, b, p.Bars)
	}
	for o := p; o != nil; o = o.Outer {
		if o.Wide != Narrow {
			return o.Wide.append(dst, b)
		}
	}
	return append(dst, b...)
}

// appendHTML appends uri with the escapes of the attribute value. open means that a character
// reference without its semicolon precedes uri; the first byte must not continue it.
func (p *Context) appendHTML(dst, uri []byte, open bool) []byte {
	switch {
	case p.XML:
		return p.appendXML(dst, uri, p.CDATA)
	case p.Sheet:
		return append(dst, uri...)
	case open && len(uri) > 0 && (ascii.Alnum.Has(uri[0]) || uri[0] == '=' || uri[0] == ';'):
		dst = appendNumeric(dst, rune(uri[0]))
		return appendAttribute(dst, uri[1:], p.Quote)
	case p.Bare == BareAbsent:
		return append(appendAttribute(append(dst, `="`...), uri, '"'), '"')
	case p.Bare == BareWhole && (needsQuotes(uri) || p.Outer.Commented()):
		return append(appendAttribute(append(dst, '"'), uri, '"'), '"')
	}
	return appendAttribute(dst, uri, p.Quote)
}

// appendXML appends text as the value of an attribute, as text of XML, or as a part of a CDATA
// section. Characters that XML cannot contain are percent-encoded.
func (p *Context) appendXML(dst, text []byte, cdata bool) []byte {
	switch {
	case cdata:
		return appendCDATA(dst, text)
	case p.Bare == BareAbsent:
		return append(appendXMLEscaped(append(dst, `="`...), text, '"'), '"')
	case p.Bare == BareWhole:
		return append(appendXMLEscaped(append(dst, '"'), text, '"'), '"')
	}
	return appendXMLEscaped(dst, text, p.Quote)
}
