package extract

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/base"
	"absolink/resolve"
	"absolink/testdata/effort"
)

// In the test data ^ means the escape character.
func escaped(s string) string { return strings.ReplaceAll(s, "^", "\x1b") }

// shiftCases are documents in ISO-2022-JP. Their base contains a tilde, which is another character
// in Roman.
var shiftCases = []struct{ name, in, want string }{
	{"ASCII", `<p>^$BF|^(B<a href="x">`, `<p>^$BF|^(B<a href="http://h.test/~a/x">`},
	{"behind JIS C 6226", `<p>^$@F|^(B<a href="x">`, `<p>^$@F|^(B<a href="http://h.test/~a/x">`},
	{"kanji in the reference", `<a href="^$BF|^(B.x">`, `<a href="http://h.test/~a/%E6%97%A5.x">`},
	{"kanji around its ends", `<a href="^$BF|^(B" title="^$BF|^(B">`,
		`<a href="http://h.test/~a/%E6%97%A5" title="^$BF|^(B">`},
	{"kanji beside it", `<style>a{b:url(x)}/*^$BF|^(B*/c{d:url("^$BF|^(By")}</style>`,
		`<style>a{b:url(http://h.test/~a/x)}/*^$BF|^(B*/c{d:url("http://h.test/~a/%E6%97%A5y")}</style>`},
	{"Roman before it", `<p>^(Jx~^(B<a href="x~">`, `<p>^(Jx~^(B<a href="http://h.test/~a/x~">`},
	{"Roman around it", `<p>^$BF|^(J<a href="x">`, `<p>^$BF|^(J<a href="^(Bhttp://h.test/~a/x^(J">`},
	{"a tilde of Roman", `^(J<p><a href="/~x">`, `^(J<p><a href="http://h.test/%E2%80%BEx">`},
	{"Roman in it only", `<a href="^(J~^(Bx">`, `<a href="http://h.test/~a/%E2%80%BEx">`},
	{"Roman from its start on", `<a href="^(Jx">y`, `<a href="http://h.test/~a/x^(J">y`},
	{"Roman up to its end", `^(J<a href="x^(B">~`, `^(J<a href="^(Bhttp://h.test/~a/x">~`},
	{"kanji in it, and Roman behind", `<a href="^$BF|^(J">~`, `<a href="http://h.test/~a/%E6%97%A5^(J">~`},
	{"Roman without a tilde", `^(J<p><a href="/x"><a href=/y>`,
		`^(J<p><a href="http://h.test/x"><a href=http://h.test/y>`},
	{"katakana in it", `<a href="^(I1^(B">`, `<a href="http://h.test/~a/%EF%BD%B1">`},
	{"a line end within kanji", "<p>^$BF|\nK\\^(B<a href=\"x\">", "<p>^$BF|\nK\\^(B<a href=\"http://h.test/~a/x\">"},
	{"SO, SI and ESC", "<p>\x0ea\x0fb^c<a href=\"x\x0e\">", "<p>\x0ea\x0fb^c<a href=\"http://h.test/~a/x%EF%BF%BD\">"},
	{"tags in kanji are none", `<p>^$B<a href="x">^(B<a href="y">`,
		`<p>^$B<a href="x">^(B<a href="http://h.test/~a/y">`},
	{"two sequences in it", `<a href="^$B^(Bx">`, `<a href="http://h.test/~a/%EF%BF%BDx">`},
	{"srcset", `<img srcset="^$BF|^(B 1x, y 2x">`,
		`<img srcset="http://h.test/~a/%E6%97%A5 1x, http://h.test/~a/y 2x">`},
	{"srcdoc", `^(J<iframe srcdoc="<a href='x'>"></iframe>`,
		`^(J<iframe srcdoc="<a href='^(Bhttp://h.test/~a/x^(J'>"></iframe>`},
	{"a query", `<a href="?^$BF|^(B">`, `<a href="http://h.test/~a/?%1B$BF|%1B(B">`},
}

