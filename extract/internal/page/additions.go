package page

import (
	"bytes"
	"strings"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// Web archives add scripts, style sheets, a toolbar and comments to the pages that they show, and
// programs save them with the page. Comments mark the additions:
//
//   - web.archive.org, and archives with the same software such as Archive-It, add scripts and
//     style sheets after the tag <head>. The comment "End Wayback Rewrite JS Include" ends them.
//   - They add a toolbar between the comments "BEGIN WAYBACK TOOLBAR INSERT" and "END WAYBACK
//     TOOLBAR INSERT".
//   - They add comments that begin with "FILE ARCHIVED ON" and "playback timings (ms):".
//   - pywb, which arquivo.pt uses, adds scripts between the comments "WB Insert" and "End WB
//     Insert".
//
// Either all additions of a page are found or none, because a page without some of them may not
// work.

// The texts of comments that mark additions.
const (
	endOfHead    = "End Wayback Rewrite JS Include"
	beginToolbar = "BEGIN WAYBACK TOOLBAR INSERT"
	endToolbar   = "END WAYBACK TOOLBAR INSERT"
	beginInsert  = "WB Insert"
	endInsert    = "End WB Insert"
	archivedOn   = "FILE ARCHIVED ON"
	retrieved    = "AND RETRIEVED FROM"
	timings      = "playback timings (ms):"
)

// The comments that end an addition, by the comments that begin it, and the other way round.
var (
	ends   = map[string]string{beginToolbar: endToolbar, beginInsert: endInsert}
	begins = map[string]string{endToolbar: beginToolbar, endInsert: beginInsert}
)

// additions reads a page for additions.
type additions struct {
	scan markup.Scanner
	data []byte

	list    []text.Span
	missing string // the reason why no additions are returned, or empty

	head     int    // end of the first tag <head>, or 0
	headOnly bool   // after head there were only scripts, style sheets and comments so far
	last     int    // end of the last token
	begin    int    // start of the open addition
	end      string // comment that ends the open addition, or empty
	other    bool   // the open addition has tags that belong to the page
	signs    []sign
}

// sign is an element that an archive adds.
type sign struct {
	at   int
	mark string // comment that must follow or precede the element
}

// Additions returns the spans of an HTML text that a web archive has added, in their order. If the
// text has additions whose marks are not complete, it returns no spans, and says what is wrong.
func Additions(data []byte) (list []text.Span, missing string) {
	if !mayHaveAdditions(data) {
		return nil, ""
	}
	a := additions{data: data}
	a.scan.Reset(data)
	for kind := a.scan.Next(); kind != markup.EOF && a.missing == ""; kind = a.scan.Next() {
		a.token(kind)
	}
	a.finish()
	if a.missing != "" {
		return nil, a.missing
	}
	return a.list, ""
}

// hints are texts. Each page with additions contains at least one of them.
var hints = [][]byte{[]byte("Wayback Rewrite JS"), []byte("WAYBACK TOOLBAR"), []byte("WB Insert"), []byte(archivedOn),
	[]byte(timings), []byte("wombat.js"), []byte("wm-ipp"), []byte("archive.org/"), []byte("/_static/"),
	[]byte("/static/")}

func mayHaveAdditions(data []byte) bool {
	for _, hint := range hints {
		if bytes.Contains(data, hint) {
			return true
		}
	}
	return false
}

// token handles the token that was just scanned.
func (a *additions) token(kind markup.Kind) {
	s := &a.scan
	start, end := s.Start, s.End
	if kind == markup.RawText {
		start, end = s.TextStart, s.TextEnd
	}
	if start > a.last && len(bytes.TrimSpace(a.data[a.last:start])) > 0 {
		a.headOnly = false
	}
	a.last = max(a.last, end)
	switch kind {
	case markup.RawText:
	case markup.Comment:
		a.comment()
	case markup.StartTag:
		a.startTag()
	case markup.EndTag:
		a.endTag()
	default:
		a.headOnly = false
	}
}

// isTagOf reports whether the tag is one of the named elements.
func (a *additions) isTagOf(names ...string) bool {
	return contains(names, a.data[a.scan.NameStart:a.scan.NameEnd])
}

func (a *additions) startTag() {
	switch {
	case a.end != "" && a.isTagOf("base", "html", "head", "body", "frameset", "plaintext"):
		a.other = true
	case a.head == 0 && a.isTagOf("head"):
		a.head = a.scan.End
		a.headOnly = true
	case !a.isTagOf("script", "link", "style"):
		a.headOnly = false
	}
	if a.end == "" {
		a.noteSign()
	}
}

func (a *additions) endTag() {
	switch {
	case a.end != "" && a.isTagOf("html", "head", "body", "frameset"):
		a.other = true
	case !a.isTagOf("script", "style"):
		a.headOnly = false
	}
}

// noteSign notes the current element if only archives add such an element.
func (a *additions) noteSign() {
	s := &a.scan
	for i := range s.Attrs {
		name := a.data[s.Attrs[i].NameStart:s.Attrs[i].NameEnd]
		value := string(a.data[s.Attrs[i].Start:s.Attrs[i].End])
		switch {
		case text.IsFold(name, "id") && (value == "wm-ipp-base" || value == "wm-ipp"):
			a.signs = append(a.signs, sign{s.Start, beginToolbar})
		case !text.IsFold(name, "src") && !text.IsFold(name, "href") || !a.isTagOf("script", "link"):
		case strings.Contains(value, "archive.org/_static/"), strings.Contains(value, "archive.org/includes/"),
			strings.HasPrefix(value, "/_static/js/bundle-playback"), strings.HasPrefix(value, "/_static/js/playback"),
			strings.HasPrefix(value, "/_static/js/wombat"), strings.HasPrefix(value, "/_static/css/banner-styles"),
			strings.HasPrefix(value, "/static/css/banner-styles"), strings.HasPrefix(value, "/static/js/analytics.js"):
			a.signs = append(a.signs, sign{s.Start, endOfHead})
		case strings.HasSuffix(value, "/wombat.js"):
			a.signs = append(a.signs, sign{s.Start, endInsert})
		}
	}
}

// comment handles the comment that was just scanned.
func (a *additions) comment() {
	s := &a.scan
	body := string(bytes.TrimSpace(a.data[s.TextStart:s.TextEnd]))
	switch {
	case a.end != "" && body == a.end && a.other:
		a.missing = "other content stands before the comment \"" + a.end + "\""
	case a.end != "" && body == a.end:
		a.list = append(a.list, text.Span{Start: a.begin, End: s.End})
		a.end = ""
	case begins[body] != "":
		a.missing = "the comment \"" + begins[body] + "\" is missing"
	case a.end != "" && (ends[body] != "" || body == endOfHead):
		a.missing = "the comment \"" + a.end + "\" is missing"
	case a.end != "":
	case ends[body] != "":
		a.begin = s.Start
		a.end = ends[body]
	case body == endOfHead && a.head == 0:
		a.missing = "the tag <head> before the comment \"" + endOfHead + "\" is missing"
	case body == endOfHead && !a.headOnly:
		a.missing = "other content stands before the comment \"" + endOfHead + "\""
	case body == endOfHead:
		for len(a.list) > 0 && a.list[len(a.list)-1].Start >= a.head {
			a.list = a.list[:len(a.list)-1] // inside the span that is added below
		}
		a.list = append(a.list, text.Span{Start: a.head, End: s.End})
		a.headOnly = false
	case strings.HasPrefix(body, archivedOn) && strings.Contains(body, retrieved), strings.HasPrefix(body, timings):
		a.list = append(a.list, text.Span{Start: s.Start, End: s.End})
	}
}

// finish sets missing if a comment is still missing at the end of the page.
func (a *additions) finish() {
	if a.missing == "" && a.end != "" {
		a.missing = "the comment \"" + a.end + "\" is missing"
	}
	for _, s := range a.signs {
		if a.missing == "" && !a.removes(s.at) {
			a.missing = "the comment \"" + s.mark + "\" is missing"
		}
	}
}

// removes reports whether an offset is in an addition.
func (a *additions) removes(at int) bool {
	for _, s := range a.list {
		if s.Start <= at && at < s.End {
			return true
		}
	}
	return false
}
