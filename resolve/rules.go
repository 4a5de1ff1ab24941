package resolve

import "fmt"

// To add a rule set, add the following; tests report all missing parts except the last three:
//
//   - a constant and its name in rulesNames. The order counts: under Draft02 and all later
//     constants, a scheme may begin with a digit.
//   - its examples as a table in testdata/rfc, with a row in rfcTables; in oracle_test.go the
//     expression for its authority.
//   - AllRules of cmd/absolink/internal/reference, the usage of --rules, and help/rules.md.
//   - a case for each of its steps that differs: in split.go, rfc.go and plain.go, and in
//     relative.go for the inverse. Without a case a step is done as in RFC2396.
//   - its grammar in package grammar, which resolve --check uses.
//   - its clauses in testdata/clauses.tsv.

// Rules is a rule set for resolving a reference. The zero value is WHATWG.
type Rules uint8

// The rule sets.
const (
	WHATWG   Rules = iota // the URL Standard, as in browsers
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

// Dots is the treatment of ".." segments for which a base path is too short (RFC 2396 5.2 step 6g).
// The zero value is KeepDots. Rule sets other than RFC2396 ignore it.
type Dots uint8

// The treatments that step 6g allows.
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

// Options are the rule set and the choices that its text leaves open. The zero value is the URL
// Standard in UTF-8.
type Options struct {
	Rules      Rules
	ExcessDots Dots // keep, remove or refuse (RFC2396 only)
	// CompatScheme resolves a reference that has the scheme of the base and no authority as if it
	// had no scheme (RFC 2396 5.2 step 3, RFC 3986 5.2.2). RFC3986 does so for every scheme,
	// RFC2396 for schemes that are known to be hierarchical. Other rule sets ignore it.
	CompatScheme bool
	// Document is the URI from which the document itself was retrieved. Under RFC2396 and Draft02 a
	// reference that is empty or only a fragment means this URI (4.2). Under WHATWG an empty action
	// of a form means it: see [Base.AppendForm].
	Document string
	// Charset is the charset of the document, in which queries are encoded. nil means UTF-8.
	// AppendQuery appends query to dst, percent-encoded in that charset. Only WHATWG uses it, and
	// only for special schemes other than ws and wss; all other queries are in UTF-8. The query of
	// a plain reference stays unchanged without a call. AppendQuery must neither modify nor keep
	// query. It must be safe for concurrent use if the Base is used concurrently.
	Charset interface {
		AppendQuery(dst, query []byte) []byte
	}
	// Bare turns off the percent-encoding of excluded characters. Otherwise the RFC rule sets apply
	// it once to their results.
	Bare bool

	// References that [Base.Relative] never returns.
	NoNetworkPath  bool // //host/path
	NoAbsolutePath bool // /path and //host/path
	NoParent       bool // a path with a ".." segment
	NoEmpty        bool // "", which some elements treat as no reference at all
	NoName         bool // a reference that begins with none of "/", "./" and "../"
	NoAbsolute     bool // an absolute URI, unless no other reference resolves to it
}

// Form says which part of a reference's URI comes from the base. [Base.Form] finds it before
// resolving, and never fails: an invalid reference has a form too.
type Form uint8

// The forms.
const (
	Relative     Form = iota // takes at least its scheme from the base
	Absolute                 // has a scheme and takes nothing from the base
	SameDocument             // empty, or only a fragment (RFC 2396 4.2)
)
