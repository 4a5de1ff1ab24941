package reference_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/reference"
)

// shown is what a command line prints and says.
type shown struct {
	out, notes string
	failed     bool
}

// show carries out a command line. It reads the references from in, unless in is empty.
func show(t *testing.T, line []string, in string) (*shown, error) {
	t.Helper()
	x := reference.NewFlags()
	c := &cobra.Command{Use: "resolve"}
	x.Register(c)
	if err := c.ParseFlags(line); err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err != nil {
		return nil, err
	}
	var out, notes strings.Builder
	s, err := reference.New(x.Options, &out, console.New(&notes, "absolink", console.Never, false))
	if err != nil {
		return nil, err
	}
	if in == "" {
		err = s.Arguments(c.Flags().Args())
	} else {
		err = s.Lines(t.Context(), strings.NewReader(in))
	}
	return &shown{out.String(), notes.String(), s.Failed()}, err
}

const base = "--base=http://a/b/c/d;p?q"

// The results follow RFC 3986 Section 5.4 and RFC 2396 Appendix C, whose base this is.
func TestShow(t *testing.T) {
	const eaten = `: read as "g" (RFC 2396 Appendix E)` + "\n"
	tests := []struct {
		name   string
		line   []string
		in     string
		want   string
		notes  string
		failed bool
	}{
		{"two references", []string{base, "g", "../../../g"}, "", "http://a/b/c/g\nhttp://a/g\n", "", false},
		{"RFC 2396 C.2", []string{base, "--rules=rfc2396", "../../../g"}, "", "http://a/../g\n", "", false},
		{"dots removed", []string{base, "--rules=rfc2396", "--excess-dots=remove", "../../../g"}, "",
			"http://a/g\n", "", false},
		{"dots refused", []string{base, "--rules=rfc2396", "--excess-dots=refuse", "../../../g"}, "", "\n",
			`absolink: "../../../g": rfc2396: byte 0: more ".." segments than the base has` + "\n", true},
		{"the scheme of the base", []string{base, "--rules=rfc2396", "--same-scheme=compat", "http:g"}, "",
			"http://a/b/c/g\n", "", false},
		{"RFC 2396 4.2", []string{base, "--rules=rfc2396", "--document=http://x/y", "#s", ""}, "",
			"http://x/y#s\nhttp://x/y\n", "", false},
		{"RFC 2396 E", []string{base, "--rules=rfc3986", "<g>", "URL:g", " g"}, "",
			"http://a/b/c/g\nhttp://a/b/c/g\nhttp://a/b/c/g\n",
			`absolink: "<g>"` + eaten + `absolink: "URL:g"` + eaten + `absolink: " g"` + eaten, false},
		{"no delimiters", []string{base, "--rules=rfc3986", "ug", "<g", `"`}, "",
			"http://a/b/c/ug\nhttp://a/b/c/%3Cg\nhttp://a/b/c/%22\n", "", false},
		{"delimiters kept", []string{base, "--rules=rfc3986", "--delimiters=keep", "<g>"}, "",
			"http://a/b/c/%3Cg%3E\n", "", false},
		{"a delimited base", []string{"--base=<http://a/b>", "--rules=rfc3986", "g"}, "", "http://a/g\n",
			`absolink: --base "<http://a/b>": read as "http://a/b" (RFC 2396 Appendix E)` + "\n", false},
		{"escaped", []string{base, "--rules=rfc3986", "g h"}, "", "http://a/b/c/g%20h\n", "", false},
		{"not escaped", []string{base, "--rules=rfc3986", "--escape=none", "g h"}, "", "http://a/b/c/g h\n", "", false},
		{"without a base", []string{"g", "http://["}, "", "\n\n",
			`absolink: "g": relative link without a usable base URI: add --base URI` + "\n" +
				`absolink: "http://[": whatwg: byte 7: an IPv6 address without a closing bracket` + "\n", true},
		{"lines", []string{base}, "g\nhttp://e/f/\tg\nx\tg\n\n",
			"http://a/b/c/g\nhttp://e/f/g\n\nhttp://a/b/c/d;p?q\n",
			`absolink: line 3: "g": before the tab a base is expected, and "x" is none: ` +
				"whatwg: byte 0: a base URI must be absolute\n", true},
		{"lines as objects", []string{base, "--format=jsonl"}, "g\nhttp://e/f/\tg\nx\tg\nhttp://[\n",
			`{"base":"http://a/b/c/d;p?q","ref":"g","uri":"http://a/b/c/g","status":"resolved"}
{"base":"http://e/f/","ref":"g","uri":"http://e/f/g","status":"resolved"}
{"base":"x","ref":"g","status":"invalid","error":"before the tab a base is expected, and \"x\" is none: ` +
				`whatwg: byte 0: a base URI must be absolute"}
{"base":"http://a/b/c/d;p?q","ref":"http://[","status":"invalid",` +
				`"error":"whatwg: byte 7: an IPv6 address without a closing bracket"}` + "\n", "", true},
		{"rows", []string{base, "--format=csv", "g", "http://["}, "", `base,ref,uri,status,error,warnings
http://a/b/c/d;p?q,g,http://a/b/c/g,resolved,,
http://a/b/c/d;p?q,http://[,,invalid,whatwg: byte 7: an IPv6 address without a closing bracket,
`, "", true},
		{"components", []string{base, "--components", "?y#"}, "",
			"scheme\thttp\nauthority\ta\npath\t/b/c/d;p\nquery\ty\nfragment\t\n\n", "", false},
		{"components as an object", []string{base, "--format=jsonl", "--components", "//x"}, "",
			`{"base":"http://a/b/c/d;p?q","ref":"//x","uri":"http://x/","status":"resolved",` +
				`"warnings":["host-change"],"components":{"scheme":"http","authority":"x","path":"/"}}` + "\n",
			"", false},
		{"relative", []string{base, "--relative", "http://a/b/e", "http://x/"}, "", "../e\n//x/\n", "", false},
		{"without ..", []string{base, "--relative", "--no-parent", "http://a/b/e"}, "", "/b/e\n", "", false},
		{"relative as a row", []string{base, "--relative", "--format=tsv", "http://a/b/e"}, "",
			"base\tref\turi\tstatus\terror\twarnings\trelative\n" +
				"http://a/b/c/d;p?q\thttp://a/b/e\thttp://a/b/e\tabsolute\t\t\t../e\n", "", false},
		{"normal case", []string{"--normalize=case", "HTTP://A/%7e"}, "", "http://a/%7E\n", "", false},
		{"normal escapes", []string{"--normalize=escapes", "HTTP://A/%7e/../x"}, "", "http://a/~/../x\n", "", false},
		{"normal segments", []string{"--normalize=segments", "HTTP://A/%7e/../x"}, "", "http://a/x\n", "", false},
		{"the same by the scheme", []string{"--equivalent", "http://a/", "HTTP://A"}, "", "scheme\n", "", false},
		{"not the same by case", []string{"--equivalent", "--normalize=case", "http://a/", "HTTP://A"}, "",
			"different\n", "", true},
		{"pairs", []string{"--equivalent", "--format=jsonl"}, "http://a\thttp://a\nhttp://a\nhttp://b\thttp://a\n",
			`{"a":"http://a","b":"http://a","level":"exact"}
{"a":"http://a","error":"one URI, nothing to compare: put a tab and another one behind it"}
{"a":"http://b","b":"http://a","level":"different"}
`, "", true},
		{"all rule sets", []string{base, "--compare", "../../../g"}, "",
			"../../../g\n\twhatwg\thttp://a/g\n\trfc3986\thttp://a/g\n\trfc2396\thttp://a/../g\n" +
				"\tdraft-02\thttp://a/../g\n\tdraft-00e\thttp://a/../g\n", "", false},
		{"all rule sets as an object", []string{base, "--compare", "--format=jsonl"}, "<g>\n#s\n",
			`{"base":"http://a/b/c/d;p?q","ref":"<g>","results":{"whatwg":"http://a/b/c/%3Cg%3E",` +
				`"rfc3986":"http://a/b/c/g","rfc2396":"http://a/b/c/g","draft-02":"http://a/b/c/g",` +
				`"draft-00e":"http://a/b/c/g"}}
{"base":"http://a/b/c/d;p?q","ref":"#s","results":{"whatwg":"http://a/b/c/d;p?q#s",` +
				`"rfc3986":"http://a/b/c/d;p?q#s","rfc2396":"(current document)#s",` +
				`"draft-02":"(current document)#s","draft-00e":"http://a/b/c/d;p?q#s"}}` + "\n", "", false},
		{"no result of any", []string{"--compare", "g"}, "", "g\n" +
			"\twhatwg\tno result: relative link without a usable base URI\n" +
			"\trfc3986\tno result: relative link without a usable base URI\n" +
			"\trfc2396\tno result: relative link without a usable base URI\n" +
			"\tdraft-02\tno result: relative link without a usable base URI\n" +
			"\tdraft-00e\tno result: relative link without a usable base URI\n", "", true},
		{"grammars", []string{base, "--check", "http:g"}, "", "http:g\n" +
			"\trfc1738\tbyte 5: the scheme wants \"//\" after the colon\n\tdraft-00e\tvalid\n\tdraft-02\tvalid\n" +
			"\trfc2396\tbyte 0: a relative reference with the scheme of the base (5.2 step 3)\n\trfc3986\tvalid\n" +
			"\tscheme\thttp\n", "", false},
		{"the scheme alone", []string{"--check", "--rules=rfc2396", "http:g"}, "",
			"http:g\n\trfc2396\tvalid\n\tscheme\thttp\n", "", false},
		{"a grammar", []string{"--check", "--rules=rfc1738", "ftp://u:p@h/a/b;type=i", "g"}, "",
			"ftp://u:p@h/a/b;type=i\n\trfc1738\tvalid\n\tscheme\tftp\n\tuser\tu\n\tpassword\tp\n\thost\th\n" +
				"\tport\t21\n\tcwd\ta\n\tname\tb\n\ttype\ti\n" +
				"g\n\trfc1738\tbyte 0: genericurl wants a scheme\n\tpath\tg\n", "", true},
		{"a grammar as an object", []string{"--check", "--rules=rfc2396", "--format=jsonl", "http://a b/"}, "",
			`{"ref":"http://a b/","grammars":{"rfc2396":"byte 8: domainlabel does not allow the byte 0x20"},` +
				`"components":[{"name":"scheme","value":"http"},{"name":"host","value":"a b"},` +
				`{"name":"port","value":"80"},{"name":"path","value":""}]}` + "\n", "", true},
		{"RFC 2396 2.4.2", []string{"--escape-component", "--keep=/", "a b/%é"}, "", "a%20b/%25%C3%A9\n", "", false},
		{"unescaped", []string{"--unescape", "a%20b%0A%41"}, "", "a b%0AA\n",
			`absolink: "a%20b%0A%41": control characters stay escaped; --format jsonl shows what they are` + "\n",
			false},
		{"unescaped as objects", []string{"--unescape", "--format=jsonl", "a%20b%0A", ""}, "",
			`{"value":"a%20b%0A","unescaped":"a b\n"}` + "\n" + `{"value":"","unescaped":""}` + "\n", "", false},
	}
	for _, tt := range tests {
		got, err := show(t, tt.line, tt.in)
		if err != nil {
			t.Errorf("%s: got error %v", tt.name, err)
			continue
		}
		if got.out != tt.want || got.notes != tt.notes || got.failed != tt.failed {
			t.Errorf("%s: got\n%s%sand failed %v, want\n%s%sand failed %v",
				tt.name, got.out, got.notes, got.failed, tt.want, tt.notes, tt.failed)
		}
	}
}

