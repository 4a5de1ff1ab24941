package value

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// nextInField reads the next reference of a header field that is a list. An empty URL in brackets
// means the document itself; in List fields of mail it is skipped.
func (c *Cutter) nextInField() {
	b := c.value
	c.List = escape.Prose
	switch c.typ {
	case place.TypeAngles:
		c.Span, c.at = nextAngle(b, c.at)
		if c.at >= 0 {
			c.at = elementEnd(b, c.at, false)
		}
	case place.TypeMailing:
		c.form = spaced
		for c.Start == c.End && c.at >= 0 {
			c.Span, c.at = nextListURL(b, c.at)
		}
	case place.TypeStrings:
		c.Span, c.at = nextQuotedString(b, c.at)
	}
}

// nextQuotedString returns the next string in double quotes (RFC 9651 section 3.3.3).
func nextQuotedString(b []byte, i int) (s text.Span, next int) {
	n := bytes.IndexByte(b[i:], '"')
	if n < 0 {
		return s, -1
	}
	end := quotedEnd(b, i+n)
	return text.Span{Start: i + n + 1, End: max(i+n+1, end-1)}, end
}

// readField reads a header field that holds one URL. It returns false if the field has no URL.
func (c *Cutter) readField() (ok bool) {
	b := c.value
	switch c.typ {
	case place.TypeWhole:
		return len(b) > 0
	case place.TypeOrigin:
		return len(b) > 0 && string(b) != "*" && string(b) != "null"
	case place.TypeCleaned, place.TypeAddress:
		return c.readCleaned()
	case place.TypeReportURI:
		c.Span, ok = findParam(b, 0, "report-uri")
	case place.TypePolicyRef:
		c.Span, ok = findParam(b, 0, "policyref")
	case place.TypeOutlink:
		return c.readOutlink()
	case place.TypeKeyURL:
		c.form = spaced
		c.Span, ok = findParam(b, 0, "url")
		c.Span = withoutAngles(b, c.Span)
		ok = ok && c.Start < c.End
	case place.TypeExternal:
		return c.readExternalBody()
	}
	c.Span = text.Trimmed(b, c.Span)
	return ok
}

// withoutAngles returns s without white space and one pair of angle brackets at its ends.
func withoutAngles(b []byte, s text.Span) text.Span {
	s = text.Trimmed(b, s)
	if s.End-s.Start >= 2 && b[s.Start] == '<' && b[s.End-1] == '>' {
		return text.Span{Start: s.Start + 1, End: s.End - 1}
	}
	return s
}

// hopKinds has the kinds of links by the letter with which the crawler Heritrix says how it found a
// link. All other letters mean navigation.
var hopKinds = map[string]place.Kind{
	"E": place.KindRes, "X": place.KindScript, "P": place.KindService, "F": place.KindForm,
}

// readOutlink reads a link that Heritrix found: its URL, a blank, and the letter of its hop.
func (c *Cutter) readOutlink() (ok bool) {
	var next int
	c.Span, next = nextToken(c.value, 0)
	if next < 0 {
		return false
	}
	hop, after := nextToken(c.value, next)
	if after >= 0 {
		if kind, known := hopKinds[string(c.value[hop.Start:hop.End])]; known {
			c.Kind = kind
		}
	}
	return true
}

// readCleaned reads the value by the rules for Content-Base and Content-Location.
func (c *Cutter) readCleaned() (ok bool) {
	b := c.value
	field := base.Layer{Source: base.ContentLocation, Value: string(b)}
	c.cleanedURI, ok = field.Reference()
	if !ok || c.cleanedURI == "" {
		return false
	}
	start, end := field.Bounds()
	c.Span = text.Span{Start: start, End: end}
	if c.cleanedURI != string(b[c.Start:c.End]) {
		c.form = cleaned
	}
	return c.Start < c.End
}
