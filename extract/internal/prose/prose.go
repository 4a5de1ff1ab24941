// Package prose finds URIs in running text: in angle brackets, in quotes, and bare between blanks.
//
// Files in reading order:
//
//	text.go     the text, and classes of its bytes
//	emoji.go    emoji
//	letters.go  letters outside of ASCII
//	marks.go    quotation marks outside of ASCII
//	escape.go   escape sequences of ISO-2022
//	quoting.go  quoting marks of mail
//	scheme.go   where a URI begins; the schemes that are known
//	ends.go     where a bare URI ends
//	prose.go    one walk over a text
package prose

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/resolve"
	"absolink/resolve/ascii"
)

// URIs in running text are in angle brackets, with or without the prefix URL:, in quotes, or bare
// between blanks (RFC 1738 Appendix, drafts and RFC 2396 Appendix E, RFC 3986 Appendix C). One walk
// from the left tries these forms at each delimiter and at the start of each word. A search for the
// closing delimiter stops at the next delimiter, so each byte is read only a few times.
//
// Unless abbreviated URIs are wanted, every URI has a colon. Between its start and the first colon
// there are only blanks and scheme characters. So the walk jumps from one colon to the next, and
// starts where a URI with this colon would begin. A text with escape sequences is walked byte by
// byte, since a colon may be half of a character there.

// Found is a URI in running text.
type Found struct {
	Start, End int    // of its bytes in the text, without delimiters and URL:
	URI        string // without white space, line breaks and quoting marks inside the delimiters
	// Uncertain means that a line ends in a hyphen, inside the URI or at its end. The hyphen may
	// have been added when the URI was broken over lines.
	Uncertain bool
	// UnclearEnd means that the URI may continue, or end earlier. For example, a letter or emoji
	// follows it, or its last letters are Korean or of a script without blanks between words. Or it
	// is the first of several words between delimiters or quotation marks. Or a template or an
	// escape follows it, marks of emphasis are around it, a bracket in it stays open, or another
	// URI seems to begin in it.
	UnclearEnd bool
	// Abbreviated means that the URI had no scheme, and http:// was put before it.
	Abbreviated bool
}

// FindInFields is Find for a table whose fields end at commas (RFC 4180). A bare URI ends there
// too.
func FindInFields(text []byte, abbreviated bool) iter.Seq[Found] {
	return find(text, abbreviated, true)
}

// Find yields the URIs of running text in order. text must not change until the iteration ends. If
// abbreviated is set, it also finds hosts that start with "www." and have no scheme (RFC 2396
// Appendix F).
//
// A URI begins with a scheme and "//", or with a scheme of a list. If letters precede a known
// scheme, as in spamhttps://h/, the URI begins at the scheme. In angle brackets the list is longer,
// and any scheme followed by "/" is accepted. After URL: in angle brackets or quotes, any scheme is
// accepted.
//
// A bare URI ends before
//
//   - white space, and other characters of ASCII that no URI contains
//   - the punctuation of a sentence, and a closing bracket without its opening one
//   - a character outside of ASCII that is not a letter
//   - in a path, a letter of a script without blanks between words: see UnclearEnd
func Find(text []byte, abbreviated bool) iter.Seq[Found] { return find(text, abbreviated, false) }

// find does the work of Find, or of FindInFields if fields is set.
func find(text []byte, abbreviated, fields bool) iter.Seq[Found] {
	return func(yield func(Found) bool) {
		f := newFinder(text, abbreviated)
		f.fields = fields
		if bytes.IndexByte(text, escape) < 0 {
			f.colon = -1
		}
		for i := f.jump(0); i < len(text); {
			found, next := f.at(i)
			if found.End > found.Start && !yield(found) {
				return
			}
			i = f.jump(next)
		}
	}
}

// newFinder returns a finder whose walk does not jump.
func newFinder(text []byte, abbreviated bool) finder {
	return finder{text: text, abbreviated: abbreviated, colon: len(text), open: -1}
}

// jump returns the offset at which the walk continues. Up to the current colon this is i itself.
// After the colon, the walk jumps forward to the place where a URI with the next colon may begin.
func (f *finder) jump(i int) int {
	for !f.abbreviated && i > f.colon {
		n := bytes.IndexByte(f.text[i:], ':')
		if n < 0 {
			return len(f.text)
		}
		f.colon = i + n
		if start := f.start(i); start < f.colon {
			return start
		}
		i = f.colon + 1
	}
	return i
}

