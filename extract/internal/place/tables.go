package place

import "slices"

// Table is one of the tables, for documentation.
type Table struct {
	Name string
	Rows []Row
}

// Tables returns copies of all tables. The last table has the kinds of links by their rel.
func Tables() []Table {
	return []Table{
		{"HTML, XHTML, SVG and MathML", slices.Concat(htmlRows, textRows)},
		{"XML, feeds, sitemaps and outlines", slices.Concat(xmlRows, []Row{*Stylesheet, *System})},
		{"Header fields of messages and responses", slices.Clone(fieldRows)},
		{"Calendars and cards in messages: properties, and parameters of any (*)",
			slices.Concat(calendarProperties, calendarParameters, cardProperties, cardParameters)},
		{"Manifests of web applications: members, and the outermost ones around them", slices.Clone(memberRows)},
		{"JSON Feeds and linksets in JSON: members, and the objects with them", slices.Concat(feedRows, linksetRows)},
		{"Markdown: the elements of its links, and keys of front matter (--lazy)", slices.Clone(markdownRows)},
		{"Kinds of links by their rel, the first that applies; nav if none does", slices.Clone(linkKinds)},
	}
}
