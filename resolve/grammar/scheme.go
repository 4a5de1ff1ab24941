package grammar

import (
	"strconv"
	"strings"

	"absolink/resolve"
	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// RFC 1738 gives each of its schemes its own grammar and meaning. One function per scheme reads the
// part after the colon. It complains about text that does not fit Section 5, and adds the
// components to a list. [Grammar.Check] returns the first complaint, and [Components] also the
// list.

// Component is a named part of a URL (RFC 1738 Section 3). Value is the text as written, except
// that the names of an ftp path are unescaped.
type Component struct{ Name, Value string }

// Components splits a URL by the rules of its scheme (RFC 1738 Section 3), in the order of the URL.
// The list has no undefined components. An empty component has an empty value.
//
//	all         scheme user password host port (or the default port)
//	ftp         cwd … name type, unescaped: "%2Fetc" is the directory /etc
//	http        path search
//	gopher      type selector search gopher+
//	mailto      address
//	news        group or message-id
//	nntp        group article
//	wais        database search wtype wpath
//	file        path; the host localhost and the empty one are the same: ""
//	prospero    hsoname, and each field by its name
//	reserved    for a scheme of Section 4: the purpose for which its name is reserved
//	others      path query fragment
//
// If the URL does not fit the grammar of its scheme, the error is a *[resolve.Error]. The
// components that could be read are returned with it.
func Components(url string) ([]Component, error) {
	c := checker{g: RFC1738, s: url}
	p := schemeParser{checker: &c}
	p.parse()
	if c.why == "" {
		return p.list, nil
	}
	return p.list, &resolve.Error{By: c.g.String(),
		Input: strings.Clone(url[:min(len(url), 200)]), Offset: c.offset, Reason: c.why}
}

func (c *checker) check1738() {
	p := schemeParser{checker: c}
	p.parse()
}

// schemeParser reads a URL. The text from offset at on is unread.
type schemeParser struct {
	*checker
	at     int
	scheme string // in lower case
	list   []Component
}

func (p *schemeParser) add(name, value string) { p.list = append(p.list, Component{name, value}) }

// rest returns the unread part.
func (p *schemeParser) rest() string { return p.s[p.at:] }

// next reads n bytes.
func (p *schemeParser) next(n int) string {
	s := p.s[p.at : p.at+n]
	p.at += n
	return s
}

// skip reads prefix if the unread part begins with it, and reports whether it does.
func (p *schemeParser) skip(prefix string) bool {
	if !strings.HasPrefix(p.rest(), prefix) {
		return false
	}
	p.at += len(prefix)
	return true
}

// The character sets of RFC 1738 5.
const (
	uchar     charset = "$-_.+!*'(),"
	xchar             = uchar + ";/?:@&="
	user1738          = uchar + ";?&="
	hsegment          = uchar + ";:@&="
	fsegment          = uchar + "?:@&="
	fieldname         = uchar + "?:@&"
	article           = uchar + ";/?:&="
	groupRest charset = "-.+_"
)

// knownSchemes has the function for each scheme of Section 3.
var knownSchemes = map[string]func(*schemeParser){
	"ftp": (*schemeParser).ftp, "http": (*schemeParser).http, "gopher": (*schemeParser).gopher,
	"mailto": (*schemeParser).mailto, "news": (*schemeParser).news, "nntp": (*schemeParser).nntp,
	"telnet": (*schemeParser).telnet, "wais": (*schemeParser).wais, "file": (*schemeParser).file,
	"prospero": (*schemeParser).prospero,
}

// reservedSchemes are the names of Section 4, whose syntax was left to others.
var reservedSchemes = map[string]string{
	"afs":        "Andrew File System global file names",
	"mid":        "Message identifiers for electronic mail",
	"cid":        "Content identifiers for MIME body parts",
	"nfs":        "Network File System (NFS) file names",
	"tn3270":     "Interactive 3270 emulation sessions",
	"mailserver": "Access to data available from mail servers",
	"z39.50":     "Access to ANSI Z39.50 services",
}

// reservedFor returns the purpose for which Section 4 reserves the name of a scheme, or "".
func reservedFor(scheme string) string {
	if strings.HasPrefix(scheme, "x-") {
		return "Experimental schemes, by mutual agreement between parties"
	}
	return reservedSchemes[scheme]
}

// parse reads a URL. A fragment is not part of a URL (RFC 1738 5), but is in the list of
// components.
func (p *schemeParser) parse() {
	url, fragment, ok := strings.Cut(p.s, "#")
	p.s = url
	p.parseURL()
	if ok {
		p.complain(len(url), "a fragment is not part of a URL")
		p.add("fragment", fragment)
	}
}

// parseURL reads the scheme and calls the function of the scheme for the rest.
func (p *schemeParser) parseURL() {
	n := schemeLen(p.s)
	if n == 0 {
		p.complain(0, "genericurl wants a scheme")
		p.generic1738()
		return
	}
	p.scheme = strings.ToLower(p.next(n))
	p.add("scheme", p.scheme)
	p.at++
	f := knownSchemes[p.scheme]
	if f == nil {
		f = (*schemeParser).generic1738
	}
	if name := reservedFor(p.scheme); name != "" {
		p.add("reserved", name)
	}
	f(p)
}

// generic1738 reads schemepart = *xchar | ip-schemepart, for schemes that RFC 1738 does not define.
// Every ip-schemepart is also *xchar, so complaints about the login do not count. The components
// are those of the common syntax (3.1), and a query.
func (p *schemeParser) generic1738() {
	p.checkChars(p.at, p.rest(), xchar, "xchar")
	if strings.HasPrefix(p.rest(), "//") {
		why, offset := p.why, p.offset
		p.login("")
		p.why, p.offset = why, offset
	}
	path, query, ok := strings.Cut(p.rest(), "?")
	p.add("path", path)
	if ok {
		p.add("query", query)
	}
}

// login reads "//" [ user [ ":" password ] "@" ] host [ ":" port ], the common syntax of 3.1.
// Without a port it adds the scheme's default port to the list. userComplaint is the complaint
// about a user, or "" if the scheme allows one.
func (p *schemeParser) login(userComplaint string) {
	if !p.skip("//") {
		p.complain(p.at, "the scheme wants \"//\" after the colon")
		return
	}
	s := p.rest()
	s = s[:component.IndexAny(s, "/")]
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		if userComplaint != "" {
			p.complain(p.at, userComplaint)
		}
		p.user(s[:i])
		p.at++
		s = s[i+1:]
	} else if i := component.IndexAny(s, "?#"); i < len(s) {
		s = s[:i] // a host contains no ? and no #
	}
	p.hostport(s)
}

