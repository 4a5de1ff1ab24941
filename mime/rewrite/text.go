package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/internal/sealed"
)

// The rules of the map move absolute URLs in plain and enriched text. Nothing else of such text
// changes. A rule for a prefix replaces only that prefix, so the URL may have an unclear end. All
// other rules replace the whole URL.
//
// An edit must not break a signature, a patch or an encoded block. Further URLs stay because their
// bytes are folded over two lines, or because a line would become too long. The plan counts the
// URLs that stay by reason. If the reason concerns only one URL, a problem names its position.

// Reasons why links stay although the map applies to them: keys of Plan.Stays. The values of
// [sealed.Reason] are keys too.
const (
	staysSigned    = "signed"   // a signature covers the text
	staysUnedited  = "unedited" // no edit may change the part: see [mime.Leaf.Protected]
	staysHeader    = "header"   // header fields are not edited
	staysCalendar  = "calendar"
	staysCard      = "vcard"
	staysLinkset   = "linkset"
	staysCharset   = "charset" // absolink never writes the charset
	staysFolded    = "folded"  // line ends, commands or tags are among the bytes to change
	staysUnclear   = "unclear-end"
	staysLong      = "long-line" // the line would be longer than SMTP carries
	staysUnmoved   = "unmoved"   // the rule gives no URI
	staysUnsafe    = "unsafe"    // the edit cannot be made, or would not be read back
	staysEncrypted = string(sealed.Encrypted)
	staysPatch     = string(sealed.Patch)
	staysFooter    = string(sealed.Footer)
)

// isText reports whether a format is running text whose URLs may be edited.
func isText(f extract.Format) bool { return f == extract.Plain || f == extract.Enriched }

// neverEdited reports whether the references of a format are never edited. The plan only counts the
// references to which the map applies.
func neverEdited(f extract.Format) bool { return f.ListOnly() && !isText(f) }

// movesText reports whether URLs in running text move.
func (r *Rewriter) movesText() bool { return r.Site != nil && !r.Site.Map.Empty() && !r.KeepText }

// countStay counts n links that stay for a reason although the rule applies to them.
func (p *Plan) countStay(reason, rule string, n int) {
	if p.Stays == nil {
		p.Stays = make(map[string]map[string]int)
	}
	if p.Stays[reason] == nil {
		p.Stays[reason] = make(map[string]int)
	}
	p.Stays[reason][rule] += n
}

// countUnsafe counts l, which stays, if it is in running text and a rule applies to it. uri is its
// URI.
func (p *Plan) countUnsafe(l *Link, uri []byte) {
	if !isText(p.doc.Format) && !l.InText() {
		return
	}
	if rule, ok := p.r.Site.Map.Rule(string(uri)); ok {
		p.countStay(staysUnsafe, rule, 1)
	}
}

// countNeverEdited counts the links of d to which the map applies. d has a format that is never
// edited.
func (p *Plan) countNeverEdited(d *document.Document) {
	if !p.r.movesText() {
		return
	}
	reason := staysHeader
	switch d.Format {
	case extract.Calendar:
		reason = staysCalendar
	case extract.Card:
		reason = staysCard
	case extract.Linkset, extract.JSONLinkset:
		reason = staysLinkset
	}
	d.Prepare(&p.r.Resolver)
	for l := range p.r.Resolver.Links(d.Doc) {
		if l.Status != extract.AbsoluteRef || l.URI == nil || !p.r.Site.Map.Concerns(l.URI) {
			continue
		}
		if rule, ok := p.r.Site.Map.Rule(string(l.URI)); ok {
			p.countStay(reason, rule, 1)
		}
	}
}

// seals are the reasons why text of a document must stay. They are read for the first URL to which
// a rule applies.
type seals struct {
	read   bool
	whole  string         // the reason for the whole text, or empty
	pieces []sealed.Piece // parts of the text that must stay, as spans of the document
}

// editedLine is the line of the last edit in a text.
type editedLine struct {
	extract.Span     // in the document before the edits
	size         int // bytes of the line after the edits
	limit        int // largest number of bytes that the line may have
}

