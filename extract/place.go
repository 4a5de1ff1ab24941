package extract

// Names of what rows of the table say, for documentation.

var typeNames = [...]string{
	TypeURL: "URL", TypeBlanks: "URLs, blanks", TypeCommas: "URLs, commas", TypeSrcset: "srcset", TypeRefresh: "refresh", TypeCSS: "CSS",
	TypeDocument: "HTML", TypeName: "class name", TypeCURIE: "URL or CURIE", TypeNames: "names", TypeSemicolons: "URLs, semicolons",
	TypeAngles: "<URL>s", TypeQuoted: "\"URL\"s", TypeReports: "policy", TypeURIs: "name=URL", TypeGuess: "text", TypeScript: "script",
	TypeLinkedData: "JSON-LD", TypeImportMap: "import map", TypeSpeculation: "speculation rules", TypeAbsolute: "URL with scheme", TypeText: "running text", TypeNamed: "URL or name",
}

// String returns a short name of t.
func (t ValueType) String() string { return typeNames[t] }

var baseNames = [...]string{
	BaseDocument: "document", BaseCodebase: "codebase", BaseOuter: "around", BaseSoFar: "so far", BaseNone: "none", BaseEntity: "entity",
}

// String returns a short name of b.
func (b BaseRule) String() string { return baseNames[b] }

var treatmentNames = [...]string{
	Rewrite: "rewritten", ListOnly: "listed", Never: "identifier", LazyRewrite: "listed, --lazy", Lazy: "--lazy", Scripts: "--scripts",
}

// String returns a short name of t.
func (t Treatment) String() string { return treatmentNames[t] }
