package site

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/resolve"
)

// The server at the old addresses of a site should redirect each old address to its new address. A
// stranger may have chosen the name of a file. So characters with a special meaning for the server
// are escaped. If an address has a character that cannot be escaped, it gets no line.

// RedirectFormat is the format of redirects. The zero value stands for CSV.
type RedirectFormat string

// The formats.
const (
	CSV     RedirectFormat = "csv"     // the columns old and new, with a header
	Nginx   RedirectFormat = "nginx"   // directives for a server block
	Apache  RedirectFormat = "apache"  // rules of mod_rewrite, for a server, a virtual host or .htaccess
	Netlify RedirectFormat = "netlify" // the file _redirects
)

// OneHost reports whether the format has only the paths of old addresses, so that all of them must
// have the same host.
func (f RedirectFormat) OneHost() bool { return f == Nginx || f == Apache || f == Netlify }

// Redirect says that the document at the absolute URI Old moved to New.
type Redirect struct{ Old, New string }

// maxPair is the size limit in bytes of the two addresses in a line. Servers limit the length of
// their lines.
const maxPair = 2000

// WriteRedirects writes list to w, and returns the redirects that the format cannot express. If an
// old address differs from an earlier one only in its host, WriteRedirects also returns its
// redirect. If two old addresses differ only in spelling, WriteRedirects writes the
// first redirect. It returns the second one if its new address is another one. The error comes from
// w.
//
// A line for an address without a query may also match requests with a query, and some servers use
// the first line that matches. So an address with a query precedes the same address without it.
func WriteRedirects(w io.Writer, f RedirectFormat, list []Redirect) (out []Redirect, err error) {
	b := bufio.NewWriter(w)
	var line func(path, query, to string) string
	switch f {
	case Nginx:
		line = nginxLine
		b.WriteString("# redirects for the server block of the old host\n")
	case Apache:
		line = apacheLine
		b.WriteString("# redirects for the old host: its configuration or .htaccess, with mod_rewrite\nRewriteEngine " +
			"On\n")
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
	if f == Nginx && slices.ContainsFunc(list, Redirect.hasQuery) {
		b.WriteString("set $absolink \"$uri?$args\";\n")
	}
	written := make(map[string]Redirect) // the keys are lines without the new address
	for _, r := range queriesFirst(list) {
		old := resolve.Split(r.Old)
		path := resolve.Unescape(old.Path)
		plain := !hasControl(path) && !hasControl(resolve.Unescape(old.Query))
		if path == "" || len(r.Old)+len(r.New) > maxPair || !plain {
			out = append(out, r)
			continue
		}
		key := line(path, old.Query, "")
		first, known := written[key]
		switch {
		case key == "" || known && (r.New != first.New || !sameHost(r.Old, first.Old)):
			out = append(out, r)
		case !known:
			written[key] = r
			b.WriteString(line(path, old.Query, escapeTarget(r.New)))
		}
	}
	return out, b.Flush()
}

// sameHost reports whether two absolute URIs have the same authority.
func sameHost(a, b string) bool { return resolve.Split(a).Authority == resolve.Split(b).Authority }

// hasQuery reports whether the old address has a query that is not empty.
func (r Redirect) hasQuery() bool { return resolve.Split(r.Old).Query != "" }

// queriesFirst returns list sorted by the number of parameters in the old addresses, the largest
// first: Netlify also applies a line to requests with more parameters.
func queriesFirst(list []Redirect) []Redirect {
	parameters := func(r Redirect) int {
		if !r.hasQuery() {
			return 0
		}
		return 1 + strings.Count(resolve.Split(r.Old).Query, "&")
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Redirect) int { return parameters(b) - parameters(a) })
	return sorted
}

// hasControl reports whether s has control characters. A line of a configuration should not have
// them.
func hasControl(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < 0x20 || c == 0x7f }) >= 0
}

