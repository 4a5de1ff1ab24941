package base

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"absolink/resolve"
)

// The search goes outward until a layer is absolute or stops the search, and keeps the relative
// layers on its way. Then it comes back inward and resolves each relative layer against the base of
// the layers around it. If these have no base, the relative layer has none either, and the next
// inner layer is resolved against the same layers.

// Base returns the base URI of the layers (RFC 2396 Section 5.1) and the layer that supplied it, or
// "" and nil. A nil p is the zero [Policy]. If relative layers were resolved against each other,
// from is the innermost of them.
func (l *Layer) Base(p *Policy) (uri string, from *Layer) {
	return (*Memo)(nil).Base(l, p)
}

// Retrieval returns the URI from which the document was retrieved, or "". It is the URI of the
// first usable retrieval layer.
func (l *Layer) Retrieval(p *Policy) string {
	for ; l != nil; l = l.Outer {
		if l.Source.Layer() != "retrieval" {
			continue
		}
		only := *l
		only.Outer = nil
		unforced := *orDefault(p)
		unforced.Force = ""
		if uri, _ := only.Base(&unforced); uri != "" {
			return uri
		}
	}
	return ""
}

func orDefault(p *Policy) *Policy {
	if p == nil {
		return &defaults
	}
	return p
}

type search struct {
	policy *Policy
	memo   *Memo // nil disables the cache
}

// stage is a layer on the way outward.
type stage struct {
	layer *Layer
	verdict
	base string // the base of this layer and the layers around it
	from *Layer // the layer that supplies this base
}

