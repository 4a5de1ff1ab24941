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

// appendASCII percent-decodes a host, maps it to ASCII and appends it. why is not
// empty on failure.
func appendASCII(dst []byte, s string) (out []byte, why string) {
	if strings.IndexByte(s, '%') >= 0 {
		s = string(appendUnescaped(nil, s))
	}
	if isASCII(s) {
		return appendLower(dst, s), ""
	}
	domain, err := profile.ToASCII(mapLater(strings.ToValidUTF8(s, "\uFFFD")))
	if err != nil {
		return dst, "a host that IDNA does not allow: " + err.Error()
	}
	if domain == "" {
		return dst, "no host"
	}
	return append(dst, domain...), ""
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
