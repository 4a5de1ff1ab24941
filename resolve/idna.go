package resolve

import (
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

// toASCII percent-decodes a host and maps it to ASCII. why is not empty on failure.
func toASCII(s string) (domain, why string) {
	if strings.IndexByte(s, '%') >= 0 {
		s = string(appendUnescaped(nil, s))
	}
	if !hasUpperOrMore(s) {
		return s, ""
	}
	if isASCII(s) {
		return string(appendLower(nil, s)), ""
	}
	s = mapLater(strings.ToValidUTF8(s, "\uFFFD"))
	out, err := profile.ToASCII(s)
	if err != nil {
		return "", "a host that IDNA does not allow: " + err.Error()
	}
	if out == "" {
		return "", "no host"
	}
	return out, ""
}

func hasUpperOrMore(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] >= 'A' && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
