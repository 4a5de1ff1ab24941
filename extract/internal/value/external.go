package value

import (
	"bytes"
	"strings"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// The Content-Type of a message/external-body has parameters that say where the body is. They are a
// URL (RFC 2017), or the host, directory and name of a file on an FTP server (RFC 2046 Section
// 5.2.3.2), from which the URL is made.

// transfers has the URL schemes for the access types that name a file on a host.
var transfers = map[string]string{"anon-ftp": "ftp", "ftp": "ftp", "tftp": "tftp"}

// readExternalBody reads the URL of an external body. It returns false if there is no URL.
func (c *Cutter) readExternalBody() (ok bool) {
	b := c.value
	kind, rest, _ := bytes.Cut(b, []byte(";"))
	if !isExternalBody(kind) {
		return false
	}
	at := len(b) - len(rest)
	access, ok := findText(b, at, "access-type")
	if !ok {
		return false
	}
	if strings.EqualFold(access.text, "url") {
		return c.readURL(at)
	}
	scheme := transfers[strings.ToLower(access.text)]
	return scheme != "" && c.makeFileURL(scheme, at)
}

// isExternalBody reports whether a media type is message/external-body. Blanks and comments may
// stand around its words (RFC 2045 Section 5.1).
func isExternalBody(kind []byte) bool {
	const name = "message/external-body"
	if text.IsFold(bytes.TrimSpace(kind), name) {
		return true
	}
	if len(kind) <= len(name) {
		return false
	}
	depth := 0
	words := make([]byte, 0, len(name))
	for _, c := range kind {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && !ascii.Space.Has(c):
			words = append(words, c)
		}
	}
	return text.IsFold(words, name)
}

// readURL reads the parameter URL, from an offset on. White space in it does not count.
func (c *Cutter) readURL(at int) bool {
	url, ok := findText(c.value, at, "url")
	if !ok {
		return false
	}
	c.Span = text.Trimmed(c.value, url.Span)
	c.form = spaced
	if url.split {
		c.cleanedURI = string(text.WithoutBlanks([]byte(url.text)))
		c.form = cleaned
		return c.cleanedURI != ""
	}
	return true
}

// makeFileURL makes the URL of a file on a host. It reads the parameters from an offset on. It
// returns false if they do not name a file. The span of the URL covers the parameters.
func (c *Cutter) makeFileURL(scheme string, at int) bool {
	b := c.value
	site, ok := findText(b, at, "site")
	name, named := findText(b, at, "name")
	if !ok || !named || site.text == "" || name.text == "" || strings.ContainsAny(site.text, "/?#@ \t<>\"") {
		return false
	}
	c.Span = text.Span{Start: min(site.Start, name.Start), End: max(site.End, name.End)}
	path := ""
	if dir, ok := findText(b, at, "directory"); ok {
		c.Start = min(c.Start, dir.Start)
		c.End = max(c.End, dir.End)
		path = strings.Trim(dir.text, "/")
	}
	c.cleanedURI = scheme + "://" + site.text
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			c.cleanedURI += "/" + pathSegment(segment)
		}
	}
	c.cleanedURI += "/" + pathSegment(name.text)
	c.form = cleaned
	return true
}

// pathSegment returns a file name as a path segment (RFC 1738 Section 3.2.2).
func pathSegment(name string) string {
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		if c := name[i]; ascii.Alnum.Has(c) || strings.IndexByte("-._~!$&'()*+,=:@", c) >= 0 {
			out = append(out, c)
		} else {
			out = ascii.AppendPercent(out, c)
		}
	}
	return string(out)
}
