// Package resolve makes URI references absolute. The caller chooses a rule set: the URL Standard
// (the rules of browsers), RFC 3986, RFC 2396, or one of the two drafts before it.
//
// A [Base] is parsed once and then used for any number of references, by any number of goroutines:
//
//	b, err := resolve.NewBase("http://a/b/c/d;p?q", resolve.Options{})
//	if err != nil {
//		return err
//	}
//	uri, err := b.Resolve("../g") // http://a/b/g
//
// [Base.Append] does the same for bytes, into a buffer of the caller, without an allocation. A
// relative reference without a usable base gives [ErrNoBase]. Under WHATWG a reference that the URL
// Standard cannot parse gives an *[Error]. The RFC rule sets accept any syntax; package grammar
// checks whether a reference fits a grammar. [Base.Form] reports before resolving whether a
// reference depends on the base.
//
// # Where the rule sets differ
//
// With the base http://a/b/d;p?q:
//
//	reference   WHATWG, RFC3986      RFC2396              Draft02        Draft00e
//	?y          http://a/b/d;p?y     http://a/b/?y        http://a/b/?y  http://a/b/d;p?y
//	;x          http://a/b/;x        http://a/b/;x        http://a/b/;x  http://a/b/d;x
//	../../../g  http://a/g           http://a/../g        http://a/../g  http://a/../g
//	/./g        http://a/g           http://a/./g         http://a/./g   http://a/./g
//	g?y/../x    http://a/b/g?y/../x  http://a/b/g?y/../x  http://a/b/x   http://a/b/g?y/../x
//	#s          http://a/b/d;p?q#s   the document         the document   http://a/b/d;p?q#s
//
// WHATWG reads http:g as relative to a base of the same scheme, strips blanks, removes tabs and
// line ends, reads "\" as "/", maps hosts by IDNA and drops default ports. Under the RFC rule sets,
// http:g is absolute unless [Options] says otherwise. Characters that RFC 2396 excludes from URIs
// are percent-encoded once. An authority is unchanged except for control characters. An opaque base
// such as mailto: completes no relative reference (RFC 2396 5), except under RFC3986, whose
// algorithm accepts any base.
//
// In two cases RFC 2396 and the drafts, read literally, would change the authority. There the RFC
// rule sets deviate from the text. First, a base may have an authority and an empty path. Then a
// slash is written after the authority (RFC 3986 5.2.3), so that the text after it does not become
// part of the host. Second, a result without an authority may have a path that starts with two
// slashes. Then "/." is written before the path.
//
// # Other functions
//
// [Split] cuts a reference into components and distinguishes undefined components from empty ones.
// [Base.Relative] is the inverse of resolving. A [Level] normalizes and compares URIs (RFC 3986
// 6.2). [Base.AppendWarnings] returns the warnings of the security sections of the RFCs. Package
// grammar checks references against the grammars of the RFCs and drafts.
//
// Files in reading order: error.go, rules.go, escape.go (classes of bytes, percent-encoding),
// ref.go, split.go (splits as the drafts do), dots.go (dot segments), base.go (the parsed base);
// the parser of the URL Standard: webparser.go (its state), validate.go (its validation errors),
// webpath.go, idna_joining.go and idna_later.go (tables), idna.go, idna_newer.go (newer
// characters), ipv6.go, host.go, webfile.go (file: URLs), web.go; rfc.go (the other rule sets),
// warning.go, plain.go (the fast path), resolve.go (the choice of the algorithm). The other
// functions: normal.go, relative.go.
//
// # Cost
//
// The table shows the processor time for resolving the 28,700 references of 130 real pages. Each
// figure is the lowest of eight rounds. All were measured in one run, so they are comparable:
//
//	                                 ns a reference   allocations   speed (net/url = 1)
//	RFC2396                          70               0             10.4
//	Draft02                          70               0             10.4
//	RFC3986                          71               0             10.4
//	Draft00e                         72               0             10.1
//	WHATWG                           78               0             9.4
//	net/url, Parse + String          734              4.4           1
//	nlnwa/whatwg-url, Parse + Href   4,476            84            0.16
//
// Under WHATWG only two kinds of references allocate: references whose host has escapes or is
// mapped by IDNA, and references with inner tabs or line ends. Most references are plain (see
// [Base.Plain]): one pass over their bytes proves that they need no further work.
package resolve
