package site

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"absolink/resolve"
)

// The server that answers at the old addresses of a site is to redirect each to its new one. The
// names of files are of anybody: what a server would take for more than a name is written so
// that it cannot, or left out.

// RedirectFormat is how redirects are written. The zero value is CSV.
type RedirectFormat string

// The formats.
const (
	CSV     RedirectFormat = "csv"     // old,new with a header
	Nginx   RedirectFormat = "nginx"   // locations, for a server block
	Apache  RedirectFormat = "apache"  // rules of mod_rewrite, for a server, a virtual host or .htaccess
	Netlify RedirectFormat = "netlify" // the file _redirects
)

// OneHost reports whether the format names old addresses by their paths alone.
func (f RedirectFormat) OneHost() bool { return f == Nginx || f == Apache || f == Netlify }

// Redirect is what was at the absolute URI Old and is at New.
type Redirect struct{ Old, New string }

// longestName is the longest address that is written for a server, whose lines have bounds.
const longestName = 2000

// WriteRedirects writes a line for each of list, and returns those that are left out, since the
// format cannot hold them. The error is that of w.
func WriteRedirects(w io.Writer, f RedirectFormat, list []Redirect) (out []Redirect, err error) {
	b := bufio.NewWriter(w)
	var line func(path, to string) string
	switch f {
	case Nginx:
		line = nginxLine
		b.WriteString("# redirects for the server block of the old host\n")
	case Apache:
		line = apacheLine
		b.WriteString("# redirects for the old host: its configuration or .htaccess, with mod_rewrite\nRewriteEngine On\n")
	case Netlify:
		line = netlifyLine
	default:
		c := csv.NewWriter(b)
		c.Write([]string{"old", "new"})
		for _, r := range list {
			c.Write([]string{r.Old, r.New})
		}
		c.Flush()
		return nil, b.Flush()
	}
	known := make(map[string]bool)
	for _, r := range list {
		path := resolve.Unescape(resolve.Split(r.Old).Path)
		if known[path] {
			continue
		}
		known[path] = true
		text := ""
		if path != "" && len(r.Old)+len(r.New) <= longestName && !control(path) && !resolve.Split(r.Old).HasQuery {
			text = line(path, strictly(r.New))
		}
		if text == "" {
			out = append(out, r)
		}
		b.WriteString(text)
	}
	return out, b.Flush()
}

// control reports whether a path has bytes that no line of a configuration should have.
func control(path string) bool {
	return strings.IndexFunc(path, func(c rune) bool { return c < 0x20 || c == 0x7f }) >= 0
}

// strictly percent-encodes in a URI what RFC 3986 has no place for, and what a server would take
// for a variable.
func strictly(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		switch c := uri[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~:/?#[]@!&'()*+,;=%", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// nginxLine redirects one path: the string of a location holds any byte but a quote and a
// backslash, and has no variables.
func nginxLine(path, to string) string {
	return fmt.Sprintf("location = \"%s\" { return 301 \"%s\"; }\n", strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path), to)
}

// apacheLine redirects one path: all of it that is neither letter nor digit is written as the
// number of its byte. In .htaccess a path has no slash before it.
func apacheLine(path, to string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '/', c == '-', c == '_':
			b.WriteByte(c)
		case c == '.':
			b.WriteString(`\.`)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return fmt.Sprintf("RewriteRule \"^/?%s$\" \"%s\" [R=301,L,NE]\n", strings.TrimPrefix(b.String(), "/"), strings.ReplaceAll(to, "%", `\%`))
}

// netlifyLine redirects one path. Netlify compares it with what a browser asks for, byte by
// byte. It returns "" where a segment would be a placeholder: it begins with a colon or ends
// with an asterisk. In the new address a segment that begins with a colon is escaped.
func netlifyLine(path, to string) string {
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, ":") || strings.HasSuffix(segment, "*") {
			return ""
		}
	}
	return EscapePath(path) + " " + strings.ReplaceAll(to, "/:", "/%3A") + " 301!\n"
}