// run appends the layers that it visits to path, and returns the base and the layer that supplies
// it. The layers around the last visited one are in the cache, or do not count.
func (s *search) run(path []stage, l *Layer) (_ []stage, uri string, from *Layer) {
	if s.policy.Force != "" {
		l = &Layer{Source: Forced, Value: s.policy.Force}
	}
	reached := false // a layer that is cached
	for ; l != nil; l = l.Outer {
		if l.Inherited {
			var known stage
			known, reached = s.memo.recall(l)
			if reached {
				uri, from = known.base, known.from
				break
			}
		}
		v := s.judge(l)
		path = append(path, stage{layer: l, verdict: v})
		if v.fate == isAbsolute {
			uri, from = v.uri, l
		}
		if v.ends() {
			break
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		st := &path[i]
		if st.fate == isRelative {
			uri, from = s.inward(st, uri, from)
		}
		st.base, st.from = uri, from
	}
	s.memo.keep(path, reached)
	return path, uri, from
}

// inward resolves a relative layer against uri, the base of the layers around it. It records the
// result in the verdict of the layer, and returns the base for the next inner layer.
func (s *search) inward(st *stage, uri string, from *Layer) (string, *Layer) {
	l := st.layer
	if l.Source == BaseElement && s.policy.MIME != MIMERFC2396 && from != nil && from.Source.header() {
		st.reason = "relative, and " + s.policy.MIME.String() + " wants an absolute BASE in a message"
		return uri, from
	}
	value, _ := l.Reference()
	rules := s.policy.Rules
	rules.Document = uri // an empty BASE means the base around it
	outer, err := resolve.NewBase(uri, rules)
	if err != nil {
		st.reason = err.Error()
		return uri, from
	}
	abs, err := outer.Resolve(value)
	switch {
	case err == nil:
		st.uri = abs
		st.reason = tooLong(abs)
		if st.reason != "" {
			return "", nil // it stops the search, as an absolute layer does
		}
		return abs, l
	case uri == "":
		st.reason = "relative, and no usable base around it"
	default:
		st.reason = err.Error()
	}
	return uri, from
}

// fate is the effect of a layer on the search on its way outward.
type fate uint8

const (
	isSkipped fate = iota
	isRelative
	isAbsolute
	stops
)

type verdict struct {
	fate   fate
	uri    string
	reason string
}

// ends reports whether the layers further out do not count.
func (v *verdict) ends() bool { return v.fate == isAbsolute || v.fate == stops }

func skipped(reason string) verdict { return verdict{fate: isSkipped, reason: reason} }

// judge judges one layer by itself.
func (s *search) judge(l *Layer) verdict {
	if reason := s.policy.skips(l); reason != "" {
		return skipped(reason)
	}
	if l.Charset != "" {
		return verdict{fate: stops, reason: unknownCharset(l.Charset)}
	}
	if l.Unknown {
		return verdict{fate: stops, reason: "a template, which nobody knows the base of yet"}
	}
	value, ok := l.Reference()
	if !ok {
		return skipped("an encoded-word that cannot be decoded")
	}
	if l.Source.header() && !utf8.ValidString(directory(value)) {
		return verdict{fate: stops, reason: "its bytes are not UTF-8: nobody knows its charset"}
	}
	none, err := without(s.policy.Rules)
	if err != nil {
		return skipped(err.Error())
	}
	if none.Form([]byte(value)) != resolve.Absolute || s.takesScheme(l, value) {
		return s.judgeRelative(l, value)
	}
	uri, err := none.Resolve(value)
	if err != nil {
		return skipped(err.Error())
	}
	if scheme := schemeOf(uri); l.Source == BaseElement && (scheme == "data" || scheme == "javascript") {
		return skipped("a BASE may not be a " + scheme + ": URI")
	}
	if reason := s.unusable(l, uri); reason != "" {
		return verdict{stops, uri, reason}
	}
	return verdict{fate: isAbsolute, uri: uri}
}

// unknownCharset returns the reason why characters outside of ASCII cannot be read in the charset
// with a name.
func unknownCharset(name string) string {
	if name == "us-ascii" {
		return fmt.Sprintf("the charset %q has no bytes above 127", name)
	}
	return fmt.Sprintf("the charset %q is not known", name)
}

// directory returns the part of a base that a reference to another file inherits: everything up to
// the last slash of its path.
func directory(uri string) string {
	if i := strings.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	return uri[:strings.LastIndexAny(uri, `/\`)+1]
}

func (s *search) judgeRelative(l *Layer, value string) verdict {
	switch {
	case l.Source.embedded():
		return verdict{fate: isRelative}
	case value == "":
		return skipped("empty")
	case l.Source == ContentLocation && s.policy.MIME == MIMERFC2557:
		return skipped("relative, and RFC 2557 takes only an absolute Content-Location as base")
	case l.Source == ContentLocation:
		return verdict{fate: isRelative}
	}
	return skipped("not absolute")
}

// without returns a base without a URI under o. Bases for a rule set without other options are made
// once.
func without(o resolve.Options) (*resolve.Base, error) {
	if o.Charset != nil || o != (resolve.Options{Rules: o.Rules}) {
		return resolve.NewBase("", o)
	}
	if b, ok := baseless.Load(o.Rules); ok {
		return b.(*resolve.Base), nil
	}
	b, err := resolve.NewBase("", o)
	if err == nil {
		baseless.Store(o.Rules, b)
	}
	return b, err
}

var baseless sync.Map // *resolve.Base by resolve.Rules

// takesScheme reports whether the embedded value may be relative although it has a scheme, such as
// http:dir/ under the URL Standard.
func (s *search) takesScheme(l *Layer, value string) bool {
	if s.policy.Rules.Rules != resolve.WHATWG || !l.Source.embedded() {
		return false
	}
	value = strings.Map(noLineEnd, strings.TrimFunc(value, noGraphic))
	_, rest, _ := strings.Cut(value, ":")
	switch schemeOf(value) {
	case "http", "https", "ftp", "ws", "wss":
		return len(rest) < 2 || !strings.ContainsRune(`/\`, rune(rest[0])) || !strings.ContainsRune(`/\`, rune(rest[1]))
	}
	return false
}

// noGraphic reports whether r is a control of C0 or a blank, which the URL Standard removes at the
// ends of a reference.
func noGraphic(r rune) bool { return r <= ' ' }

// noLineEnd returns -1 for tabs and line ends, which the URL Standard removes anywhere.
func noLineEnd(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return -1
	}
	return r
}

// unusable returns the reason why references cannot be resolved against uri, or "". Such a base
// stops the search.
func (s *search) unusable(l *Layer, uri string) string {
	_, rest, _ := strings.Cut(uri, ":")
	switch scheme := schemeOf(uri); {
	case scheme == "thismessage" && l.Source == DefaultBase: // RFC 2557 Section 5
		return ""
	case scheme == "thismessage", scheme == "cid", scheme == "mid":
		return scheme + ": names parts of a message and is no base"
	case scheme == "javascript", scheme == "vbscript", scheme == "data":
		return scheme + ": is no base"
	case !strings.HasPrefix(rest, "/"):
		return scheme + ": is not hierarchical"
	case scheme == "file" && !l.Source.operator() && !s.policy.FileBase:
		return "a file: base that a document names is used only with --file-base"
	}
	return tooLong(uri)
}

// The length of a base is limited, since each of many short references may repeat it.
const (
	// bytes of scheme, authority and path to its last slash, which all relative references inherit
	maxInherited = 8 << 10
	maxBase      = 32 << 10 // all bytes, which an empty reference inherits; servers accept no such URL
)

// tooLong returns the reason why a base is too long, or "".
func tooLong(uri string) string {
	switch n := inherited(uri); {
	case n > maxInherited:
		return fmt.Sprintf("base-too-long: up to the last slash of its path it has %d bytes, at most %d are used",
			n, maxInherited)
	case len(uri) > maxBase:
		return fmt.Sprintf("base-too-long: it has %d bytes, at most %d are used", len(uri), maxBase)
	}
	return ""
}

// inherited returns the length of a hierarchical URI up to the last slash of its path. Without a
// path it is the length up to the end of the authority.
func inherited(uri string) int {
	if end := strings.IndexAny(uri, "?#"); end >= 0 {
		uri = uri[:end]
	}
	slash := strings.LastIndexByte(uri, '/')
	if slash == strings.IndexByte(uri, ':')+2 && uri[slash-1] == '/' {
		return len(uri)
	}
	return slash + 1
}

// schemeOf returns the scheme of an absolute URI in lower case.
func schemeOf(uri string) string {
	scheme, _, _ := strings.Cut(uri, ":")
	return strings.ToLower(scheme)
}
