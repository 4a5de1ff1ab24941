package resolve

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"absolink/resolve/internal/component"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// The test compares the rules of the URL Standard with "new URL" of Chromium and of Node.
// testdata/engines.json lists the departures of an engine from the standard: classes, each with the
// clause and the number of its cases, and single rows. A class is a function here. Any other
// difference fails. A number or row that no longer holds for the engine version of the list fails
// too.

// engineDepartures are the known departures of an engine.
type engineDepartures struct {
	Version string
	Classes []*engineClass
	Rows    []*engineRow
}

// engineClass is a class by its name in classes. Cases are counted by set.
type engineClass struct {
	Name, Clause string
	Cases        map[string]int
	seen         map[string]int
}

// engineRow is a single case.
type engineRow struct {
	Base, Ref, Answer, Reason string
	seen                      bool
}

// engineRule explains a difference; "" is a refusal. If same is set, it makes answers alike, so
// that several classes may apply to one case.
type engineRule struct {
	same     func(uri string) string
	explains func(c webCase, ours, theirs string) bool
}

var classes = map[string]engineRule{
	"pipe in a path":                           {same: samePipe},
	"caret in a path":                          {same: sameCaret},
	"apostrophe in a query or user":            {same: sameApostrophe},
	"asterisk in a host":                       {same: sameAsterisk, explains: asteriskMapped},
	"blank at the end of an opaque path":       {same: sameBlank},
	"line break in a data: URL":                {same: sameBreak},
	"blank in a host":                          {explains: blankHost},
	"file URL":                                 {explains: fileURL},
	"backslash and a base that is not special": {explains: backslash},
	"base with an authority and no path":       {explains: noPath},
	"base with a guarded path":                 {explains: guarded},
	"character whose low byte is forbidden":    {explains: lowByte},
	"character of a later Unicode":             {explains: laterCharacter},
	"mapping of a later Unicode":               {explains: laterMapping},
	"C1 control in windows-1252":               {explains: controlIn1252},
	"bidi rule":                                {explains: noBidi},
	"ASCII symbol in a mapped host":            {explains: symbolMapped},
	"check of a mapped host":                   {explains: uncheckedMapping},
	"label like a number":                      {explains: numberLike},
	"bytes that are no UTF-8":                  {explains: notUTF8},
	"ASCII label that is no Punycode":          {explains: badPunycode},
	"opaque base with more than a fragment":    {explains: opaqueBase},
	"double-dot segment right after a host":    {explains: dotsAfterHost},
}

// onPath changes the path of a URI.
func onPath(uri string, f func(string) string) string {
	r := Split(uri)
	r.Path = f(r.Path)
	return r.String()
}

func samePipe(uri string) string {
	return onPath(uri, func(path string) string { return strings.ReplaceAll(path, "|", "%7C") })
}

func sameCaret(uri string) string {
	return onPath(uri, func(path string) string { return strings.ReplaceAll(path, "^", "%5E") })
}

// sameApostrophe normalizes queries of schemes that are not special, and users.
func sameApostrophe(uri string) string {
	r := Split(uri)
	if !isSpecial(r.Scheme) {
		r.Query = strings.ReplaceAll(r.Query, "'", "%27")
	}
	i := strings.LastIndexByte(r.Authority, '@') + 1
	r.Authority = strings.ReplaceAll(r.Authority[:i], "'", "%27") + r.Authority[i:]
	return r.String()
}

// sameAsterisk undoes the escape of the asterisk, also inside of Punycode.
func sameAsterisk(uri string) string {
	r := Split(uri)
	i := strings.LastIndexByte(r.Authority, '@') + 1
	r.Authority = r.Authority[:i] + strings.ReplaceAll(decodeHost(r.Authority[i:]), "%2A", "*")
	return r.String()
}

// decodeHost decodes labels in Punycode.
func decodeHost(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		labels[i], _ = idna.Punycode.ToUnicode(label)
	}
	return strings.Join(labels, ".")
}

