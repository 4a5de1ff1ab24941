package extract

// Options say which of the places that are not read by default are read, and by
// which of two rules. The zero value reads a web page as browsers do.
type Options struct {
	Lazy         bool // attributes that scripts read: rows of the treatments Lazy and LazyRewrite
	Scripts      bool // string literals that may be URLs, in scripts, on* attributes and javascript: URLs
	Comments     bool // markup in comments; that of conditional comments is read in messages anyway, where Doc.Part is set
	BareHosts    bool // www.example.org in running text, which is taken for http://www.example.org
	HTML5Objects bool // data, classid and archive of objects do not take the codebase, as in browsers
}

// Flow says how the lines of plain text go on.
type Flow uint8

const (
	Fixed       Flow = iota // a line end is one
	Flowed                  // format=flowed (RFC 3676)
	FlowedTight             // format=flowed; delsp=yes
)
