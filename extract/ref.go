package extract

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Ref is one reference in a document. What it points to is valid until the next Refs or
// Reset of its [Doc], and must not be modified.
type Ref struct {
	Span                   // of this one reference in Doc.Data, not of the whole attribute or style sheet
	Value      []byte      // decoded: character references, CSS escapes, charset; neither stripped nor resolved
	Kind       Kind        // what it is for
	Element    string      // lower case
	Attr       string      // lower case; "" for text (a style element)
	Rel        string      // link types, separated by blanks, as written; "" if none
	Layer      *base.Layer // what it is resolved against; nil = nothing
	Identifier bool        // names something, and is not a link
	ListOnly   bool        // listed, and left as it is unless an option says otherwise
	Doubtful   bool        // it may be a name and no reference, if Value is relative
	Unsafe     bool        // ListOnly, and it must not be edited at all: that would damage the document around it
	Form       bool        // a FORM action or formaction: empty stands for the document or its base

	shape *ref.Shape // what else is known of it, and of others of d; nil = nothing
}

// Stripped returns Value without the white space at its ends, as it is resolved and as
// [Resolver.InMessage] gets it. It shares the memory of Value.
func (r Ref) Stripped() []byte { return text.Stripped(r.Value) }

// context returns what is around the reference.
func (r *Ref) context() *escape.Context {
	if r.shape == nil {
		return new(escape.Context)
	}
	return &r.shape.Context
}

// NamesDirectory reports whether the reference names a directory, below which others lie, and not
// the document that a server sends for it: a codebase, xml:base, or an address of an import map
// that ends with a slash.
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
// than that of Value for a URL pattern, as in href_matches, and for the template of a URL: what
// follows the prefix has characters that stand for others, and must be written as it is. It is 0
// if none of such a value is a reference.
func (r Ref) Prefix() int {
	if r.context().List != escape.Pattern {
		return len(r.Value)
	}
	return json.PatternPrefix(r.Value)
}

// Fixed reports whether r decides where the element around it ends, as "/<!--<script>" may in
// the text of a script. Such a reference must not be edited, and holds no uri.
func (r Ref) Fixed() bool { return r.context().Fixed }

// Holds reports whether a parser reads uri back unchanged from the place of the reference. In a
// list or refresh, the bytes that end a reference cannot be a part of one. A [Ref.Fixed] one
// holds no uri.
func (r Ref) Holds(uri []byte) bool { return r.context().Holds(uri) }

// Fit returns uri as a parser reads it back once Edit has written it. A comma at either end of a
// srcset candidate becomes %2C, since a parser would cut it off. If nothing would be cut off,
// Fit returns uri itself, not a copy.
func (r Ref) Fit(uri []byte) []byte { return r.context().Fit(uri) }

// Edit returns the edit of Doc.Data that replaces the reference by uri, quoted
// and escaped for its place exactly once, so that it can never break out of
// there. What is written is ASCII. A byte that the place cannot hold at all is
// percent-encoded: white space and commas where they separate URLs, NUL, bytes
// that are not UTF-8. Where a script names a host alone, uri loses the slash behind its host: the
// script may add a path. If r does not hold uri, the edit must not be made.
func (r Ref) Edit(uri []byte) Edit {
	return Edit{r.Span, r.context().Append(nil, unslashed(r.shape, r.Value, uri))}
}

// unslashed returns what is written for uri in the place of v. A script may put a path behind a
// host alone: there it is written without the slash that resolving adds.
func unslashed(s *ref.Shape, v, uri []byte) []byte {
	if s != nil && s.Prefix && bareHost(text.Stripped(v)) {
		return bytes.TrimSuffix(uri, []byte("/"))
	}
	return uri
}

// bareHost reports whether v ends in a host, as //example.org does.
func bareHost(v []byte) bool {
	_, host, ok := bytes.Cut(v, []byte("//"))
	return ok && len(host) > 0 && !bytes.ContainsAny(host, "/?#")
}
