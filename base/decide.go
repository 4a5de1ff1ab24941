package base

import (
	"strings"
	"sync"

	"absolink/resolve"
)

// The search goes outward until a layer is absolute, or stops it, and keeps the
// relative layers that it meets. Then it comes back inward: each relative layer
// is resolved against what the layers around it amount to. Where that is
// nothing, the layer amounts to nothing either, and the next inner one is
// resolved against the same.

// Base returns the base URI that the layers give and the layer that supplied
// it, or "" and nil. Of a chain of relative layers it is the innermost one.
func (l *Layer) Base(p *Policy) (uri string, from *Layer) {
	s := search{policy: orDefault(p)}
	return s.run(l)
}

// Step is a layer and what became of it in the search for the base.
type Step struct {
	Layer  *Layer
	URI    string // what the layer amounts to, absolute; "" if nothing
	Used   bool   // it gives the base
	Reason string // why it does not; "" if Used
}

// Explain returns a step for every layer, innermost first. Under Policy.Force
// the first one is that of the option.
func (l *Layer) Explain(p *Policy) []Step {
	s := search{policy: orDefault(p), steps: []Step{}}
	if s.policy.Force != "" {
		s.add(&Layer{Source: Forced, Value: s.policy.Force})
	}
	for o := l; o != nil; o = o.Outer {
		s.add(o)
	}
	_, from := s.run(l)
	for i := range s.steps {
		st := &s.steps[i]
		st.Used = from != nil && (st.Layer == from || from.Source == Forced && st.Layer.Source == Forced)
		if !st.Used && st.Reason == "" {
			st.Reason = "a layer before it counts"
		}
	}
	return s.steps
}

// Retrieval returns the URI that the document was retrieved from: that of the
// first retrieval layer that gives a usable one, "" if there is none.
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
	steps  []Step // nil: nobody asks for reasons
}

func (s *search) add(l *Layer) { s.steps = append(s.steps, Step{Layer: l}) }

// note records what l amounts to, or why it does not count.
func (s *search) note(l *Layer, uri, reason string) {
	for i := range s.steps {
		if st := &s.steps[i]; st.Layer == l {
			st.URI, st.Reason = uri, reason
			return
		}
	}
}

func (s *search) run(l *Layer) (string, *Layer) {
	if s.policy.Force != "" {
		return s.forced()
	}
	var relative []*Layer
	var uri string
	var from *Layer
	for ; l != nil; l = l.Outer {
		v := s.judge(l)
		s.note(l, v.uri, v.reason)
		if v.fate == isRelative {
			relative = append(relative, l)
		}
		if v.fate == isAbsolute {
			uri, from = v.uri, l
		}
		if v.fate == isAbsolute || v.fate == stops {
			break
		}
	}
	for i := len(relative) - 1; i >= 0; i-- {
		uri, from = s.inward(relative[i], uri, from)
	}
	return uri, from
}

func (s *search) forced() (string, *Layer) {
	l := &Layer{Source: Forced, Value: s.policy.Force}
	v := s.judge(l)
	if len(s.steps) > 0 {
		s.note(s.steps[0].Layer, v.uri, v.reason)
	}
	if v.fate != isAbsolute {
		return "", nil
	}
	return v.uri, l
}

// inward resolves the relative layer l against what the layers around it
// amount to and returns what counts from here on.
func (s *search) inward(l *Layer, uri string, from *Layer) (string, *Layer) {
	if l.Source == BaseElement && s.policy.MIME != MIMERFC2396 && from != nil && from.Source.header() {
		s.note(l, "", "relative, and "+s.policy.MIME.String()+" wants an absolute BASE in a message")
		return uri, from
	}
	value, _ := clean(l)
	rules := s.policy.Rules
	rules.Document = uri // an empty BASE stands for what is around it
	outer, err := resolve.NewBase(uri, rules)
	if err != nil {
		s.note(l, "", err.Error())
		return uri, from
	}
	abs, err := outer.Resolve(value)
	switch {
	case err == nil:
		s.note(l, abs, "")
		return abs, l
	case uri == "":
		s.note(l, "", "relative, and no usable base around it")
	default:
		s.note(l, "", err.Error())
	}
	return uri, from
}

// fate is what the search does with a layer that it meets on its way outward.
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

func skipped(reason string) verdict { return verdict{fate: isSkipped, reason: reason} }

// judge looks at one layer by itself.
func (s *search) judge(l *Layer) verdict {
	if reason := s.policy.skips(l); reason != "" {
		return skipped(reason)
	}
	value, ok := clean(l)
	if !ok {
		return skipped("an encoded-word that cannot be decoded")
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

// without returns a base without a URI under o. Those of the rule sets alone are
// made once.
func without(o resolve.Options) (*resolve.Base, error) {
	if o.ExcessDots != 0 || o.CompatScheme || o.Document != "" || o.AppendQuery != nil || o.Bare {
		return resolve.NewBase("", o)
	}
	if b, ok := bare.Load(o.Rules); ok {
		return b.(*resolve.Base), nil
	}
	b, err := resolve.NewBase("", o)
	if err == nil {
		bare.Store(o.Rules, b)
	}
	return b, err
}

var bare sync.Map // *resolve.Base by resolve.Rules

// takesScheme reports whether the embedded value may be relative although it
// has a scheme, such as http:dir/ under the URL Standard.
func (s *search) takesScheme(l *Layer, value string) bool {
	if s.policy.Rules.Rules != resolve.WHATWG || !l.Source.embedded() {
		return false
	}
	_, rest, _ := strings.Cut(value, ":")
	switch schemeOf(value) {
	case "http", "https", "ftp", "ws", "wss":
		return len(rest) < 2 || !strings.ContainsRune(`/\`, rune(rest[0])) || !strings.ContainsRune(`/\`, rune(rest[1]))
	}
	return false
}

// unusable returns why references cannot be resolved against uri, "" if they
// can. Such a base stops the search.
func (s *search) unusable(l *Layer, uri string) string {
	_, rest, _ := strings.Cut(uri, ":")
	switch scheme := schemeOf(uri); {
	case scheme == "thismessage", scheme == "cid", scheme == "mid":
		return scheme + ": names parts of a message and is no base"
	case scheme == "javascript", scheme == "vbscript", scheme == "data":
		return scheme + ": is no base"
	case !strings.HasPrefix(rest, "/"):
		return scheme + ": is not hierarchical"
	case scheme == "file" && !l.Source.operator() && !s.policy.FileBase:
		return "a file: base that a document names is used only with --file-base"
	}
	return ""
}

// schemeOf returns the scheme of an absolute URI in lower case.
func schemeOf(uri string) string {
	scheme, _, _ := strings.Cut(uri, ":")
	return strings.ToLower(scheme)
}
