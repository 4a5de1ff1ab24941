package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A bare URI is often an IRI (RFC 3987). In scripts with blanks between words, letters outside of
// ASCII are part of it. Other scripts have no blanks, or put particles after a name. There a letter
// after a URI may be a part of it or the next word. In a path the URI ends before a letter of a
// script without blanks. In a host it continues, because a shorter host would be another host. But
// if the last label of a host begins with other characters, as in h.comは, the URI ends before the
// letter. UnclearEnd marks the doubt.

// unspaced are the scripts without blanks between words, and the wide and narrow forms of their
// letters.
var unspaced = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0E00, 0x109F, 1}, // Thai, Lao, Tibetan, Myanmar
		{0x1780, 0x17FF, 1}, // Khmer
		{0x1950, 0x19FF, 1}, // Tai Le, New Tai Lue, Khmer symbols
		{0x1A20, 0x1AAF, 1}, // Tai Tham
		{0x1B00, 0x1B7F, 1}, // Balinese
		{0x2E80, 0x312F, 1}, // Han radicals and marks, kana, bopomofo
		{0x3190, 0xA4CF, 1}, // Han, kana, Yi
		{0xA980, 0xA9FF, 1}, // Javanese, Myanmar
		{0xAA60, 0xAADF, 1}, // Myanmar, Tai Viet
		{0xF900, 0xFAFF, 1}, // Han
		{0xFF00, 0xFFEF, 1}, // full and half width
	},
	R32: []unicode.Range32{
		{0x16FE0, 0x18DFF, 1}, // Tangut, Khitan, Nüshu
		{0x1AFF0, 0x1B2FF, 1}, // kana, Nüshu
		{0x20000, 0x3FFFD, 1}, // Han
	},
}

// letterKind is the meaning of a character outside of ASCII for a bare URI.
type letterKind uint8

const (
	noLetter letterKind = iota
	spacedLetter
	particled // a Korean letter: of a name, or of a particle after it
	unspacedLetter
)

// kindOf returns the kind of a character.
func kindOf(r rune) letterKind {
	switch {
	case !unicode.In(r, unicode.L, unicode.M, unicode.N), isEmojiMark(r):
		return noLetter
	case unicode.Is(unspaced, r):
		return unspacedLetter
	case unicode.Is(unicode.Hangul, r):
		return particled
	}
	return spacedLetter
}

// letterAt returns the length of the character outside of ASCII at the start of s, and its kind. A
// joiner before a letter has the kind of the letter.
func letterAt(s string) (n int, kind letterKind) {
	r, n := utf8.DecodeRuneInString(s)
	if r == '\u200C' || r == '\u200D' {
		r, _ = utf8.DecodeRuneInString(s[n:])
	}
	if r < utf8.RuneSelf {
		return n, noLetter
	}
	return n, kindOf(r)
}

// mayGoOn reports whether the character at the start of s is as common within names as between
// words: an apostrophe, dash or dot before a letter, or an emoji. It is also true for bytes that
// are invalid in the charset, which may have been a letter.
func mayGoOn(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError || unicode.Is(emoji, r) || isEmojiMark(r) {
		return true
	}
	if r != '’' && r != '·' && (r < utf8.RuneSelf || !unicode.Is(unicode.Pd, r)) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[n:])
	return unicode.IsLetter(next) || unicode.IsDigit(next)
}

// iriHost examines the authority of a bare URI that contains letters outside of ASCII. noPath means
// that no path, query or fragment follows. end is the end of the URI. It is inside s if prose
// follows the host, and 0 if s is prose and no host. unclear means that the end is uncertain.
func iriHost(s string, noPath bool) (end int, unclear bool) {
	start, host := strings.LastIndexByte(s, '@')+1, len(s)
	if n := strings.LastIndexByte(s[start:], ':'); n >= 0 {
		host = start + n
		if !isASCII(s[host:]) { // prose after the port
			return host + firstLetter(s[host:]), true
		}
	}
	last := start + strings.LastIndexByte(s[start:host], '.') + 1
	switch cut, mixed := proseIn(s[last:host]); {
	case mixed:
		return last + cut, true // no top-level domain mixes two scripts
	case cut == 0 && last == start && last < host:
		return 0, false
	case cut == 0 && last < host:
		return len(s), noPath
	}
	for last > start {
		end := last - 1
		last = start + strings.LastIndexByte(s[start:end], '.') + 1
		if _, mixed := proseIn(s[last:end]); mixed {
			return len(s), true
		}
	}
	return len(s), false
}

// proseIn returns the offset of the first letter in a label that is Korean or of an unspaced
// script, or the length of the label. mixed means that other characters precede it.
func proseIn(label string) (at int, mixed bool) {
	for at < len(label) {
		n, kind := 1, noLetter
		if label[at] >= utf8.RuneSelf {
			n, kind = letterAt(label[at:])
		}
		if kind >= particled {
			return at, at > 0
		}
		at += n
	}
	return at, false
}

// firstLetter returns the offset of the first byte outside of ASCII.
func firstLetter(s string) int {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