func (p *schemeParser) user(s string) {
	user, password, ok := strings.Cut(s, ":")
	p.checkChars(p.at, user, user1738, "user")
	p.add("user", user)
	if ok {
		p.checkChars(p.at+len(user)+1, password, user1738, "password")
		p.add("password", password)
	}
	p.at += len(s)
}

func (p *schemeParser) hostport(s string) {
	host, port, ok := cutPort(s)
	p.checkHost(p.at, host)
	p.add("host", host)
	if ok {
		p.checkPort(p.at+len(host)+1, port)
		p.add("port", port)
	} else if n := (resolve.Ref{Scheme: p.scheme}).DefaultPort(); n >= 0 {
		p.add("port", strconv.Itoa(n))
	}
	p.at += len(s)
}

// checkEnd complains about unread text.
func (p *schemeParser) checkEnd() {
	if p.rest() != "" {
		p.complain(p.at, "the URL should end here")
	}
}

// slash reads the slash before the path, and returns whether there is one. If required is false,
// the URL may end before the slash.
func (p *schemeParser) slash(required bool) bool {
	if p.skip("/") {
		return true
	}
	if required {
		p.complain(p.at, "the scheme wants a path")
	} else {
		p.checkEnd()
	}
	return false
}

// ftp reads an ftp URL (3.2). Every segment except the last is the argument of a CWD command, even
// an empty segment.
func (p *schemeParser) ftp() {
	p.login("")
	if !p.slash(false) {
		return
	}
	path, kind, typed := strings.Cut(p.rest(), ";type=")
	for {
		seg, rest, more := strings.Cut(path, "/")
		p.checkChars(p.at, seg, fsegment, "fsegment")
		name := "name"
		if more {
			name = "cwd"
		}
		p.add(name, resolve.Unescape(seg))
		p.at += len(seg) + 1
		path = rest
		if !more {
			break
		}
	}
	if typed {
		p.at += len("type=")
		if len(kind) != 1 || !strings.Contains("AIDaid", kind) {
			p.complain(p.at, "ftptype is one of A, I, D, a, i and d")
		}
		p.add("type", kind)
	}
}

// http reads an http URL (3.3).
func (p *schemeParser) http() {
	p.login("no user name or password is allowed in an http URL (3.3)")
	if !p.slash(false) {
		return
	}
	path, search, ok := strings.Cut(p.rest(), "?")
	p.segments("path", path, hsegment, "hsegment")
	if ok {
		p.at++
		p.checkChars(p.at, search, hsegment, "search")
		p.add("search", search)
	}
}

// segments reads a path of segments between slashes, and adds the whole path to the list.
func (p *schemeParser) segments(name, path string, set charset, rule string) {
	p.add(name, path)
	for i, seg := range strings.Split(path, "/") {
		if i > 0 {
			p.at++
		}
		p.checkChars(p.at, seg, set, rule)
		p.at += len(seg)
	}
}

// gopher reads a gopher URL (3.4): a type, by default 1, and a selector. A search and a Gopher+
// string may follow, each after an escaped tab.
func (p *schemeParser) gopher() {
	p.login("no user name or password is allowed in a gopher URL (5)")
	rest := ""
	if p.slash(false) {
		rest = p.rest()
	}
	p.checkChars(p.at, rest, xchar, "selector")
	if rest == "" {
		p.add("type", "1")
		return
	}
	n := 1
	if component.IsEscape(rest) {
		n = 3 // gtype = xchar, which includes escapes
	}
	p.add("type", rest[:n])
	selector, more, ok := strings.Cut(rest[n:], "%09")
	p.add("selector", selector)
	if !ok {
		return
	}
	search, plus, ok := strings.Cut(more, "%09")
	p.add("search", search)
	if ok {
		p.add("gopher+", plus)
	}
}