// start returns the offset at which a URI with the current colon would begin: that of a delimiter,
// or of the word before the colon. It is not before i.
func (f *finder) start(i int) int {
	word := f.colon
	for word > i && inScheme[f.text[word-1]] {
		word--
	}
	before := f.text[i:word]
	if bytes.IndexByte(before, '<') < 0 && bytes.IndexByte(before, '"') < 0 {
		return word
	}
	for n := len(before) - 1; n >= 0; n-- {
		switch c := before[n]; {
		case c == '<' || c == '"':
			return i + n
		case c == 0xC2 || c == 0xA0: // of a no-break space
		case !inScheme[c] && blankLen(before[n:n+1]) == 0:
			return word
		}
	}
	return word
}

// at looks for a URI that starts at i, and returns the offset at which the search continues.
func (f *finder) at(i int) (Found, int) {
	switch c := f.text[i]; {
	case c == '<':
		return f.delimited(i+1, '>', true)
	case c == '"':
		return f.delimited(i+1, '"', false)
	case inScheme[c]:
		return f.bare(i)
	case c == escape:
		return Found{}, i + escapeLen(f.text[i:])
	}
	return Found{}, i + 1
}

// delimited reads the text between two delimiters, from start on. No URI contains a delimiter. If
// blanks is set, the delimiters are angle brackets, and white space is ignored. In quotes, and in
// lines with quoting marks, it is ignored only at line ends and at both ends of the text. With
// other white space the text is no URI, because plain words may be in quotes too.
func (f *finder) delimited(start int, closing byte, blanks bool) (Found, int) {
	end, quoted, broken := f.closing(start, closing)
	closed := !broken && end < len(f.text) && f.text[end] == closing
	if !closed && !broken {
		return Found{}, start
	}
	s, e := f.trim(start, end)
	bar, unclear := 0, false
	if blanks {
		bar, unclear = titleBar(f.text[s:e])
	}
	if bar > 0 {
		e = s + bar // a title follows, as in Slack
		end = e - 1
	}
	if !blanks && e-s > 1 && f.text[e-1] == '\\' {
		e-- // it escapes the quote, as in JSON within a string
	}
	in := running
	if blanks {
		in = angled
	}
	if e-s > 4 && equalFold(view(f.text[s:s+4]), "url:") {
		in = named
		s, e = f.trim(s+4, e)
	}
	if s == e || !blanks && resolve.Split(view(f.text[s:e])).Scheme == "" && !f.abbreviated {
		return Found{}, start
	}
	if !blanks {
		s += wordBefore(view(f.text[s:e]))
	}
	if !ascii.Letter.Has(f.text[s]) {
		return Found{}, start
	}
	found := Found{Start: s, End: e, UnclearEnd: unclear}
	if !closed || !blanks && hasEscape(f.text[s:e]) || !found.join(f.text[s:e], f.marks, blanks && !quoted) {
		if s == start || in == named {
			f.open = s
		}
		return Found{}, start
	}
	if !f.accept(&found, in) {
		return Found{}, start
	}
	return found, end + 1
}

// closing returns the offset of the delimiter that ends the text from start on: the closing one, or
// another one that no URI contains. quoted means that it passed the quoting marks of lines. broken
// means that end is a line end, and that the next line does not continue the URI: its quoting marks
// differ, or nothing follows them. Before the first colon, a quoting mark '>' counts as a
// delimiter. The reason is that a walk that jumps may start after this mark, and must find the same
// URIs as a walk that does not jump.
func (f *finder) closing(start int, closing byte) (end int, quoted, broken bool) {
	f.marks = f.marks[:0]
	colon := false
	looked := false // for marks
	for end = start; end < len(f.text); end++ {
		switch c := f.text[end]; {
		case c == closing, c == '<', c == '>', c == escape:
			return end, quoted, false
		case c == ':':
			colon = true
		case colon && isLineEnd(f.text, end):
			if !looked {
				f.quotingOf(start)
				looked = true
			}
			if len(f.marks) == 0 {
				continue
			}
			n, same := quotingLen(f.text[end+1:], f.marks)
			if !same || n > 0 && isEmptyLine(f.text[end+1+n:]) {
				return end, quoted, true
			}
			quoted = quoted || n > 0
			end += n
		}
	}
	return end, quoted, false
}

// trim removes white space from both ends of a span.
func (f *finder) trim(s, e int) (int, int) {
	for n := blankLen(f.text[s:e]); n > 0; n = blankLen(f.text[s:e]) {
		s += n
	}
	for e > s {
		switch {
		case blankLen(f.text[e-1:e]) > 0:
			e--
		case e-s > 1 && blankLen(f.text[e-2:e]) == 2:
			e -= 2
		default:
			return s, e
		}
	}
	return s, e
}

