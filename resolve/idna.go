package resolve

import (
	"errors"
	"strings"

	"golang.org/x/net/idna"
)

// profile is the standard's domain to ASCII with beStrict false: no transitional
// processing, joiners and bidi rule checked, hyphens and lengths not.
var profile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.VerifyDNSLength(false),
)

// appendASCII percent-decodes a host, maps it to ASCII and appends it. why is not
// empty on failure.
func appendASCII(dst []byte, s string) (out []byte, why string) {
	if strings.IndexByte(s, '%') >= 0 {
		s = string(appendUnescaped(nil, s))
	}
	if isASCII(s) {
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

var errBareACE = errors.New("a label that is a bare \"xn--\"")

// toASCII maps and checks a domain. The profile holds the bidi rule against the domain
// as it was before it was mapped, so one with characters that map to Hebrew or Arabic
// goes through it twice; and it takes a bare "xn--" for an empty label, which UTS #46
// refuses (section 4, step 4).
func toASCII(domain string) (string, error) {
	if hasBareACE(domain) {
		return "", errBareACE
	}
	mapped, err := profile.ToUnicode(domain)
	if err != nil {
		return "", err
	}
	return profile.ToASCII(mapped)
}

// hasBareACE reports whether a label maps to "xn--". Behind a digit it is no prefix, so
// that the profile only maps it.
func hasBareACE(domain string) bool {
	for label := range strings.FieldsFuncSeq(domain, isLabelDot) {
		if mapped, _ := profile.ToUnicode("0" + label); mapped == "0xn--" {
			return true
		}
	}
	return false
}

// isLabelDot knows what separates labels once it is mapped.
func isLabelDot(r rune) bool { return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61' }

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// The tables of x/net/idna depend on the version of Go: Unicode 15.0 before Go 1.27.
// Unicode 15.1 to 17.0 map characters that 15.0 disallowed, among them every capital
// whose small letter was valid already, and map the capital sharp s to the small one.
// Here are all whose result 15.0 knows; characters that are new with their result
// stay disallowed, as all are that the tables do not know. Runs with one
// distance to what they map to are one row.
var laterMappings = []struct {
	lo, hi rune
	to     rune // what lo maps to; 0 = nothing, the characters are ignored
}{
	{0x04C0, 0x04C0, 0x04CF},
	{0x10A0, 0x10C5, 0x2D00},
	{0x115F, 0x1160, 0},
	{0x17B4, 0x17B5, 0},
	{0x180E, 0x180E, 0},
	{0x1E9E, 0x1E9E, 0x00DF},
	{0x2061, 0x2063, 0},
	{0x206A, 0x206F, 0},
	{0x2132, 0x2132, 0x214E},
	{0x2183, 0x2183, 0x2184},
	{0x3164, 0x3164, 0},
	{0xA7CB, 0xA7CB, 0x0264},
	{0xA7D2, 0xA7D2, 0xA7D3},
	{0xA7D4, 0xA7D4, 0xA7D5},
	{0xA7DC, 0xA7DC, 0x019B},
	{0xA7F1, 0xA7F1, 's'},
	{0xFFA0, 0xFFA0, 0},
	{0x1CCD6, 0x1CCEF, 'a'},
	{0x1CCF0, 0x1CCF9, '0'},
	{0x1D173, 0x1D17A, 0},
	{0x2F868, 0x2F868, 0x36FC},
	{0x2F874, 0x2F874, 0x5F53},
	{0x2F91F, 0x2F91F, 0x243AB},
	{0x2F95F, 0x2F95F, 0x7AEE},
	{0x2F9BF, 0x2F9BF, 0x45D7},
}

// mapLater applies the mappings to a host.
func mapLater(s string) string {
	return strings.Map(func(r rune) rune {
		for _, m := range laterMappings {
			if r < m.lo || r > m.hi {
				continue
			}
			if m.to == 0 {
				return -1
			}
			return m.to + r - m.lo
		}
		return r
	}, s)
}
