package place

import (
	"strings"
	"sync"
)

// fieldIndex has the rows by the names of fields, in lower case. Most fields of a heading have no
// row. letters excludes most of them fast: for each length of a name it has a bit for each first
// letter.
type fieldIndex struct {
	byName  map[string]*Row
	letters [64]uint32
}

// fields is the index of fieldRows.
var fields = sync.OnceValue(func() *fieldIndex {
	x := &fieldIndex{byName: make(map[string]*Row)}
	for i := range fieldRows {
		r := &fieldRows[i]
		for name := range strings.FieldsSeq(r.Attributes) {
			x.byName[name] = r
			x.letters[len(name)] |= 1 << (name[0] - 'a')
		}
	}
	return x
})

// MayBeField reports whether a field with a name, in any case, may have a row.
func MayBeField(name []byte) bool {
	n, letters := len(name), &fields().letters
	return n > 0 && n < len(letters) && letters[n]>>(name[0]|0x20-'a')&1 > 0
}

// Field returns the row of a field by its name in lower case, or nil.
func Field(name []byte) *Row { return fields().byName[string(name)] }

// headersFileLink is the row of a Link field in a file _headers, the only field that is rewritten.
var headersFileLink = Row{"header", "link", TypeLinks, BaseDocument, KindNav, Rewrite, ""}

// RuleField returns the row of a field in a file _headers by its name in lower case, or nil. The
// file has fields of responses.
func RuleField(name []byte) *Row {
	if string(name) == headersFileLink.Attributes {
		return &headersFileLink
	}
	p := Field(name)
	if p == nil || p.Base != BaseOuter && p.Type != TypeOrigin || p.Type == TypeExternal || p.Type == TypeOutlink {
		return nil
	}
	return p
}

// fieldRows are the rows of header fields. An edit never touches a heading.
var fieldRows = []Row{
	// Messages (RFC 2110, 2369, 2557, 5064; RFC 2017 and 2046 for external bodies; RFC 5965 for
	// reports; draft-josefsson-openpgp-mailnews-header), with fields of list managers and feed
	// readers.
	{"header", "content-base", TypeCleaned, BaseNone, KindMeta, ListOnly, ""},
	{"header", "content-location", TypeCleaned, BaseEntity, KindMeta, ListOnly, ""},
	{"header", "snapshot-content-location", TypeCleaned, BaseNone, KindMeta, ListOnly, ""},
	{"header", "x-url x-original-url", TypeAddress, BaseContent, KindMeta, ListOnly, ""},
	{"header", "archived-at x-archived-at x-archive-url x-mailman-archive",
		TypeAddress, BaseContent, KindNav, ListOnly, ""},
	{"header", "url x-rss-url x-rss-feed x-feed-url x-feed2imap-url", TypeAddress, BaseContent, KindNav, ListOnly, ""},
	{"header", "list-unsubscribe list-subscribe list-post", TypeMailing, BaseContent, KindService, ListOnly, ""},
	{"header", "list-help list-owner list-archive list-url list-info list-faq list-digest list-software",
		TypeMailing, BaseContent, KindNav, ListOnly, ""},
	{"header", "x-complaints-to x-report-abuse x-report-abuse-to x-abuse-reports-to x-abuse-info x-csa-complaints " +
		"reported-uri",
		TypeText, BaseNone, KindNav, ListOnly, ""},
	{"header", "openpgp", TypeKeyURL, BaseContent, KindService, ListOnly, ""},
	{"header", "content-type", TypeExternal, BaseOuter, KindRes, ListOnly, ""},

	// Responses (RFC 8288, 9110 and others).
	{"header", "location", TypeWhole, BaseOuter, KindNav, ListOnly, ""},
	{"header", "refresh", TypeRefresh, BaseOuter, KindNav, ListOnly, ""},
	{"header", "link", TypeLinks, BaseOuter, KindNav, ListOnly, ""},
	{"header", "uri", TypeAngles, BaseOuter, KindNav, ListOnly, ""},
	{"header", "sourcemap x-sourcemap x-pingback x-xrds-location destination",
		TypeWhole, BaseOuter, KindService, ListOnly, ""},
	{"header", "speculation-rules reporting-endpoints", TypeStrings, BaseOuter, KindService, ListOnly, ""},
	{"header", "report-to", TypeEndpoints, BaseOuter, KindService, ListOnly, ""},
	{"header", "content-security-policy content-security-policy-report-only",
		TypeReports, BaseOuter, KindService, ListOnly, ""},
	{"header", "public-key-pins public-key-pins-report-only expect-ct",
		TypeReportURI, BaseOuter, KindService, ListOnly, ""},
	{"header", "p3p", TypePolicyRef, BaseOuter, KindService, ListOnly, ""},
	{"header", "referer origin access-control-allow-origin", TypeOrigin, BaseNone, KindIdentifier, Never, ""},

	// Metadata records of web archives, by Heritrix.
	{"header", "outlink", TypeOutlink, BaseOuter, KindNav, ListOnly, ""},
}
