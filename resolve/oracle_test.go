package resolve

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// appendixB is the expression of RFC 2396 and RFC 3986 Appendix B; its "." also matches line ends.
var appendixB = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)

// schemeName is a scheme by the grammar of RFC 2396 and RFC 3986.
var schemeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// splitB splits by the expression. If the scheme does not fit the grammar, there is no scheme, and
// the following authority is path as well.
func splitB(s string) Ref {
	m := appendixB.FindStringSubmatchIndex(s)
	group := func(n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return s[m[2*n]:m[2*n+1]]
	}
	has := func(n int) bool { return m[2*n] >= 0 }
	r := Ref{group(2), group(4), group(5), group(7), group(9), has(3), has(6), has(8)}
	if has(1) && !schemeName.MatchString(r.Scheme) {
		r.Path = group(1) + group(3) + group(5)
		r.Scheme, r.Authority, r.HasAuthority = "", "", false
	}
	return r
}

func checkSplit(t *testing.T, s string) {
	t.Helper()
	got := Split(s)
	if want := splitB(s); got != want {
		t.Errorf("Split(%q) = %+v, want %+v as by Appendix B", s, got, want)
	}
	if got.String() != s {
		t.Errorf("Split(%q).String() = %q", s, got.String())
	}
}

func TestSplit(t *testing.T) {
	var table struct {
		Cases []struct {
			In, Scheme, Authority, Path string
			Query, Fragment             *string
		}
	}
	load(t, "../testdata/rfc/rfc2396-b.json", &table)
	c := table.Cases[0]
	want := Ref{Scheme: c.Scheme, Authority: c.Authority, Path: c.Path,
		Fragment: *c.Fragment, HasAuthority: true, HasFragment: true}
	if got := Split(c.In); got != want {
		t.Errorf("Split(%q) = %+v, want %+v", c.In, got, want)
	}
	for _, s := range append(fastRefs, fastBases...) {
		checkSplit(t, s)
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range append(fastRefs, fastBases...) {
		f.Add(s)
	}
	f.Fuzz(checkSplit)
}

// slow3986 is RFC 3986 5.2.2 to 5.3, step by step on strings.
func slow3986(base, ref string, compat bool) string {
	b, r := splitB(base), splitB(ref)
	if compat && strings.EqualFold(r.Scheme, b.Scheme) {
		r.Scheme = ""
	}
	var t Ref
	switch {
	case r.Scheme != "":
		t = r
		t.Path = slowDots3986(r.Path)
	case r.HasAuthority:
		t = r
		t.Path = slowDots3986(r.Path)
	case r.Path == "":
		t.Path = b.Path
		t.Query, t.HasQuery = r.Query, r.HasQuery
		if !r.HasQuery {
			t.Query, t.HasQuery = b.Query, b.HasQuery
		}
		t.Authority, t.HasAuthority = b.Authority, b.HasAuthority
	default:
		if strings.HasPrefix(r.Path, "/") {
			t.Path = slowDots3986(r.Path)
		} else if b.HasAuthority && b.Path == "" {
			t.Path = slowDots3986("/" + r.Path)
		} else {
			t.Path = slowDots3986(b.Path[:strings.LastIndex(b.Path, "/")+1] + r.Path)
		}
		t.Query, t.HasQuery = r.Query, r.HasQuery
		t.Authority, t.HasAuthority = b.Authority, b.HasAuthority
	}
	if t.Scheme == "" {
		t.Scheme = b.Scheme
	}
	t.Fragment, t.HasFragment = r.Fragment, r.HasFragment
	return recomposed(t)
}

// recomposed joins a reference. A path without an authority must not begin with two slashes (3.3),
// because it would be read as an authority.
func recomposed(r Ref) string {
	if !r.HasAuthority && strings.HasPrefix(r.Path, "//") {
		r.Path = "/." + r.Path
	}
	return r.String()
}

// alwaysHierarchical are the schemes that RFC 2396 5.2 step 3 may mean.
var alwaysHierarchical = regexp.MustCompile(`^(?i:https?|wss?|ftp|file|gopher|nntp|telnet|wais|prospero|ldap|imap|rtsp)$`)

// isOpaque reports whether relative references cannot use a base (RFC 2396 5, 3), because it has
// opaque_part.
func isOpaque(base string) bool {
	return !strings.HasPrefix(base[strings.IndexByte(base, ':')+1:], "/")
}

// slowDots3986 is the text of 5.2.4 with its two buffers.
func slowDots3986(in string) string {
	out := ""
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"): // B
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..": // C
			in = "/" + strings.TrimPrefix(in[3:], "/")
			out = out[:max(strings.LastIndex(out, "/"), 0)]
		case in == ".", in == "..": // D
			in = ""
		default: // E
			n := strings.Index(in[1:], "/") + 1
			if n == 0 {
				n = len(in)
			}
			out, in = out+in[:n], in[n:]
		}
	}
	return out
}