// Escape sequences around an edit stay unchanged, and an edit does not change the meaning of the
// bytes after it.
func TestRewriteShifts(t *testing.T) {
	for _, tt := range shiftCases {
		d := &Doc{Format: HTML, Data: []byte(escaped(tt.in)), Charset: "iso-2022-jp",
			Layer: &base.Layer{Source: base.Option, Value: "http://h.test/~a/"}}
		if got := string(rewritten(d)); got != escaped(tt.want) {
			t.Errorf("%s: %q became %q, want %q", tt.name, tt.in, strings.ReplaceAll(got, "\x1b", "^"), tt.want)
		}
		if p := d.Problems(); len(p) > 0 {
			t.Errorf("%s: problems %v, want none", tt.name, p)
		}
		checkRewrite(t, tt.name, d.Data, "iso-2022-jp", resolve.Options{})
	}
}

// A reference that cannot be written among its escape sequences is listed, not rewritten, and
// reported.
func TestShiftedReferences(t *testing.T) {
	tests := []struct{ in, value, problem string }{
		{`^(J<a href="^(Jx">`, "x", "15 shifted-reference"},
		{`<style>@import "^$BF|K\`, "日本", "16 shifted-reference"},
	}
	for _, tt := range tests {
		d := document([]byte(escaped(tt.in)), "iso-2022-jp")
		if got := string(rewritten(d)); got != string(d.Data) {
			t.Errorf("%q became %q, want it as it is", tt.in, got)
		}
		var got []string
		for r := range d.Refs() {
			got = append(got, string(r.Value))
		}
		for _, p := range d.Problems() {
			got = append(got, fmt.Sprintf("%d %s", p.Offset, p.Kind))
		}
		if want := tt.value + " " + tt.problem; strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", tt.in, got, want)
		}
	}
}

// A BASE is not removed if an escape sequence would be removed with its href.
func TestShiftedBase(t *testing.T) {
	const in = `<base href="/b/"><base ^(J href="/c/"^(B><a href="x">`
	d := document([]byte(escaped(in)), "iso-2022-jp")
	r := Resolver{BaseElement: DropBase}
	if got, want := string(Apply(nil, d.Data, r.Edits(nil, d))), escaped(strings.Replace(in,
		`"x"`, `"http://example.test/b/x"`, 1)); got != want {
		t.Errorf("%q became %q, want %q", in, got, want)
	}
	if p := d.Problems(); len(p) != 2 || p[1] != (Problem{Offset: 17, Kind: ShiftedReference}) {
		t.Errorf("%q has the problems %v, want base-repeated, and shifted-reference at 17", in, p)
	}
}

// With tags and escape sequences in any order only references are changed.
func TestShiftSoup(t *testing.T) {
	pieces := []string{"^(B", "^(J", "^$B", "^(I", "^", "F|", "~", "\\", "\n", "x", "<p>", `<a href="`, `">`,
		`<a href='y'>`, "<a href=", ">", "<style>a{b:url(", ")}</style>",
		`<img srcset="`, ", z 2x", "\x0e", "\x80", "<iframe srcdoc=\"<a href='z'>\">"}
	random := rand.New(rand.NewPCG(1, 2))
	edits := 0
	for range effort.Pick(1500, 400) {
		var b strings.Builder
		for range 4 + random.IntN(16) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		in := []byte(escaped(b.String()))
		out := checkRewrite(t, "soup", in, "iso-2022-jp", resolve.Options{})
		checkMap(t, document(in, "iso-2022-jp"))
		if where, _ := (judge{}).changed(inUTF8(in, "iso-2022-jp"), inUTF8(out, "iso-2022-jp")); where != "" {
			t.Errorf("%q became %q: %s", in, out, where)
		}
		if string(out) != string(in) {
			edits++
		}
	}
	if least := effort.Pick(400, 100); edits < least {
		t.Errorf("%d documents were edited, want %d", edits, least)
	}
}
