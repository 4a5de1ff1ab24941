package move

import (
	"regexp"
	"strings"
	"sync"

	"absolink/resolve"
)

// Web archives serve what they hold below a path that ends with the time of the capture, as
// http://web.archive.org/web/20160102030405im_/http://host/path. Two letters and a low line
// behind the time say what is done to it: id_ im_ js_ cs_ if_ fr_ and others. A page from there
// refers to the archive by whole URIs, or by paths.

var (
	// capture matches up to the URL that was captured, whose scheme is its group.
	capture = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^https?://[^/?#]+/(?:[^?#]*?/)??(?:web/[0-9]{1,14}\*?|[0-9]{14})(?:[a-z]{2}_)?/((?i:https?|ftp))(?::|%3[Aa])(?:/|%2[Ff]){1,2}`)
	})
	// bare matches where the URL has no scheme.
	bare = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^https?://(?:web\.|www\.)?archive\.org/web/[0-9]{1,14}(?:[a-z]{2}_)?/([a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::[0-9]+)?(?:[/?#]|$))`)
	})
)

// original returns an absolute URI without the prefixes of web archives, if they are to go.
func (m *Map) original(uri string) string {
	if !m.Unwayback {
		return uri
	}
	for range deepest {
		rest := ""
		if at := capture().FindStringSubmatchIndex(uri); at != nil {
			rest = strings.ToLower(uri[at[2]:at[3]]) + "://" + uri[at[1]:]
		} else if at := bare().FindStringSubmatchIndex(uri); at != nil {
			rest = "http://" + uri[at[2]:]
		}
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

// deepest is how many archives may hold each other's pages.
const deepest = 8

// archive is where a path of an archive leads in a document without a base.
const archive = "http://web.archive.org/"

// Original returns the captured absolute URI that stands in ref, a reference to a web archive
// such as /web/20160102030405/http://host/. It needs no base. It returns "" if ref is no such
// reference, or if Unwayback is false.
func (m *Map) Original(ref string) string {
	if !m.Unwayback {
		return ""
	}
	b, err := resolve.NewBase(archive, m.Options)
	if err != nil {
		return ""
	}
	uri, err := b.Resolve(strings.TrimSpace(ref))
	if err != nil {
		return ""
	}
	if to := m.original(uri); to != uri {
		return to
	}
	return ""
}
