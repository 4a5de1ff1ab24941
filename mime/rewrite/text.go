package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/internal/sealed"
)

// Absolute URLs in plain and enriched text move by the rules of the map, and nothing else of such
// text changes. A rule for a prefix replaces only that prefix, so it does not matter if the end of
// a URL is unclear. All other rules replace the whole URL.
//
// An edit must not break a signature, a patch or an encoded block. Other URLs stay because their
// bytes are folded over two lines, or because a line would become too long. The plan counts the
// URLs that stay by reason, and names the places of those that only concern the URL itself.

// Reasons why links stay although the map applies to them, for Plan.Stays. Further reasons are the
// kinds of [sealed.Reason].
const (
	staysSigned    = "signed"   // a signature covers the text
	staysUnedited  = "unedited" // the part is not edited: see [mime.Leaf.Protected]
	staysHeader    = "header"   // header fields are not edited
	staysCalendar  = "calendar"
	staysCard      = "vcard"
	staysCharset   = "charset" // the charset is not written
	staysFolded    = "folded"  // line ends or commands are among the bytes to change
	staysUnclear   = "unclear-end"
	staysLong      = "long-line" // the line would be longer than SMTP carries
	staysUnmoved   = "unmoved"   // the rule gives no URI
	staysUnsafe    = "unsafe"    // the edit cannot be made, or would not be read back
	staysEncrypted = string(sealed.Encrypted)
	staysPatch     = string(sealed.Patch)
	staysFooter    = string(sealed.Footer)
)

// isText reports whether the references of a format are URLs in running text that move.
func isText(f extract.Format) bool { return f == extract.Plain || f == extract.Enriched }

// isCounted reports whether no reference of a format is ever edited. Those to which the map applies
// are only counted.
func isCounted(f extract.Format) bool { return f.ListOnly() && !isText(f) }

// movesText reports whether URLs in running text move.
func (r *Rewriter) movesText() bool { return r.Site != nil && !r.Site.Map.Empty() && !r.KeepText }

// stay counts n links that stay for a reason although a rule applies to them.
func (p *Plan) stay(reason, rule string, n int) {
	if p.Stays == nil {
		p.Stays = make(map[string]map[string]int)
	}
	if p.Stays[reason] == nil {
		p.Stays[reason] = make(map[string]int)
	}
	p.Stays[reason][rule] += n
}

// noteUnsafe counts l, which stays, if it is in running text. uri is its URI.
func (p *Plan) noteUnsafe(l *Link, uri []byte) {
	if !isText(p.doc.Format) && !l.InText() {
		return
	}
	if rule, ok := p.r.Site.Map.Rule(string(uri)); ok {
		p.stay(staysUnsafe, rule, 1)
	}
}

// count counts the links of d, which is never edited, to which the map applies.
func (p *Plan) count(d *document.Document) {
	if !p.r.movesText() {
		return
	}
	reason := staysHeader
	switch d.Format {
	case extract.Calendar:
		reason = staysCalendar
	case extract.Card:
		reason = staysCard
	}
	d.Prepare(&p.r.Resolver)
	for l := range p.r.Resolver.Links(d.Doc) {
		if l.Status != extract.AbsoluteRef || l.URI == nil {
			continue
		}
		if rule, ok := p.r.Site.Map.Rule(string(l.URI)); ok {
			p.stay(reason, rule, 1)
		}
	}
}

// seals are the reasons why the text of a document must stay. They are found when they first
// matter.
type seals struct {
	found  bool
	whole  string         // the reason for all of the text, or empty
	pieces []sealed.Piece // spans of the document
}

// line is the line of the last edit in a text.
type line struct {
	extract.Span
	size  int // bytes after the edits
	limit int // bytes that it may have
}

// moveText is move for l, a URL in running text.
func (m *mover) moveText(l *Link) []byte {
	l.Change = false
	if !m.p.r.movesText() || l.Status != extract.AbsoluteRef || l.URI == nil {
		return l.URI
	}
	if !beginsAsWritten(m.d.Data[l.Start:l.End], l.Value) || m.staysSealed(l) {
		return l.URI
	}
	uri := string(l.URI)
	to, n, err := m.site.Map.MoveStart(uri, m.p.Written)
	if err != nil {
		m.stayText(l, staysUnmoved, err.Error())
		return l.URI
	}
	if n == 0 {
		return l.URI
	}
	if !m.writeTextStart(l, uri, to, n) {
		if reason, why := m.writeText(l, to); reason != "" {
			m.stayText(l, reason, why)
			return l.URI
		}
	}
	if !m.fitsLine(l.edits[0]) {
		l.edits = nil
		m.stayText(l, staysLong, "its line would be longer than the 998 bytes that mail allows")
		return l.URI
	}
	l.Change = true
	l.Status = extract.AbsoluteRef
	l.URI = m.p.r.Resolver.Resolve(&l.Link, l.written)
	return l.written
}

