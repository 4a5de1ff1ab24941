package base_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/resolve"
	"absolink/testdata/effort"
)

// sources are all sources that a chain can have, in the order of RFC 2396 Section 5.1.
var sources = []base.Source{base.BaseElement, base.XMLBase, base.Codebase, base.FeedLink, base.JSONBase,
	base.ContentBase, base.ContentLocation, base.Option, base.Root, base.URL, base.WARCTarget, base.Snapshot,
	base.DefaultBase}

// values are an absolute base, relative ones, and some that give no base.
var values = []string{"http://a.test/d/e", "http://b.test/", "x/", "/y/z", "", "#f", "?q", "cid:a@b", "mailto:a@b",
	"file:///f/", "javascript:void", "data:,x", "thismessage:/", "//c.test/", "http:g/", "http://[",
	" <URL:http://h.test/> "}

// policies are the policies under which a chain is judged.
func policies() (list []*base.Policy) {
	for _, mime := range []base.MIMEBase{base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110} {
		for _, trust := range []base.Trust{base.TrustAll, base.TrustHeaders, base.TrustNone} {
			for _, more := range []bool{false, true} {
				list = append(list, &base.Policy{MIME: mime, Trust: trust, NoInheritAcrossMessages: more,
					FileBase: more})
			}
		}
	}
	return append(list, nil, &base.Policy{Rules: resolve.Options{Rules: resolve.RFC3986}},
		&base.Policy{Force: "http://forced.test/"}, &base.Policy{Rules: resolve.Options{ExcessDots: 1}})
}

// randomChain returns layers; the layers of an outer heading are inherited.
func randomChain(r *rand.Rand, outer *base.Layer, n int, inherited bool) *base.Layer {
	for range n {
		outer = &base.Layer{Source: sources[r.Intn(len(sources))], Value: values[r.Intn(len(values))], Outer: outer}
		switch r.Intn(12) {
		case 0:
			outer.Template = true
		case 1:
			outer.UnknownCharset = "x-none"
		case 2, 3:
			outer.Part = "1"
		}
		outer.Inherited = inherited
		outer.Across = inherited && r.Intn(2) == 0
	}
	return outer
}

// isEmbedded and isHeader are the classes of sources of Section 5.1.
func isEmbedded(s base.Source) bool { return s.Box() == "embedded" }
func isHeader(s base.Source) bool   { return s.Box() == "encapsulating" }

// passedOver returns the reason why a policy ignores a layer, according to the fields of Policy.
func passedOver(l *base.Layer, p *base.Policy) string {
	switch {
	case p.Trust == base.TrustHeaders && isEmbedded(l.Source) && l.Part != "":
		return "not trusted: it is from a document in a message"
	case p.Trust == base.TrustNone && (isEmbedded(l.Source) || isHeader(l.Source) || l.Source == base.Snapshot):
		return "not trusted: it is from a document or a header field"
	case l.Source == base.ContentBase && p.MIME == base.MIMERFC2557:
		return "RFC 2557 does not use Content-Base"
	case isHeader(l.Source) && l.Inherited && p.MIME == base.MIMERFC2110:
		return "RFC 2110 does not use the fields of the entities around a part"
	case isHeader(l.Source) && l.Across && p.NoInheritAcrossMessages:
		return "not inherited across messages"
	case l.Source == base.Snapshot && p.MIME != base.MIMERFC2396:
		return map[base.MIMEBase]string{base.MIMERFC2557: "rfc2557", base.MIMERFC2110: "rfc2110"}[p.MIME] +
			" does not use Snapshot-Content-Location"
	}
	return ""
}

// The result of Explain for each layer agrees with Base, with the policy, and with the layer alone.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range effort.Pick(1500, 600) {
		l := randomChain(r, randomChain(r, nil, r.Intn(3), true), r.Intn(4), false)
		for _, p := range policies() {
			uri, from := l.Base(p)
			steps := l.Explain(p)
			name := fmt.Sprintf("%s under %+v", spelled(l), p)
			checkSteps(t, name, l, p, steps, uri, from)
			if t.Failed() {
				return
			}
		}
	}
}