// excess is a ".." that is left at the start of a path.
var excess = regexp.MustCompile(`^(/?)\.\.(/|$)`)

// slow2396 is RFC 2396 5.2, step by step on strings, for references that are not to the same
// document. ok is false if step 6g finds an error and refuse is set.
func slow2396(base, ref string, dots Dots, compat bool) (uri string, ok bool) {
	b, r := splitB(base), splitB(ref)
	compat = compat && alwaysHierarchical.MatchString(b.Scheme) && !isOpaque(base)
	if r.Scheme != "" && !(compat && strings.EqualFold(r.Scheme, b.Scheme)) { // 3
		return ref, true
	}
	if isOpaque(base) { // Section 5
		return "", false
	}
	r.Scheme = b.Scheme
	if !r.HasAuthority { // 4
		r.Authority, r.HasAuthority = b.Authority, b.HasAuthority
		if !strings.HasPrefix(r.Path, "/") { // 5
			buffer := b.Path[:strings.LastIndex(b.Path, "/")+1] // 6a
			if b.HasAuthority && b.Path == "" && r.Path != "" {
				buffer = "/" // as RFC 3986 5.2.3 corrects it
			}
			buffer = slowDots2396(buffer + r.Path) // 6b to 6f
			for dots != KeepDots && excess.MatchString(buffer) {
				if dots == RefuseDots {
					return "", false
				}
				buffer = excess.ReplaceAllString(buffer, "$1")
			}
			r.Path = buffer
		}
	}
	return recomposed(r), true // 7
}

var (
	scheme00e = regexp.MustCompile(`^[A-Za-z0-9+.-]+:`)
	server00e = regexp.MustCompile(`(?s)^//([^/]*)(.*)$`)
)

// split00e is 4.3 of draft-00e. Only HasAuthority is set.
func split00e(s string) (r Ref, params string) {
	s, r.Fragment, _ = strings.Cut(s, "#")
	if m := scheme00e.FindString(s); m != "" {
		r.Scheme, s = m[:len(m)-1], s[len(m):]
	}
	if m := server00e.FindStringSubmatch(s); m != nil {
		r.HasAuthority, r.Authority, s = true, m[1], m[2]
	}
	s, r.Query, _ = strings.Cut(s, "?")
	r.Path, params, _ = strings.Cut(s, ";")
	return r, params
}

// slow00e is Section 6 of draft-00e, step by step on strings. ok is false for a relative reference
// and an opaque base (5).
func slow00e(base, ref string) (uri string, ok bool) {
	if ref == "" { // 2a
		base, _, _ = strings.Cut(base, "#")
		return base, true
	}
	b, baseParams := split00e(base)
	r, params := split00e(ref)
	if r.Scheme != "" { // 2b
		return ref, true
	}
	if isOpaque(base) && ref[0] != '#' {
		return "", false
	}
	r.Scheme = b.Scheme    // 2c
	if r.Authority == "" { // 3
		r.Authority, r.HasAuthority = b.Authority, b.HasAuthority
		switch {
		case strings.HasPrefix(r.Path, "/"): // 4
		case r.Path != "": // 6
			r.Path = slowDots2396(b.Path[:strings.LastIndex(b.Path, "/")+1] + r.Path)
			if b.HasAuthority && b.Path == "" { // a server has no path without a slash
				r.Path = slowDots2396("/" + r.Path)
			}
		default: // 5
			r.Path = b.Path
			if params == "" {
				params = baseParams
				if r.Query == "" {
					r.Query = b.Query
				}
			}
			if b.HasAuthority && b.Path == "" && params+r.Query != "" {
				r.Path = "/" // only a slash ends a server (4.3.1)
			}
		}
	}
	if params != "" { // 7
		r.Path += ";" + params
	}
	r.HasQuery = r.Query != ""
	r.HasFragment = r.Fragment != ""
	return recomposed(r), true
}

