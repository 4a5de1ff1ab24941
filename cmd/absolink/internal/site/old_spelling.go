package site

import (
	"bytes"
	"encoding/base64"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// oldAddress is an old address in a text.
type oldAddress struct {
	start int    // offset of text, or of the data: URL around it
	text  string // the word with the address, as messages show it
}

// deepestData is the largest number of data: URLs inside each other that are searched.
const deepestData = 3

// addresses returns the old addresses that begin in text[done:end], in order. depth is the number
// of data: URLs around text.
func (o *Old) addresses(text []byte, done, end, depth int) (list []oldAddress) {
	lower := lowerASCII(text)
	known := make(map[int]bool) // where hosts begin
	var r oldReader
	for i := range o.hosts {
		h := &o.hosts[i]
		for j := range h.forms {
			f := &h.forms[j]
			for _, piece := range f.pieces {
				for at := range all(lower, piece, max(done-len(f.text), 0), end+escapedLength(f.text)+maxBackslashes) {
					if cannotMatch(lower, at, f) {
						continue
					}
					start, ok := r.matchHost(o, text, at, h, f)
					if ok && !known[start] && start >= done && start < end {
						known[start] = true
						word := wordStart(text, start)
						list = append(list, oldAddress{word, string(text[word:wordEnd(text, start)])})
					}
				}
			}
		}
	}
	if depth < deepestData {
		for _, d := range dataURLs(lower, done, end) {
			for _, p := range o.addresses(payload(text, d.payload), 0, oldData, depth+1) {
				list = append(list, oldAddress{d.start, strings.TrimSuffix(p.text, inData) + inData})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b oldAddress) int { return a.start - b.start })
	return list
}

// lowerASCII returns a copy of text with its ASCII letters in lower case.
func lowerASCII(text []byte) []byte {
	lower := bytes.Clone(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	return lower
}

// inData is shown behind an address in a data: URL.
const inData = " (in base64)"

// all yields the offsets at which piece stands in text[from:to].
func all(text []byte, piece string, from, to int) func(func(int) bool) {
	return func(yield func(int) bool) {
		to = min(to, len(text))
		for from < to {
			n := bytes.Index(text[from:to], []byte(piece))
			if n < 0 || piece == "" {
				return
			}
			from += n
			if !yield(from) {
				return
			}
			from += len(piece)
		}
	}
}

// escapedLength returns the length of s if each byte is escaped in the longest way, with one
// backslash for each \u.
func escapedLength(s string) int { return longestEscape * len(s) }

// longestEscape is the length of the longest escape of a character, such as \ud83d\ude00. Strings
// inside strings have more backslashes: see forward.
const longestEscape = 12

// maxBackslashes is the number of backslashes that forward and backward do not count.
const maxBackslashes = 2 << 10

// forward returns the offset n bytes after from. Up to maxBackslashes backslashes do not count:
// strings inside strings have many of them.
func forward(text []byte, from, n int) int {
	end := from
	for limit := n + maxBackslashes; n > 0 && end < len(text) && end-from < limit; end++ {
		if text[end] != '\\' {
			n--
		}
	}
	return end
}

// backward returns the offset n bytes before from. It counts as forward does.
func backward(text []byte, from, n int) int {
	start := from
	for limit := n + maxBackslashes; n > 0 && start > 0 && from-start < limit; {
		start--
		if text[start] != '\\' {
			n--
		}
	}
	return start
}

// cannotMatch reports whether the text around a piece of the form f certainly is not f: it has
// other characters, and no escapes. lower is the text in lower case, and hit the offset of the
// piece.
func cannotMatch(lower []byte, hit int, f *oldForm) bool {
	start := hit - f.offset
	if start >= 0 && bytes.HasPrefix(lower[start:], []byte(f.text)) {
		return false
	}
	around := lower[max(start-longestEscape, 0):min(max(start, 0)+len(f.text), len(lower))]
	for _, c := range around {
		if c == '%' || c == '\\' || c == '&' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// oldReader decodes the text around hosts. It reuses its memory.
type oldReader struct{ near, before, behind decoded }

// matchHost reports whether text has the host h in the form f, with a path of h. It returns false
// for a part of another name, behind the prefix of a web archive, and inside the NEW of a rule. hit
// is the offset of a piece of f in text. start is the offset of the host.
func (r *oldReader) matchHost(o *Old, text []byte, hit int, h *oldHost, f *oldForm) (start int, ok bool) {
	near := escapedLength(f.text) + 16
	r.near.decode(text, backward(text, hit, near), forward(text, hit, near))
	first, last, ok := r.near.match(f, hit)
	if !ok {
		return 0, false
	}
	start = r.near.offsets[first]
	end := r.near.offsets[last]
	r.before.decode(text, backward(text, start, 512), start)
	r.behind.decode(text, end, forward(text, end, 128+longestEscape*min(o.longestPath, 400)))
	path, ok := endsHost(r.behind.text)
	if !ok || !beginsHost(r.before.text) || !h.has(path) {
		return 0, false
	}
	prefix := strings.ToLower(string(r.before.text))
	return start, !archivePrefix().MatchString(prefix) && !o.isNew(prefix, strings.ToLower(string(r.behind.text)), h)
}

// has reports whether path begins with a path of h.
func (h *oldHost) has(path []byte) bool {
	lower := strings.ToLower(string(path))
	return slices.ContainsFunc(h.paths, func(p string) bool {
		rest, ok := strings.CutPrefix(lower, p)
		return ok && (p == "" || rest == "" || strings.IndexByte("/?#\"'<>()[]{} \t\r\n,;|\\", rest[0]) >= 0)
	})
}

// beginsHost reports whether a host may begin behind text, which is decoded. In a URL, the name
// before an @ is a user. Outside of a URL, the host behind an @ belongs to a mail address and does
// not count.
func beginsHost(text []byte) bool {
	r, n := lastRune(text)
	if n == 0 {
		return true
	}
	if r == '@' {
		return userinfo().Match(text)
	}
	return !isHostRune(r) && r != '.'
}

// userinfo matches the text before the host of a URL with a user name.
var userinfo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`//[^/?#\s"'<>]*@$`) })

// endsHost reports whether a host may end before text, which is decoded. It returns the path behind
// the host. An address with a port other than 80 or 443 does not count: a port in the OLD of a rule
// is a part of the host.
func endsHost(text []byte) (path []byte, ok bool) {
	if port, found := bytes.CutPrefix(text, []byte(":")); found {
		digits := len(port) - len(bytes.TrimLeft(port, "0123456789"))
		if number := string(port[:digits]); number != "" && number != "80" && number != "443" {
			return nil, false
		}
		if digits > 0 || len(port) > 0 && port[0] == '/' {
			text = port[digits:]
		}
	}
	r, n := firstRune(text)
	switch {
	case n == 0:
		return text, true
	case r == '.':
		next, more := firstRune(text[n:])
		if more > 0 && isHostRune(next) {
			return nil, false
		}
		if next == '/' {
			text = text[n:] // the dot of the root
		}
		return text, true
	}
	return text, !isHostRune(r) && r != '@'
}

// isHostRune reports whether a character may belong to a label of a host.
func isHostRune(r rune) bool {
	return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// archivePrefix matches the prefix that a web archive puts before an address in its own URLs.
var archivePrefix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/web/(?:(?:[0-9]{1,14}\*?|\*)(?:[a-z]{2}_)?/(?:https?:/{1,2})?|https?:/{1,2})$`)
})

// isNew reports whether the host h belongs to the NEW of a rule. before and behind are the decoded
// texts on both sides of the host.
func (o *Old) isNew(before, behind string, h *oldHost) bool {
	for _, to := range o.newAddresses {
		for from := range all([]byte(to), h.name, 0, len(to)) {
			if strings.HasSuffix(before, to[:from]) && strings.HasPrefix(behind, to[from+len(h.name):]) {
				return true
			}
		}
	}
	return false
}

// decoded is a piece of text without escapes.
type decoded struct {
	text    []byte
	offsets []int // offset in the source of each byte of text, and of its end
}

// decode sets d to source[from:to] without the escapes of URIs, scripts, JSON and HTML.
func (d *decoded) decode(source []byte, from, to int) {
	to = min(to, len(source))
	d.text = d.text[:0]
	d.offsets = d.offsets[:0]
	for i := max(from, 0); i < to; {
		n := 0
		d.text, n = appendDecoded(d.text, source[i:to])
		for len(d.offsets) < len(d.text) {
			d.offsets = append(d.offsets, i)
		}
		i += n
	}
	d.offsets = append(d.offsets, to)
}

// appendDecoded appends the first byte of text to dst. If text begins with an escape, it appends
// the decoded character instead. n is the number of bytes of text that were read.
func appendDecoded(dst, text []byte) (plain []byte, n int) {
	switch text[0] {
	case '%':
		if c, ok := hexByte(text, "%25"); ok {
			return append(dst, c), 5
		}
		if c, ok := hexByte(text, "%"); ok {
			return append(dst, c), 3
		}
	case '\\':
		slashes := len(text) - len(bytes.TrimLeft(text, `\`)) // strings inside strings have more backslashes
		if slashes == len(text) {
			break
		}
		rest := text[slashes:]
		if r, n := scriptEscape(rest); n > 0 {
			return utf8.AppendRune(dst, r), slashes + n
		}
		if c := rest[0]; c < utf8.RuneSelf && unicode.In(rune(c), unicode.Punct, unicode.Symbol) {
			return append(dst, c), slashes + 1
		}
	case '&':
		if end := bytes.IndexByte(text[:min(len(text), 12)], ';'); end > 0 {
			if s := html.UnescapeString(string(text[:end+1])); s != string(text[:end+1]) {
				return append(dst, s...), end + 1
			}
		}
	}
	return append(dst, text[0]), 1
}

// hexByte decodes two hexadecimal digits. text must begin with mark and the digits; otherwise
// hexByte returns false.
func hexByte(text []byte, mark string) (byte, bool) {
	digits, ok := bytes.CutPrefix(text, []byte(mark))
	if !ok || len(digits) < 2 {
		return 0, false
	}
	c, err := strconv.ParseUint(string(digits[:2]), 16, 8)
	return byte(c), err == nil
}

// scriptEscape decodes \xHH, \uHHHH or \u{H}. text begins behind the backslash. n is the length of
// the escape without the backslash, or 0 if there is no escape.
func scriptEscape(text []byte) (r rune, n int) {
	if c, ok := hexByte(text, "x"); ok {
		return rune(c), 3
	}
	if digits, ok := bytes.CutPrefix(text, []byte("u{")); ok {
		end := bytes.IndexByte(digits[:min(len(digits), 7)], '}')
		if end < 1 {
			return 0, 0
		}
		c, err := strconv.ParseUint(string(digits[:end]), 16, 32)
		if err != nil {
			return 0, 0
		}
		return rune(c), end + 3
	}
	r, ok := utf16Unit(text)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) && len(text) > 6 && text[5] == '\\' {
		if low, ok := utf16Unit(text[6:]); ok {
			return utf16.DecodeRune(r, low), 11
		}
	}
	return r, 5
}

// utf16Unit returns the code unit of uHHHH at the start of text.
func utf16Unit(text []byte) (rune, bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	c, err := strconv.ParseUint(string(text[1:5]), 16, 16)
	return rune(c), err == nil
}

// match reports whether d has the form f around a piece. hit is the offset of the piece in the
// source. first and last are the bounds of the form in d.text.
func (d *decoded) match(f *oldForm, hit int) (first, last int, ok bool) {
	at, exact := slices.BinarySearch(d.offsets, hit)
	if !exact { // the piece is in an escape
		at, _ = slices.BinarySearch(d.offsets, d.offsets[max(at-1, 0)])
	}
	first, last = at, at
	for form := []byte(f.text[:f.offset]); len(form) > 0; {
		want, n := utf8.DecodeLastRune(form)
		got, size := lastRune(d.text[:first])
		if size == 0 || folded(got) != want {
			return 0, 0, false
		}
		form = form[:len(form)-n]
		first -= size
	}
	for form := []byte(f.text[f.offset:]); len(form) > 0; {
		want, n := utf8.DecodeRune(form)
		got, size := firstRune(d.text[last:])
		if size == 0 || folded(got) != want {
			return 0, 0, false
		}
		form = form[n:]
		last += size
	}
	return first, last, true
}

// folded returns a character of a host in lower case. For the three other dots that separate
// labels, it returns '.' (RFC 3490 3.1).
func folded(r rune) rune {
	switch r {
	case '\u3002', '\uff0e', '\uff61':
		return '.'
	}
	return unicode.ToLower(r)
}

// firstRune and lastRune read bytes that are not UTF-8 as Latin-1.
func firstRune(text []byte) (rune, int) {
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		r = rune(text[0])
	}
	return r, n
}

func lastRune(text []byte) (rune, int) {
	r, n := utf8.DecodeLastRune(text)
	if r == utf8.RuneError && n == 1 {
		r = rune(text[len(text)-1])
	}
	return r, n
}

// dataURL has the offsets of a data: URL in base64 and of its content.
type dataURL struct{ start, payload int }

// dataURLs returns the data: URLs in base64 that begin in text[from:to]. text is in lower case.
func dataURLs(text []byte, from, to int) (list []dataURL) {
	var before decoded
	const mark = "base64"
	for at := range all(text, mark, from, to+512) {
		end := at + len(mark)
		if end == len(text) {
			break
		}
		comma, n := appendDecoded(nil, text[end:min(end+16, len(text))])
		if string(comma) != "," {
			continue
		}
		before.decode(text, at-512, at)
		span := dataHead().FindIndex(before.text)
		if span == nil {
			continue
		}
		if start := before.offsets[span[0]]; start >= from && start < to {
			list = append(list, dataURL{start, end + n})
		}
	}
	return list
}

// dataHead matches the beginning of a data: URL before the word base64.
var dataHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`data:[^\s"'<>(),]*;$`) })

// payload returns the decoded content of a data: URL. The content begins at text[off].
func payload(text []byte, off int) []byte {
	var letters []byte
	for off < len(text) {
		c, n := payloadUnit(text[off:])
		if n == 0 {
			break
		}
		if c != 0 {
			letters = append(letters, c)
		}
		off += n
	}
	if len(letters)%4 == 1 {
		letters = letters[:len(letters)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(letters)))
	n, _ := base64.RawStdEncoding.Decode(out, letters)
	return out[:n]
}

// payloadEnd returns the end offset of the content of a data: URL. It examines the bytes from off
// on: the content does not end before off.
func payloadEnd(text []byte, off int) int {
	for off < len(text) {
		if len(text)-off < 16 && strings.IndexByte(`%\&`, text[off]) >= 0 {
			break // an escape may be cut
		}
		_, n := payloadUnit(text[off:])
		if n == 0 {
			return off
		}
		off += n
	}
	return len(text)
}

// payloadUnit returns the first base64 letter of text, decoded if it is escaped, and its length in
// text. The letter is 0 for white space. n is 0 at the end of the content.
func payloadUnit(text []byte) (letter byte, n int) {
	c := text[0]
	n = 1
	if c == '%' || c == '\\' || c == '&' {
		var plain []byte
		plain, n = appendDecoded(nil, text[:min(len(text), 16)])
		if len(plain) != 1 {
			return 0, 0
		}
		c = plain[0]
	}
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '+', c == '/':
		return c, n
	case c == '-':
		return '+', n
	case c == '_':
		return '/', n
	case c == '\\' && len(text) > 1 && strings.IndexByte("nrt\r\n", text[1]) >= 0:
		return 0, 2 // a line end in a string
	case c == ' ', c == '\t', c == '\r', c == '\n':
		return 0, n
	}
	return 0, 0
}
