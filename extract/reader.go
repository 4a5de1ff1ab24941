package extract

// find reads the text as a document of a format.
func (f *finder) find(format Format) {
	switch format {
	case HTML, Bookmarks:
		f.html()
	case XHTML:
		f.xhtml()
	case XML:
		f.xml()
	case SVG:
		f.svg()
	case Feed:
		f.feed()
	case Sitemap:
		f.sitemap()
	case OPML:
		f.opml()
	case CSS:
		f.styleSheet()
	case Plain:
		f.plainText()
	case Manifest:
		f.manifest()
	case Heading:
		f.heading()
	case Calendar:
		f.calendar()
	case Card:
		f.card()
	case Enriched:
		f.enrichedText()
	default:
		f.doc.problem(0, "unknown-format")
	}
}
