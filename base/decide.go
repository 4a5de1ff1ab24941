package base

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"absolink/resolve"
)

// The search first goes outward, until a layer is absolute or stops the search. Then it goes back
// inward, and resolves each relative layer against the base of the layers around it. If these
// layers have no base, the relative layer gives no base either, and the next layer inside is
// resolved.

// Base returns the base URI that l and the layers around it give (RFC 2396 Section 5.1). from is
// the layer that gave the base. If relative layers were resolved, from is the innermost of them.
// With Policy.Force, from is a new layer with the source [Forced]. If there is no base, Base
// returns "" and nil. A nil p is the zero [Policy].
func (l *Layer) Base(p *Policy) (uri string, from *Layer) {
	return (*Memo)(nil).Base(l, p)
}

// Retrieval returns the URI from which the document was retrieved, or "" if that URI is unknown. It
// examines the layers of the box "retrieval", innermost first. Each of them is examined alone,
// without the layers around it. The first one that gives a base is the result. Retrieval ignores
// Policy.Force.
func (l *Layer) Retrieval(p *Policy) string {
	for ; l != nil; l = l.Outer {
		if l.Source.Box() != "retrieval" {
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

// orDefault returns p, or the default policy if p is nil.
func orDefault(p *Policy) *Policy {
	if p == nil {
		return &defaults
	}
	return p
}

// search is one search for a base.
type search struct {
	policy *Policy
	memo   *Memo // nil disables the cache
}

// stage is a layer that the search has visited, with the results for this layer.
type stage struct {
	layer *Layer
	verdict
	base string // the base that this layer and the layers around it give, or ""
	from *Layer // the layer that gave this base, or nil
}

// walk returns the base of l, and the layer that gave the base. It appends to path a stage for each
// layer that it visits. The last of them is a layer that is absolute, a layer that stops the
// search, or the outermost layer. walk does not visit a cached Inherited layer, or the layers
// around it. If the policy forces a base, walk visits only a new layer with that base.
func (s *search) walk(path []stage, l *Layer) (_ []stage, uri string, from *Layer) {
	if s.policy.Force != "" {
		l = &Layer{Source: Forced, Value: s.policy.Force}
	}
	atCached := false // the layer after the last visited one is cached
	for ; l != nil; l = l.Outer {
		if l.Inherited {
			var known stage
			known, atCached = s.memo.lookup(l)
			if atCached {
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
			uri, from = s.resolveInward(st, uri, from)
		}
		st.base, st.from = uri, from
	}
	s.memo.store(path, atCached)
	return path, uri, from
}

// resolveInward resolves the relative layer of st against uri, the base of the layers around it.
// from is the layer that gave uri. If resolving succeeds, resolveInward sets the URI of st. If the
// layer does not give a base, it sets the reason. It returns the base for the layer inside st, and
// the layer that gave this base.
func (s *search) resolveInward(st *stage, uri string, from *Layer) (string, *Layer) {
	l := st.layer
	if l.Source == BaseElement && s.policy.MIME != MIMERFC2396 && from != nil && from.Source.isMIMEField() {
		st.reason = "relative, and " + s.policy.MIME.String() + " requires an absolute BASE in a message"
		return uri, from
	}
	value, _ := l.Reference()
	rules := s.policy.Rules
	rules.Document = uri // an empty BASE resolves to Document, the base of the layers around it
	abs := ""
	outer, err := resolve.NewBase(uri, rules)
	if err == nil {
		abs, err = outer.Resolve(value)
	}
	switch {
	case err == nil:
		st.uri = abs
		st.reason = tooLongReason(abs)
		if st.reason != "" {
			return "", nil // the layers inside have no base, as if an absolute layer were too long
		}
		return abs, l
	case uri == "":
		st.reason = "relative, and no usable base around it"
	default:
		st.reason = err.Error()
	}
	return uri, from
}

// fate is the effect of a layer on the search.
type fate uint8

const (
	isSkipped  fate = iota // the search goes on as if the layer did not exist
	isRelative             // the search goes on, and later resolves the layer against the base around it
	isAbsolute             // the search ends: the layer is the base for the layers inside it
	stops                  // the search ends without a base
)

// verdict is the result of judging a layer.
type verdict struct {
	fate   fate
	uri    string // the value of the layer as an absolute URI, or ""
	reason string // why the layer does not give a base, or ""
}

// ends reports whether the search outward ends at the layer.
func (v *verdict) ends() bool { return v.fate == isAbsolute || v.fate == stops }

// skipped returns the verdict on a layer that the search skips. reason says why.
func skipped(reason string) verdict { return verdict{fate: isSkipped, reason: reason} }

// judge returns the verdict on a layer. It does not look at the layers around it.
func (s *search) judge(l *Layer) verdict {
	if reason := s.policy.ignoreReason(l); reason != "" {
		return skipped(reason)
	}
	if l.UnknownCharset != "" {
		return verdict{fate: stops, reason: unknownCharset(l.UnknownCharset)}
	}
	if l.Template && l.Source == HeadersPath {
		return verdict{fate: stops, reason: "it stands for many pages"}
	}
	if l.Template {
		return verdict{fate: stops, reason: "it is a piece of a template"}
	}
	value, ok := l.Reference()
	if !ok {
		return verdict{fate: stops, reason: "it has an encoded word that cannot be decoded"}
	}
	if !l.Source.isEmbedded() && !utf8.ValidString(directory(value)) {
		return verdict{fate: stops, reason: "it has bytes that are not UTF-8, and its charset is unknown"}
	}
	none := noBase(s.policy.Rules)
	if none.Form([]byte(value)) != resolve.Absolute || s.mayBeRelative(l, value) {
		return s.judgeRelative(l, value)
	}
	uri, err := none.Resolve(value)
	if err != nil {
		return skipped(err.Error())
	}
	if scheme := schemeOf(uri); l.Source == BaseElement && (scheme == "data" || scheme == "javascript") {
		return skipped("a BASE may not be a " + scheme + ": URI")
	}
	if reason := s.unusableReason(l, uri); reason != "" {
		return verdict{stops, uri, reason}
	}
	return verdict{fate: isAbsolute, uri: uri}
}

// unknownCharset returns the reason for a [Layer].UnknownCharset with this name.
func unknownCharset(name string) string {
	if name == "us-ascii" {
		return fmt.Sprintf("the charset %q has no bytes above 127", name)
	}
	return fmt.Sprintf("the charset %q is not known", name)
}

// directory returns the part of uri that relative references inherit: all bytes up to the last
// slash or backslash before the query. uri is a value as written, and may be relative. For an
// absolute URI from the resolver, inheritedLen returns the length of this part.
func directory(uri string) string {
	uri = upToQuery(uri)
	return uri[:strings.LastIndexAny(uri, `/\`)+1]
}

// upToQuery returns uri without its query and fragment.
func upToQuery(uri string) string {
	if end := strings.IndexAny(uri, "?#"); end >= 0 {
		return uri[:end]
	}
	return uri
}

// judgeRelative returns the verdict on a layer whose value is not absolute.
func (s *search) judgeRelative(l *Layer, value string) verdict {
	switch {
	case l.Source.isEmbedded():
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

// noBase returns a resolve.Base without a URI, for the options o. If o has a rule set and no other
// option, noBase returns the same Base at every call.
func noBase(o resolve.Options) *resolve.Base {
	if o.Charset != nil || o != (resolve.Options{Rules: o.Rules}) {
		return newNoBase(o)
	}
	b, ok := noBases.Load(o.Rules)
	if !ok {
		b, _ = noBases.LoadOrStore(o.Rules, newNoBase(o))
	}
	return b.(*resolve.Base)
}

// newNoBase returns a new resolve.Base without a URI.
func newNoBase(o resolve.Options) *resolve.Base {
	b, _ := resolve.NewBase("", o) // only a URI can cause an error
	return b
}

var noBases sync.Map // *resolve.Base by resolve.Rules

// mayBeRelative reports whether value, the reference in l, may be relative although it has a
// scheme. By the URL Standard, http:dir/ is relative to an http: base. This rule is only for values
// in documents.
func (s *search) mayBeRelative(l *Layer, value string) bool {
	if s.policy.Rules.Rules != resolve.WHATWG || !l.Source.isEmbedded() {
		return false
	}
	value = strings.Map(dropTabsAndLineEnds, strings.TrimFunc(value, isBlankOrControl))
	_, rest, _ := strings.Cut(value, ":")
	switch schemeOf(value) {
	case "http", "https", "ftp", "ws", "wss":
		return len(rest) < 2 || !strings.ContainsRune(`/\`, rune(rest[0])) || !strings.ContainsRune(`/\`, rune(rest[1]))
	}
	return false
}

// isBlankOrControl reports whether r is a blank or a C0 control. The URL Standard removes these
// characters at the ends of a reference.
func isBlankOrControl(r rune) bool { return r <= ' ' }

// dropTabsAndLineEnds returns -1 for tabs and line ends, and r otherwise. The URL Standard removes
// these characters anywhere in a reference.
func dropTabsAndLineEnds(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return -1
	}
	return r
}

// unusableReason returns the reason why uri, the absolute URI of l, cannot be a base. It returns ""
// if uri can be a base.
func (s *search) unusableReason(l *Layer, uri string) string {
	_, rest, _ := strings.Cut(uri, ":")
	switch scheme := schemeOf(uri); {
	case scheme == "thismessage" && l.Source != DefaultBase, scheme == "cid", scheme == "mid": // RFC 2557 Section 5
		return scheme + ": names parts of a message and is no base"
	case scheme == "javascript", scheme == "vbscript", scheme == "data":
		return scheme + ": is no base"
	case !strings.HasPrefix(rest, "/"):
		return scheme + ": is not hierarchical"
	case scheme == "file" && !l.Source.mayBeFile() && !s.policy.FileBase:
		return "a file: base from the input is used only with --file-base"
	}
	return tooLongReason(uri)
}

// A document may have many short references, and the absolute URI of each reference repeats a part
// of the base. So a base has two limits, in bytes.
const (
	maxInherited = 8 << 10  // for the bytes up to the last slash of the path; relative references repeat them
	maxBase      = 32 << 10 // for the whole base; empty references repeat it
)

// tooLongReason returns the reason why uri is too long for a base, or "" if it is not.
func tooLongReason(uri string) string {
	switch n := inheritedLen(uri); {
	case n > maxInherited:
		return fmt.Sprintf("base-too-long: each relative link would repeat %d bytes of the base, and the limit is %d",
			n, maxInherited)
	case len(uri) > maxBase:
		return fmt.Sprintf("base-too-long: the base has %d bytes, and the limit is %d", len(uri), maxBase)
	}
	return ""
}

// inheritedLen returns the number of bytes of uri that relative references inherit. These are all
// bytes up to the last slash of the path, or up to the end of the authority if uri has no path. uri
// must be absolute and hierarchical.
func inheritedLen(uri string) int {
	uri = upToQuery(uri)
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
