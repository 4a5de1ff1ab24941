package value

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// nextInData reads the next string of a JSON block that is a reference.
func (c *Cutter) nextInData() bool {
	for s := &c.json; s.Next(); {
		c.Span, c.form = text.Span{Start: s.Start, End: s.End}, verbatim
		v := c.value[s.Start:s.End]
		if s.Escaped || bytes.IndexByte(v, '\r') >= 0 {
			v = c.decodePart(inJSON)
		}
		c.Fixed = c.hasComment && mayDecideEnd(c.value[s.Start:s.End])
		if c.setRole(c.roleOf(v)) {
			return true
		}
	}
	return false
}

// setRole sets the fields of the part for the role of a string in a JSON block. It returns false if
// the string is not a reference.
func (c *Cutter) setRole(r json.Role) bool {
	c.Token = escape.Literal
	switch r {
	case json.URL:
		if c.typ == place.TypeJSON {
			c.List = escape.Likely // it is a reference only as long as it looks like one
		}
	case json.Specifier:
		c.List = escape.Specifier
	case json.Key:
		c.List = escape.Key
		c.ListOnly = true
	case json.Named:
		c.List = escape.Name
	case json.Pattern:
		c.List = escape.Pattern
	case json.Doubtful:
		c.List = escape.Name
		c.Doubtful = true
	case json.Variables:
		c.List = escape.Variables
	case json.Identifier:
		c.Kind = place.KindIdentifier
	default:
		c.Token = escape.NoToken
		return false
	}
	return true
}

// decodePart sets the form of the part, and returns the decoded part. The result is valid until the
// next call.
func (c *Cutter) decodePart(f form) []byte {
	c.form = f
	c.scratch = c.AppendValue(c.scratch[:0])
	return c.scratch
}

// roleOf returns the role of the string that the scanner of JSON found last. v is the decoded
// string.
func (c *Cutter) roleOf(v []byte) json.Role {
	s := &c.json
	switch c.typ {
	case place.TypeLinkedData:
		return s.LinkedData(v)
	case place.TypeImportMap:
		return s.ImportMap(v)
	case place.TypeSpeculation:
		return s.Speculation(v)
	case place.TypeAnalytics:
		return s.Analytics(v, c.hasOrigin)
	case place.TypeJSON:
		return memberRole(s, v)
	}
	return s.Endpoints(v)
}

// memberRole returns the role of the string that s found last in JSON of an unknown kind. v is the
// decoded string. The string is a URL if the name of its member says so, or if it looks like a URL.
func memberRole(s *json.Scanner, v []byte) json.Role {
	switch {
	case s.IsKey:
	case saysURL(s.NearestKey()) && !json.IsName(text.Stripped(v)):
		return json.Named
	case json.Likely(v):
		return json.URL
	}
	return json.NoURL
}

// saysURL reports whether the name of a member says that its value is a URL.
func saysURL(name []byte) bool {
	for _, end := range []string{"src", "url", "href"} {
		if n := len(name) - len(end); n >= 0 && text.IsFold(name[n:], end) {
			return true
		}
	}
	return false
}

// LinkedDataBase returns the @base in the context of a JSON-LD block, which is the base of the
// block (JSON-LD 1.1 section 4.1.3). ok is false if the context has no @base.
func LinkedDataBase(block []byte) (base string, ok bool) {
	if !bytes.Contains(block, []byte("@base")) {
		return "", false
	}
	var s json.Scanner
	for s.Reset(block); s.Next(); {
		v := json.AppendUnescaped(nil, lineFeeds(block[s.Start:s.End]))
		if s.LinkedData(v) == json.Base {
			return string(v), true
		}
	}
	return "", false
}

// resetLiterals makes c read the literals of a value that is a javascript: URL. Any other value
// becomes a URL, which is itself the reference.
func (c *Cutter) resetLiterals() {
	n := text.SkipBlank(c.value, 0)
	if !text.HasPrefixFold(c.value[n:], "javascript:") {
		c.typ = place.TypeURL
		return
	}
	c.at = n + len("javascript:")
	c.literals.Reset(c.value[c.at:])
}

// nextLiteral reads the next string literal of a script that looks like a URL. A literal that is
// joined with other strings must have a scheme and a host. The name of a module must begin with a
// scheme, a slash or dots: any other name is looked up in an import map (HTML 8.1.6.4).
func (c *Cutter) nextLiteral(t escape.Token) bool {
	for l := &c.literals; l.Next(); {
		end := l.End
		if l.Substitution >= 0 {
			end = l.Substitution
		}
		c.Span = text.Span{Start: c.at + l.Start, End: c.at + end}
		v := c.value[c.Start:c.End]
		c.form = literalForm(l, t == escape.Percent && bytes.IndexByte(v, '%') >= 0)
		if c.form != verbatim {
			v = c.decodePart(c.form)
		}
		c.Joined = l.Joined || l.Substitution >= 0
		if !json.Likely(v) || c.Joined && !json.HasHost(v) || l.Module && !json.IsSpecifier(v) {
			continue
		}
		c.Token, c.List = t, escape.Likely
		switch {
		case c.Joined:
			c.List = escape.Joined
		case l.Module:
			c.List = escape.Module
		}
		c.ListOnly, c.Doubtful = l.SlashUnsafe, l.SlashUnsafe
		c.Prefix = true
		c.End = c.at + l.End
		c.Fixed = c.hasComment && mayDecideEnd(c.value[c.Start:c.End])
		return true
	}
	return false
}

// literalForm returns the form of the literal that l found last.
func literalForm(l *json.Literals, percent bool) form {
	switch {
	case percent && l.Escaped:
		return percentEscaped
	case percent:
		return percentEncoded
	case l.Escaped:
		return inScript
	}
	return verbatim
}

// nextInScriptURL reads the next literal of a javascript: URL that looks like a URL. The
// javascript: URL itself is a reference only if it has no such literal, because otherwise it
// changes together with the literals.
func (c *Cutter) nextInScriptURL() bool {
	found := c.found
	c.found = true
	c.Kind = place.KindScript
	if c.nextLiteral(escape.Percent) {
		return true
	}
	c.Part = Part{Span: text.Span{Start: 0, End: len(c.value)}, Kind: c.kind}
	return !found
}
