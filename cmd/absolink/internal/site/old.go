package site

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"absolink/resolve"
	"absolink/resolve/move"
)

// Text outside links may still name the old address of a site: scripts, JSON, robots.txt,
// .htaccess, comments. In such files a host has many spellings. Decoding a whole file would be
// slow. So the search looks for the longest piece of the host that consists of ASCII letters and
// digits. It decodes only the text around that piece, and compares the host and the path after the
// host: see old_spelling.go. A host whose longest piece has escapes is not found.

// Old finds old addresses in text: the host and the path of the OLD of a rule, with any scheme. It
// leaves out addresses behind the prefix of a web archive, and those that are a part of a NEW. Old
// is safe for concurrent use.
type Old struct {
	hosts        []oldHost
	newAddresses []string // each NEW with an old host in it, in lower case and decoded
	longestPath  int      // length in bytes of the longest path of a host
}

// oldHost is a host of OLD addresses, with the paths of these addresses.
type oldHost struct {
	name  string // in lower case, in ASCII, without the default port
	forms []oldForm
	paths []string // in lower case and decoded; "" stands for all paths
}

// oldForm is a spelling of a host in lower case, without escapes: in ASCII or in other letters.
type oldForm struct {
	text string
	// pieces are the texts that the search looks for: the longest run of ASCII letters and digits,
	// or the spellings of the first letter if there is no such run.
	pieces []string
	offset int // offset of the pieces in text
}

// NewOld returns a finder of the OLD addresses of m. If archive is true, it also finds addresses in
// the Wayback Machine.
func NewOld(m *move.Map, archive bool) *Old {
	o := new(Old)
	for _, old := range m.OldPrefixes() {
		r := resolve.Split(old)
		o.add(r.Scheme, r.Authority, strings.TrimSuffix(r.Path, "/"))
	}
	if archive {
		o.add("https", "web.archive.org", "/web")
	}
	for _, to := range m.NewPrefixes() {
		to = strings.ToLower(resolve.Unescape(to))
		if slices.ContainsFunc(o.hosts, func(h oldHost) bool { return strings.Contains(to, h.name) }) {
			o.newAddresses = append(o.newAddresses, strings.TrimSuffix(to, "/"))
		}
	}
	return o
}

// add adds an OLD address: the host of authority, with a path.
func (o *Old) add(scheme, authority, path string) {
	name := strings.ToLower(authority[strings.LastIndexByte(authority, '@')+1:])
	if name == "" {
		return
	}
	if b, err := resolve.NewBase(scheme+"://"+name+"/", resolve.Options{}); err == nil {
		name = resolve.Split(b.String()).Authority // in ASCII, without the default port
	}
	i := slices.IndexFunc(o.hosts, func(h oldHost) bool { return h.name == name })
	if i < 0 {
		i = len(o.hosts)
		o.hosts = append(o.hosts, oldHost{name: name, forms: formsOf(name)})
	}
	path = strings.ToLower(resolve.Unescape(path))
	o.longestPath = max(o.longestPath, len(path))
	if h := &o.hosts[i]; !slices.Contains(h.paths, path) {
		h.paths = append(h.paths, path)
	}
}

// formsOf returns the forms of a host: name itself, and if it is in Punycode, the decoded name with
// composed characters (ü) and with decomposed ones (u and a combining mark).
func formsOf(name string) (list []oldForm) {
	composed, err := idna.Punycode.ToUnicode(name)
	if err != nil {
		composed = name
	}
	for _, text := range []string{name, composed, norm.NFD.String(composed)} {
		if !slices.ContainsFunc(list, func(f oldForm) bool { return f.text == text }) {
			list = append(list, newOldForm(text))
		}
	}
	return list
}

func newOldForm(text string) oldForm {
	longest, at := "", 0
	for i := 0; i < len(text); i++ {
		end := i
		for end < len(text) && ('a' <= text[end] && text[end] <= 'z' || '0' <= text[end] && text[end] <= '9') {
			end++
		}
		if end-i > len(longest) {
			longest = text[i:end]
			at = i
		}
		i = max(i, end)
	}
	if longest == "" {
		return oldForm{text: text, pieces: spellings(text)}
	}
	return oldForm{text, []string{longest}, at}
}

// spellings returns pieces for the first letter of text, if text has no ASCII letter or digit.
// Every usual spelling of that letter contains one of the pieces. The pieces do not cover its name
// in HTML, such as &uuml;, or a number with extra zeros. ASCII letters in the pieces are in lower
// case.
func spellings(text string) (list []string) {
	first, _ := utf8.DecodeRuneInString(text)
	for _, r := range []rune{first, unicode.ToUpper(first)} {
		plain := string(r)
		list = append(list, plain, fmt.Sprintf("%%%02x", plain[0]), fmt.Sprintf("%%25%02x", plain[0]),
			fmt.Sprintf("u%04x", utf16.AppendRune(nil, r)[0]), fmt.Sprintf("u{%x}", r),
			fmt.Sprintf("&#%d;", r), fmt.Sprintf("&#x%x;", r))
		if r <= 0xff {
			list = append(list, fmt.Sprintf("x%02x", r), string([]byte{byte(r)}))
		}
	}
	return list
}

