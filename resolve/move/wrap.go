package move

import (
	"strings"
	"unicode/utf8"

	"absolink/resolve"
)

// Mail gateways, search engines and social sites wrap links: they replace a link by a URL of their
// own that contains the target. The target is a parameter, a segment of the path, or the rest of
// the path. The table in wraps.go says where the target is, and coding.go decodes it. A target is
// used only if its coding has no fault and it is an http, https, ftp or mailto URI. Nothing is
// retrieved.

// wrap describes the URLs of one gateway or site. All rows that match a URL are tried in their
// order.
type wrap struct {
	name     string // the gateway or site
	hosts    string // patterns of hosts, separated by blanks: see matchesHost
	path     string // patterns of paths, separated by blanks; a star at the end stands for any text
	location string // where the target is: see findTarget
	until    string // texts separated by blanks; if there are any, one of them must follow the target
	coding   coding
	source   string // public description of these URLs
	example  string // an example
	target   string // its target
}

// maxWraps is the maximum number of wraps around a target.
const maxWraps = 5

// unwrap returns the target of an absolute URI without the wraps around it. wrapped reports whether
// the result is a URL of a gateway or site whose target cannot be read. A URI with more than
// maxWraps wraps is returned unchanged, with wrapped true.
func unwrap(uri string, o resolve.Options) (to string, wrapped bool) {
	to = uri
	for range maxWraps {
		target, wrapped := unwrapOnce(to, o)
		if target == "" {
			return to, wrapped
		}
		to = target
	}
	_, wrapped = unwrapOnce(to, o)
	if wrapped {
		return uri, true
	}
	return to, false
}

// unwrapOnce removes the outermost wrap of a URI, and returns its target. It returns "" if there is
// no wrap, or if the target cannot be read. wrapped reports whether there is a wrap.
func unwrapOnce(uri string, o resolve.Options) (target string, wrapped bool) {
	host, path := webHost(uri)
	if host == "" {
		return "", false
	}
	for i := range wraps {
		w := &wraps[i]
		if !w.matches(host, path) {
			continue
		}
		wrapped = true
		text, ok := w.findTarget(uri)
		if !ok {
			continue
		}
		target = w.decodeTarget(uri, text, o)
		if target != "" {
			return target, true
		}
	}
	return "", wrapped
}

// webHost returns the host of an http or https URI in lower case, and the path with the query and
// the fragment. host is "" for other URIs. A port that is not the default of the scheme stays in
// host, so no pattern of hosts matches.
func webHost(uri string) (host, path string) {
	scheme, rest, ok := strings.Cut(uri, "://")
	port := ":80"
	switch {
	case !ok:
		return "", ""
	case strings.EqualFold(scheme, "https"):
		port = ":443"
	case !strings.EqualFold(scheme, "http"):
		return "", ""
	}
	n := strings.IndexAny(rest, "/?#")
	if n < 0 {
		n = len(rest)
	}
	host, path = rest[:n], rest[n:]
	host = strings.TrimSuffix(host[strings.LastIndexByte(host, '@')+1:], port)
	return strings.ToLower(host), path
}

// matches reports whether w describes the URL with this host and this path.
func (w *wrap) matches(host, path string) bool {
	rest, ok := w.afterPath(path)
	if !ok {
		return false
	}
	if strings.HasPrefix(w.location, "/") { // the target is a segment of the path
		rest, _, _ = strings.Cut(rest, "?")
		if !strings.Contains(rest, w.location) {
			return false
		}
	}
	for pattern := range strings.FieldsSeq(w.hosts) {
		if matchesHost(pattern, host) {
			return true
		}
	}
	return false
}

// afterPath returns the rest of path after the text that w.path gives. The text for a star is part
// of the rest. ok is false if path does not match.
func (w *wrap) afterPath(path string) (rest string, ok bool) {
	for pattern := range strings.FieldsSeq(w.path) {
		prefix, hasStar := strings.CutSuffix(pattern, "*")
		rest, ok = strings.CutPrefix(path, prefix)
		if ok && (hasStar || rest == "" || rest[0] == '?' || rest[0] == '#') {
			return rest, true
		}
	}
	return "", false
}

// matchesHost reports whether a host matches a pattern. A pattern that begins with a dot matches
// the host after the dot and all hosts below it. A star stands for any text without dots and
// colons. At the end of a pattern such as .google.* it stands for the top level, as in google.de
// and google.co.uk.
func matchesHost(pattern, host string) bool {
	if below, ok := strings.CutPrefix(pattern, "."); ok {
		if n := len(host) - len(below); n > 0 && strings.HasSuffix(host, below) && host[n-1] == '.' {
			return true
		}
		if top, ok := strings.CutSuffix(below, ".*"); ok {
			return matchesTop(top, host)
		}
		pattern = below
	}
	begin, end, hasStar := strings.Cut(pattern, "*")
	if !hasStar {
		return host == pattern
	}
	return len(host) >= len(begin)+len(end) && strings.HasPrefix(host, begin) && strings.HasSuffix(host, end) &&
		!strings.ContainsAny(host[len(begin):len(host)-len(end)], ".:")
}

