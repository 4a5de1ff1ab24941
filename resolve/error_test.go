package resolve

import (
	"errors"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// badInput are results and errors, the latter after "!", per rule set: WHATWG, and one for the RFC
// rule sets or one each for RFC3986, RFC2396, Draft02 and Draft00e.
var badInput = []struct {
	name, base, ref string
	want            []string
}{
	{"relative base", "b/c", "x", []string{
		`!whatwg: "b/c": byte 0: a base URI must be absolute`, `!rfc3986: "b/c": byte 0: a base URI must be absolute`,
		`!rfc2396: "b/c": byte 0: a base URI must be absolute`, `!draft-02: "b/c": byte 0: a base URI must be absolute`,
		`!draft-00e: "b/c": byte 0: a base URI must be absolute`}},
	{"opaque base", "mailto:a@b", "x", []string{noBaseError, "mailto:x", noBaseError, noBaseError, noBaseError}},
	{"opaque base, network path", "mailto:a@b", "//x",
		[]string{noBaseError, "mailto://x", noBaseError, noBaseError, noBaseError}},
	{"opaque base, query", "mailto:a@b", "?x",
		[]string{noBaseError, "mailto:a@b?x", noBaseError, noBaseError, noBaseError}},
	{"opaque base, empty", "mailto:a@b", "",
		[]string{noBaseError, "mailto:a@b", "http://doc.example/", "http://doc.example/", "mailto:a@b"}},
	{"opaque base, fragment", "mailto:a@b", "#x", []string{
		"mailto:a@b#x", "mailto:a@b#x", "http://doc.example/#x", "http://doc.example/#x", "mailto:a@b#x"}},
	{"empty base", "", "x", []string{noBaseError, noBaseError}},
	{"empty base, absolute", "", "http://H", []string{"http://h/", "http://H"}},
	{"unparsable base", "http://[/", "x",
		[]string{`!whatwg: "http://[/": byte 7: an IPv6 address without a closing bracket`, "http://[/x"}},
	{"base with port 99999", "http://h:99999/", "x",
		[]string{`!whatwg: "http://h:99999/": byte 9: a port above 65535`, "http://h:99999/x"}},
	{"base with a blank in the host", "http://a b/", "x",
		[]string{`!whatwg: "http://a b/": byte 8: a host with the character ' '`, "http://a b/x"}},
	{"NUL in a path", "http://a/b", "c\x00d", []string{"http://a/c%00d", "http://a/c%00d"}},
	{"line feed in a path", "http://a/b", "c\nd", []string{"http://a/cd", "http://a/c%0Ad"}},
	{"control at the end", "http://a/b", "c\x1b", []string{"http://a/c", "http://a/c%1B"}},
	{"NUL in a host", "http://a/b", "http://c\x00d/",
		[]string{`!whatwg: "http://c\x00d/": byte 8: a host with the character '\x00'`, "http://c%00d/"}},
	{"NUL in an opaque host", "http://a/b", "x://c\x00d/",
		[]string{`!whatwg: "x://c\x00d/": byte 5: a host with the character '\x00'`, "x://c%00d/"}},
	{"line feed in the host of the base", "http://h\nhttp://forged.example/", "x", []string{
		"http://hhttp//forged.example/x", "http://h%0Ahttp://forged.example/x"}},
	{"escape sequence in the host of the base", "foo://h\x1b[31mx/", "//\x1b]0;x\a/", []string{
		`!whatwg: "foo://h\x1b[31mx/": byte 8: a host with the character '['`, "foo://%1B]0;x%07/"}},
	{"controls and marks of direction in a user", "http://a/b",
		"//\x7f\u0085\u009b\u2028\u2029\u202e\u200f\ufeff\xc2é@h/x", []string{
			"http://%7F%C2%85%C2%9B%E2%80%A8%E2%80%A9%E2%80%AE%E2%80%8F%EF%BB%BF%EF%BF%BD%C3%A9@h/x",
			"http://%7F%C2%85%C2%9B%E2%80%A8%E2%80%A9%E2%80%AE%E2%80%8F%EF%BB%BF%C2é@h/x"}},
	{"invalid UTF-8", "http://a/b", "\xff", []string{"http://a/%EF%BF%BD", "http://a/%FF"}},
	{"a byte that goes on with nothing", "http://a/b", "\x80", []string{"http://a/%EF%BF%BD", "http://a/%80"}},
	{"invalid UTF-8 in a host", "http://a/b", "http://\xff/", []string{
		`!whatwg: "http://\xff/": byte 7: a host that IDNA does not allow: idna: disallowed rune U+FFFD`,
		"http://%FF/"}},
	{"percent at the end", "http://a/b", "c%", []string{"http://a/c%", "http://a/c%25"}},
	{"percent at the end of a host", "http://a/b", "http://u%@c%/",
		[]string{`!whatwg: "http://u%@c%/": byte 11: a host with the character '%'`, "http://u%@c%/"}},
	{"port 99999", "http://a/b", "http://h:99999/",
		[]string{`!whatwg: "http://h:99999/": byte 9: a port above 65535`, "http://h:99999/"}},
	{"port of letters", "http://a/b", "//h:x1/",
		[]string{`!whatwg: "//h:x1/": byte 4: a port that is not a number`, "http://h:x1/"}},
	{"host with a blank", "http://a/b", "http://c d/",
		[]string{`!whatwg: "http://c d/": byte 8: a host with the character ' '`, "http://c d/"}},
	{"host with an escaped blank", "http://a/b", "http://c%20d/",
		[]string{`!whatwg: "http://c%20d/": byte 7: a host with the character ' '`, "http://c%20d/"}},
	{"fault behind a tab", "http://a/b", "ht\ttp://c d/",
		[]string{`!whatwg: "ht\ttp://c d/": byte 9: a host with the character ' '`, "http://a/ht%09tp://c%20d/"}},
	{"bad address", "http://a/b", "http://1.2.3.256/", []string{
		`!whatwg: "http://1.2.3.256/": byte 7: a host that ends in a number and is not an IPv4 address`,
		"http://1.2.3.256/"}},
	{"a long path", "http://a/b/c", "../" + huge, []string{"http://a/" + huge}},
	{"a long path of dots", "http://a/b/c", strings.Repeat("x/../", effort.Pick(2<<20, 1<<16)) + "g",
		[]string{"http://a/b/g"}},
}

const noBaseError = "!relative link without a usable base URI"

var huge = strings.Repeat("a/", effort.Pick(5<<20, 1<<16))

// TestBadInput: every rule set gives a result, or an error with its reason and position.
func TestBadInput(t *testing.T) {
	for _, c := range badInput {
		for rules := WHATWG; int(rules) < len(rulesNames); rules++ {
			t.Run(c.name+" "+rules.String(), func(t *testing.T) {
				want := c.want[min(int(rules), len(c.want)-1)]
				checkBadInput(t, c.base, c.ref, rules, want)
			})
		}
	}
}

func checkBadInput(t *testing.T, base, ref string, rules Rules, want string) {
	t.Helper()
	got := ""
	b, err := NewBase(base, Options{Rules: rules, Document: "http://doc.example/"})
	if err == nil {
		got, err = b.Resolve(ref)
	}
	if err != nil {
		got = "!" + err.Error()
	}
	if got != want {
		t.Errorf("Resolve(%.80q) = %.200q, want %.200q", ref, got, want)
	}
	var e *Error
	if err != nil && !errors.As(err, &e) && !errors.Is(err, ErrNoBase) {
		t.Errorf("Resolve(%.80q): %T, want *Error or ErrNoBase", ref, err)
	}
}

func TestUnknownRules(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("NewBase with unknown rules did not panic")
		}
	}()
	NewBase("", Options{Rules: 99})
}

