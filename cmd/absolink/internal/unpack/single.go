package unpack

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"absolink/extract"
	"absolink/mime"
)

// A page in one file has its parts as data: URLs (RFC 2397). The URL of a style sheet or a frame
// holds the URLs of its own parts. A part that is shown within itself, such as a style sheet that
// imports itself, keeps its absolute URL there. So do links that a reader follows: browsers open no
// data: URL in a window.

// maxSingle is the largest number of bytes that all data: URLs of a page may have. A picture counts
// each time it is shown.
const maxSingle = 128 << 20

// embedding has the data: URLs of the parts.
type embedding struct {
	urls map[*part]string // "" while the URL is being made
	size int              // bytes of the URLs that were written
	full bool             // they would be more than maxSingle
}

// embedded returns the text of l, a link in p to a part of the message, for a page in one file. It
// is "" if no data: URL can stand there.
func (u *unpacking) embedded(p *part, l *extract.Link, file *part) string {
	fragment := ""
	if i := bytes.IndexByte(l.Stripped(), '#'); i >= 0 {
		fragment = string(l.Stripped()[i:])
	}
	switch {
	case file == p && fragment != "":
		return fragment
	case !isShown(l):
		return ""
	}
	url := u.dataURL(file)
	if u.single.size+len(url) > maxSingle {
		u.single.full = true
	}
	if url == "" || u.single.full {
		return ""
	}
	u.single.size += len(url)
	return url + fragment
}

// isShown reports whether the target of l is a part of what a browser shows. A cid: URL has no
// other meaning than the part.
func isShown(l *extract.Link) bool {
	switch l.Kind {
	case extract.KindRes, extract.KindFrame, extract.KindPlugin, extract.KindScript:
		return true
	}
	return isCID(l.Stripped())
}

// isCID reports whether a reference is a cid: URL.
func isCID(value []byte) bool { return len(value) > 4 && strings.EqualFold(string(value[:4]), "cid:") }

// dataURL returns the data: URL of a part, or "" for a part that cannot be read or is being read.
func (u *unpacking) dataURL(p *part) string {
	url, known := u.single.urls[p]
	if known || u.single.full {
		return url
	}
	u.single.urls[p] = ""
	data, edited, err := u.content(p)
	u.missing += p.missing
	switch {
	case err != nil:
		u.problems = append(u.problems, fmt.Sprintf("part %s is left out: %v", p.entity.Section, err))
		return ""
	case p.problem != "":
		u.problems = append(u.problems, fmt.Sprintf("part %s: %s", p.entity.Section, p.problem))
	}
	url = "data:" + mediaType(p.entity, edited) + ";base64," + base64.StdEncoding.EncodeToString(data)
	u.single.urls[p] = url
	return url
}

// token is a media type, and a charset, that need no escapes in a URL.
var token = regexp.MustCompile(`^[a-z0-9!$&^_.+-]+(/[a-z0-9!$&^_.+-]+)?$`)

// mediaType returns the media type of a part for its data: URL. A document that was edited says its
// charset itself.
func mediaType(e *mime.Entity, edited bool) string {
	name := e.MediaType()
	if f := e.Format(); e.Generic() && f != extract.Unknown {
		name = f.MediaType()
	}
	if !token.MatchString(name) || !strings.Contains(name, "/") {
		return "application/octet-stream"
	}
	charset := strings.ToLower(e.Param("charset"))
	if edited || !strings.HasPrefix(name, "text/") || !token.MatchString(charset) {
		return name
	}
	return name + ";charset=" + charset
}

// planSingle returns the page in one file.
func (u *unpacking) planSingle(page *part) (*Page, error) {
	u.single = &embedding{urls: map[*part]string{page: ""}}
	data, _, err := u.content(page)
	if err != nil {
		return nil, err
	}
	if page.problem != "" {
		u.problems = append(u.problems, fmt.Sprintf("part %s: %s", page.entity.Section, page.problem))
	}
	if u.single.full {
		return nil, fmt.Errorf("its parts have more than %d MB in one file: leave --single out", maxSingle>>20)
	}
	return &Page{Files: []File{{page.name, data}}, Problems: u.problems, Missing: u.missing + page.missing}, nil
}
