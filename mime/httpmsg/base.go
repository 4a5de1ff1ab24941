package httpmsg

// Base says whether header fields of HTTP messages give a base. The
// zero value is RFC9110.
type Base uint8

const (
	// RFC9110 is RFC 9110 Section 8.7, as RFC 7231 and browsers: no field does.
	RFC9110 Base = iota
	// RFC2616 is RFC 2616 Section 14.14 and RFC 2068 Section 14.11: Content-Base,
	// then Content-Location, a relative one against the retrieval URI.
	RFC2616
)

var baseNames = [...]string{RFC9110: "rfc9110", RFC2616: "rfc2616"}

// String returns the name of b: rfc9110 or rfc2616.
func (b Base) String() string { return baseNames[b] }