// Scanner returns a scanner of the text that is written to it. line is the number of the first line
// of the text. The scanner calls found for each old address, in order; columns count from 1. The
// caller must close the scanner.
func (o *Old) Scanner(line int64, found func(line, column int64, text string)) *OldScanner {
	return &OldScanner{o: o, found: found, line: line, column: 1}
}

// OldScanner looks for old addresses in a text that is written to it. The caller must close it.
type OldScanner struct {
	o            *Old
	found        func(line, column int64, text string)
	buf          []byte
	done         int   // number of bytes of buf that were searched
	line, column int64 // position of the first byte that was not searched
	// data is the offset in buf of the content of a data: URL that may continue in the next Write,
	// or 0. checked is the offset up to which that content was checked.
	data, checked int
}

const (
	// oldChunk is the number of bytes that are searched at once.
	oldChunk = 256 << 10
	// oldAhead bytes are enough for an address and the text after it that matchHost decodes.
	oldAhead = 12 << 10
	// oldBack is the number of searched bytes that are kept: matchHost decodes the text before an
	// address.
	oldBack = 4 << 10
	// oldData is the size in bytes of the longest data: URL that is searched as a whole.
	oldData = 64 << 20
)

// Write adds p to the text, and searches the text in pieces of oldChunk bytes. It leaves the last
// bytes for the next call: an address may continue there. Write never fails.
func (s *OldScanner) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), oldChunk)
		s.buf = append(s.buf, rest[:n]...)
		rest = rest[n:]
		if len(s.buf)-s.done <= oldChunk || s.awaitsData() {
			continue
		}
		s.searchUntil(len(s.buf) - oldAhead)
		keep := max(s.done-oldBack, 0)
		s.buf = append(s.buf[:0], s.buf[keep:]...)
		s.done -= keep
	}
	return len(p), nil
}

// awaitsData reports whether a data: URL that was not searched reaches the end of s.buf, so that it
// may continue in the next Write. If so, awaitsData searches the text before the URL.
func (s *OldScanner) awaitsData() bool {
	if s.data > 0 {
		s.checked = payloadEnd(s.buf, s.checked)
		if s.checked == len(s.buf) && len(s.buf)-s.data < oldData {
			return true
		}
		s.data = 0
	}
	for _, d := range dataURLs(lowerASCII(s.buf), s.done, len(s.buf)-oldAhead) {
		if len(s.buf)-d.payload < oldData && payloadEnd(s.buf, d.payload) == len(s.buf) {
			s.searchUntil(d.start)
			s.data = d.payload
			s.checked = len(s.buf)
			return true
		}
	}
	return false
}

// Flush searches the rest of the written text. No address extends over a Flush.
func (s *OldScanner) Flush() {
	s.searchUntil(len(s.buf))
	s.data = 0
}

// Skip counts the lines of p, which follows the written text. It does not search p.
func (s *OldScanner) Skip(p []byte) {
	s.Flush()
	s.buf = append(s.buf[:0], p...)
	s.done = 0
	s.advance(len(p))
	s.buf = s.buf[:0]
	s.done = 0
}

// Report calls found for text, an address that the caller has found. The position that Report gives
// is the end of the text that was written or skipped.
func (s *OldScanner) Report(text string) {
	s.Flush()
	s.found(s.line, s.column, text)
}

// Close searches the rest of the written text.
func (s *OldScanner) Close() error {
	s.Flush()
	return nil
}

// searchUntil finds the addresses that begin before the offset end of s.buf.
func (s *OldScanner) searchUntil(end int) {
	for _, p := range s.o.addresses(s.buf, s.done, end, 0) {
		s.advance(max(p.start, s.done))
		before := s.done - p.start // bytes of the word that were searched with the text before
		s.found(s.line, s.column-int64(before), p.text)
	}
	s.advance(max(end, s.done))
}

// Search searches a whole text, and calls found for each old address, in order, with its offset.
func (o *Old) Search(text []byte, found func(at int, what string)) {
	for _, p := range o.addresses(text, 0, len(text), 0) {
		found(p.start, p.text)
	}
}

// advance counts the lines of s.buf up to i, and sets s.done to i.
func (s *OldScanner) advance(i int) {
	part := s.buf[s.done:i]
	if n := bytes.Count(part, []byte{'\n'}); n > 0 {
		s.line += int64(n)
		s.column = int64(len(part) - bytes.LastIndexByte(part, '\n'))
	} else {
		s.column += int64(len(part))
	}
	s.done = i
}

// wordStart and wordEnd return the bounds of the word around i, as messages show it.
func wordStart(b []byte, i int) int {
	start := i
	for start > 0 && i-start < 40 && strings.IndexByte(" \t\r\n\"'<>()", b[start-1]) < 0 {
		start--
	}
	return start
}

func wordEnd(b []byte, i int) int {
	end := i
	for end < len(b) && end-i < 80 && strings.IndexByte(" \t\r\n\"'<>()", b[end]) < 0 {
		end++
	}
	return end
}

// OldMessage returns the message for an old address. text is the word that is shown.
func OldMessage(text string) string { return fmt.Sprintf("still names an old address: %s", text) }
