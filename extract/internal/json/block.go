package json

import "bytes"

// Role is the role of a string in a data block. An edit must not change the role. So a new value of
// a Specifier, a Key or a Named must be one too.
type Role uint8

const (
	NoURL      Role = iota // not a reference
	URL                    // a reference
	Specifier              // a reference, because it looks like a URL: see IsSpecifier
	Key                    // the key of an import map that is a reference: see IsKey
	Named                  // a reference, because it does not look like a name: see IsName
	Pattern                // a reference with special characters: see PatternPrefix
	Doubtful               // a reference, or a name that looks like a relative reference
	Identifier             // the name of a context or vocabulary
	Base                   // the base of the block
	Variables              // a reference in which a program replaces names in braces
)

// LinkedData returns the role in JSON-LD of the string that Next found last. value is the string
// without its escapes.
func (s *Scanner) LinkedData(value []byte) Role {
	switch {
	case s.IsKey:
		return NoURL
	case s.inContext():
		if string(s.NearestKey()) == "@base" {
			return Base
		}
		if bytes.Contains(value, []byte("://")) {
			return Identifier
		}
		return NoURL
	}
	return linkedRole(s.NearestKey(), bytes.TrimSpace(value))
}

// linkedRole returns the role of value, a string in a member of JSON-LD or of schema.org. Some
// members require a URL. Others may also have the name of a thing: then value must look like a URL.
// A URL template (RFC 6570) has names in braces.
func linkedRole(member, value []byte) (r Role) {
	switch string(member) {
	case "@id", "url", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl",
		"downloadUrl", "installUrl", "discussionUrl", "urlTemplate":
		r = urlIf(len(value) > 0 && !bytes.HasPrefix(value, []byte("_:")) && !isText(value))
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

// IsName reports whether v, which may be a URL or a name, is surely not a URL. It is then a text,
// or a word without any mark of a relative reference. v must have no white space at its ends.
func IsName(v []byte) bool { return isText(v) || !hasSlashOrScheme(v) && !bytes.ContainsAny(v, ".?#") }

// IsSure reports whether v, which may be a URL or a name, is surely not a name. It then has a
// scheme, a slash or a query, begins with a fragment, or ends in a file name.
func IsSure(v []byte) bool {
	return hasSlashOrScheme(v) || bytes.IndexByte(v, '?') >= 0 || len(v) > 0 && v[0] == '#' || namesFile(v)
}

// isText reports whether v contains blanks, but neither a slash nor a scheme.
func isText(v []byte) bool { return bytes.ContainsAny(v, " \t\n\f\r") && !hasSlashOrScheme(v) }

// hasSlashOrScheme reports whether v has a slash anywhere, or begins with a scheme.
func hasSlashOrScheme(v []byte) bool { return bytes.IndexByte(v, '/') >= 0 || IsSpecifier(v) }

// inContext reports whether the string that Next found last is in an @context.
func (s *Scanner) inContext() bool {
	for d := range s.stack {
		if string(s.KeyAt(d)) == "@context" {
			return true
		}
	}
	return false
}

// ImportMap returns the role in an import map (HTML 8.1.6.2) of the string that Next found last.
// Keys of scopes are URLs. Addresses are URLs if they are absolute or begin with a slash or dots.
// Other keys are URLs if they look like one.
func (s *Scanner) ImportMap(value []byte) Role {
	switch top := string(s.KeyAt(0)); {
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

// IsKey reports whether v is a URL-like module specifier and not a name such as node:fs.
func IsKey(v []byte) bool {
	return IsSpecifier(v) && (v[0] == '/' || v[0] == '.' || bytes.Contains(v, []byte("://")))
}

// urlIf returns URL if isURL is set, and otherwise NoURL.
func urlIf(isURL bool) Role {
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
	return n > 0 && bytes.IndexFunc(v[:n], isNotScheme) < 0 && v[0]|0x20 >= 'a' && v[0]|0x20 <= 'z'
}

func isNotScheme(c rune) bool {
	return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.'
}

// Speculation returns the role in speculation rules (HTML 7.6.1.2) of the string that Next found
// last. It ignores relative_to: for rules inside a document, the base is that of the document
// anyway.
func (s *Scanner) Speculation(value []byte) Role {
	switch name := string(s.NearestKey()); {
	case s.IsKey:
		return NoURL
	case name == "href_matches" && PatternPrefix(value) < len(value):
		return Pattern
	case name == "urls" || name == "href_matches":
		return URL
	}
	return NoURL
}

// Analytics returns the role of the string that Next found last, in the configuration of an
// amp-analytics element. value is the string without its escapes. Requests are URLs with variables,
// or begin with the name of another request. hasOrigin says that the configuration has a
// requestOrigin, to which relative requests are appended: then they are not references.
func (s *Scanner) Analytics(value []byte, hasOrigin bool) Role {
	if s.IsKey {
		return NoURL
	}
	name := string(s.NearestKey())
	switch string(s.KeyAt(0)) {
	case "requests":
		if s.Depth == 2 || s.Depth == 3 && name == "baseUrl" {
			return request(value, !hasOrigin)
		}
	case "requestOrigin":
		if s.Depth == 1 {
			return request(value, true)
		}
	case "configRewriter":
		if s.Depth == 2 && name == "url" {
			return request(value, true)
		}
	case "transport":
		if s.Depth == 2 && name == "iframe" {
			return request(value, true)
		}
	}
	return NoURL
}

// request returns the role of a request. A value that begins with a variable is not a URL by
// itself. mayBeRelative says that a relative request is a reference.
func request(value []byte, mayBeRelative bool) Role {
	switch {
	case !IsSpecifier(value), !mayBeRelative && schemeLength(value) == 0:
		return NoURL
	case VariablesStart(value) < len(value):
		return Variables
	}
	return URL
}

// HasOrigin reports whether the configuration of an amp-analytics has a requestOrigin.
func HasOrigin(config []byte) bool {
	if !bytes.Contains(config, []byte("requestOrigin")) {
		return false
	}
	var s Scanner
	for s.Reset(config); s.Next(); {
		if !s.IsKey && s.Depth == 1 && string(s.KeyAt(0)) == "requestOrigin" {
			return true
		}
	}
	return false
}

// Endpoints returns the role in a Report-To field of the string that Next found last. The field is
// a group of endpoints with their URLs (Reporting API, edition of 2018).
func (s *Scanner) Endpoints([]byte) Role {
	return urlIf(!s.IsKey && s.Depth > 1 && string(s.KeyAt(0)) == "endpoints" && string(s.NearestKey()) == "url")
}
