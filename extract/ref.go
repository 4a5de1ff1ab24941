package extract

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Ref is one reference in a document. Its slices and pointers are valid until the next Refs or
// Reset of its [Doc]. Do not modify them.
type Ref struct {
	Span                   // of this reference in Doc.Data, not of the whole attribute or style sheet
	Value      []byte      // decoded (charset, character references, escapes); white space at its ends stays
	Kind       Kind        // its purpose
	Element    string      // in lower case
	Attr       string      // in lower case; "" for text (a style element)
	Rel        string      // link types, separated by blanks, as written, or ""
	Layer      *base.Layer // the innermost layer of its base; nil if it has no base
	Identifier bool        // names something, and is not a link
	ListOnly   bool        // listed, and left unchanged unless an option says otherwise
	Doubtful   bool        // if Value is relative, it may be a name and not a reference
	Unsafe     bool        // ListOnly, and an edit would damage the document around it
	Form       bool        // a FORM action or formaction: see resolve.Base.AppendForm for an empty value

	shape *ref.Shape // other properties, which other references of the document share; nil if unknown
}

// Stripped returns Value without the white space at its ends. This is the form that is resolved and
// that [Resolver.InMessage] gets. It shares the memory of Value.
func (r Ref) Stripped() []byte { return text.Stripped(r.Value) }

// context returns the context of the reference for escaping.
func (r *Ref) context() *escape.Context {
	if r.shape == nil {
		return new(escape.Context)
	}
	return &r.shape.Context
}

// NamesDirectory reports whether the reference names a directory with other files, and not the
// document that a server sends for it. Such references are a codebase, an xml:base, and an address
// of an import map that ends with a slash.
func (r Ref) NamesDirectory() bool {
	switch r.Attr {
	case "codebase", "xml:base":
		return true
	case "":
		return r.Kind == KindScript && r.Element == "script" && bytes.HasSuffix(r.Value, []byte("/"))
	}
	return false
}

// Prefix returns the length of the beginning of Value that is a reference by itself. It is less
// than len(Value) for a URL pattern, as in href_matches, and for a URL template, as in OpenSearch.
// The rest has special characters and must be written unchanged. Prefix returns 0 if no beginning
// of such a value is a reference.
func (r Ref) Prefix() int {
	switch r.context().List {
	case escape.Pattern:
		return json.PatternPrefix(r.Value)
	case escape.Variables:
		return json.VariablesPrefix(r.Value)
	}
	return len(r.Value)
}

// InText reports whether r is a URL in running text, whose beginning and end are guesses. Such a
// reference is ListOnly.
func (r Ref) InText() bool { return r.shape != nil && r.shape.Text }

// Fixed reports whether r decides where the element around it ends, as "/<!--<script>" may in the
// text of a script. Such a reference must not be edited, and holds no URI.
func (r Ref) Fixed() bool { return r.context().Fixed }

// Holds reports whether a parser reads uri back unchanged from the place of the reference. In a
// list or refresh, a reference cannot contain the bytes that end a reference. If [Ref.Fixed] is
// true, the place holds no URI.
func (r Ref) Holds(uri []byte) bool { return r.context().Holds(uri) }

// Fit returns uri as a parser reads it back after Edit wrote it. A comma at either end of a srcset
// candidate becomes %2C, since a parser would cut it off. A backslash in a destination of Markdown
// becomes %5C. If nothing would be cut off or replaced, Fit returns uri itself, not a copy.
func (r Ref) Fit(uri []byte) []byte { return r.context().Fit(uri) }

// Edit returns the edit of Doc.Data that replaces the reference by uri. The URI is quoted and
// escaped for its place exactly once, so that it can never break out of there. The output is ASCII.
// A byte that the place cannot hold is percent-encoded: white space and commas that separate URLs,
// NUL, and bytes that are not UTF-8. If a script names only a host, the slash after the host of uri
// is removed, because the script may add a path. The edit must only be made if [Ref.Holds] returns
// true for uri.
func (r Ref) Edit(uri []byte) Edit {
	return Edit{r.Span, r.context().Append(nil, unslashed(r.shape, r.Value, uri))}
}

// unslashed returns the text to write for uri in the place of v. If v ends with its host, and a
// script may append a path to it, unslashed removes the slash that resolving added to the host.
func unslashed(s *ref.Shape, v, uri []byte) []byte {
	if s != nil && s.Prefix && bareHost(text.Stripped(v)) {
		return bytes.TrimSuffix(uri, []byte("/"))
	}
	return uri
}

// bareHost reports whether v ends in a host, as in //example.org.
func bareHost(v []byte) bool {
	_, host, ok := bytes.Cut(v, []byte("//"))
	return ok && len(host) > 0 && !bytes.ContainsAny(host, "/?#")
}