var (
	dot      = regexp.MustCompile(`(^|/)\./`)
	dotAtEnd = regexp.MustCompile(`(^|/)\.$`)
)

// slowDots2396 rewrites one occurrence at a time, the leftmost first.
func slowDots2396(p string) string {
	for dot.MatchString(p) { // 6c
		p = dot.ReplaceAllString(p, "$1")
	}
	p = dotAtEnd.ReplaceAllString(p, "$1") // 6d
	for {
		segments := strings.Split(p, "/")
		lead := 0
		if strings.HasPrefix(p, "/") {
			lead = 1
		}
		i := lead
		for i+1 < len(segments) && (segments[i] == ".." || segments[i+1] != "..") {
			i++
		}
		switch {
		case i+2 < len(segments): // 6e
			p = strings.Join(append(segments[:i:i], segments[i+2:]...), "/")
		case i+2 == len(segments): // 6f
			p = strings.Join(append(segments[:i:i], ""), "/")
		default:
			return p
		}
	}
}

func checkSlow(t *testing.T, base, ref string) {
	for _, compat := range []bool{false, true} {
		o := Options{Rules: RFC3986, Bare: true, CompatScheme: compat}
		b, err := NewBase(base, o)
		if err != nil || base == "" {
			return
		}
		if got, _ := b.Resolve(ref); got != slow3986(base, ref, compat) {
			t.Errorf("rfc3986, compat %v, base %q: Resolve(%q) = %q, want %q",
				compat, base, ref, got, slow3986(base, ref, compat))
		}
		if !compat {
			check00e(t, base, ref)
		}
		if r := splitB(ref); r.Scheme == "" && !r.HasAuthority && r.Path == "" && !r.HasQuery {
			continue // the current document
		}
		for dots := KeepDots; dots <= RefuseDots; dots++ {
			o = Options{Rules: RFC2396, Bare: true, CompatScheme: compat, ExcessDots: dots}
			b, _ = NewBase(base, o)
			got, err := b.Resolve(ref)
			if want, ok := slow2396(base, ref, dots, compat); ok != (err == nil) || ok && got != want {
				t.Errorf("rfc2396, %v, compat %v, base %q: Resolve(%q) = %q, %v, want %q, %v",
					dots, compat, base, ref, got, err, want, ok)
			}
		}
	}
}

func check00e(t *testing.T, base, ref string) {
	b, err := NewBase(base, Options{Rules: Draft00e, Bare: true})
	if err != nil {
		return
	}
	got, err := b.Resolve(ref)
	if want, ok := slow00e(base, ref); ok != (err == nil) || got != want {
		t.Errorf("draft-00e, base %q: Resolve(%q) = %q, %v, want %q, %v", base, ref, got, err, want, ok)
	}
}

func TestAgainstTheText(t *testing.T) {
	for _, base := range fastBases {
		for _, ref := range fastRefs {
			checkSlow(t, base, ref)
		}
	}
}

func FuzzAgainstTheText(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	f.Fuzz(checkSlow)
}

// hosts of a hostile reference or base: text that another parser may read as the authority. The
// last rows have characters that map to delimiters.
var hostile = []string{
	"http://good.example", "http://good.example/", "https://good.example/dir/file",
	"foo://good.example/x", "foo:/x", "file:///x", "file://good.example/C:/x",
	"/\\evil.example/", "\\\\evil.example", "/\t/evil.example", "/%2F/evil.example",
	"/.//evil.example", "..//evil.example/", ".//evil.example",
	"http:\\\\evil.example", "http:/evil.example", "http:evil.example",
	"http://good.example@evil.example/", "http://evil.example\\@good.example/",
	"http://good.example\t@evil.example", "//evil.example:80@good.example",
	"//good.example#@evil.example", "//good.example?@evil.example",
	"http://evil。example/", "http://evil%2eexample/", "http://ev%00il.example",
	"http://evil.example%2f@good.example", "//[::1]@evil.example", "x:/.//evil.example",
	"//good.example%40evil.example/", "//good.example%5Cevil.example/", "http://good.example%",
	"//%%@evil.example", "/%5C/evil.example", "/%09/evil.example", "\t//evil.example", "\\/evil.example",
	"1http://evil.example/", "//evil.example?/good.example/", "a//evil.example?/../..//x",
	"?/../../..//evil.example", "..;/..//evil.example", ";//evil.example", "http:;//evil.example",
	"http://evil.c℀.good.example", "http://good.example＠evil.example/", "//evil.example／.good.example/",
	"http://good.example：80/", "http://good.example＃@evil.example", "//evil.example？.good.example",
	"http://good.example\u00ad/", "http://\u2135.example/", "http://xn--/", "http://good。example＼evil.example/",
	"http://１２７。1/", "//⑽.0.0.1/", "http://good.example\u202e/", "//%ef%bc%8fevil.example/",
}

