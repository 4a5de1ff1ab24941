package move

import (
	"regexp"
	"strings"
	"sync"

	"absolink/resolve"
)

// The URIs of captures in a web archive contain the time of the capture, as in
// http://web.archive.org/web/20160102030405im_/http://host/path. Two letters and an underscore
// after the time say how the archive treats the capture: id_ im_ js_ cs_ if_ fr_ and others. A page
// from an archive links to the archive by absolute URIs, or by paths. The time may be cut short,
// replaced by a star, or left out. The archive then returns the newest capture, or a list of
// captures.

const (
	// archiveStart matches the scheme and host of an archive, and directories that name a
	// collection. It matches no directory with a colon, so the match does not reach into another
	// URI in the path.
	archiveStart = `https?:/{1,2}[^/?#]+/(?:[^/?#:]+/)*?`
	// treatment matches the two letters and the underscore after the time.
	treatment = `(?:[a-z]{2}_)?`
	// timeSegments matches the path segments that only archives have before a captured URI.
	timeSegments = `(?:(?:web|wayback)/[0-9]{1,14}\*?` + treatment + `|[0-9]{14}\*?` + treatment +
		`|\*` + treatment + `|[a-z]{2}_)/`
	// archivePrefix matches the prefix of an archive.
	archivePrefix = `(?:` + knownArchive + `|` + archiveStart + timeSegments + `)`
	// knownArchive matches the prefix of an archive with a well-known host or path, with or without
	// a time.
	knownArchive = `https?:/{1,2}(?:[^/?#]+/web/|` +
		`(?:[a-z0-9-]+\.)?archive\.org(?::[0-9]+)?/(?:web/)?(?:[0-9]{1,14}\*?` + treatment + `/)?|` +
		`(?:[a-z0-9-]+\.)?archive-it\.org/(?:all|org-[0-9]+|[0-9]+)/(?:[0-9]{1,14}\*?` + treatment + `/)?|` +
		`(?:[a-z0-9-]+\.)?arquivo\.pt/(?:noFrame/replay|page/show|wayback)/(?:[0-9]{1,14}\*?` + treatment + `/)?|` +
		`(?:[a-z0-9-]+\.)?nationalarchives\.gov\.uk/(?:ukgwa/)?(?:[0-9]{1,14}\*?` + treatment + `/)?|` +
		`archive\.(?:today|ph|is|li|vn|md|fo)/(?:newest/|oldest/|[0-9]{4,14}/|[0-9]{4}\.[0-9]{2}\.[0-9]{2}-[0-9]{6}/|` +
		`o/[A-Za-z0-9]+/)?)`
	// capturedScheme matches the scheme of the captured URI and the delimiters after it. Its group
	// is the scheme.
	capturedScheme = `(https?|ftp)(?::|%3A)(?:/|%2F){1,2}`
)

var (
	// capturePattern matches the prefix of an archive at the start of a URI, and the scheme and the
	// delimiters of the captured URI after it. Its group is this scheme.
	capturePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:` + archivePrefix + capturedScheme + `)`)
	})
	// innerPattern is capturePattern for a prefix inside the path of a URI. It matches from the
	// start of the URI. Its groups are the text before the prefix and the scheme of the captured
	// URI.
	innerPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([^?#]+?/)(?i:` + archivePrefix + capturedScheme + `)`)
	})
	// schemelessPattern matches a URI of an archive whose captured URI begins with its host,
	// without a scheme and "//".
	schemelessPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:https?)://(?i:(?:[a-z0-9-]+\.)?archive\.org/web/(?:[0-9]{1,14}\*?|\*)` +
			treatment + `/)([a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::[0-9]+)?(?:[/?#]|$))`)
	})
	// fullTimePattern matches the start of a path of an archive with a complete time.
	fullTimePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[/\\]web[/\\][0-9]{14}(?i:` + treatment + `)[/\\]`)
	})
	// listPattern matches the URI of a list in an archive, such as /web/*/http://host/*. The list
	// has the captures of all URIs that begin with http://host/.
	listPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^?#]*/[0-9]*\*` + treatment + `/.*\*$`)
	})
	// hostlessPattern matches a path that contains a URI, such as /http://host/. On the host of an
	// archive such a path is a capture. On other hosts it may be anything.
	hostlessPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:/|/?[0-9]{1,13}\*?` + treatment + `/)` + `(?i:` + capturedScheme + `)`)
	})
	// networkPattern matches a URI of an archive whose captured URI begins with "//" and its host,
	// without a scheme. The captured page had a link of the form //host/path.
	networkPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?i:https?)):(?i:` + archiveStart[len(`https?:`):] +
			timeSegments + `)(//[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::[0-9]+)?(?:[/?#]|$))`)
	})
)