// join sets u.URI to s without white space and quoting marks. If blanks is false, and a blank is
// not next to a line break, join returns false.
func (u *Found) join(s []byte, marks []byte, blanks bool) bool {
	if !hasBlank(s) {
		u.URI = string(s)
		return true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n := i
		lines := false
		for b := blankLen(s[n:]); b > 0; b = blankLen(s[n:]) {
			if isLineEnd(s, n) {
				skipped, _ := quotingLen(s[n+1:], marks)
				b += skipped
				lines = true
			}
			n += b
		}
		if n == i {
			out = append(out, s[i])
			i++
			continue
		}
		if !blanks && !lines {
			return false
		}
		if lines && s[i-1] == '-' {
			u.Uncertain = true
		}
		i = n
	}
	u.URI = string(out)
	return true
}

// titleBar returns the offset of the bar between a URI and its title in s, the text between angle
// brackets, as in <http://h/|my site> of Slack. The offset is 0 if there is no title. No URI
// contains a bar (RFC 3986 Appendix A), but some programs write it in a query. So a bar in a query
// begins no title if more parameters follow it. unclear means that the title could be the rest of a
// query.
func titleBar(s []byte) (bar int, unclear bool) {
	bar = bytes.IndexByte(s, '|')
	if bar < 0 || bytes.IndexByte(s, '\n') >= 0 {
		return 0, false
	}
	title := s[bar+1:]
	if bytes.IndexByte(s[:bar], '?') < 0 || hasBlank(title) {
		return bar, false
	}
	if bytes.ContainsAny(title, "=&|") {
		return 0, false
	}
	return bar, true
}

// hasEscape reports whether s has an escape of a string of JSON, such as \u0026.
func hasEscape(s []byte) bool {
	for {
		_, rest, found := bytes.Cut(s, []byte(`\u`))
		if !found {
			return false
		}
		if len(rest) > 0 && ascii.Hex(rest[0]) >= 0 {
			return true
		}
		s = rest
	}
}

func hasBlank(s []byte) bool {
	for i := range s {
		if blankLen(s[i:]) > 0 {
			return true
		}
	}
	return false
}

// bare reads a URI that starts with a word. It also returns the offset at which the search
// continues.
func (f *finder) bare(i int) (Found, int) {
	rest := view(f.text[i:])
	word := wordLen(rest)
	next := i + word
	cut := wordBefore(rest)
	i += cut
	rest = rest[cut:]
	if !ascii.Letter.Has(rest[0]) {
		return Found{}, next
	}
	authority, starts := startsURI(rest, word-cut)
	if !starts && f.abbreviated && rest[0]|0x20 == 'w' {
		authority = 0
		starts = hasPrefixWWW(rest)
	}
	if !starts {
		return Found{}, next
	}
	f.quoted = i > 0 && f.text[i-1] == '\''
	f.piped = i > 0 && (f.text[i-1] == '<' || f.text[i-1] == '|')
	end, unclear := f.bareEnd(rest, authority)
	end, marked := f.withoutMarks(i, i+end)
	unclear = unclear || marked
	found := Found{Start: i, End: i + end, URI: string(f.text[i : i+end]), UnclearEnd: unclear || i == f.open}
	found.UnclearEnd = found.UnclearEnd || f.cutInMarks(i, i+end)
	found.Uncertain = endsInHyphen(rest, end)
	if cut > 0 && authority < 0 && !strings.Contains(found.URI, "@") || !f.accept(&found, running) {
		return Found{}, next
	}
	return found, i + end
}

// softHyphen marks a place at which a word may be broken; it is shown as a hyphen at the end of a
// line.
const softHyphen = '\u00AD'

// endsInHyphen is for a URI in the first n bytes of s. It reports whether the line ends with a
// hyphen, and the hyphen is the last byte of the URI or directly follows it.
func endsInHyphen(s string, n int) bool {
	rest := s[n:]
	if n == 0 || s[n-1] != '-' {
		r, size := utf8.DecodeRuneInString(rest)
		if r != softHyphen && (r < utf8.RuneSelf || !unicode.Is(unicode.Pd, r)) {
			return false
		}
		rest = rest[size:]
	}
	rest = strings.TrimLeft(rest, " \t")
	return rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}

// bareEnd returns the end of the bare URI at the start of s. Punctuation at the end belongs to the
// sentence, not to the URI. unclear means that the end is uncertain. authority is the offset of the
// authority, or -1.
func (f *finder) bareEnd(s string, authority int) (end int, unclear bool) {
	if authority >= 0 {
		var foreign bool
		end, foreign, unclear = f.bareChars(s, authority, true)
		noPath := end == len(s) || !isOneOf(s[end], "/?#")
		if foreign {
			host := s[authority:end]
			if noPath {
				host = host[:trimSentence(host)]
			}
			switch n, more := iriHost(host, noPath); {
			case n == 0:
				return 0, false
			case n < len(host):
				return authority + n, more
			default:
				unclear = unclear || more
			}
		}
		if noPath {
			return trimSentence(s[:end]), unclear
		}
	}
	end, _, more := f.bareChars(s, end, false)
	end = trimSentence(s[:end])
	last, _ := utf8.DecodeLastRuneInString(s[:end])
	return end, unclear || more || last >= utf8.RuneSelf && kindOf(last) == particled
}