// asteriskMapped: an engine that escapes the asterisk before mapping applies the bidi rule to the
// escape; in right-to-left labels it escapes after mapping.
func asteriskMapped(c webCase, ours, theirs string) bool {
	return (ours == "") != (theirs == "") && strings.Contains(sameAsterisk(ours+theirs), "*") ||
		strings.ReplaceAll(theirs, "%2A", "*") == ours
}

func sameBlank(uri string) string {
	if r := Split(uri); r.HasAuthority || strings.HasPrefix(r.Path, "/") {
		return uri
	}
	return onPath(uri, func(path string) string {
		if s, ok := strings.CutSuffix(path, "%20"); ok {
			return s + " "
		}
		return path
	})
}

// sameBreak removes escaped line breaks and tabs.
func sameBreak(uri string) string {
	if Split(uri).Scheme != "data" {
		return uri
	}
	return strings.NewReplacer("%0A", "", "%0D", "", "%09", "").Replace(uri)
}

func blankHost(c webCase, ours, theirs string) bool {
	return ours == "" && strings.Contains(hostOf(theirs), "%20")
}

// hostOf returns the host of a URI.
func hostOf(uri string) string {
	authority := Split(uri).Authority
	host, _, _ := cutPort(authority[strings.LastIndexByte(authority, '@')+1:])
	return host
}