// Flags that have no meaning together are refused.
func TestRefusedFlags(t *testing.T) {
	tests := []struct{ line, want string }{
		{"--compare --check g", "--compare and --check exclude each other"},
		{"--compare --check --unescape g", "--compare, --check and --unescape exclude each other"},
		{"--relative --normalize=case g", "--relative and --normalize exclude each other"},
		{"--no-parent g", "add --relative"},
		{"--keep=/ g", "add --escape-component"},
		{"--unescape --base=http://a/ g", "--base has no meaning with --unescape"},
		{"--escape-component --rules=rfc2396 g", "--rules has no meaning with --escape-component"},
		{"--check --delimiters=strip g", "--delimiters has no meaning with --check"},
		{"--components --format=csv g", "--components: a cell cannot tell"},
		{"--rules=rfc1738 g", "--rules rfc1738: RFC 1738 has no relative links"},
		{"--escape=none g", "--escape has no meaning under whatwg"},
		{"--delimiters=strip g", "--delimiters strip has no meaning under whatwg"},
		{"--delimiters=keep g", ""},
		{"--document=http://a/ --rules=rfc3986 g", "--document has no meaning under rfc3986"},
		{"--document=http://a/ --rules=draft-02 g", ""},
		{"--document=x --rules=draft-02 g", `--document "x": not an absolute URI`},
		{"--excess-dots=keep --rules=rfc3986 g", "--excess-dots has no meaning under rfc3986"},
		{"--same-scheme=compat --rules=rfc3986 g", ""},
		{"--same-scheme=compat g", "--same-scheme has no meaning under whatwg"},
		{"--same-scheme=compat --compare g", ""},
		{"--rules=whatwg --normalize=case g", "--rules whatwg: the URL Standard has one form"},
		{"--relative g", "--relative needs a base"},
		{"--base=x g", `--base "x": not an absolute URI`},
		{"--equivalent g", "--equivalent compares two URIs"},
		{"--equivalent g h i", "--equivalent compares two URIs"},
		{"--equivalent --normalize=case http://a/ http://a/", ""},
	}
	for _, tt := range tests {
		_, err := show(t, strings.Fields(tt.line), "")
		var usage *flag.Error
		if tt.want == "" && err != nil ||
			tt.want != "" && (!errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got error %v, want a *flag.Error with %q", tt.line, err, tt.want)
		}
	}
}

// A pair has a base of its own, or that of the options.
func TestPairs(t *testing.T) {
	var out strings.Builder
	notes := console.New(io.Discard, "", console.Never, false)
	s, err := reference.New(reference.Options{Base: "http://a/"}, &out, notes)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Pairs(func(yield func(base, ref string) bool) {
		_ = yield("http://e/f/", "g") && yield("", "g") && yield("http://e/f/", "h")
	})
	if want := "http://e/f/g\nhttp://a/g\nhttp://e/f/h\n"; err != nil || out.String() != want {
		t.Errorf("Pairs: got %q and error %v, want %q", out.String(), err, want)
	}
	if s.Failed() {
		t.Error("Failed: got true")
	}
}

// Lines ends with the context.
func TestLinesInterrupted(t *testing.T) {
	s, err := reference.New(reference.Options{}, io.Discard, console.New(io.Discard, "", console.Never, false))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Lines(ctx, strings.NewReader("http://a/\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("Lines: got error %v, want %v", err, context.Canceled)
	}
}