// matchesTop reports whether a host is name.com, name.cat, name.CC, name.co.CC or name.com.CC, or a
// host below one of them. CC is a country code.
func matchesTop(name, host string) bool {
	labels := strings.Split(host, ".")
	n := len(labels)
	if n < 2 {
		return false
	}
	switch last := labels[n-1]; {
	case last == "com" || last == "cat":
		n--
	case len(last) != 2:
		return false
	case n > 2 && (labels[n-2] == "co" || labels[n-2] == "com"):
		n -= 2
	default:
		n--
	}
	return labels[n-1] == name
}

// findTarget returns the coded target of a URL. w.location is one of
//
//	url q   the value of the first of these parameters that the URL has
//	/RU=    the text after /RU= in the path, up to the next slash
//	""      all text after the path of w
//
// ok is false if the URL has no target.
func (w *wrap) findTarget(uri string) (text string, ok bool) {
	switch {
	case w.location == "":
		_, path := webHost(uri)
		return w.afterPath(path)
	case strings.HasPrefix(w.location, "/"):
		uri, _, _ = strings.Cut(uri, "?")
		_, text, ok = strings.Cut(uri, w.location)
		text, _, _ = strings.Cut(text, "/")
		return text, ok
	}
	uri, _, _ = strings.Cut(uri, "#")
	_, query, _ := strings.Cut(uri, "?")
	for name := range strings.FieldsSeq(w.location) {
		text, ok = w.parameterValue(query, name)
		if ok {
			return text, true
		}
	}
	return "", false
}

// parameterValue returns the value of a parameter in a query. ok is false if the query has no such
// parameter, or has it with two different values.
func (w *wrap) parameterValue(query, name string) (value string, ok bool) {
	for query != "" {
		text, more, _ := strings.Cut(query, "&")
		v, found := strings.CutPrefix(text, name+"=")
		if found && w.until != "" {
			v, more, found = w.cutEnd(query[len(name)+len("="):])
			if !found {
				return "", false
			}
		}
		if found {
			if ok && v != value {
				return "", false
			}
			value, ok = v, true
		}
		query = more
	}
	return value, ok
}

// cutEnd cuts text before the first occurrence of one of the texts in w.until. after begins with
// that occurrence. ok is false if there is none.
func (w *wrap) cutEnd(text string) (before, after string, ok bool) {
	at := len(text)
	for end := range strings.FieldsSeq(w.until) {
		if i := strings.Index(text, end); i >= 0 && i < at {
			at, ok = i, true
		}
	}
	return text[:at], text[at:], ok
}

// decodeTarget decodes text, the part of uri that encodes the target. It returns "" if text is not
// valid in the coding, or if the result is not an http, https, ftp or mailto URI. It adds the
// fragment of uri to the target, as browsers do.
func (w *wrap) decodeTarget(uri, text string, o resolve.Options) string {
	text, ok := w.coding.decode(text)
	if !ok || !isTarget(text) {
		return ""
	}
	if _, fragment, ok := strings.Cut(uri, "#"); ok && w.location != "" && !strings.Contains(text, "#") {
		text += "#" + fragment
	}
	b, err := resolve.NewBase("", o)
	if err != nil {
		return ""
	}
	to, err := b.Resolve(text)
	if err != nil || !isTarget(to) {
		return ""
	}
	return to
}

// isTarget reports whether a text is an absolute URI that may be the target of a wrapped link.
func isTarget(text string) bool {
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return false
	}
	switch strings.ToLower(scheme) {
	case "mailto":
		return rest != "" && rest[0] != '?' && rest[0] != '/'
	case "http", "https", "ftp":
		host, ok := strings.CutPrefix(rest, "//")
		return ok && host != "" && !strings.ContainsRune(`/\?#@:`, rune(host[0]))
	}
	return false
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }

// Wrapped reports whether an absolute URI is a wrapped link whose target cannot be read. It is
// false if Unwrap is not set.
func (m *Map) Wrapped(uri string) bool {
	_, wrapped := m.withoutWraps(uri)
	return wrapped
}

// EndsInTarget reports whether an absolute URI is a wrapped link, and its last bytes are part of
// the target. If a line break in running text has cut such a URI, the target is cut too.
func (m *Map) EndsInTarget(uri string) bool {
	if !m.Unwrap {
		return false
	}
	uri = m.original(uri)
	to, _ := unwrap(uri, m.Options)
	longer, _ := unwrap(uri+"0", m.Options)
	return to != uri && to != longer && longer != uri+"0"
}
