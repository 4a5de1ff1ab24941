package resolve

import (
	"strings"
	"unsafe"
)

// Base is a base URI parsed once. It is safe for concurrent use.
type Base struct {
	o        Options
	has      bool   // there is a URI
	uri      string // as serialised
	web      parts  // the positions of its components in uri (WHATWG)
	rfc      rfcBase
	prefix   prefixes
	odd      uint16   // the class of bytes that no plain reference contains
	warnings []string // of its authority, if prefix.origin is set
	risky    bool     // a warning depends on the part that a reference inherits from it
	warns    bool     // AppendWarnings warns of the part that plain references inherit
	document string   // Options.Document without a fragment, escaped
}

// parts are offsets into a serialised URL.
type parts struct {
	scheme int  // of the colon
	host   int  // end of the authority
	path   int  // start of the path: after the authority, and after "/." if that guards it
	query  int  // end of the path
	frag   int  // end of the query
	auth   bool // the host is not null
	opaque bool // the path is opaque
	port   bool // the authority has a user, a password or a port
}

// rfcBase is a base under an RFC rule set. Its strings are parts of the serialised URI or made from
// them.
type rfcBase struct {
	split
	scheme    string // with its colon
	authority string // with its slashes, or "" if undefined
	dir       string // path up to the last slash, without dot segments
	excess    bool   // dir keeps ".." segments without a preceding segment (RFC 2396 5.2 step 6g)
	usable    bool   // for relative references: there is a base, and it is not opaque
	compat    bool   // a reference with its scheme is read as if it had no scheme
}

// prefixes are the parts of a base that precede plain references. If a prefix is "", such
// references are not plain.
type prefixes struct {
	scheme   string // with its colon
	origin   string // up to the path
	dir      string // up to the last slash of the path
	path     string // up to the query, if "?y" keeps the path
	fragment string // the prefix of "#s"
}

// String returns the base as the rule set serialises it, or "".
func (b *Base) String() string { return b.uri }

// fail builds an Error of the base's rule set.
func (b *Base) fail(input string, offset int, reason string) *Error {
	return &Error{b.o.Rules.String(), clip(input), offset, reason}
}

// view returns the bytes of s as a string without a copy. No function below Append keeps a part of
// it.
func view(s []byte) string { return unsafe.String(unsafe.SliceData(s), len(s)) }

// cutDir cuts s after its last slash.
func cutDir(s string) string { return s[:strings.LastIndexByte(s, '/')+1] }
