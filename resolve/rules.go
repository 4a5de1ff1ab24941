package resolve

import "fmt"

// What a new rule set needs; tests say what of it is missing, but for the last three:
//
//   - a constant and its name in rulesNames. The order counts: from Draft02 on a scheme may begin
//     with a digit.
//   - its examples as a table in testdata/rfc, with a row in rfcTables; in oracle_test.go the
//     expression for its authority.
//   - AllRules of cmd/absolink/internal/reference, the usage of --rules, and help/rules.md.
//   - its steps where they differ: rfc.go and plain.go, relative.go for the way back. Where no
//     case is added it resolves as RFC2396 does.
//   - its grammar in package grammar, which resolve --check asks.
//   - its clauses in testdata/clauses.tsv.

// Rules names a rule set for resolving a reference. The zero value is WHATWG.
type Rules uint8

// The rule sets.
const (
	WHATWG   Rules = iota // the URL Standard: what browsers do
	RFC3986               // RFC 3986 Section 5, strict
	RFC2396               // RFC 2396 Section 5
	Draft02               // draft-fielding-url-syntax-02, December 1996
	Draft00e              // draft-fielding-uri-url-00e, November 1996: the algorithm of RFC 1808
)

var rulesNames = [...]string{"whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e"}

// String returns whatwg, rfc3986, rfc2396, draft-02 or draft-00e.
func (r Rules) String() string {
	if int(r) < len(rulesNames) {
		return rulesNames[r]
	}
	return fmt.Sprintf("rules(%d)", uint8(r))
}

// Dots says how to treat ".." segments that a base path is too short for (RFC 2396 5.2 step 6g).
// The zero value is KeepDots. Rule sets other than RFC2396 ignore it.
type Dots uint8

// The treatments that the step allows.
const (
	KeepDots   Dots = iota // http://a/../g
	RemoveDots             // http://a/g
	RefuseDots             // an *Error
)

var dotsNames = [...]string{"keep", "remove", "refuse"}

// String returns keep, remove or refuse.
func (d Dots) String() string {
	if int(d) < len(dotsNames) {
		return dotsNames[d]
	}
	return fmt.Sprintf("dots(%d)", uint8(d))
}

// Options are the rule set and what its text leaves open. The zero value is
// the URL Standard in UTF-8.
type Options struct {
	Rules      Rules
	ExcessDots Dots // keep, remove or refuse (RFC2396 only)
	// CompatScheme resolves a reference with the scheme of the base and no authority as if the
	// scheme was absent (RFC 2396 5.2 step 3, RFC 3986 5.2.2). RFC3986 does so for every scheme,
	// RFC2396 for schemes that are known to be hierarchical; other rule sets ignore it.
	CompatScheme bool
	// Document is the URI the document itself was retrieved from. Under RFC2396
	// and Draft02 a reference that is empty or only a fragment stands for it
	// (4.2); under WHATWG an empty form reference does.
	Document string
	// Charset is that of the document, in which queries are written; nil is UTF-8. AppendQuery
	// appends a query percent-encoded. It is called under WHATWG for queries that are not plain
	// ASCII and whose scheme is special but not ws or wss; the standard takes UTF-8 elsewhere. It
	// must neither modify nor keep query, and be safe for concurrent use if the Base is to be.
	Charset interface {
		AppendQuery(dst, query []byte) []byte
	}
	// Bare turns off the percent-encoding of excluded characters, which the RFC rule sets
	// otherwise apply once to what they return.
	Bare bool

	// What [Base.Relative] never returns.
	NoNetworkPath  bool // //host/path
	NoAbsolutePath bool // /path, nor //host/path
	NoParent       bool // a path with a ".." segment
	NoEmpty        bool // "", which some elements take for no reference at all
	NoName         bool // what begins neither with a slash nor with dots and a slash
	NoAbsolute     bool // a whole URI, if another reference leads there, however long that is
}

// Form is what a reference is before it is resolved. [Base.Form] never fails: an invalid
// reference has a form too.
type Form uint8

// The forms.
const (
	Relative     Form = iota // takes at least its scheme from the base
	Absolute                 // has a scheme and takes nothing from the base
	SameDocument             // empty, or only a fragment (RFC 2396 4.2)
)
