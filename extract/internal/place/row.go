package place

import "strings"

// ValueType says how a value holds references.
type ValueType uint8

const (
	TypeURL        ValueType = iota // one URL
	TypeBlanks                      // URLs separated by blanks
	TypeCommas                      // URLs separated by commas
	TypeSrcset                      // srcset candidates
	TypeRefresh                     // a delay and a URL
	TypeCSS                         // declarations or CSS values
	TypeDocument                    // a whole HTML document
	TypeName                        // the name of a Java class
	TypeCURIE                       // a URL or a compact one, [prefix:name]
	TypeNames                       // tokens of which those with "://" or urn: are URIs
	TypeSemicolons                  // URLs separated by semicolons
	TypeAngles                      // <URL> with parameters, separated by commas (RFC 8288)
	TypeQuoted                      // strings in double quotes, of which those with "://" are URLs
	TypeReports                     // the report-uri of a content security policy
	// name=value separated by semicolons, of which those of names that end in uri are URLs
	TypeURIs
	TypeGuess       // text that may be one URL
	TypeScript      // string literals that may be URLs
	TypeLinkedData  // JSON-LD
	TypeImportMap   // an import map
	TypeSpeculation // speculation rules
	TypeAbsolute    // one URL where it has a scheme, else something else
	TypeText        // running text in which URIs may stand
	TypeNamed       // one URL, or a name
	TypeSheet       // a style sheet
	TypeScriptURL   // one URL, or the literals of a script where it is one of javascript:
	TypePrefix      // one URL, to which a program may add a path
	TypeJSON        // JSON in which strings may be URLs, else nothing
	TypeBound       // one URL, or an expression of a framework

	// Those of attributes that scripts read: JSON and CSS are read as such.

	TypeLazy     // one URL
	TypeLazyText // one URL, if it looks like one
	TypeLazySet  // srcset candidates

	// Those of header fields.

	TypeWhole     // one URL
	TypeCleaned   // one URL, by the rules for Content-Base and Content-Location
	TypeAddress   // one URL, by the same rules, perhaps in encoded words
	TypeOrigin    // one URL, or a word for none or any
	TypeMailing   // <URL>, or a URL with a scheme, with comments, separated by commas (RFC 2369)
	TypeLinks     // <URL> with parameters that hold URLs and link types, too (RFC 8288)
	TypeStrings   // strings in double quotes, each a URL
	TypeEndpoints // objects of JSON with groups of endpoints
	TypeReportURI // parameters, of which report-uri is a URL
	TypePolicyRef // parameters, of which policyref is one
	TypeKeyURL    // parameters, of which url is one
	TypeOutlink   // a URL, the letter of a hop, and where it was found (Heritrix)
	// the parameters of a media type that say where the body is, of message/external-body (RFC
	// 2017, RFC 2046)
	TypeExternal
)

// Encoded reports whether values of the type may be in encoded words (RFC 2047).
func (t ValueType) Encoded() bool {
	switch t {
	case TypeAddress, TypeMailing, TypeKeyURL, TypeText:
		return true
	}
	return false
}

// BaseRule says against what a place's references are resolved.
type BaseRule uint8

const (
	BaseDocument BaseRule = iota // the base of the document, BASE included
	BaseCodebase                 // the codebase attribute of the element, itself against the document's base
	BaseOuter                    // what is around the document, without its BASE
	BaseSoFar                    // the base as it is known at the place
	BaseNone                     // never resolved
	// the Content-Base beside it in the heading of a message or part, or what is around that
	BaseEntity
	BaseContent // the Content-Base beside it alone
)

// Treatment is what is done with a place by default.
type Treatment uint8

const (
	Rewrite     Treatment = iota // listed and rewritten
	ListOnly                     // listed
	Never                        // listed as an identifier, which no option rewrites
	LazyRewrite                  // listed, and rewritten with Options.Lazy
	Lazy                         // listed and rewritten with Options.Lazy only
	Scripts                      // listed and rewritten with Options.Scripts only
)