// fileURL: drive letters, the host localhost and any number of slashes.
func fileURL(c webCase, ours, theirs string) bool {
	r := Split(ours + theirs)
	s := c.Base + c.Ref + ours
	return r.Scheme == "file" && (driveLetter.MatchString(s) || strings.Contains(ours+theirs, "localhost") ||
		strings.Contains(r.Path, "//") || strings.Contains(strings.ReplaceAll(c.Ref, `\`, "/"), "//"))
}

var driveLetter = regexp.MustCompile(`[A-Za-z][:|]([/\\?#]|$)`)

func hierarchical(base string) (*Base, bool) {
	b, err := NewBase(base, Options{})
	return b, err == nil && b.hasURI && !b.web.opaque && !isSpecial(b.uri[:b.web.schemeEnd])
}

func backslash(c webCase, ours, theirs string) bool {
	_, ok := hierarchical(c.Base)
	path, _, _ := strings.Cut(c.Ref, "#")
	path, _, _ = strings.Cut(path, "?")
	return ok && strings.Contains(path, `\`)
}

func noPath(c webCase, ours, theirs string) bool {
	b, ok := hierarchical(c.Base)
	return ok && b.web.hasHost && b.web.pathStart == b.web.pathEnd
}

func guarded(c webCase, ours, theirs string) bool {
	b, ok := hierarchical(c.Base)
	return ok && b.web.pathStart > b.web.authorityEnd
}

// lowByte: a UTF-16 unit of an opaque host that is a forbidden host code point without its high
// byte.
func lowByte(c webCase, ours, theirs string) bool {
	if theirs != "" || isSpecial(Split(ours).Scheme) {
		return false
	}
	return slices.ContainsFunc(utf16.Encode([]rune(Unescape(hostOf(ours)))), func(u uint16) bool {
		return u > 0xFF && class[byte(u)]&(badHost|badDomain) != 0 && byte(u) != '%'
	})
}

// laterCharacter reports whether the host has a character that is not in Unicode 15.0.
func laterCharacter(c webCase, ours, theirs string) bool {
	host := decodeHost(hostOf(ours))
	return theirs == "" && strings.ContainsFunc(host, func(r rune) bool {
		return r == 0x1806 ||
			r > 0x7F && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P,
				unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co)
	})
}

// laterMapping: without laterMappings our answer would equal theirs.
func laterMapping(c webCase, ours, theirs string) bool {
	if theirs == "" {
		return strings.ContainsFunc(Unescape(c.Ref), func(r rune) bool { return mapLater(string(r)) != string(r) })
	}
	return strings.Contains(Unescape(c.Ref), "ẞ")
}

// controlIn1252: the five bytes for which the encoding has no character.
func controlIn1252(c webCase, ours, theirs string) bool {
	return strings.ContainsAny(c.Ref, "\u0081\u008d\u008f\u0090\u009d") &&
		strings.Contains(ours, "%26%23") && !strings.Contains(theirs, "%26%23")
}

// noBidi: a profile without the bidi rule gives their host.
func noBidi(c webCase, ours, theirs string) bool {
	if ours != "" || theirs == "" {
		return false
	}
	host := hostOf(theirs)
	_, err := profile.ToUnicode(host)
	if err == nil {
		return false
	}
	_, err = lax.ToUnicode(host)
	return err == nil
}

var lax = idna.New(idna.MapForLookup(), idna.Transitional(false),
	idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(true))

// symbolMapped: a profile that allows letters, digits and hyphens refuses the host.
func symbolMapped(c webCase, ours, theirs string) bool {
	host := decodeHost(hostOf(ours))
	return theirs == "" && !component.IsASCII(host+Unescape(c.Ref)) && strings.ContainsAny(host, "!\"$&'()*+,;=_`{}~")
}

// uncheckedMapping: mappings that only the profile accepts.
func uncheckedMapping(c webCase, ours, theirs string) bool {
	host := decodeHost(hostOf(theirs))
	_, err := profile.ToUnicode(host)
	return ours == "" && theirs != "" && (err != nil || strings.HasPrefix(host, ".") ||
		strings.Contains(host, "..") || strings.HasSuffix(host, "."))
}

// numberLike: the last label begins like a number of strconv, or has underscores. Any label that
// begins with a digit may be refused.
func numberLike(c webCase, ours, theirs string) bool {
	return likeNumber.MatchString(hostOf(ours+theirs)) || theirs == "" && digitFirst.MatchString(hostOf(ours))
}

var digitFirst = regexp.MustCompile(`(^|\.)[0-9][^.]*\.?$`)

var likeNumber = regexp.MustCompile(`(^|\.)[-+]?[0-9][-+0-9A-Za-z_]*\.?$`)

func notUTF8(c webCase, ours, theirs string) bool {
	return !utf8.ValidString(c.Base + c.Ref)
}

func badPunycode(c webCase, ours, theirs string) bool {
	host := hostOf(ours)
	_, err := profile.ToUnicode(host)
	refused := theirs == "" || theirs == strings.Replace(ours, "xn--", "", 1)
	return refused && strings.Contains(host, "xn--") && (err != nil || isBadACE(host))
}

func isBadACE(host string) bool {
	_, err := checkACE(host)
	return err != nil
}

func opaqueBase(c webCase, ours, theirs string) bool {
	b, err := NewBase(c.Base, Options{})
	return err == nil && b.web.opaque && ours == "" && strings.Contains(c.Ref, "#")
}

func dotsAfterHost(c webCase, ours, theirs string) bool {
	a, b := Split(ours), Split(theirs)
	with := a.Path
	a.Path = ""
	return with == "/" && a == b && !isSpecial(a.Scheme)
}

// explain returns the classes of a difference, or nil.
func (d *engineDepartures) explain(c webCase, ours, theirs string) []*engineClass {
	var used []*engineClass
	for _, e := range d.Classes {
		f := classes[e.Name]
		if f.explains != nil && f.explains(c, ours, theirs) {
			return append(used, e)
		}
		if f.same != nil && ours != "" && theirs != "" {
			a, b := f.same(ours), f.same(theirs)
			if (a == ours) != (b == theirs) || a == b {
				used = append(used, e)
			}
			ours, theirs = a, b
			if a == b {
				return used
			}
		}
	}
	return nil
}

// compare compares the answers of an engine to a set of cases with ours.
func (d *engineDepartures) compare(t *testing.T, e engine, set string, cases []webCase) {
	t.Helper()
	for i, theirs := range e.answers(t, cases) {
		d.note(t, set, cases[i], webAnswer(cases[i]), e.name, theirs)
	}
}

// note records a difference, or fails if the list does not explain it.
func (d *engineDepartures) note(t *testing.T, set string, c webCase, ours, engine, theirs string) {
	t.Helper()
	if ours == theirs || d.row(c, theirs) {
		return
	}
	used := d.explain(c, ours, theirs)
	for _, class := range used {
		class.seen[set]++
	}
	if used == nil {
		t.Errorf("%s, base %q: Resolve(%+q) = %q, %s %q", set, c.Base, c.Ref, ours, engine, theirs)
	}
}

// webAnswer is our answer, "" for a failure.
func webAnswer(c webCase) string {
	b, err := NewBase(c.Base, Options{})
	if err != nil {
		return ""
	}
	got, _ := b.Resolve(c.Ref)
	return got
}

func (d *engineDepartures) row(c webCase, theirs string) bool {
	for _, r := range d.Rows {
		if r.Base == c.Base && r.Ref == c.Ref && r.Answer == theirs {
			r.seen = true
			return true
		}
	}
	return false
}

// The tests of answers compare over all cases.

func TestChromiumAnswers(t *testing.T) { compareEngine(t, browser(t)) }
func TestNodeAnswers(t *testing.T)     { compareEngine(t, node(t)) }

func TestNlnwaAnswers(t *testing.T) {
	effort.Only(t)
	compareEngine(t, nlnwa)
}

func loadDepartures(t *testing.T, engine string) *engineDepartures {
	t.Helper()
	var all map[string]*engineDepartures
	load(t, "testdata/engines.json", &all)
	d := all[engine]
	for _, c := range d.Classes {
		c.seen = map[string]int{}
		if _, ok := classes[c.Name]; !ok || c.Clause == "" {
			t.Errorf("%s: class %q is unknown, or without a clause", engine, c.Name)
		}
	}
	return d
}

func compareEngine(t *testing.T, e engine) {
	d := loadDepartures(t, e.name)
	d.check(t, e, "generated", generatedCases(60000))
	t.Run("corpus", func(t *testing.T) {
		d.check(t, e, setName("pages"), pageCases(t))
		d.check(t, e, "suite", suiteCases(t))
		if e.name == "Chromium" && !corpus.Own() { // Node's tables are too old, and a minute is too long for every day
			d.check(t, e, "characters", characterCases())
		}
	})
}

// setName returns the name of a set from the pages of a corpus.
func setName(set string) string {
	if corpus.Own() {
		return "own " + set
	}
	return set
}

// check compares a set and checks the observed differences against the list.
func (d *engineDepartures) check(t *testing.T, e engine, set string, cases []webCase) {
	t.Helper()
	d.compare(t, e, set, cases)
	d.checkCounts(t, e, set)
	d.checkRows(t, e, cases)
}

// checkCounts fails if the list has other numbers than were observed, for the engine and Unicode
// versions of the list.
func (d *engineDepartures) checkCounts(t *testing.T, e engine, set string) {
	t.Helper()
	for _, c := range d.Classes {
		switch {
		case c.seen[set] == c.Cases[set]:
		case e.version != d.Version || unicode.Version != "15.0.0":
			t.Logf("%s %s, %q: %d %s cases, %d with version %s", e.name,
				e.version, c.Name, c.seen[set], set, c.Cases[set], d.Version)
		default:
			t.Errorf("%s, %q: %d %s cases, want %d", e.name, c.Name, c.seen[set], set, c.Cases[set])
		}
	}
}

// checkRows fails if a row of the list is among the cases and does not differ.
func (d *engineDepartures) checkRows(t *testing.T, e engine, cases []webCase) {
	t.Helper()
	for _, r := range d.Rows {
		if r.Reason == "" || !r.seen && e.version == d.Version && slices.Contains(cases, webCase{r.Base, r.Ref}) {
			t.Errorf("%s, base %q: Resolve(%+q) = %q is listed and not needed, or has no reason",
				e.name, r.Base, r.Ref, r.Answer)
		}
	}
}