// spelled returns a chain as text, innermost first.
func spelled(l *base.Layer) string {
	var list []string
	for ; l != nil; l = l.Outer {
		list = append(list, fmt.Sprintf("%s=%q", l.Source, l.Value))
	}
	return strings.Join(list, " ")
}

func checkSteps(t *testing.T, name string, l *base.Layer, p *base.Policy, steps []base.Step, uri string,
	from *base.Layer) {
	t.Helper()
	policy := base.Policy{}
	if p != nil {
		policy = *p
	}
	if policy.Force != "" {
		if len(steps) == 0 || !steps[0].Used || uri != policy.Force || from.Source != base.Forced {
			t.Errorf("%s: base %q, steps %+v", name, uri, steps)
		}
		steps = steps[1:]
	}
	if (uri == "") != (from == nil) {
		t.Errorf("%s: base %q from %v", name, uri, from)
	}
	ended := policy.Force != ""
	behind := ended // the layer that counts
	unused := "an inner layer gives the base"
	switch {
	case ended:
		unused = "the forced base replaces it"
	case from == nil:
		unused = "an inner layer prevents a base"
	}
	for _, step := range steps {
		if step.Reason == unused && !behind && !ended {
			t.Errorf("%s: %s=%q is not used: %q", name, l.Source, l.Value, step.Reason)
		}
		behind = behind || step.Used
		if step.Layer != l {
			t.Errorf("%s: a step is of the layer %v, want %v", name, step.Layer, l)
		}
		if step.Used != (l == from) || step.Used != (step.Reason == "") {
			t.Errorf("%s: layer %s=%q is used: %v, reason %q", name, l.Source, l.Value, step.Used, step.Reason)
		}
		if step.Used && step.URI != uri {
			t.Errorf("%s: the layer used gives %q, the base is %q", name, step.URI, uri)
		}
		reason := passedOver(l, &policy)
		switch {
		case ended:
			if step.Reason != unused || step.URI != "" {
				t.Errorf("%s: behind the end %+v", name, step)
			}
		case reason != "":
			if step.Reason != reason {
				t.Errorf("%s: layer %s is passed over for %q, want %q", name, l.Source, step.Reason, reason)
			}
		case l.UnknownCharset != "" || l.Template:
			ended = true
			if step.URI != "" || step.Reason == "" {
				t.Errorf("%s: an unknown layer gives %+v", name, step)
			}
		default:
			ended = stopsAt(l, &policy)
			if counts := step.Used || step.Reason == unused; ended && counts != isUsable(l, &policy) {
				t.Errorf("%s: %s=%q gives %+v", name, l.Source, l.Value, step)
			}
		}
		l = l.Outer
	}
	if l != nil {
		t.Errorf("%s: no step for %s", name, spelled(l))
	}
}

// stopsAt reports whether the search ends at a layer that the policy accepts. Its value must have a
// scheme, must be allowed in a BASE, and must not be a reference that takes the scheme of the base.
func stopsAt(l *base.Layer, p *base.Policy) bool {
	value := strings.TrimSpace(l.Value)
	if isHeader(l.Source) || l.Source == base.Snapshot {
		value = strings.TrimPrefix(strings.Trim(value, "<>"), "URL:")
	} else if !isEmbedded(l.Source) {
		value = l.Value
	}
	scheme, rest, ok := strings.Cut(value, ":")
	switch {
	case !ok || strings.ContainsAny(scheme, "/?#<"):
		return false
	case scheme == "http" && strings.HasPrefix(rest, "//["):
		return p.Rules.Rules != resolve.WHATWG // which checks the host
	case scheme == "http" && !strings.HasPrefix(rest, "//"):
		return !isEmbedded(l.Source) || p.Rules.Rules != resolve.WHATWG
	case l.Source == base.BaseElement && (scheme == "javascript" || scheme == "data"):
		return false
	}
	return true
}

