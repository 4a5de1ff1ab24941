package json

import "bytes"

// Role says what a string of a data block is.
type Role uint8

const (
	NoURL      Role = iota // something else
	URL                    // a reference
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
// thing.
func linkedRole(member, value []byte) Role {
	switch string(member) {
	case "@id", "url", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl", "downloadUrl", "installUrl", "discussionUrl", "urlTemplate":
		return role(len(value) > 0 && !bytes.HasPrefix(value, []byte("_:")) && !isText(value))
	case "image", "logo", "target", "item", "mainEntityOfPage", "hasMap", "isBasedOn", "license", "photo", "thumbnail":
		return role(len(value) > 0 && !IsName(value))
	}
	return NoURL
}

// IsName reports whether v, without white space at its ends, is surely no URL where one
// or a name may stand: a text, or a word with nothing that marks a relative reference.
func IsName(v []byte) bool { return isText(v) || !hasSlashOrScheme(v) && !bytes.ContainsAny(v, ".?#") }

// isText reports whether v holds blanks, and neither a slash nor a scheme.
func isText(v []byte) bool { return bytes.ContainsAny(v, " \t\n\f\r") && !hasSlashOrScheme(v) }

func hasSlashOrScheme(v []byte) bool { return bytes.IndexByte(v, '/') >= 0 || isSpecifier(v) }

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
// addresses and the keys of scopes are URLs. An address that is neither absolute nor begins
// with a slash or dots is not a URL.
func (s *Scanner) ImportMap(value []byte) Role {
	specifier := isSpecifier(value)
	switch string(s.Key(0)) {
	case "imports":
		return role(s.Depth == 2 && !s.IsKey && specifier)
	case "scopes":
		return role(s.Depth == 2 && s.IsKey || s.Depth == 3 && !s.IsKey && specifier)
	case "integrity":
		return role(s.Depth == 2 && s.IsKey && specifier)
	}
	return NoURL
}

func role(isURL bool) Role {
	if isURL {
		return URL
	}
	return NoURL
}

// isSpecifier reports whether v is a URL-like module specifier.
func isSpecifier(v []byte) bool {
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
func (s *Scanner) Speculation([]byte) Role {
	name := string(s.Member())
	return role(!s.IsKey && (name == "urls" || name == "href_matches"))
}

// Endpoints returns what the string found last is in a Report-To field (Reporting API,
// edition of 2018): a group of endpoints with their URLs.
func (s *Scanner) Endpoints([]byte) Role {
	return role(!s.IsKey && s.Depth > 1 && string(s.Key(0)) == "endpoints" && string(s.Member()) == "url")
}
