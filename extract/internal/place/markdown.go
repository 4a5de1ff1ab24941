package place

import "strings"

// markdownRows are the rows of Markdown. The attributes of front-matter are keys in lower case
// without '-', '_' and '.'; "*url" is a key that ends in url. The first row that applies counts.
var markdownRows = []Row{
	// the kind of a definition is res if only images use it
	{"link autolink definition", "", TypeURL, BaseDocument, KindNav, Rewrite, ""},
	{"image", "", TypeURL, BaseDocument, KindRes, Rewrite, ""},
	{"autolink", "", TypeURL, BaseDocument, KindNav, ListOnly, "text=http: https: ftp: www."},
	// addresses of the page itself; generators read them as paths
	{"front-matter", "permalink aliases alias redirectfrom slug", TypeURL, BaseDocument, KindNav, ListOnly, ""},
	{"front-matter", "image images img cover banner thumbnail thumb photo avatar logo icon favicon poster hero " +
		"background video videos audio *image *img", TypeURL, BaseDocument, KindRes, Lazy, ""},
	{"front-matter", "url uri href link links src canonical redirect redirectto homepage website repository *url " +
		"*href *uri", TypeURL, BaseDocument, KindNav, Lazy, ""},
}

// Rows of Markdown that finders use by these names.
var (
	Destination = &markdownRows[0] // links, images, definitions and autolinks
	BareURL     = &markdownRows[2] // URLs in the text
)

// FrontMatter returns the row of a key of front matter, or nil if the key does not name a URL.
func FrontMatter(key string) *Row {
	key = plainKey.Replace(strings.ToLower(key))
	for i := range markdownRows {
		r := &markdownRows[i]
		if r.Elements != "front-matter" {
			continue
		}
		for name := range strings.FieldsSeq(r.Attributes) {
			ending, isEnding := strings.CutPrefix(name, "*")
			if name == key || isEnding && strings.HasSuffix(key, ending) {
				return r
			}
		}
	}
	return nil
}

// plainKey removes the separators of words from a key.
var plainKey = strings.NewReplacer("-", "", "_", "", ".", "")