// original returns an absolute URI without the prefixes of web archives, if Unwayback is set. If a
// prefix is inside the path of a URI, the text before the prefix stays.
func (m *Map) original(uri string) string {
	if !m.Unwayback {
		return uri
	}
	for range maxArchives {
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

// mayHaveCapture reports whether a URI may have a prefix of an archive, because its path contains
// another URI or a host.
func mayHaveCapture(uri string) bool {
	_, rest, _ := strings.Cut(uri, "://")
	return strings.Contains(rest, ":/") || strings.Contains(rest, "//") ||
		strings.Contains(rest, "%3") || strings.Contains(rest, "/web/")
}

// withoutPrefix returns uri without its first prefix of a web archive, or "" if it has none.
func withoutPrefix(uri string) string {
	if !mayHaveCapture(uri) || listPattern().MatchString(uri) {
		return ""
	}
	if at := capturePattern().FindStringSubmatchIndex(uri); at != nil {
		return strings.ToLower(uri[at[2]:at[3]]) + "://" + uri[at[1]:]
	}
	if at := schemelessPattern().FindStringSubmatchIndex(uri); at != nil {
		return "http://" + uri[at[2]:]
	}
	if at := networkPattern().FindStringSubmatchIndex(uri); at != nil {
		return uri[at[2]:at[3]] + ":" + uri[at[4]:]
	}
	if at := innerPattern().FindStringSubmatchIndex(uri); at != nil {
		return uri[:at[3]] + strings.ToLower(uri[at[4]:at[5]]) + "://" + uri[at[1]:]
	}
	return ""
}

// maxArchives is the maximum number of prefixes of archives before a captured URI.
const maxArchives = 8

// defaultArchive is the base for paths of an archive in a document without a base.
const defaultArchive = "http://web.archive.org/"

// Original returns the absolute URI in ref, a relative reference. It needs no base. With Unwayback
// this is the captured URI in a reference to a web archive, such as
// /web/20160102030405/http://host/. With Unwrap it is the target of a wrapped link without a
// scheme, such as //duckduckgo.com/l/?uddg=http%3A%2F%2Fhost%2F. Original returns "" for all other
// references, also for paths such as web/2019/report.pdf, whose last part may be a file.
func (m *Map) Original(ref string) string {
	b, err := resolve.NewBase(defaultArchive, m.Options)
	if err != nil {
		return ""
	}
	ref = strings.TrimSpace(ref)
	if m.Unwrap && strings.HasPrefix(ref, "//") {
		uri, err := b.Resolve("https:" + ref)
		if to, wrapped := m.withoutWraps(uri); err == nil && to != uri && !wrapped {
			return to
		}
	}
	if !m.Unwayback {
		return ""
	}
	uri, err := b.Resolve(ref)
	if err != nil || hostlessPattern().MatchString(ref) || mayNameFile(ref, uri) {
		return ""
	}
	if to := m.original(uri); to != uri {
		return to
	}
	return ""
}

// mayNameFile reports whether ref may be a path of any site, not only of an archive, because it has
// no scheme before the host of the captured URI. A file such as report.pdf looks like a host, and a
// year is a usual directory. Only a complete time after the root shows an archive. uri is ref
// resolved against defaultArchive.
func mayNameFile(ref, uri string) bool {
	return !namesHost(ref) && schemelessPattern().MatchString(uri) && !capturePattern().MatchString(uri) &&
		!fullTimePattern().MatchString(ref)
}

// namesHost reports whether ref, a reference, has a scheme or an authority.
func namesHost(ref string) bool {
	r := resolve.Split(strings.ReplaceAll(ref, `\`, "/"))
	return r.Scheme != "" || r.HasAuthority
}
