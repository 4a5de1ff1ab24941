package move

import (
	"regexp"
	"strings"
	"sync"

	"absolink/resolve"
)

// The URIs of captures in a web archive contain the time of the capture, as in
// http://web.archive.org/web/20160102030405im_/http://host/path. Two letters and a low line after
// the time select a treatment of the capture: id_ im_ js_ cs_ if_ fr_ and others. A page from an
// archive refers to the archive by whole URIs, or by paths. The time may be shortened, be a star,
// or be left out. The archive then returns the newest capture, or a list of captures.

const (
	// begun matches the scheme and host of an archive, and directories that name a collection. They
	// contain no colon, because text after another URI belongs to that URI.
	begun = `https?:/{1,2}[^/?#]+/(?:[^/?#:]+/)*?`
	// mode matches the treatment of a capture.
	mode = `(?:[a-z]{2}_)?`
	// timed matches path segments that only archives have before a URI.
	timed = `(?:(?:web|wayback)/[0-9]{1,14}\*?` + mode + `|[0-9]{14}\*?` + mode + `|\*` + mode + `|[a-z]{2}_)/`
	// known matches a prefix of an archive that is known by its host or path, with or without a
	// time.
	known = `https?:/{1,2}(?:[^/?#]+/web/|` +
		`(?:[a-z0-9-]+\.)?archive\.org(?::[0-9]+)?/(?:web/)?(?:[0-9]{1,14}\*?` + mode + `/)?|` +
		`(?:[a-z0-9-]+\.)?archive-it\.org/(?:all|org-[0-9]+|[0-9]+)/(?:[0-9]{1,14}\*?` + mode + `/)?|` +
		`(?:[a-z0-9-]+\.)?arquivo\.pt/(?:noFrame/replay|page/show|wayback)/(?:[0-9]{1,14}\*?` + mode + `/)?|` +
		`(?:[a-z0-9-]+\.)?nationalarchives\.gov\.uk/(?:ukgwa/)?(?:[0-9]{1,14}\*?` + mode + `/)?|` +
		`archive\.(?:today|ph|is|li|vn|md|fo)/(?:newest/|oldest/|[0-9]{4,14}/|[0-9]{4}\.[0-9]{2}\.[0-9]{2}-[0-9]{6}/|` +
		`o/[A-Za-z0-9]+/)?)`
	// captured matches the scheme of the captured URI, which is its group, and the following
	// delimiters.
	captured = `(https?|ftp)(?::|%3A)(?:/|%2F){1,2}`
)

var (
	// capture matches up to the captured URI, whose scheme is its group.
	capture = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:(?:` + known + `|` + begun + timed + `)` + captured + `)`)
	})
	// inner matches the same after another URI, in its path.
	inner = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([^?#]+?/)(?i:(?:` + known + `|` + begun + timed + `)` + captured + `)`)
	})
	// schemeless matches if the captured URI has no scheme.
	schemeless = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:https?)://(?i:(?:[a-z0-9-]+\.)?archive\.org/web/(?:[0-9]{1,14}\*?|\*)` +
			mode + `/)([a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::[0-9]+)?(?:[/?#]|$))`)
	})
	// listed matches a URI of a list of all captures of URIs with a common beginning.
	listed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^?#]*/[0-9]*\*` + mode + `/.*\*$`)
	})
	// hostless matches a path that is a prefix only together with the host of an archive.
	hostless = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:/|/?[0-9]{1,13}\*?` + mode + `/)` + `(?i:` + captured + `)`)
	})
	// network matches if the captured URI begins with its host, as a page wrote it.
	network = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?i:https?)):(?i:` + begun[len(`https?:`):] +
			timed + `)(//[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::[0-9]+)?(?:[/?#]|$))`)
	})
)

// original returns an absolute URI without the prefixes of web archives, if Unwayback is set. Text
// between two prefixes belongs to the captured URI and stays.
func (m *Map) original(uri string) string {
	if !m.Unwayback {
		return uri
	}
	for range deepest {
		rest := withoutPrefix(uri)
		b, err := resolve.NewBase("", m.Options)
		if rest == "" || err != nil {
			return uri
		}
		to, err := b.Resolve(rest)
		if err != nil {
			return uri
		}
		uri = to
	}
	return uri
}

// mayHold reports whether a URI may have a prefix of an archive, because it contains another URI or
// a host.
func mayHold(uri string) bool {
	_, rest, _ := strings.Cut(uri, "://")
	return strings.Contains(rest, ":/") || strings.Contains(rest, "//") ||
		strings.Contains(rest, "%3") || strings.Contains(rest, "/web/")
}

// withoutPrefix returns a URI without the first prefix of a web archive in it, or "".
func withoutPrefix(uri string) string {
	if !mayHold(uri) || listed().MatchString(uri) {
		return ""
	}
	if at := capture().FindStringSubmatchIndex(uri); at != nil {
		return strings.ToLower(uri[at[2]:at[3]]) + "://" + uri[at[1]:]
	}
	if at := schemeless().FindStringSubmatchIndex(uri); at != nil {
		return "http://" + uri[at[2]:]
	}
	if at := network().FindStringSubmatchIndex(uri); at != nil {
		return uri[at[2]:at[3]] + ":" + uri[at[4]:]
	}
	if at := inner().FindStringSubmatchIndex(uri); at != nil {
		return uri[:at[3]] + strings.ToLower(uri[at[4]:at[5]]) + "://" + uri[at[1]:]
	}
	return ""
}

// deepest is the maximum number of archives that hold each other's pages.
const deepest = 8

// archive is the base for paths of an archive in a document without a base.
const archive = "http://web.archive.org/"

// Original returns the absolute URI in ref that needs no base: with Unwayback the captured URI in a
// reference to a web archive, such as /web/20160102030405/http://host/, and with Unwrap the target
// of a wrapped link without a scheme, such as //duckduckgo.com/l/?uddg=http%3A%2F%2Fhost%2F. It
// returns "" for all other references.
func (m *Map) Original(ref string) string {
	b, err := resolve.NewBase(archive, m.Options)
	if err != nil {
		return ""
	}
	ref = strings.TrimSpace(ref)
	if m.Unwrap && strings.HasPrefix(ref, "//") {
		uri, err := b.Resolve("https:" + ref)
		if to, wrapped := m.opened(uri); err == nil && to != uri && !wrapped {
			return to
		}
	}
	if !m.Unwayback {
		return ""
	}
	uri, err := b.Resolve(ref)
	if err != nil || hostless().MatchString(ref) {
		return ""
	}
	if to := m.original(uri); to != uri {
		return to
	}
	return ""
}
