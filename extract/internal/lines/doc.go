// Package lines finds the references of documents that are made of lines: the heading of a
// message, calendars and cards, plain, flowed and enriched text.
//
// Lines are unfolded to values with a map back onto the document, and cut by the tables of
// package place; running text is searched for URIs. The references of all these formats are
// only listed, as ListOnly of the format or row says, since an edit would have to fold anew. A
// format whose lines are never folded can be rewritten: its row says Rewrite, and each Value that
// its finder gives to a Maker is one piece of the document, as Text.Text returns it.
//
// Files in reading order: words.go, unfold.go, plain.go, robots.go, heading.go, enriched.go,
// contentline.go, calendar.go.
package lines
