package resolve

import (
	"errors"
	"strings"
	"testing"
)

// TestBadInput: every rule set gives a result or an error that says what and where.
func TestBadInput(t *testing.T) {
	huge := strings.Repeat("a/", 5<<20)
	const base = "http://a/b/c/d;p?q"
	for _, c := range []struct {
		name, base, ref string
		rules           Rules
		want            string // the result, or the error after "!"
	}{
		{"relative base", "b/c", "x", WHATWG, `!whatwg: "b/c": byte 0: a base URI must be absolute`},
		{"relative base", "b/c", "x", RFC3986, `!rfc3986: "b/c": byte 0: a base URI must be absolute`},
		{"opaque base", "mailto:a@b", "x", WHATWG, "!relative reference without a usable base URI"},
		{"opaque base", "mailto:a@b", "#x", WHATWG, "mailto:a@b#x"},
		{"opaque base", "mailto:a@b", "x", RFC2396, "mailto:x"},
		{"empty base", "", "x", WHATWG, "!relative reference without a usable base URI"},
		{"empty base", "", "x", Draft00e, "!relative reference without a usable base URI"},
		{"empty base, absolute", "", "http://H", WHATWG, "http://h/"},
		{"empty base, absolute", "", "http://H", RFC3986, "http://H"},
		{"unparsable base", "http://[/", "x", WHATWG, `!whatwg: "http://[/": byte 7: an IPv6 address without a closing bracket`},
		{"unparsable base", "http://[/", "x", RFC3986, "http://[/x"},
		{"NUL in a path", base, "a\x00b", WHATWG, "http://a/b/c/a%00b"},
		{"NUL in a path", base, "a\x00b", RFC2396, "http://a/b/c/a%00b"},
		{"NUL in a host", base, "http://a\x00b/", WHATWG, `!whatwg: "http://a\x00b/": byte 7: a host with the character '\x00'`},
		{"invalid UTF-8", base, "\xff", WHATWG, "http://a/b/c/%EF%BF%BD"},
		{"invalid UTF-8", base, "\xff", RFC3986, "http://a/b/c/%FF"},
		{"percent at the end", base, "a%", WHATWG, "http://a/b/c/a%"},
		{"percent at the end", base, "a%", RFC2396, "http://a/b/c/a%25"},
		{"port 99999", base, "http://h:99999/", WHATWG, `!whatwg: "http://h:99999/": byte 9: a port above 65535`},
		{"port 99999", base, "http://h:99999/", RFC3986, "http://h:99999/"},
		{"port of letters", base, "//h:x1/", WHATWG, `!whatwg: "//h:x1/": byte 4: a port that is no number`},
		{"host with blanks", base, "http://a b/", WHATWG, `!whatwg: "http://a b/": byte 7: a host with the character ' '`},
		{"host with blanks", base, "http://a b/", RFC2396, "http://a b/"},
		{"bad address", base, "http://1.2.3.256/", WHATWG, `!whatwg: "http://1.2.3.256/": byte 7: a host that ends in a number and is no IPv4 address`},
		{"huge", base, huge, WHATWG, "http://a/b/c/" + huge},
		{"huge", base, huge, RFC3986, "http://a/b/c/" + huge},
		{"huge", base, "../" + huge, RFC2396, "http://a/b/" + huge},
	} {
		t.Run(c.name+" "+c.rules.String(), func(t *testing.T) {
			got := ""
			b, err := NewBase(c.base, Options{Rules: c.rules})
			if err == nil {
				got, err = b.Resolve(c.ref)
			}
			if err != nil {
				got = "!" + err.Error()
			}
			if got != c.want {
				t.Errorf("Resolve(%.80q) = %.200q, want %.200q", c.ref, got, c.want)
			}
			var e *Error
			if err != nil && !errors.As(err, &e) && !errors.Is(err, ErrNoBase) {
				t.Errorf("Resolve(%.80q): %T, want *Error or ErrNoBase", c.ref, err)
			}
		})
	}
}

func TestUnknownRules(t *testing.T) {
	var r Rules
	if err := r.Set("rfc1738"); err == nil || !strings.Contains(err.Error(), `unknown rule set "rfc1738"`) {
		t.Errorf("Set(rfc1738): %v", err)
	}
	for want := WHATWG; want <= Draft00e; want++ {
		if err := r.Set(want.String()); err != nil || r != want {
			t.Errorf("Set(%q) = %v, %v", want.String(), r, err)
		}
	}
	for want := KeepDots; want <= RefuseDots; want++ {
		var d Dots
		if err := d.Set(want.String()); err != nil || d != want {
			t.Errorf("Set(%q) = %v, %v", want.String(), d, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("NewBase with unknown rules did not panic")
		}
	}()
	NewBase("", Options{Rules: 99})
}

// TestForms are the classes of references, and what a form's target stands for.
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
