package json

import "bytes"

// Role says what a string of a data block is.
type Role uint8

const (
	NoURL      Role = iota // something else
	URL                    // a reference
	Specifier              // a reference that is one only as long as it looks like a URL, see IsSpecifier
	Key                    // the same for IsKey, to what is never loaded from there
	Named                  // a reference that is one only as long as it does not look like a name, see IsName
	Pattern                // a reference, with characters that stand for others: see PatternPrefix
	Doubtful               // a reference, or a name that looks like a relative one
	Identifier             // names a context or a vocabulary
	Base                   // the base of the block
)

// LinkedData returns what the string found last is in JSON-LD. value is what it
// means, without its escapes.
func (s *Scanner) LinkedData(value []byte) Role {
	switch {
	case s.IsKey:
		return NoURL
	case s.inContext():
		if string(s.Member()) == "@base" {
			return Base
		}
		if bytes.Contains(value, []byte("://")) {
			return Identifier
		}
		return NoURL
	}
	return linkedRole(s.Member(), bytes.TrimSpace(value))
}

// linkedRole returns what a string of a member of JSON-LD is, one of its own or of
// schema.org: a URL where that asks for one, and what looks like a URL where it may be a
// thing. A template of a URL (RFC 6570) has its names in braces.
func linkedRole(member, value []byte) (r Role) {
	switch string(member) {
	case "@id", "url", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl",
		"downloadUrl", "installUrl", "discussionUrl", "urlTemplate":
		r = role(len(value) > 0 && !bytes.HasPrefix(value, []byte("_:")) && !isText(value))
	case "image", "logo", "target", "item", "mainEntityOfPage", "hasMap", "isBasedOn", "license", "photo", "thumbnail":
		switch {
		case len(value) == 0 || IsName(value):
		case IsSure(value):
			r = Named
		default:
			r = Doubtful
		}
	}
	if r != NoURL && bytes.IndexByte(value, '{') >= 0 {
		return Pattern
	}
	return r
}

// IsName reports whether v, without white space at its ends, is surely no URL where one
// or a name may stand: a text, or a word with nothing that marks a relative reference.
func IsName(v []byte) bool { return isText(v) || !hasSlashOrScheme(v) && !bytes.ContainsAny(v, ".?#") }

// IsSure reports whether v, where a URL or a name may stand, is surely no name: it has a scheme, a
// slash or a query, begins with a fragment, or ends in the name of a file.
func IsSure(v []byte) bool {
	return hasSlashOrScheme(v) || bytes.IndexByte(v, '?') >= 0 || len(v) > 0 && v[0] == '#' || NamesFile(v)
}

// isText reports whether v holds blanks, and neither a slash nor a scheme.
func isText(v []byte) bool { return bytes.ContainsAny(v, " \t\n\f\r") && !hasSlashOrScheme(v) }

func hasSlashOrScheme(v []byte) bool { return bytes.IndexByte(v, '/') >= 0 || IsSpecifier(v) }

// inContext reports whether the string found last stands in an @context.
func (s *Scanner) inContext() bool {
	for d := range s.stack {
		if string(s.Key(d)) == "@context" {
			return true
		}
	}
	return false
}

// ImportMap returns what the string found last is in an import map (HTML 8.1.6.2): the
// addresses and the keys of scopes are URLs, and so are other keys that look like one. An address
// that is neither absolute nor begins with a slash or dots is not a URL.
func (s *Scanner) ImportMap(value []byte) Role {
	switch top := string(s.Key(0)); {
	case top == "scopes" && s.Depth == 2 && s.IsKey:
		return URL
	case !IsSpecifier(value):
		return NoURL
	case top == "imports" && s.Depth == 2, top == "scopes" && s.Depth == 3:
		if s.IsKey && IsKey(value) {
			return Key
		}
		if !s.IsKey {
			return Specifier
		}
	case top == "integrity" && s.Depth == 2 && s.IsKey:
		return Specifier
	}
	return NoURL
}

// IsKey reports whether v is a URL-like module specifier, and no name such as node:fs.
func IsKey(v []byte) bool {
	return IsSpecifier(v) && (v[0] == '/' || v[0] == '.' || bytes.Contains(v, []byte("://")))
}

func role(isURL bool) Role {
	if isURL {
		return URL
	}
	return NoURL
}

// IsSpecifier reports whether v is a URL-like module specifier.
func IsSpecifier(v []byte) bool {
	for _, start := range []string{"/", "./", "../"} {
		if bytes.HasPrefix(v, []byte(start)) {
			return true
		}
	}
	n := bytes.IndexByte(v, ':')
	return n > 0 && bytes.IndexFunc(v[:n], notScheme) < 0 && v[0]|0x20 >= 'a' && v[0]|0x20 <= 'z'
}

func notScheme(c rune) bool {
	return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.'
}

// Speculation returns what the string found last is in speculation rules (HTML
// 7.6.1.2). What they are relative to makes no difference inside of a document.
func (s *Scanner) Speculation(value []byte) Role {
	switch name := string(s.Member()); {
	case s.IsKey:
		return NoURL
	case name == "href_matches" && PatternPrefix(value) < len(value):
		return Pattern
	case name == "urls" || name == "href_matches":
		return URL
	}
	return NoURL
}

// Endpoints returns what the string found last is in a Report-To field (Reporting API,
// edition of 2018): a group of endpoints with their URLs.
func (s *Scanner) Endpoints([]byte) Role {
	return role(!s.IsKey && s.Depth > 1 && string(s.Key(0)) == "endpoints" && string(s.Member()) == "url")
}
