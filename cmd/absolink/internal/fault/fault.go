// Package fault has the texts of problems of documents, rewritings and links for the user.
package fault

import (
	"fmt"
	"strings"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// Remark is the kind of a [document.Problem] whose Detail is the whole text for the user.
const Remark extract.Defect = "remark"

// Text returns the text of a problem for the user. printable returns a text in the form in which it
// is shown.
func Text(p *document.Problem, printable func(string) string) string {
	switch p.Kind {
	case document.UnreadBody:
		return p.Detail + ": not read"
	case document.LeftOut:
		return "not read: " + p.Detail
	case document.Defect, document.Unread, document.Undecoded, Remark:
		return p.Detail
	case document.Mislabelled:
		return p.Detail + ": read without decoding"
	case rewrite.Protected:
		return p.Detail + ": stays as written"
	case rewrite.Unsafe, rewrite.Unmoved:
		return "stays as written: " + p.Detail
	case rewrite.Additions:
		return "the additions of the web archive to the page stay: " + p.Detail
	case rewrite.Left:
		return "listed only: stays as written, but should lead to " + printable(p.Detail)
	case rewrite.Misread:
		return "stays as written: with " + printable(strings.TrimSpace(p.Detail)) +
			" in its place, this or another link would be misread"
	case rewrite.NoRoom:
		return "stays as written: the document has no room for " + printable(strings.TrimSpace(p.Detail))
	case rewrite.Unwritten:
		return "its links stay as written: absolink reads " + p.Detail + " and does not write it"
	case rewrite.FixedEnd:
		return "stays as written: an edit would move the end of the script or noscript element around it"
	case rewrite.TooLarge:
		return "stays as written: its new links would need more bytes than --max-size allows"
	}
	if p.Kind == extract.UnknownCharset && p.Detail != "" {
		return fmt.Sprintf("%s: the charset %.100q is not known: links with bytes above 127 stay as written; "+
			"to read them, name a charset with --charset NAME", p.Kind, p.Detail)
	}
	if p.Kind == extract.CharsetConflict && p.Detail != "" {
		return fmt.Sprintf("%s: the byte order mark names another charset than the header or --charset; %s",
			p.Kind, p.Detail)
	}
	if t := defectTexts[p.Kind]; t != "" {
		return string(p.Kind) + ": " + t
	}
	return string(p.Kind)
}

// defectTexts has the text for each defect of a document, without its name.
var defectTexts = map[extract.Defect]string{
	"base-in-noscript": "the BASE element is in noscript; browsers with scripting do not see it",
	"base-repeated":    "another BASE element comes before this one; only the first counts",
	"base-late": "relative links come before the BASE element, which applies to them, too; but browsers " +
		"load some of them before they read the BASE element",
	"base-data": "the BASE element is a data: or javascript: URL, which gives no base",
	"charset-conflict": "the document declares another charset than its header or --charset; the charset of the " +
		"document is ignored",
	"unknown-charset":     "the declared charset is unknown; another one is used",
	"unsupported-charset": "the links cannot be read",
	"srcdoc-too-deep":     "the links in it are not read",
	"not-well-formed":     "the XML is not well-formed; the rest is not read",
	"unread-entity":       "an entity is not declared in the document, or holds markup; links in it are not read",
	"split-reference":     "a link consists of several pieces of text or entities; it stays as written",
	"shifted-reference":   "a link with escape sequences of ISO-2022-JP cannot be edited; it stays as written",
	"too-complex": "Markdown is read up to 4 MB, and only if its brackets, quotes and tables do not need too much " +
		"time or memory; nothing was read",
	"open-front-matter": "the front matter that begins here has no end; it is read as Markdown",
	"disputed-markdown": "parsers of Markdown do not agree where this link begins and ends; it stays as written",
	"shared-definition": "links and images use this definition; it is resolved as a link, and not against " +
		"--image-base; if the images need --image-base, give them a definition of their own",
	"invalid-json":      "the JSON is not valid; the rest of it is not read",
	"xml-base-too-deep": "links inside so many nested xml:base attributes are not resolved",
}