// TestForms are the classes of references, and the meaning of a form's target.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		rules     Rules
		compat    bool
		base, ref string
		want      Form
	}{
		{WHATWG, false, "http://a/", " \t", SameDocument},
		{WHATWG, false, "http://a/", "\n#x", SameDocument},
		{WHATWG, false, "http://a/", "http:g", Relative},
		{WHATWG, false, "http://a/", "http:/g", Relative},
		{WHATWG, false, "http://a/", "http://g", Absolute},
		{WHATWG, false, "https://a/", "http:g", Absolute},
		{WHATWG, false, "foo://a/", "foo:g", Absolute},
		{WHATWG, false, "", "http:g", Absolute},
		{WHATWG, false, "http://a/", "//g", Relative},
		{WHATWG, false, "http://a/", "1a:b", Relative},
		{RFC3986, false, "http://a/", "http:g", Absolute},
		{RFC3986, true, "http://a/", "HTTP:g", Relative},
		{RFC2396, true, "http://a/", "http://g", Absolute},
		{RFC2396, false, "http://a/", "", SameDocument},
		{RFC2396, false, "http://a/", "1a:b", Relative},
		{Draft02, false, "http://a/", "1a:b", Absolute},
		{Draft00e, true, "http://a/", "http:g", Absolute},
		{Draft00e, false, "http://a/", "?", Relative},
	} {
		b, err := NewBase(c.base, Options{Rules: c.rules, CompatScheme: c.compat})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Form([]byte(c.ref)); got != c.want {
			t.Errorf("%s, compat %v, base %q: Form(%q) = %d, want %d", c.rules, c.compat, c.base, c.ref, got, c.want)
		}
	}
}

func TestAppendForm(t *testing.T) {
	const doc = "http://doc.example/d?q#f"
	for _, c := range []struct {
		rules               Rules
		document, ref, want string
	}{
		{WHATWG, doc, "", doc},
		{WHATWG, "", " ", ""},
		{WHATWG, doc, "#s", "http://a/b?c#s"},
		{WHATWG, doc, "x", "http://a/x"},
		{RFC3986, doc, "", "http://a/b?c"},
		{RFC2396, doc, "", "http://a/b?c"},
		{RFC2396, "", "", "http://a/b?c"},
		{RFC2396, doc, "#s", "http://a/b?c#s"},
		{Draft02, doc, "", "http://a/b?c"},
		{Draft00e, doc, "", "http://a/b?c"},
	} {
		b, err := NewBase("http://a/b?c", Options{Rules: c.rules, Document: c.document})
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.AppendForm(nil, []byte(c.ref))
		if (err != nil) != (c.want == "") || err == nil && string(got) != c.want {
			t.Errorf("%s, document %q: AppendForm(%q) = %q, %v, want %q", c.rules, c.document, c.ref, got, err, c.want)
		}
	}
}
