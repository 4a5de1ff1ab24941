package place

import (
	"strings"
	"sync"
)

// memberRows are the rows of manifest members. Elements are the outermost members around a member;
// "" means that the member itself is outermost.
var memberRows = []Row{
	{"", "start_url scope", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"", "id $schema", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"icons screenshots shortcuts file_handlers tab_strip icons_localized screenshots_localized",
		"src", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"serviceworker", "src", TypeURL, BaseDocument, KindScript, Rewrite, ""},
	{"serviceworker", "scope", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"shortcuts protocol_handlers related_applications tab_strip", "url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"note_taking", "new_note_url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"lock_screen", "start_url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"share_target file_handlers", "action", TypeURL, BaseDocument, KindForm, Rewrite, ""},
	{"scope_extensions", "origin", TypeURL, BaseNone, KindIdentifier, Never, ""},
}

// feedRows are the rows of members of a JSON Feed (version 1.1, and 1). Elements are the types of
// the objects that have the member: item, author, attachment or hub. The member that holds an
// object decides its type, see feedObjects. "feed" is the feed itself.
var feedRows = []Row{
	{"feed", "version", TypeURL, BaseNone, KindIdentifier, Never, ""},
	{"feed", "home_page_url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"feed", "feed_url next_url", TypeURL, BaseDocument, KindService, Rewrite, ""},
	{"feed", "icon favicon", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"item", "id", TypeNames, BaseNone, KindIdentifier, Never, ""},
	{"item", "url external_url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"item", "image banner_image", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"item", "content_html", TypeDocument, BaseDocument, KindNav, Rewrite, ""},
	{"author", "url", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"author", "avatar", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"attachment", "url", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"hub", "url", TypeURL, BaseDocument, KindService, Rewrite, ""},
}

// linksetRows are the rows of members of a linkset in JSON (RFC 9264 Section 4.2). The name of the
// member around a target, which is the link type, decides the kind of its href.
var linksetRows = []Row{
	{"context", "anchor", TypeURL, BaseDocument, KindMeta, ListOnly, ""},
	{"target", "href", TypeURL, BaseDocument, KindNav, ListOnly, ""},
}

// feedObjects are the types of objects by the member that holds the objects.
var feedObjects = map[string]string{"items": "item", "author": "author", "authors": "author",
	"attachments": "attachment", "hubs": "hub"}

// FeedObject returns the type of an object of a JSON Feed by the member that holds it, or "".
func FeedObject(member []byte) string { return feedObjects[string(member)] }

// FeedMember returns the row of a member of an object of a JSON Feed, or nil.
func FeedMember(object string, member []byte) *Row {
	return feedMembers()[[2]string{object, string(member)}]
}

// The rows of a linkset in JSON.
var (
	Anchor = &linksetRows[0]
	Target = &linksetRows[1]
)

// members are the rows by outermost member and member.
var members = sync.OnceValue(func() map[[2]string]*Row { return byMember(memberRows) })

// feedMembers are the rows of JSON Feeds by element and member.
var feedMembers = sync.OnceValue(func() map[[2]string]*Row { return byMember(feedRows) })

// byMember returns the rows by element and attribute.
func byMember(rows []Row) map[[2]string]*Row {
	m := make(map[[2]string]*Row)
	for i := range rows {
		p := &rows[i]
		for name := range strings.FieldsSeq(p.Attributes) {
			for _, top := range strings.Split(p.Elements, " ") {
				m[[2]string{top, name}] = p
			}
		}
	}
	return m
}

// Member returns the row of a member inside the outermost member top, or nil. top is "" if the
// member is itself outermost.
func Member(top, name string) *Row { return members()[[2]string{top, name}] }