// trimSentence returns the length of s without the punctuation of a sentence at its end.
func trimSentence(s string) int {
	end := len(s)
	for end > 0 && isOneOf(s[end-1], ".,;:!?'") {
		end--
	}
	return end
}

// bareChars returns the offset of the first character of s, from i on, that is not part of a bare
// URI. If authority is set, i is the offset of the authority, and bareChars also stops at its end.
// foreign means that letters outside of ASCII precede the offset. unclear means that the characters
// after it may belong to the URI, or that the URI may end earlier.
func (f *finder) bareChars(s string, i int, authority bool) (end int, foreign, unclear bool) {
	first := i
	round, square := 0, 0 // open brackets
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			n, kind := letterAt(s[i:])
			if kind == noLetter || kind == unspacedLetter && !authority {
				return i, foreign, unclear || kind != noLetter || mayGoOn(s[i:])
			}
			foreign = true
			i += n - 1
		case excluded[c]:
			doubt := c == escape && switchesSet(s[i:]) || maySplit(s[i:]) && !(c == '|' && f.piped)
			return i, foreign, unclear || doubt || !authority && endsOpen(s[first:i], round, square)
		case authority && (c == '/' || c == '?' || c == '#'):
			return i, foreign, unclear
		case c == '(':
			round++
		case c == ')':
			round--
		case c == ',', c == ':', c == '&', c == '\'', c == '[':
			end, ends, doubt := f.endsBefore(s, i, first)
			if ends {
				return end, foreign, unclear
			}
			unclear = unclear || doubt
			if c == '[' {
				square++
			}
		case c == ']':
			square--
		}
		if round < 0 || square < 0 {
			break
		}
	}
	return i, foreign, unclear || !authority && endsOpen(s[first:i], round, square)
}

// endsOpen reports whether s, the path and query of a URI, ends while a bracket is open, or with a
// ']' that may belong to the text around the URI. round and square are the numbers of
// open brackets.
func endsOpen(s string, round, square int) bool {
	return round > 0 || square > 0 || strings.HasSuffix(s, "]") && !strings.HasSuffix(s, "[]")
}

// surrounding is the kind of text around a URI. It decides which schemes are accepted.
type surrounding uint8

const (
	running surrounding = iota // bare or in quotes
	angled                     // in angle brackets
	named                      // after URL:, in angle brackets or in quotes
)

// accept reports whether u is a URI, and completes an abbreviated one.
func (f *finder) accept(u *Found, in surrounding) bool {
	n := len(resolve.Split(u.URI).Scheme)
	if n == 0 {
		if !f.abbreviated || !hasPrefixWWW(u.URI) {
			return false
		}
		u.Abbreviated, u.URI = true, "http://"+u.URI
		return true
	}
	rest := u.URI[n+1:]
	switch {
	case !ascii.Letter.Has(u.URI[0]) || rest == "":
		return false
	case len(rest) > 2 && rest[:2] == "//":
		return true
	case in == angled:
		// An unknown scheme needs a slash and more after its colon, so <a:b/> and <a:/> of XML are
		// no URIs. A scheme of one letter is a drive, as in <c:/a>. If white space was removed from
		// the URI, it may be words, as in <note:/ a b>.
		whole := len(u.URI) == u.End-u.Start
		return isOpaqueScheme(u.URI[:n]) || isKnownScheme(u.URI[:n]) ||
			whole && n > 1 && len(rest) > 1 && rest[0] == '/'
	}
	return in == named || isOpaqueScheme(u.URI[:n]) || isFilePath(u.URI, n)
}

// hasPrefixWWW reports whether s starts with "www.", a label, a dot and another label, which begins
// with neither a digit nor '-'.
func hasPrefixWWW(s string) bool {
	if len(s) < 5 || !equalFold(s[:4], "www.") {
		return false
	}
	i := 4 + labelLen(s[4:])
	return i > 4 && i+1 < len(s) && s[i] == '.' && labelLen(s[i+1:]) > 0 && !ascii.Digit.Has(s[i+1]) && s[i+1] != '-'
}

// labelLen returns the length of the host label at the start of s.
func labelLen(s string) int {
	i := 0
	for i < len(s) {
		n := 1
		switch c := s[i]; {
		case ascii.Alnum.Has(c) || c == '-':
		case c < utf8.RuneSelf:
			return i
		default:
			kind := noLetter
			n, kind = letterAt(s[i:])
			if kind == noLetter {
				return i
			}
		}
		i += n
	}
	return i
}
