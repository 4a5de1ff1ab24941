package resolve

import (
	"strings"
	"unsafe"
)

// Base is a base URI parsed once. It is safe for concurrent use.
type Base struct {
	o                 Options
	hasURI            bool
	uri               string // as the rule set serialises it; "" without a base URI
	web               parts  // only under WHATWG
	rfc               rfcBase
	prefix            prefixes
	notPlain          uint16   // classes of bytes that no plain reference contains
	authorityWarnings []string // warnings about the authority; nil if prefix.origin is ""
	riskyBase         bool     // the base is a file: URL or has a user: see warnBase
	plainWarns        bool     // a plain reference may inherit a warning from the base
	document          string   // Options.Document without a fragment, escaped
}

// parts are the offsets of the components in a serialised URL.
type parts struct {
	schemeEnd    int // the offset of the colon
	authorityEnd int
	pathStart    int // after the authority, and after the "/." that finishPath inserts
	pathEnd      int
	queryEnd     int
	hasHost      bool // the host is not null
	opaque       bool // the path is opaque
}

// rfcBase has the components of a base under an RFC rule set, escaped as in the serialised URI.
type rfcBase struct {
	splitRef
	schemeColon      string // the scheme with its colon
	slashedAuthority string // the authority with its two slashes, or "" if undefined
	dir              string // path up to the last slash, without dot segments
	excess           bool   // dir starts with ".." segments that remove nothing (RFC 2396 5.2 step 6g)
	usable           bool   // relative references have a result: there is a base, and it is not opaque
	ignoresScheme    bool   // a reference with the scheme of the base is read as if it had no scheme
}

// prefixes are the parts of a base that resolving puts before plain references. If a prefix is "",
// references that need it are not plain.
type prefixes struct {
	scheme   string // with its colon
	origin   string // up to the path
	dir      string // up to the last slash of the path
	path     string // up to the query, for "?y"; "" if "?y" does not keep the path
	fragment string // for "#s": the URI of the base or of the document, without a fragment
}

// String returns the base URI as the rule set serialises it, or "" without a base URI.
func (b *Base) String() string { return b.uri }

// fail builds an Error of the base's rule set.
func (b *Base) fail(input string, offset int, reason string) *Error {
	return &Error{b.o.Rules.String(), clip(input), offset, reason}
}

// view returns the bytes of s as a string without a copy. No function that Append calls keeps the
// string.
func view(s []byte) string { return unsafe.String(unsafe.SliceData(s), len(s)) }

// cutDir cuts s after its last slash.
func cutDir(s string) string { return s[:strings.LastIndexByte(s, '/')+1] }