// escapeTarget percent-encodes the bytes of a URI that RFC 3986 does not allow, and the dollar
// sign, with which a variable of a server begins.
func escapeTarget(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		switch c := uri[i]; {
		case letterOrNumber(c), strings.IndexByte("-._~:/?#[]@!&'()*+,;=%", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// quoted returns s as a string in the configuration of nginx or Apache.
func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// nginxLine returns the line for one address. An address without a query becomes a location. nginx
// ignores the query of a request when it chooses a location. So for an address with a query, the
// line compares the path and the query of the request: with a string, or with a regular expression.
// A regular expression is needed if the query has several spellings, or if the path has a dollar
// sign: a dollar sign in a string begins a variable, and nothing can escape it.
func nginxLine(path, query, to string) string {
	switch {
	case query == "":
		return fmt.Sprintf("location = %s { return 301 \"%s\"; }\n", quoted(path), to)
	case plainQuery(query) && !strings.Contains(path, "$"):
		return fmt.Sprintf("if ($absolink = %s) { return 301 \"%s\"; }\n", quoted(path+"?"+query), to)
	}
	pattern := "^" + quotePattern(path) + `\?` + queryPattern(query) + "$"
	return fmt.Sprintf("if ($absolink ~ %s) { return 301 \"%s\"; }\n", quoted(pattern), to)
}

// apacheLine returns the line for one address. In .htaccess a path has no leading slash. If the
// address has a query, the flag QSD keeps the query out of the new address. A backslash escapes
// each % of the new address, which would begin a variable.
func apacheLine(path, query, to string) string {
	condition, flags := "", "R=301,L,NE"
	if query != "" {
		condition = fmt.Sprintf("RewriteCond %%{QUERY_STRING} \"^%s$\"\n", queryPattern(query))
		flags += ",QSD"
	}
	return condition + fmt.Sprintf("RewriteRule \"^/?%s$\" \"%s\" [%s]\n",
		strings.TrimPrefix(quotePattern(path), "/"), strings.ReplaceAll(to, "%", `\%`), flags)
}

// quotePattern returns a regular expression (PCRE) that matches s. It writes special and unusual
// bytes as \x and their hexadecimal number.
func quotePattern(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case letterOrNumber(c), c == '/', c == '-', c == '_':
			b.WriteByte(c)
		case c == '.':
			b.WriteString(`\.`)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String()
}

// plainQuery reports whether every browser sends the query as it is written.
func plainQuery(query string) bool {
	for pair := range strings.SplitSeq(query, "&") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" || !unreserved(key) || !unreserved(value) {
			return false
		}
	}
	return true
}

// unreserved reports whether s has only unreserved characters (RFC 3986 2.3): browsers do not
// percent-encode them.
func unreserved(s string) bool {
	for i := range len(s) {
		if !letterOrNumber(s[i]) && strings.IndexByte("-._~", s[i]) < 0 {
			return false
		}
	}
	return true
}

func letterOrNumber(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// queryPattern returns a regular expression for the spellings of a query in requests. The name of a
// saved file does not tell which characters were percent-encoded in the address.
func queryPattern(query string) string {
	plain := plainQuery(query)
	var b strings.Builder
	decoded := resolve.Unescape(query)
	for i := range len(decoded) {
		c := decoded[i]
		one := quotePattern(decoded[i : i+1])
		if c == '=' || c == '&' {
			one = string(c) // not special in regular expressions
		}
		if plain || letterOrNumber(c) || strings.IndexByte("-._~", c) >= 0 {
			b.WriteString(one)
			continue
		}
		b.WriteString("(?:" + one + "|%")
		for _, digit := range fmt.Sprintf("%02X", c) {
			if digit >= 'A' {
				fmt.Fprintf(&b, "[%c%c]", digit, digit|0x20)
			} else {
				b.WriteRune(digit)
			}
		}
		if c == ' ' {
			b.WriteString(`|\+`)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// netlifyLine returns the line for one address. Netlify compares the path with the request byte by
// byte. A segment that begins with a colon or ends with an asterisk would be a placeholder: then
// netlifyLine returns "". In the new address it escapes a colon at the beginning of a segment.
func netlifyLine(path, query, to string) string {
	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, ":") || strings.HasSuffix(segment, "*") {
			return ""
		}
	}
	parameters, ok := netlifyParameters(query)
	if !ok {
		return ""
	}
	return EscapePath(path) + " " + parameters + strings.ReplaceAll(to, "/:", "/%3A") + " 301!\n"
}

// netlifyParameters returns the parameters of a query as a line of _redirects needs them, each
// followed by a blank. ok is false if a line cannot express them. Netlify puts a key into a regular
// expression, and a key must not begin with a digit. A value is compared in decoded form. A value
// that begins with a colon would be a placeholder, and white space or '=' would end it. If a key
// has two values, Netlify compares only the last.
func netlifyParameters(query string) (text string, ok bool) {
	if query == "" {
		return "", true
	}
	known := make(map[string]bool)
	for pair := range strings.SplitSeq(query, "&") {
		key, value, found := strings.Cut(pair, "=")
		value = resolve.Unescape(value)
		switch {
		case !found || !netlifyKey(key) || known[key]:
			return "", false
		case strings.HasPrefix(value, ":") || strings.ContainsAny(value, "=+\ufeff") ||
			strings.IndexFunc(value, unicode.IsSpace) >= 0 || !utf8.ValidString(value):
			return "", false
		}
		known[key] = true
		text += key + "=" + value + " "
	}
	return text, true
}

func netlifyKey(key string) bool {
	for i := range len(key) {
		if !letterOrNumber(key[i]) && key[i] != '-' && key[i] != '_' {
			return false
		}
	}
	return key != "" && key[0] != '-' && (key[0] < '0' || key[0] > '9')
}