// moveText is move for l, a URL in running text.
func (m *mover) moveText(l *Link) []byte {
	l.Change = false
	if !m.p.r.movesText() || l.Status != extract.AbsoluteRef || l.URI == nil || !m.site.Map.Concerns(l.URI) {
		return nil
	}
	hasScheme := beginsAsWritten(m.d.Data[l.Start:l.End], l.Value)
	if !hasScheme && m.d.Format != extract.Markdown || m.countSealed(l) {
		return nil
	}
	uri := string(l.URI)
	to, n, err := m.site.Map.MoveStart(uri, m.p.Written)
	if err != nil {
		m.leaveText(l, staysUnmoved, err.Error())
		return nil
	}
	if n == 0 {
		return nil
	}
	if reason, why := m.writeMoved(l, uri, to, n, hasScheme); reason != "" {
		m.leaveText(l, reason, why)
		return nil
	}
	if !m.addToLine(l.edits[0]) {
		m.leaveText(l, staysLong, "its line would be longer than the 998 bytes that mail allows")
		return nil
	}
	l.Change = true
	l.Status = extract.AbsoluteRef
	l.URI = m.p.r.Resolver.Resolve(&l.Link, l.written)
	return l.written
}

// writeMoved replaces l, or only its start. uri is the URI of l, and to is the URI to which the map
// moves it. The map changes only the first n bytes of uri. hasScheme reports whether the text of l
// includes the scheme. If l must stay, writeMoved returns a reason for Plan.Stays, and the text of
// a problem.
func (m *mover) writeMoved(l *Link, uri, to string, n int, hasScheme bool) (reason, why string) {
	switch {
	case !hasScheme:
		return m.writeHostStart(l, uri, to, n)
	case m.writeTextStart(l, uri, to, n):
		return "", ""
	}
	return m.writeText(l, to)
}

// escape begins the escape sequences of ISO-2022-JP.
const escape = 0x1b

// beginsAsWritten reports whether raw, the bytes of a URL, begin like its value. They do not if the
// text omits the scheme, because the value has a scheme in any case.
func beginsAsWritten(raw, value []byte) bool {
	raw = bytes.TrimLeft(raw, "\x00") // of UTF-16
	return bytes.HasPrefix(raw, value[:1]) || bytes.HasPrefix(raw, []byte{escape})
}

// leaveText counts l, a URL in text that stays for a reason, and adds a problem with the text why.
func (m *mover) leaveText(l *Link, reason, why string) {
	rule, _ := m.site.Map.Rule(string(l.URI))
	m.p.countStay(reason, rule, 1)
	m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, string(l.Stripped())+": "+why)))
}