// isUsable reports whether an absolute value can be a base. It must have a path. A file: base must
// come from the operator or a client, or be allowed. thismessage:/ is only for the default (RFC
// 2557 Section 5).
func isUsable(l *base.Layer, p *base.Policy) bool {
	value := strings.Trim(strings.TrimSpace(l.Value), "<>")
	switch {
	case strings.HasPrefix(value, "thismessage:"):
		return l.Source == base.DefaultBase
	case strings.HasPrefix(value, "file:"):
		return p.FileBase || l.Source == base.Option || l.Source == base.Root || l.Source == base.URL ||
			l.Source == base.DefaultBase
	}
	return strings.Contains(value, "http://") || p.Rules.Rules == resolve.WHATWG && strings.HasPrefix(value, "http:")
}

// A Memo returns the same result as no Memo, whatever the calls before.
func TestMemoAgrees(t *testing.T) {
	for seed := range effort.Pick(int64(60), 30) {
		r := rand.New(rand.NewSource(seed))
		shared := randomChain(r, nil, 1+r.Intn(6), true)
		other := randomChain(r, nil, 1+r.Intn(3), true)
		for _, p := range policies() {
			var m base.Memo
			for range 30 {
				outer := []*base.Layer{shared, other, shared.Outer, nil}[r.Intn(4)]
				l := randomChain(r, outer, r.Intn(3), r.Intn(3) == 0)
				if r.Intn(20) == 0 {
					m.Forget()
				}
				wantURI, wantFrom := l.Base(p)
				if r.Intn(2) == 0 {
					uri, from := m.Base(l, p)
					if uri != wantURI || !sameSource(from, wantFrom, p) {
						t.Fatalf("seed %d: Memo.Base of %s = %q, want %q", seed, spelled(l), uri, wantURI)
					}
					continue
				}
				got, want := m.Explain(l, p), l.Explain(p)
				if !slices.EqualFunc(got, want, func(a, b base.Step) bool {
					return a.URI == b.URI && a.Used == b.Used && a.Reason == b.Reason && sameSource(a.Layer, b.Layer, p)
				}) {
					t.Fatalf("seed %d: Memo.Explain of %s = %+v, want %+v", seed, spelled(l), got, want)
				}
			}
		}
	}
	uri, from := (*base.Memo)(nil).Base(&base.Layer{Source: base.URL, Value: "http://a.test/"}, nil)
	if uri != "http://a.test/" || from == nil {
		t.Errorf("a nil Memo gives %q", uri)
	}
}

// sameSource reports whether two layers are the same; the forced layer is new each time.
func sameSource(a, b *base.Layer, p *base.Policy) bool {
	return a == b || a != nil && b != nil && p != nil && p.Force != "" && a.Source == b.Source
}