// Row is one row: the attributes of elements whose values hold references. Rows are shared
// and must not be modified.
type Row struct {
	// Elements are lower-case names separated by blanks. "*" is any element, "-"
	// any HTML element with a hyphen in its name, "amp-*" those of AMP; a prefix svg: or math:
	// names the namespace, and svg:* any element of it.
	Elements   string
	Attributes string // lower-case names separated by blanks; on* and data-* are any that begin so
	Type       ValueType
	Base       BaseRule
	Kind       Kind
	Default    Treatment
	// If limits the row to elements with an attribute of a value: "name property=a
	// b* c" is a name or a property that is a or c or begins with b, in any case.
	// Of rows for one place the first that applies counts. "" limits nothing.
	If string
}

var typeNames = [...]string{
	TypeURL: "URL", TypeBlanks: "URLs, blanks", TypeCommas: "URLs, commas",
	TypeSrcset: "srcset", TypeRefresh: "refresh", TypeCSS: "CSS",
	TypeDocument: "HTML", TypeName: "class name", TypeCURIE: "URL or CURIE",
	TypeNames: "names", TypeSemicolons: "URLs, semicolons",
	TypeAngles: "<URL>s", TypeQuoted: "\"URL\"s", TypeReports: "policy",
	TypeURIs: "name=URL", TypeGuess: "text", TypeScript: "script",
	TypeLinkedData: "JSON-LD", TypeImportMap: "import map", TypeSpeculation: "speculation rules",
	TypeAbsolute: "URL with scheme", TypeText: "running text",
	TypeNamed: "URL or name", TypeSheet: "CSS", TypeScriptURL: "URL",
	TypePrefix: "URL", TypeJSON: "JSON", TypeBound: "URL or expression", TypeLazy: "URL, CSS, JSON",
	TypeLazyText: "URL, CSS, JSON, text", TypeLazySet: "srcset, CSS, JSON",
	TypeWhole: "URL", TypeCleaned: "URL", TypeAddress: "URL", TypeOrigin: "URL",
	TypeMailing: "<URL>s", TypeLinks: "<URL>s", TypeStrings: "\"URL\"s", TypeEndpoints: "\"URL\"s",
	TypeReportURI: "URL", TypePolicyRef: "URL", TypeKeyURL: "URL", TypeOutlink: "URL", TypeExternal: "URL",
}

// String returns a short name of t.
func (t ValueType) String() string { return typeNames[t] }

var baseNames = [...]string{
	BaseDocument: "document", BaseCodebase: "codebase", BaseOuter: "around",
	BaseSoFar: "so far", BaseNone: "none", BaseEntity: "entity",
	BaseContent: "content-base",
}

// String returns a short name of b.
func (b BaseRule) String() string { return baseNames[b] }

var treatmentNames = [...]string{
	Rewrite: "rewritten", ListOnly: "listed", Never: "identifier",
	LazyRewrite: "listed, --lazy", Lazy: "--lazy", Scripts: "--scripts",
}

// String returns a short name of t.
func (t Treatment) String() string { return treatmentNames[t] }

// condition takes If apart into names of attributes and values.
func (p *Row) condition() (attrs, values string) {
	attrs, values, _ = strings.Cut(p.If, "=")
	return attrs, values
}

// shares reports whether two rows are of one place.
func (p *Row) shares(q Row) bool { return q.Elements == p.Elements && q.Attributes == p.Attributes }

// names returns the attributes that a row reads.
func (p *Row) names() []string {
	attrs, _ := p.condition()
	list := append(strings.Fields(p.Attributes), strings.Fields(attrs)...)
	if p.Base == BaseCodebase {
		list = append(list, "codebase")
	}
	return list
}

// matters reports whether a row is read where those up to a treatment are.
func (p *Row) matters(most Treatment) bool { return p.Default < Lazy || p.Default <= most }
