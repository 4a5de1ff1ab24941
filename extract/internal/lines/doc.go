// Package lines finds the references of documents that consist of lines: the heading of a message,
// calendars and cards, plain, flowed and enriched text, lists of URLs, header rules of a site.
//
// Lines are unfolded to values with a map back to the document, and cut by the tables of package
// place. Running text is searched for URIs. The references of these formats are only listed,
// because an edit would have to fold the lines again: ListOnly is set for the format or the row.
// When a site moves, package mime/rewrite changes the URLs in plain and enriched text, except for
// folded ones.
//
// A format whose lines are never folded can be rewritten. Its row has Rewrite, and its finder must
// pass each Value to the Maker as one piece of the document, as Text.Text returns it.
//
// Files in reading order: words.go, unfold.go, plain.go, robots.go, urls.go, heading.go, rules.go,
// linkset.go, enriched.go, contentline.go, calendar.go.
package lines