// escape begins the escape sequences of ISO-2022-JP.
const escape = 0x1b

// beginsAsWritten reports whether raw, the bytes of a URL, begin like its value. They do not if the
// scheme was left out and supplied by the reader.
func beginsAsWritten(raw, value []byte) bool {
	raw = bytes.TrimLeft(raw, "\x00") // of UTF-16
	return len(raw) > 0 && len(value) > 0 && (raw[0] == value[0] || raw[0] == escape)
}

// stayText leaves l as it is written for a reason, and records why.
func (m *mover) stayText(l *Link, reason, why string) {
	rule, _ := m.site.Map.Rule(string(l.URI))
	m.p.stay(reason, rule, 1)
	m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, string(l.Stripped())+": "+why)))
}

// writeTextStart replaces the start of l. The map moves uri, the URI of l, to the URI to, and
// changes only its first n bytes. It reports false if that start cannot be replaced on its own.
func (m *mover) writeTextStart(l *Link, uri, to string, n int) bool {
	if n == len(uri) {
		return false
	}
	value := string(l.Value)
	k := writtenStart(value, uri, n)
	if _, open, _ := l.Known(); k < 0 || open && k == len(value) {
		return false
	}
	start := to[:len(to)-(len(uri)-n)]
	edits, ok := m.p.r.Resolver.AppendPart(nil, &l.Link, 0, k, []byte(start))
	if !ok {
		return false
	}
	written := start + value[k:]
	if written != to && !m.leadsTo(l, written, to) {
		return false
	}
	l.edits = edits
	l.written = []byte(written)
	l.unknown = len(value) - k
	return true
}

// writtenStart returns the number of bytes of value, a URL as it is written, that correspond to the
// first n bytes of uri, the same URL as it is resolved. It returns -1 if value spells them in
// another way, except for the scheme and the host.
func writtenStart(value, uri string, n int) int {
	if !strings.Contains(uri[:n], "//") {
		if len(value) < n || value[:n] != uri[:n] {
			return -1
		}
		return n
	}
	origin, written := originLength(uri), originLength(value)
	switch {
	case n < origin:
		return -1
	case !strings.HasPrefix(value[written:], uri[origin:n]):
		return -1
	}
	return written + n - origin
}

// writeText replaces all of l by to. If it must not, it returns the reason, and says why.
func (m *mover) writeText(l *Link, to string) (reason, why string) {
	if bytes.IndexByte(m.d.Data[l.Start:l.End], escape) >= 0 {
		return staysCharset, "escape sequences are among the bytes to change"
	}
	if !m.inOnePiece(l) {
		return staysFolded, m.sayFolded()
	}
	folded := m.d.EndsFolded(l.Span)
	if folded && m.site.Map.Open(string(l.URI)) {
		return staysUnclear, "its line may have been folded there, so that its target is cut short"
	}
	if folded && m.changesEnd(l) {
		return staysUnclear, "its line may have been folded there, and its end would change"
	}
	if m.endsInMark(l) && m.changesEnd(l) {
		return staysUnclear, "its last character may belong to the text, and would change"
	}
	for _, w := range l.Warnings {
		if w == "unclear-end" || w == "line-end-hyphen" {
			return staysUnclear, "it is not clear where it ends, and all of it would change"
		}
	}
	if _, ok := m.strip(l, to); ok {
		return "", ""
	}
	if _, open, whole := l.Known(); open || !whole {
		return staysUnclear, "a template may continue it"
	}
	value := string(l.Value)
	if bareHost(value) && strings.HasSuffix(to, "/") && bareHost(to[:len(to)-1]) {
		to = to[:len(to)-1]
	}
	l.written = []byte(to)
	l.unknown = 0
	l.edits = []extract.Edit{l.Edit(l.written)}
	return "", ""
}

// changesEnd reports whether the map changes the end of l, and not only what stands before it.
func (m *mover) changesEnd(l *Link) bool {
	uri := string(l.URI)
	return m.site.Map.URI(uri+"0") != m.site.Map.URI(uri)+"0"
}

// endsInMark reports whether the last character of l may be a mark of the text around it, as in
// *http://h/* or *see http://h/*.
func (m *mover) endsInMark(l *Link) bool {
	mark := l.Value[len(l.Value)-1]
	switch mark {
	case '*':
		return true
	case '_', '~':
		return bytes.HasSuffix(m.d.Data[:l.Start], []byte{mark})
	}
	return false
}

