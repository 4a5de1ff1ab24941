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

// listOnly reports whether what stands in p is left as it is.
func (o *Options) listOnly(p *Place) bool {
	switch p.Default {
	case ListOnly, Never:
		return true
	case LazyRewrite:
		return !o.Lazy
	}
	return false
}
