package place

import (
	"strings"
	"sync"
)

// memberRows are the rows of manifest members. Elements are the outermost members around a member;
// "*" means any, and "" means that the member is itself outermost.
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

// members are the rows by outermost member and member.
var members = sync.OnceValue(func() map[[2]string]*Row {
	m := make(map[[2]string]*Row)
	for i := range memberRows {
		p := &memberRows[i]
		for name := range strings.FieldsSeq(p.Attributes) {
			for _, top := range strings.Split(p.Elements, " ") {
				m[[2]string{top, name}] = p
			}
		}
	}
	return m
})

// Member returns the row of a member inside the outermost member top, or nil. top is "" if the
// member is itself outermost.
func Member(top, name string) *Row { return members()[[2]string{top, name}] }