// sayFolded says what stands among the bytes of a URL.
func (m *mover) sayFolded() string {
	switch m.d.Format {
	case extract.Plain:
		return "the bytes to change are folded over two lines"
	case extract.Enriched:
		return "line ends or commands are among the bytes to change"
	}
	return "line ends or tags are among the bytes to change"
}

// inOnePiece reports whether the bytes of l stand together in the text.
func (m *mover) inOnePiece(l *Link) bool {
	raw := m.d.Data[l.Start:l.End]
	edits, ok := m.p.r.Resolver.AppendPart(nil, &l.Link, 0, len(l.Value), nil)
	if ok {
		return edits[0].End == l.End
	}
	// letters outside of ASCII are other bytes in the charset of the document
	return !isASCII(l.Value) && !bytes.ContainsAny(raw, "\r\n<")
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

// fitsLine reports whether the line of an edit stays short enough. It counts the edit.
func (m *mover) fitsLine(e extract.Edit) bool {
	if m.d.Leaf == nil {
		return true
	}
	at := &m.line
	if at.limit == 0 || e.Start > at.End {
		at.Span, at.limit = m.d.Leaf.Line(e.Start)
		at.size = at.End - at.Start
	}
	size := at.size + len(e.New) - (e.End - e.Start)
	if size > at.limit {
		return false
	}
	at.size = size
	return true
}

// staysSealed reports whether l must stay although a rule may apply to it. It counts l if a rule
// does. The seals of a document are found for the first URL to which a rule applies.
func (m *mover) staysSealed(l *Link) bool {
	if m.seals.found && m.seals.whole == "" && m.seals.pieces == nil && !l.Unsafe {
		return false
	}
	rule, ok := m.site.Map.Rule(string(l.URI))
	if !ok {
		return true
	}
	reason := m.sealOf(l)
	if reason == "" {
		return false
	}
	m.p.stay(reason, rule, 1)
	return true
}

// sealOf returns the reason why l must stay, or an empty string.
func (m *mover) sealOf(l *Link) string {
	if !m.seals.found {
		m.seals = m.findSeals()
	}
	if m.seals.whole != "" {
		return m.seals.whole
	}
	switch {
	case !l.Unsafe:
	case isText(m.d.Format):
		return staysCharset
	default:
		return staysUnsafe
	}
	return string(sealed.Touch(m.seals.pieces, l.Start, l.End))
}

// findSeals finds the seals of the document. If all of its text must stay, a problem of the plan
// says why.
func (m *mover) findSeals() seals {
	text := m.d.Scanned()
	s := seals{found: true}
	if reason := m.protection(text.Data); reason != "" {
		s.whole = staysUnedited
		if reason == staysSigned || reason == staysEncrypted {
			s.whole = reason
		}
		if isText(m.d.Format) { // a page is counted when its other links are edited
			m.p.Protected++
			m.p.Problems = append(m.p.Problems, minor(m.d.Problem(extract.Span{}, Protected, reason)))
		}
		return s
	}
	switch {
	case m.d.ReadOnly():
		s.whole = staysCharset
		m.p.doc.unwritten++
	case m.isPatch():
		s.whole = staysPatch
	case m.d.Leaf != nil && m.d.Entity.Encoding() == "x-uuencode":
		s.whole = string(sealed.Encoded)
	}
	if s.whole != "" {
		return s
	}
	for _, piece := range sealed.Pieces(text.Data) {
		if piece.Reason == sealed.Footer && !m.p.r.SkipFooters {
			continue
		}
		raw := text.Raw(extract.Span{Start: piece.Start, End: piece.End})
		s.pieces = append(s.pieces, sealed.Piece{Start: raw.Start, End: raw.End, Reason: piece.Reason})
	}
	return s
}

// protection says why no edit may touch the document, or returns an empty string.
func (m *mover) protection(text []byte) string {
	reason := ""
	if m.d.Leaf != nil {
		reason = m.d.Leaf.Protected()
	}
	if reason == "" && (m.p.src.Signed || sealed.InClear(text) || m.p.signedBeside(m.d.Entity)) {
		reason = staysSigned
	}
	if reason == staysSigned && m.p.r.BreakSignatures {
		return ""
	}
	return reason
}

// isPatch reports whether the whole document is a patch by its media type or by the name of its
// part.
func (m *mover) isPatch() bool {
	e := m.d.Entity
	if e == nil {
		return false
	}
	_, name := e.Disposition()
	name = strings.ToLower(strings.TrimSpace(name))
	kind := strings.Replace(e.MediaType(), "/x-", "/", 1)
	return kind == "text/patch" || kind == "text/diff" ||
		strings.HasSuffix(name, ".patch") || strings.HasSuffix(name, ".diff")
}