// Reference and Bounds remove the text around the reference in a field.
func TestFieldValues(t *testing.T) {
	for _, c := range []struct{ value, reference, bounded string }{
		{`"a"`, "a", "a"}, {`<a>`, "a", "a"}, {`""`, "", ""}, {`<>`, "", ""}, {`"`, `"`, `"`}, {`<`, "<", "<"},
		{`"a>`, `"a>`, `"a>`}, {`<a"`, `<a"`, `<a"`}, {` " a b " `, "ab", "a b"}, {"URL:", "", "URL:"},
		{"url:x", "x", "url:x"}, {"URL", "URL", "URL"}, {"URLx", "URLx", "URLx"}, {"<URL:\r\n x>", "x", "URL:\r\n x"},
		{"=?utf-8?q?a_b?=", "ab", "=?utf-8?q?a_b?="}, {"=?utf-8?b?YQ==?= =?utf-8?Q?b?=", "ab",
			"=?utf-8?b?YQ==?= =?utf-8?Q?b?="},
		{"=?utf-8?q?a?= b", "=?utf-8?q?a?=b", "=?utf-8?q?a?= b"}, {"=??q?a?=", "=??q?a?=", "=??q?a?="},
		{"=?u?q??=", "=?u?q??=", "=?u?q??="}, {"=?u?x?a?=", "=?u?x?a?=", "=?u?x?a?="}, {"=?u?qq?a?=", "=?u?qq?a?=",
			"=?u?qq?a?="},
		{"=?u?q?a?b?=", "=?u?q?a?b?=", "=?u?q?a?b?="}, {"=?u?q?a", "=?u?q?a", "=?u?q?a"}, {"", "", ""}, {"  ", "", ""},
		{"(c) a (d)", "a", "a"}, {`a"(b)`, `a"(b)`, `a"(b)`}, {`"a"(b)`, "a", "a"}, {`"(a)"`, "(a)", "(a)"},
		{`a (b)<c>`, `a(b)<c>`, `a (b)<c>`}, {`a (b)"c"`, `a(b)"c"`, `a (b)"c"`}, {`(b)<c>`, "c", "c"}, {`(b)"c"`,
			"c", "c"},
	} {
		l := base.Layer{Source: base.ContentLocation, Value: c.value}
		got, ok := l.Reference()
		start, end := l.Bounds()
		if got != c.reference || !ok || l.Value[start:end] != c.bounded {
			t.Errorf("field %q: reference %q, %v, bounds %q, want %q, %q", c.value, got, ok, l.Value[start:end],
				c.reference, c.bounded)
		}
	}
	l := base.Layer{Source: base.ContentBase, Value: "=?x-none?q?a?="}
	if got, ok := l.Reference(); got != "" || ok {
		t.Errorf("a word that cannot be decoded gives %q, %v", got, ok)
	}
}

// Other values lose only white space at their ends, and options lose nothing.
func TestOtherValues(t *testing.T) {
	const value = "\v\t \"a (b)\" \n\f\r"
	for _, s := range sources {
		l := base.Layer{Source: s, Value: value}
		want := value
		switch {
		case isEmbedded(s):
			want = "\v\t \"a (b)\""
		case isHeader(s):
			want = "a(b)"
		case s == base.Snapshot:
			want = "a(b)"
		}
		if got, ok := l.Reference(); got != want || !ok {
			t.Errorf("reference of %s is %q, %v, want %q", s, got, ok, want)
		}
	}
}

// A base has a maximum length, and so has the part that relative references inherit.
func TestLengths(t *testing.T) {
	const host = "http://a.test"
	inherits := func(n int) string { return host + "/" + strings.Repeat("x", n-len(host)-2) + "/" }
	for _, c := range []struct {
		name, uri string
		used      bool
	}{
		{"the most that is inherited", inherits(8 << 10), true}, {"more", inherits(8<<10 + 1), false},
		{"a file name is not inherited", inherits(8<<10) + "y", true},
		{"the longest base", host + "/" + strings.Repeat("x", 32<<10-len(host)-1), true},
		{"a longer one", host + "/" + strings.Repeat("x", 32<<10-len(host)), false},
		{"a query is not inherited", host + "/?" + strings.Repeat("/", 9<<10), true},
		{"a fragment", host + "/#" + strings.Repeat("/", 9<<10), true},
		{"a long host", "http://" + strings.Repeat("x.", 4<<10) + "test", false},
	} {
		l := &base.Layer{Source: base.URL, Value: c.uri}
		uri, _ := l.Base(&base.Policy{Rules: resolve.Options{Rules: resolve.RFC3986}})
		if (uri != "") != c.used {
			t.Errorf("%s: base of %d bytes is used: %v, want %v", c.name, len(c.uri), uri != "", c.used)
		}
		relative := &base.Layer{Source: base.BaseElement, Value: strings.TrimPrefix(c.uri, "http:"),
			Outer: &base.Layer{Source: base.URL, Value: "http://o.test/"}}
		uri, _ = relative.Base(&base.Policy{Rules: resolve.Options{Rules: resolve.RFC3986}})
		if (uri != "") != c.used {
			t.Errorf("%s, relative: used %v, want %v", c.name, uri != "", c.used)
		}
	}
}