// authorities are the expressions by which the rule sets find an authority. They are the one of
// Appendix B, with the schemes of each grammar, and draft-00e's server (4.3.1), which only a slash
// ends.
var authorities = map[Rules]*regexp.Regexp{
	RFC3986:  regexp.MustCompile(`(?s)^([A-Za-z][A-Za-z0-9+.-]*:)?(//([^/?#]*))?`),
	RFC2396:  regexp.MustCompile(`(?s)^([A-Za-z][A-Za-z0-9+.-]*:)?(//([^/?#]*))?`),
	Draft02:  regexp.MustCompile(`(?s)^([A-Za-z0-9+.-]+:)?(//([^/?#]*))?`),
	Draft00e: regexp.MustCompile(`(?s)^([A-Za-z0-9+.-]+:)?(//([^/#]*))?`),
}

// authorityOf reads scheme and authority by the rules. An empty server of draft-00e is not an
// authority.
func authorityOf(rules Rules, uri string) (scheme, authority string, ok bool) {
	m := authorities[rules].FindStringSubmatch(uri)
	ok = m[2] != "" && (m[3] != "" || rules != Draft00e)
	return m[1], m[3], ok
}

// checkAuthority checks the authority of the result. It may come from only three places: the
// reference after its slashes, the base, or nowhere.
func checkAuthority(t *testing.T, base, ref string) {
	for rules := RFC3986; int(rules) < len(rulesNames); rules++ {
		checkRFCAuthority(t, Options{Rules: rules, Document: base}, base, ref)
	}
	checkWebAuthority(t, base, ref)
	checkWebOrigin(t, base, ref)
}

func checkRFCAuthority(t *testing.T, o Options, base, ref string) {
	if authorities[o.Rules] == nil {
		t.Fatalf("%v: add to authorities the expression by which its document finds scheme and authority", o.Rules)
	}
	b, err := NewBase(base, o)
	if err != nil || base == "" {
		return
	}
	got, err := b.Resolve(ref)
	if err != nil {
		return
	}
	_, want, has := authorityOf(o.Rules, base)
	if scheme, own, ok := authorityOf(o.Rules, ref); scheme != "" || ok {
		want, has = own, ok
	}
	if unprintable.MatchString(got) || !utf8.ValidString(got) {
		t.Errorf("%+v, base %q: Resolve(%q) = %q with a control, or a byte that is no UTF-8", o, base, ref, got)
	}
	want = printable(want)
	if _, a, ok := authorityOf(o.Rules, got); a != want || ok != has {
		t.Errorf("%+v, base %q: Resolve(%q) = %q with authority %q, %v, want %q, %v",
			o, base, ref, got, a, ok, want, has)
	}
}

// unprintable are the characters that may break a line or control a terminal.
var unprintable = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`)

// printable percent-encodes these characters, and bytes that are not UTF-8.
func printable(s string) string {
	if utf8.ValidString(s) && !unprintable.MatchString(s) {
		return s
	}
	out := ""
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		if part := s[i : i+n]; r == utf8.RuneError && n == 1 || unprintable.MatchString(part) {
			out += url.PathEscape(part)
		} else {
			out += part
		}
	}
	return out
}

var (
	webScheme  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`)
	webSlashes = regexp.MustCompile(`^[/\\]{2}`)
)

