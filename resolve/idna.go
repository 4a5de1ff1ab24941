package resolve

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"absolink/resolve/internal/component"
)

// profile is "domain to ASCII" of the URL Standard with beStrict false. It checks joiners and the
// bidi rule. It does no transitional processing, and does not check hyphens and lengths.
var profile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.VerifyDNSLength(false),
)

// appendASCII percent-decodes a host, maps it to ASCII and appends it. why is the reason of a
// failure, or empty.
func appendASCII(dst []byte, s string) (out []byte, why string) {
	if strings.IndexByte(s, '%') >= 0 {
		s = string(appendUnescaped(nil, s))
	}
	if component.IsASCII(s) {
		return appendLower(dst, s), ""
	}
	domain, err := toASCII(mapLater(strings.ToValidUTF8(s, "\uFFFD")))
	if err != nil {
		return dst, "a host that IDNA does not allow: " + err.Error()
	}
	if domain == "" {
		return dst, "no host"
	}
	return append(dst, domain...), ""
}

var (
	errBareACE  = errors.New("a label that is a bare \"xn--\"")
	errMixedACE = errors.New("a label that begins with \"xn--\" and is not ASCII")
	errJoiner   = errors.New("a zero width non-joiner that does not stand between joining letters")
)

// toASCII maps and checks a domain. The profile applies the bidi rule to the domain before mapping,
// so a domain with characters that map to Hebrew or Arabic needs two passes. toASCII itself checks
// some rules that the profile ignores.
func toASCII(domain string) (string, error) {
	ace, err := checkACE(domain)
	if err != nil {
		return "", err
	}
	domain, replaced, err := replaceNewer(domain, ace)
	if err != nil {
		return "", err
	}
	mapped, err := profile.ToUnicode(domain)
	if err != nil {
		return "", err
	}
	if !validNonJoiners(mapped) {
		return "", errJoiner
	}
	ascii, err := profile.ToASCII(mapped)
	if err != nil {
		return "", err
	}
	return replaced.restore(ascii)
}

const acePrefix = "xn--"

// checkACE reports whether a label begins with "xn--". It returns an error if a label is only
// "xn--", or is not ASCII after it (UTS #46 section 4, step 4). The profile accepts such labels: it
// reads a bare "xn--" as an empty label, and decodes text that is not ASCII.
func checkACE(domain string) (found bool, err error) {
	for label := range strings.FieldsFuncSeq(domain, isLabelDot) {
		switch ace, ok := mapACE(label); {
		case !ok:
			continue
		case ace == acePrefix:
			return true, errBareACE
		case !component.IsASCII(ace):
			return true, errMixedACE
		}
		found = true
	}
	return found, nil
}

// mapACE maps a label, and reports whether the result begins with "xn--". It puts a digit before
// the label: the label then does not begin with "xn--", so the profile maps it without decoding.
func mapACE(label string) (ace string, ok bool) {
	mapped, _ := profile.ToUnicode("0" + label)
	ace = strings.TrimPrefix(mapped, "0")
	return ace, strings.HasPrefix(ace, acePrefix)
}

// isLabelDot reports whether r separates labels after mapping.
func isLabelDot(r rune) bool { return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61' }

const nonJoiner = "\u200c"

// validNonJoiners reports whether each zero width non-joiner follows a virama or precedes a letter
// that joins the character before it (RFC 5892 A.1). The profile has accepted the domain, but it
// does not check the letter after a non-joiner.
func validNonJoiners(domain string) bool {
	for before, after, ok := strings.Cut(domain, nonJoiner); ok; before, after, ok = strings.Cut(after, nonJoiner) {
		if !endsInVirama(before) && !startsJoined(after) {
			return false
		}
	}
	return true
}

// endsInVirama reports whether s ends in a virama. It asks the profile about a label of three
// characters: the letter x, the last character of s, and a non-joiner. The profile accepts this
// label only if the second character is a virama.
func endsInVirama(s string) bool {
	_, n := utf8.DecodeLastRuneInString(s)
	_, err := profile.ToUnicode("x" + s[len(s)-n:] + nonJoiner)
	return err == nil
}

// startsJoined reports whether s starts with a letter that joins the character before it. It skips
// transparent characters, such as marks.
func startsJoined(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) && !inRows(transparent[:], r) {
			return inRows(joinsBefore[:], r)
		}
	}
	return false
}

func inRows(rows [][2]rune, r rune) bool {
	return slices.ContainsFunc(rows, func(row [2]rune) bool { return r >= row[0] && r <= row[1] })
}
