package resolve

import (
	"fmt"
	"unsafe"
)

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

// Dots says what becomes of ".." segments that a base path is too short for
// (RFC 2396 5.2 step 6g). Only RFC2396 looks at it.
type Dots uint8

// What the step allows.
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
	// CompatScheme resolves a reference with the scheme of the base and no
	// authority as if the scheme was absent (RFC 2396 5.2 step 3, RFC 3986
	// 5.2.2). Only RFC2396, for schemes that are known to be hierarchical, and RFC3986
	// look at it.
	CompatScheme bool
	// Document is the URI the document itself was retrieved from. Under RFC2396
	// and Draft02 a reference that is empty or only a fragment stands for it
	// (4.2); under WHATWG an empty form reference does.
	Document string
	// AppendQuery appends a query percent-encoded in the charset of the document;
	// nil means UTF-8. It is called under WHATWG for queries that are not plain
	// ASCII and whose scheme is special but not ws or wss, since the standard
	// takes UTF-8 elsewhere; special is therefore always true. It must neither change
	// nor keep query, and be safe for concurrent use if the Base is to be.
	AppendQuery func(dst []byte, query []byte, special bool) []byte
	// Bare leaves out the percent-encoding of excluded characters that the RFC
	// rule sets otherwise do once in what they return.
	Bare bool
}

// Form is what a reference is before it is resolved.
type Form uint8

// The forms.
const (
	Relative     Form = iota // takes at least its scheme from the base
	Absolute                 // has a scheme and takes nothing from the base
	SameDocument             // empty, or only a fragment (RFC 2396 4.2)
)

// Base is a base URI parsed once. It is safe for concurrent use.
type Base struct {
	o        Options
	has      bool   // there is a URI
	uri      string // as serialised
	fast     fastBase
	web      parts // where its components stand in uri (WHATWG)
	rfc      rfcBase
	plain    rfcPrefixes
	risky    bool   // a warning depends on what a reference takes from it
	quiet    bool   // plain references can be put behind it, and nothing warns of what they take
	document string // Options.Document without a fragment, escaped
}

// NewBase parses uri, which must be absolute; "" gives a Base without a URI, with
// which absolute references still resolve and relative ones give ErrNoBase. The error
// is an *Error, and an unknown rule set panics.
func NewBase(uri string, o Options) (*Base, error) {
	b := new(Base)
	if err := b.Reset(uri, o); err != nil {
		return nil, err
	}
	return b, nil
}

// Reset makes b, which nobody uses any more, what NewBase returns. After an error it is
// nothing to use.
func (b *Base) Reset(uri string, o Options) error {
	*b = Base{o: o}
	if int(o.Rules) >= len(rulesNames) {
		panic("resolve: unknown rule set " + o.Rules.String())
	}
	var err error
	if o.Rules == WHATWG {
		err = b.setWeb(uri)
	} else {
		err = b.setRFC(uri)
	}
	if err != nil {
		return err
	}
	b.setRisky()
	b.quiet = b.fast.ok && !b.risky && len(b.fast.warnings) == 0 && !hasEscapedControl(b.uri)
	return nil
}

// String returns the base as the rule set serialises it, "" if there is none.
func (b *Base) String() string { return b.uri }

// Form classifies ref. http:g is Relative under WHATWG and CompatScheme if the
// base has the scheme http.
func (b *Base) Form(ref []byte) Form { return b.form(view(ref)) }

func (b *Base) form(ref string) Form {
	if b.o.Rules == WHATWG {
		return b.formWeb(ref)
	}
	return b.formRFC(ref)
}

// Append appends the absolute URI of ref, fragment included, to dst. On an error it
// returns dst unchanged: ErrNoBase or an *Error. It allocates only to grow dst, and
// under WHATWG for hosts that are not plain ASCII, for tabs and line ends inside, and
// for an error.
func (b *Base) Append(dst, ref []byte) ([]byte, error) {
	if b.o.Rules == WHATWG {
		return b.appendWeb(dst, view(ref))
	}
	return b.appendRFC(dst, view(ref), false)
}

// AppendForm is Append for the target of a form, where an empty reference makes a
// request: under the RFC rule sets it stands for the base (RFC 2396 4.2), under
// WHATWG for Options.Document (ErrNoBase if that is "").
func (b *Base) AppendForm(dst, ref []byte) ([]byte, error) {
	if b.o.Rules != WHATWG {
		return b.appendRFC(dst, view(ref), true)
	}
	if s := trimWeb(view(ref)); s != "" {
		return b.appendWeb(dst, s)
	}
	if b.o.Document == "" {
		return dst, ErrNoBase
	}
	return b.appendWeb(dst, b.o.Document)
}

// Resolve is Append for strings.
func (b *Base) Resolve(ref string) (string, error) {
	room := make([]byte, 0, len(b.uri)+len(ref))
	out, err := b.Append(room, unsafe.Slice(unsafe.StringData(ref), len(ref)))
	return view(out), err
}

// view gives the bytes of s as a string without a copy. Nothing below Append keeps
// a part of it.
func view(s []byte) string { return unsafe.String(unsafe.SliceData(s), len(s)) }