// checkWebOrigin checks that a reference without a host keeps the host of the base. Such a
// reference has no scheme, or the scheme of a special base without two slashes.
func checkWebOrigin(t *testing.T, base, ref string) {
	b, err := NewBase(base, Options{})
	if err != nil || base == "" || b.web.opaque {
		return
	}
	s := strings.NewReplacer("\t", "", "\n", "", "\r",
		"").Replace(strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' }))
	special := isSpecial(b.uri[:b.web.schemeEnd])
	if m := webScheme.FindStringSubmatch(s); m != nil {
		if !special || !strings.EqualFold(m[1], b.uri[:b.web.schemeEnd]) {
			return
		}
		s = s[len(m[0]):]
	}
	if strings.HasPrefix(s, "//") || special && webSlashes.MatchString(s) {
		return
	}
	got, err := b.Resolve(ref)
	if want, has := splitB(b.uri), splitB(got); err != nil || has.Authority != want.Authority ||
		has.HasAuthority != want.HasAuthority || has.Scheme != want.Scheme {
		t.Errorf("base %q: Resolve(%q) = %q, %v with another authority than the base %q", base, ref, got, err, b.uri)
	}
}

// checkWebAuthority checks that a result is read back with the same host, by the parser and by the
// plain split of Appendix B.
func checkWebAuthority(t *testing.T, base, ref string) {
	b, err := NewBase(base, Options{})
	if err != nil {
		return
	}
	got, err := b.Resolve(ref)
	if err != nil {
		return
	}
	again, err := NewBase(got, Options{})
	if err != nil {
		t.Errorf("base %q: Resolve(%q) = %q, which does not parse: %v", base, ref, got, err)
		return
	}
	if again.String() != got {
		t.Errorf("base %q: Resolve(%q) = %q, which parses as %q", base, ref, got, again.String())
	}
	w := again.web
	r := splitB(got)
	if r.HasAuthority != w.hasHost || w.hasHost && got[w.schemeEnd+3:w.authorityEnd] != r.Authority {
		t.Errorf("base %q: Resolve(%q) = %q: Appendix B reads authority %q, the URL parser %q",
			base, ref, got, r.Authority, got[w.schemeEnd+1:w.authorityEnd])
	}
	if i := indexClass(got, excludedInURL); i >= 0 {
		t.Errorf("base %q: Resolve(%q) = %q has the byte %q", base, ref, got, got[i])
	}
}

// excludedInURL are the bytes that a serialised URL contains only in an opaque path: controls and
// bytes above ASCII.
const excludedInURL = encC0

// Every URI that a reference resolves to can be a base, under the same rules.
func TestResultIsBase(t *testing.T) {
	refs := append(slices.Clip(hostile), fastRefs...)
	bases := append(slices.Clip(hostile), fastBases...)
	for rules := range len(rulesNames) {
		for _, o := range []Options{{}, {CompatScheme: true, Bare: true}} {
			o.Rules = Rules(rules)
			n := 0
			for _, base := range append(bases, "") {
				b, err := NewBase(base, o)
				if err != nil {
					continue
				}
				for _, ref := range refs {
					uri, err := b.Resolve(ref)
					if err != nil {
						continue
					}
					n++
					if _, err := NewBase(uri, o); err != nil {
						t.Errorf("%+v, base %q: Resolve(%q) = %q, which is no base: %v", o, base, ref, uri, err)
					}
				}
			}
			if n < len(refs) {
				t.Errorf("%+v: only %d references resolve", o, n)
			}
		}
	}
}

func TestHostileAuthority(t *testing.T) {
	for _, base := range append(hostile, fastBases...) {
		for _, ref := range append(hostile, fastRefs...) {
			checkAuthority(t, base, ref)
		}
	}
}

func FuzzHostileAuthority(f *testing.F) {
	for i, ref := range hostile {
		f.Add(hostile[i*7%len(hostile)], ref)
	}
	f.Add("0://\xe5", "0")
	f.Fuzz(checkAuthority)
}

// FuzzAgainstNlnwa compares with another implementation of the URL Standard, unless a class of its
// departures explains the difference.
func FuzzAgainstNlnwa(f *testing.F) {
	for i, ref := range fastRefs {
		f.Add(fastBases[i%len(fastBases)], ref)
	}
	var all map[string]*engineDepartures
	load(f, "testdata/engines.json", &all)
	d := all["nlnwa"]
	f.Fuzz(func(t *testing.T, base, ref string) {
		for _, c := range []webCase{{"", base}, {base, ref}} {
			ours, theirs := webAnswer(c), nlnwaAnswer(c)
			if ours == theirs || d.row(c, theirs) {
				continue
			}
			if d.explain(c, ours, theirs) == nil {
				t.Errorf("base %q: Resolve(%q) = %q; nlnwa/whatwg-url gives %q", c.Base, c.Ref, ours, theirs)
			}
			return // a difference of the base explains one of the result
		}
	})
}