// A relative layer that cannot be resolved says why, and the layer around it counts.
func TestRelativeReason(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "http://o.test/d/p"}
	steps := (&base.Layer{Source: base.BaseElement, Value: "//[", Outer: outer}).Explain(nil)
	if want := `whatwg: "//[": byte 2: an IPv6 address without a closing bracket`; steps[0].Reason != want ||
		!steps[1].Used {
		t.Errorf("Explain() = %+v, want the reason %q", steps, want)
	}
}

// The first retrieval layer with a usable URI is the place from which the document was retrieved.
func TestRetrievalLayers(t *testing.T) {
	for _, s := range append(sources, base.Forced) {
		l := &base.Layer{Source: s, Value: "http://a.test/"}
		want := ""
		if s.Box() == "retrieval" {
			want = "http://a.test/"
		}
		for _, p := range []*base.Policy{nil, {Force: "http://f.test/"}} {
			if got := l.Retrieval(p); got != want {
				t.Errorf("Retrieval of %s under %+v = %q, want %q", s, p, got, want)
			}
		}
		bad := &base.Layer{Source: base.URL, Value: "relative", Outer: l}
		if got := bad.Retrieval(nil); got != want {
			t.Errorf("Retrieval of %s around a relative one = %q, want %q", s, got, want)
		}
	}
}

// A snapshot is between the retrieval layers and the default.
func TestWithSnapshot(t *testing.T) {
	fallback := &base.Layer{Source: base.DefaultBase, Value: "d"}
	url := &base.Layer{Source: base.URL, Value: "u", Outer: fallback}
	inner := &base.Layer{Source: base.ContentBase, Value: "c", Outer: url}
	for _, c := range []struct {
		l    *base.Layer
		want string
	}{
		{nil, `snapshot="s"`}, {fallback, `snapshot="s" default-base="d"`},
		{inner, `content-base="c" url="u" snapshot="s" default-base="d"`},
		{&base.Layer{Source: base.URL, Value: "u"}, `url="u" snapshot="s"`},
	} {
		before := spelled(c.l)
		got := c.l.WithSnapshot("s", "2")
		if spelled(got) != c.want || spelled(c.l) != before {
			t.Errorf("WithSnapshot of %s = %s, want %s", before, spelled(got), c.want)
		}
		for l := got; l != nil; l = l.Outer {
			if (l.Part == "2") != (l.Source == base.Snapshot) {
				t.Errorf("WithSnapshot of %s: part %q of %s", before, l.Part, l.Source)
			}
		}
	}
}

// An absolute layer is resolved by the options of its policy, in any order of calls.
func TestOptions(t *testing.T) {
	for range 2 {
		for _, o := range []resolve.Options{{}, {ExcessDots: 1}, {ExcessDots: 2}, {CompatScheme: true},
			{Document: "http://d.test/"},
			{Bare: true},
			{Rules: resolve.RFC3986}, {Rules: resolve.RFC3986, ExcessDots: 1}, {Rules: resolve.RFC2396,
				CompatScheme: true}} {
			for _, value := range []string{"http://a.test/../b/?é#f", "http:/x/", "http:x/", "HTTP://A.test"} {
				none, err := resolve.NewBase("", o)
				if err != nil {
					t.Fatal(err)
				}
				want, err := none.Resolve(value)
				if err != nil || none.Form([]byte(value)) != resolve.Absolute || strings.HasPrefix(want, "http:x") {
					want = ""
				}
				l := &base.Layer{Source: base.URL, Value: value}
				if got, _ := l.Base(&base.Policy{Rules: o}); got != want {
					t.Errorf("base of %q under %+v = %q, want %q", value, o, got, want)
				}
			}
		}
	}
}

// The names of sources, layers and policies.
func TestNames(t *testing.T) {
	got := fmt.Sprint(base.None, "/", base.None.Box(), " ", base.Forced, "/", base.Forced.Box(), " ",
		base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110, base.TrustAll, base.TrustHeaders, base.TrustNone)
	if want := "/none option/forced rfc2396 rfc2557 rfc2110 all headers none"; got != want {
		t.Errorf("names %q, want %q", got, want)
	}
}
