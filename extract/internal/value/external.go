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
	if !text.IsFold(bytes.TrimSpace(kind), "message/external-body") {
		return false
	}
	at := len(b) - len(rest)
	access, ok := findParam(b, at, "access-type")
	if !ok {
		return false
	}
	if text.IsFold(b[access.Start:access.End], "url") {
		c.form = spaced
		c.Span, ok = findParam(b, at, "url")
		c.Span = text.Trimmed(b, c.Span)
		return ok
	}
	scheme := transfers[strings.ToLower(string(b[access.Start:access.End]))]
	return scheme != "" && c.makeFileURL(scheme, at)
}

// makeFileURL makes the URL of a file on a host from the parameters from an offset on. It returns
// false if they do not name a file. The span of the URL covers the parameters.
func (c *Cutter) makeFileURL(scheme string, at int) bool {
	b := c.value
	site, ok := findParam(b, at, "site")
	name, named := findParam(b, at, "name")
	if !ok || !named || site.Start == site.End || name.Start == name.End {
		return false
	}
	host := unquoted(b[site.Start:site.End])
	if bytes.ContainsAny(host, "/?#@ \t<>\"") {
		return false
	}
	c.Span = text.Span{Start: min(site.Start, name.Start), End: max(site.End, name.End)}
	path := ""
	if dir, ok := findParam(b, at, "directory"); ok {
		c.Start = min(c.Start, dir.Start)
		c.End = max(c.End, dir.End)
		path = string(unquoted(b[dir.Start:dir.End]))
	}
	path = strings.Trim(path, "/")
	c.cleanedURI = scheme + "://" + string(host)
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			c.cleanedURI += "/" + pathSegment(segment)
		}
	}
	c.cleanedURI += "/" + pathSegment(string(unquoted(b[name.Start:name.End])))
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
