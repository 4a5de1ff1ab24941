package unpack

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/mime"
)

// With [Options.Single] the links of a page to its parts become data: URLs (RFC 2397). The data:
// URL of a style sheet or a frame contains the data: URLs of its own parts. Two kinds of links
// become absolute instead: links to a part from within that part, such as a style sheet that
// imports itself, and links that a reader follows, because browsers do not open data: URLs in a
// window.

// maxSingle is the maximum sum of the lengths of all data: URLs of a page, in bytes. A picture that
// is shown several times counts each time.
const maxSingle = 128 << 20

// embedding holds the data: URLs of the parts.
type embedding struct {
	urls map[*part]string // "" while dataURL is making the URL, or if it could not make it
	size int              // sum of the lengths of the URLs in the page, in bytes
	full bool             // size would exceed maxSingle
}

// embeddedText returns the new text of l, a link in p to the part target: a data: URL, or a
// fragment if l leads to a fragment of p itself. It returns "" if l can be neither.
func (u *unpacking) embeddedText(p *part, l *extract.Link, target *part) string {
	fragment := ""
	if i := bytes.IndexByte(l.Stripped(), '#'); i >= 0 {
		fragment = string(l.Stripped()[i:])
	}
	switch {
	case target == p && fragment != "":
		return fragment
	case !isShown(l):
		return ""
	}
	url := u.dataURL(target)
	if u.single.size+len(url) > maxSingle {
		u.single.full = true
	}
	if url == "" || u.single.full {
		return ""
	}
	u.single.size += len(url)
	return url + fragment
}

// isShown reports whether a browser shows the target of l as a piece of the page, such as a
// picture. It also returns true for each cid: URL, which leads nowhere outside of the message.
func isShown(l *extract.Link) bool {
	switch l.Kind {
	case extract.KindRes, extract.KindFrame, extract.KindPlugin, extract.KindScript:
		return true
	}
	return isCID(l.Stripped())
}

// isCID reports whether a reference is a cid: URL.
func isCID(value []byte) bool { return len(value) > 4 && strings.EqualFold(string(value[:4]), "cid:") }

// dataURL returns the data: URL of p. It returns "" if p cannot be read, or if the call is nested
// in a call for the same part.
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

// plainToken matches a media type or a charset that needs no escapes in a URL.
var plainToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9!$&^_.+-]+(/[a-z0-9!$&^_.+-]+)?$`)
})

// mediaType returns the media type of e for its data: URL. For text it adds the charset. An edited
// document has no charset there: it declares its charset itself.
func mediaType(e *mime.Entity, edited bool) string {
	name := e.MediaType()
	if f := e.Format(); e.Attached() && f != extract.Unknown {
		name = f.MediaType()
	}
	if !plainToken().MatchString(name) || !strings.Contains(name, "/") {
		return "application/octet-stream"
	}
	charset := strings.ToLower(e.Param("charset"))
	if edited || !strings.HasPrefix(name, "text/") || !plainToken().MatchString(charset) {
		return name
	}
	return name + ";charset=" + charset
}

// planSingle returns page as one file.
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
		return nil, fmt.Errorf("as data: URLs its parts take more than %d MB: leave --single out", maxSingle>>20)
	}
	return &Page{Files: []File{{page.name, data}}, Problems: u.problems, Missing: u.missing + page.missing}, nil
}