// mailto reads a mailto URL (3.5): an escaped address of RFC 822, which is not empty.
func (p *schemeParser) mailto() {
	if p.rest() == "" {
		p.complain(p.at, "encoded822addr wants a character")
	}
	p.checkChars(p.at, p.rest(), xchar, "encoded822addr")
	p.add("address", p.rest())
}

// news reads a news URL (3.6): a newsgroup, a message-id without its angle brackets, or "*" for all
// groups.
func (p *schemeParser) news() {
	s := p.rest()
	i := strings.LastIndexByte(s, '@')
	switch {
	case s == "*":
		p.add("group", s)
		p.at++
		return
	case i < 0:
		p.group(s)
		return
	}
	if i == 0 {
		p.complain(p.at, "article wants a character before \"@\"")
	}
	p.checkChars(p.at, s[:i], article, "article")
	p.checkHost(p.at+i+1, s[i+1:])
	p.add("message-id", s)
}

// group reads the name of a newsgroup.
func (p *schemeParser) group(s string) {
	p.add("group", s)
	if s == "" || !ascii.Letter.Has(s[0]) {
		p.complain(p.at, "group starts with a letter")
	}
	for i := 0; i < len(s); i++ {
		if !groupRest.has(s[i]) || s[i] == '%' {
			p.complain(p.at+i, "group does not allow "+quoteByte(s[i]))
		}
	}
	p.at += len(s)
}

// nntp reads an nntp URL (3.7). Its group is never "*" (5).
func (p *schemeParser) nntp() {
	p.login("no user name or password is allowed in an nntp URL (5)")
	if !p.slash(true) {
		return
	}
	p.group(p.rest()[:component.IndexAny(p.rest(), "/")])
	if p.skip("/") {
		number := p.rest()
		for i := 0; i < len(number); i++ {
			if !ascii.Digit.Has(number[i]) {
				p.complain(p.at+i, "article is a number")
			}
		}
		if number == "" {
			p.complain(p.at, "article wants a digit")
		}
		p.add("article", number)
	}
}

// telnet reads a telnet URL (3.8). The last slash may be omitted.
func (p *schemeParser) telnet() {
	p.login("")
	p.skip("/")
	p.checkEnd()
}

// wais reads a wais URL (3.9): a database, a search in it, or a document of it.
func (p *schemeParser) wais() {
	p.login("no user name or password is allowed in a wais URL (5)")
	if !p.slash(true) {
		return
	}
	database := p.next(component.IndexAny(p.rest(), "/?"))
	p.checkChars(p.at-len(database), database, uchar, "database")
	p.add("database", database)
	switch {
	case p.skip("?"):
		p.checkChars(p.at, p.rest(), hsegment, "search")
		p.add("search", p.rest())
	case p.skip("/"):
		wtype, wpath, ok := strings.Cut(p.rest(), "/")
		p.checkChars(p.at, wtype, uchar, "wtype")
		p.add("wtype", wtype)
		if !ok {
			p.complain(len(p.s), "waisdoc wants a wpath after the wtype")
			return
		}
		p.checkChars(p.at+len(wtype)+1, wpath, uchar, "wpath")
		p.add("wpath", wpath)
	}
}

// file reads a file URL (3.10). An empty host and localhost mean the same host.
func (p *schemeParser) file() {
	if !p.skip("//") {
		p.complain(p.at, "fileurl wants \"//\" after the colon")
	} else {
		host := p.next(component.IndexAny(p.rest(), "/"))
		if host != "" {
			p.checkHost(p.at-len(host), host)
		}
		if component.EqualFold(host, "localhost") {
			host = ""
		}
		p.add("host", host)
	}
	if p.slash(true) {
		p.segments("path", p.rest(), fsegment, "fsegment")
	}
}

// prospero reads a prospero URL (3.11): the host-specific object name, and fields.
func (p *schemeParser) prospero() {
	p.login("no user name or password is allowed in a prospero URL (5)")
	if !p.slash(true) {
		return
	}
	path := p.rest()
	path = path[:component.IndexAny(path, ";")]
	p.segments("hsoname", path, fsegment, "psegment")
	for p.skip(";") {
		field := p.rest()[:component.IndexAny(p.rest(), ";")]
		name, value, ok := strings.Cut(field, "=")
		if !ok {
			p.complain(p.at+len(name), "fieldspec wants \"=\"")
		}
		p.checkChars(p.at, name, fieldname, "fieldname")
		p.checkChars(p.at+len(name)+1, value, fieldname, "fieldvalue")
		p.add(name, value)
		p.at += len(field)
	}
}
