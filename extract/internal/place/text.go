package place

import (
	"strings"
	"sync"

	"absolink/extract/internal/text"
)

// textRows are the rows of the texts of elements.
var textRows = []Row{
	{"style svg:style", "", TypeSheet, BaseDocument, KindRes, Rewrite, ""},
	{"script", "", TypeLinkedData, BaseDocument, KindMeta, ListOnly, "type=application/ld+json"},
	{"script", "", TypeImportMap, BaseDocument, KindScript, Rewrite, "type=importmap"},
	{"script", "", TypeSpeculation, BaseDocument, KindRes, ListOnly, "type=speculationrules"},
	{"script", "", TypeAnalytics, BaseDocument, KindService, Rewrite, "in amp-analytics"},
	{"script", "", TypeScript, BaseDocument, KindScript, Scripts, ""},
}

// Rows that finders use by these names. No lookup by element and attribute returns them.
var (
	Style  = &textRows[0]
	Script = &textRows[len(textRows)-1]
	// the script element that holds the configuration of an amp-analytics
	Analytics = &textRows[len(textRows)-2]
	// the comment that begins a block of WordPress
	Block  = &Row{"", "", TypeJSON, BaseDocument, KindRes, Rewrite, ""}
	Plain  = &Row{"", "", TypeURL, BaseDocument, KindNav, ListOnly, ""} // URIs in plain text
	Listed = &Row{"", "", TypeURL, BaseDocument, KindNav, Rewrite, ""}  // a line of a list of URLs
	// a link of a style element, in a WAT record of Common Crawl
	StyleLink = &Row{"", "", TypeURL, BaseDocument, KindRes, ListOnly, ""}
	// a link of an attribute that the table of HTML does not have, in a WAT record
	WATLink = &Row{"", "", TypeURL, BaseDocument, KindNav, ListOnly, ""}
	// the comment that names the source map of a sheet or script
	SourceMap = &Row{"", "", TypeURL, BaseDocument, KindService, ListOnly, ""}
)

// ScriptText returns the row of the text of a script element with a type, or nil if its language is
// not read.
func ScriptText(typ []byte) *Row {
	typ = text.Stripped(typ)
	for _, known := range scriptTypes() {
		if text.IsFold(typ, known.name) {
			return known.row
		}
	}
	return nil
}

// scriptTypes are the known types of script elements: JavaScript, JSON for scripts, and data
// blocks.
var scriptTypes = sync.OnceValue(func() []scriptType {
	var list []scriptType
	for _, name := range strings.Fields("text/javascript application/javascript module application/json application/" +
		"x-javascript " +
		"text/ecmascript application/ecmascript text/jscript") {
		list = append(list, scriptType{name, Script})
	}
	for i := range textRows {
		if name, ok := strings.CutPrefix(textRows[i].If, "type="); ok {
			list = append(list, scriptType{name, &textRows[i]})
		}
	}
	return append(list, scriptType{"", Script})
})

// scriptType is a type of script elements.
type scriptType struct {
	name string
	row  *Row // of the text
}
