package place

import "strings"

// ValueType is the format of a value with references.
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
	TypeCURIE                       // a URL, or a compact URI: [prefix:name]
	TypeNames                       // tokens separated by blanks; a token with "://" or urn: is a URI
	TypeSemicolons                  // URLs separated by semicolons
	TypeAngles                      // <URL> with parameters, separated by commas (RFC 8288)
	TypeQuoted                      // strings in double quotes; a string with "://" is a URL
	TypeReports                     // the report-uri of a content security policy
	// name=value separated by semicolons; a value is a URL if its name contains uri
	TypeURIs
	TypeGuess       // text that may be one URL
	TypeScript      // string literals that may be URLs
	TypeLinkedData  // JSON-LD
	TypeImportMap   // an import map
	TypeSpeculation // speculation rules
	TypeAnalytics   // the configuration of amp-analytics
	TypeAbsolute    // one URL if the value has a scheme; otherwise there is no reference
	TypeText        // running text that may contain URIs
	TypeNamed       // one URL, or a name
	TypeSheet       // a style sheet
	TypeScriptURL   // one URL; the literals of its script if it is a javascript: URL
	TypePrefix      // one URL, to which a program may add a path
	TypeVariables   // one URL in which a program replaces names in braces
	TypeOptional    // one URL, or the word none
	TypeJSON        // JSON whose strings may be URLs; other text has no references
	TypeBound       // one URL, or an expression of a framework

	// Types of attributes that scripts read. A value that looks like JSON or CSS is read as JSON or
	// CSS. Other values are:

	TypeLazy     // one URL
	TypeLazyText // one URL, if the value looks like a URL
	TypeLazySet  // srcset candidates

	// Types of header fields.

	TypeWhole     // one URL
	TypeCleaned   // one URL, by the rules for Content-Base and Content-Location
	TypeAddress   // as TypeCleaned, perhaps in encoded words
	TypeOrigin    // one URL, or the word null or *
	TypeMailing   // a list with commas: <URL>, or a bare URL that has a scheme; comments are allowed (RFC 2369)
	TypeLinks     // <URL> with parameters that also hold URLs and link types (RFC 8288)
	TypeStrings   // strings in double quotes, each a URL
	TypeEndpoints // objects of JSON with groups of endpoints
	TypeReportURI // parameters; report-uri is a URL
	TypePolicyRef // parameters; policyref is a URL
	TypeKeyURL    // parameters; url is a URL
	TypeOutlink   // a URL, letters for the kind of link, and the place where it was found (Heritrix)
	// the parameters of message/external-body that say where the body is (RFC 2017, RFC 2046)
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

// BaseRule says which base the references of a place have.
type BaseRule uint8

const (
	BaseDocument BaseRule = iota // the base of the document, including BASE
	// the codebase attribute of the element, which is itself resolved against the document's base
	BaseCodebase
	BaseOuter // the base around the document, without its BASE
	BaseSoFar // the base of the document as far as it is known at the place
	BaseNone  // never resolved
	// the Content-Base in the same heading, or else the base around the heading
	BaseEntity
	BaseContent // only the Content-Base in the same heading
)

// Treatment is the default treatment of a place.
type Treatment uint8

const (
	Rewrite     Treatment = iota // listed and rewritten
	ListOnly                     // listed, never rewritten
	Never                        // listed as an identifier, which no option rewrites
	LazyRewrite                  // always listed, but rewritten only with Options.Lazy
	Bookmarks                    // listed and rewritten in bookmark files only
	Lazy                         // without Options.Lazy neither listed nor rewritten
	Scripts                      // without Options.Scripts neither listed nor rewritten
)

// Row is a row of a table: attributes of elements, and how to read their values. Rows are shared
// and must not be modified.
type Row struct {
	// Elements are lower-case names separated by blanks. "*" is any element, "-" is any HTML
	// element with a hyphen in its name, and "amp-*" is any element of AMP. A prefix svg: or math:
	// names the namespace; svg:* is any element of SVG.
	Elements   string
	Attributes string // lower-case names separated by blanks; on* and data-* are all names with this prefix
	Type       ValueType
	Base       BaseRule
	Kind       Kind
	Default    Treatment
	// If limits the row to elements with certain attribute values. Before the = are names of
	// attributes: "name property=a b* c" means that the value of "name" or of "property" is a or c,
	// or begins with b. Case does not matter. The star may also be in the middle. If several rows
	// have the same place, the first row that applies counts. "" limits nothing.
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
	TypeAnalytics: "analytics",
	TypeAbsolute:  "URL with scheme", TypeText: "running text",
	TypeNamed: "URL or name", TypeSheet: "CSS", TypeScriptURL: "URL",
	TypePrefix: "URL", TypeJSON: "JSON", TypeBound: "URL or expression",
	TypeVariables: "URL, {names}", TypeOptional: "URL or none", TypeLazy: "URL, CSS, JSON",
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
	LazyRewrite: "listed, --lazy", Bookmarks: "bookmarks", Lazy: "--lazy", Scripts: "--scripts",
}

// String returns a short name of t.
func (t Treatment) String() string { return treatmentNames[t] }

// condition splits If into names of attributes and values.
func (p *Row) condition() (attrs, values string) {
	attrs, values, _ = strings.Cut(p.If, "=")
	return attrs, values
}

// sharesPlace reports whether two rows have the same place.
func (p *Row) sharesPlace(q Row) bool {
	return q.Elements == p.Elements && q.Attributes == p.Attributes
}

// names returns the attributes that a row reads.
func (p *Row) names() []string {
	attrs, _ := p.condition()
	list := append(strings.Fields(p.Attributes), strings.Fields(attrs)...)
	if p.Base == BaseCodebase {
		list = append(list, "codebase")
	}
	return list
}

// isRead reports whether the scanner needs a row: its treatment is below Lazy, or at most
// maxTreatment.
func (p *Row) isRead(maxTreatment Treatment) bool {
	return p.Default < Lazy || p.Default <= maxTreatment
}