// writeTextStart replaces the start of l. uri is the URI of l, and to is the URI to which the map
// moves it. The map changes only the first n bytes of uri. writeTextStart returns false if it
// cannot replace the corresponding bytes of l alone.
func (m *mover) writeTextStart(l *Link, uri, to string, n int) bool {
	if n == len(uri) {
		return false
	}
	value := string(l.Value)
	k := writtenStart(value, uri, n)
	if k < 0 {
		return false
	}
	if _, open, _ := l.Known(); k == len(value) && (open || m.templateFollows(l)) {
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
	l.tail = len(value) - k
	return true
}

// writeHostStart is writeTextStart for a URL of Markdown without a scheme, such as www.example.org.
// The value of such a URL begins with http://. The scheme of the new start is written too, unless
// the new start begins with http://www. If l must stay, writeHostStart returns a reason for
// Plan.Stays, and the text of a problem.
func (m *mover) writeHostStart(l *Link, uri, to string, n int) (reason, why string) {
	const implied = "http://"
	value := string(l.Value)
	k := writtenStart(value, uri, n)
	if k < 0 {
		return staysUnclear, "it has no scheme, and its path is written in another way than in the rule"
	}
	raw, ok := strings.CutPrefix(value, implied)
	if !ok || raw != string(m.d.Data[l.Start:l.End]) {
		return staysCharset, "it has no scheme, and its characters are stored in another way"
	}
	start := to[:len(to)-(len(uri)-n)]
	origin := to[:originLength(to)] + "/"
	if !l.Holds([]byte(origin)) {
		return staysUnsafe, "its place cannot hold " + origin
	}
	l.written = []byte(start + value[k:])
	l.tail = len(value) - k
	at := extract.Span{Start: l.Start, End: l.Start + k - len(implied)}
	if strings.HasPrefix(start, implied+"www.") {
		start = start[len(implied):]
	}
	l.edits = []extract.Edit{{Span: at, New: []byte(start)}}
	return "", ""
}

// writtenStart returns the number of bytes of value, a URL as written, that correspond to the first
// n bytes of uri, its URI. It returns -1 if value has other bytes there. The scheme and host of
// value may be written differently, so they correspond only as a whole: writtenStart returns -1 if
// n ends within them.
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

// writeText replaces l by to, its new URI. If l only loses tracking parameters, writeText removes
// only these. If l must stay, writeText returns a reason for Plan.Stays, and the text of a problem.
func (m *mover) writeText(l *Link, to string) (reason, why string) {
	if bytes.IndexByte(m.d.Data[l.Start:l.End], escape) >= 0 {
		return staysCharset, "escape sequences are among the bytes to change"
	}
	if !m.inOnePiece(l) {
		return staysFolded, m.foldedText()
	}
	stripped, strips := m.planStripping(l, to)
	lost := stripped.spans
	if !strips {
		lost = []extract.Span{{End: len(l.Value)}}
	}
	if why := m.doubtfulBytes(l, lost, to); why != "" {
		return staysUnclear, why
	}
	if lost[len(lost)-1].End == len(l.Value) {
		if why := m.doubtfulEnd(l); why != "" {
			return staysUnclear, why
		}
	}
	if strips {
		m.apply(l, stripped, to)
		return "", ""
	}
	value := string(l.Value)
	if bareHost(value) && strings.HasSuffix(to, "/") && bareHost(to[:len(to)-1]) {
		to = to[:len(to)-1]
	}
	l.written = []byte(to)
	l.tail = 0
	l.edits = []extract.Edit{l.Edit(l.written)}
	return "", ""
}

// foldedText returns the text of a problem: other bytes interrupt a URL.
func (m *mover) foldedText() string {
	switch m.d.Format {
	case extract.Plain:
		return "the bytes to change are folded over two lines"
	case extract.Enriched:
		return "line ends or commands are among the bytes to change"
	}
	return "line ends or tags are among the bytes to change"
}

// inOnePiece reports whether no line end, command or tag interrupts the bytes of l.
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

// addToLine counts the bytes that e adds to its line, and returns true. It returns false if the
// line would become too long. Only the lines of messages are limited.
func (m *mover) addToLine(e extract.Edit) bool {
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

// countSealed counts l if a rule applies to it and a seal covers it. It returns true if l must
// stay, because a seal covers it or no rule applies. If no seal can cover l, it returns false
// without a look at the rules.
func (m *mover) countSealed(l *Link) (stays bool) {
	if m.seals.read && m.seals.whole == "" && m.seals.pieces == nil && !l.Unsafe {
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
	m.p.countStay(reason, rule, 1)
	return true
}

// sealOf returns the reason why l must stay, or "". It reads the seals of the document first.
func (m *mover) sealOf(l *Link) string {
	if !m.seals.read {
		m.seals = m.readSeals()
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
	return string(sealed.ReasonAt(m.seals.pieces, l.Start, l.End))
}

// readSeals returns the seals of the document. If the document is protected, readSeals counts it
// and adds a problem. If its charset is never written, readSeals counts one link that cannot be
// written.
func (m *mover) readSeals() seals {
	text := m.d.Scanned()
	s := seals{read: true}
	if reason := m.protection(text.Data); reason != "" {
		s.whole = staysUnedited
		if reason == staysSigned || reason == staysEncrypted {
			s.whole = reason
		}
		if isText(m.d.Format) { // addToSource counts a protected page if it has edits
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

// protection returns the reason why no edit may change the document, or "". text is the text of the
// document.
func (m *mover) protection(text []byte) string {
	reason := ""
	if m.d.Leaf != nil {
		reason = m.d.Leaf.Protected()
	}
	if reason == "" && (m.p.src.Signed || sealed.HasClearSigned(text) || m.p.signedBeside(m.d.Entity)) {
		reason = staysSigned
	}
	if reason == staysSigned && m.p.r.BreakSignatures {
		return ""
	}
	return reason
}

// isPatch reports whether the media type or the file name of a part says that the whole document is
// a patch.
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
