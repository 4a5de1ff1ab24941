package extract

import (
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// TestXMLHostile reads documents that are made to take much time or memory.
func TestXMLHostile(t *testing.T) {
	n := effort.Pick(100_000, 2000)
	many := func(s string) string { return strings.Repeat(s, n) }
	tests := []struct {
		name, data string
		refs       int
		problem    string
	}{
		{"deep", many(`<a xlink:href="x">`), n, "not-well-formed"},
		{"deep xml:base", many(`<a xml:base="b/">`) + many("</a>"), n, "xml-base-too-deep"},
		{"deep namespaces", many(`<a xmlns:p="http://n.example/">`) + many("</a>"), n, ""},
		{"end tags of nothing", many("<a>") + many("</b>"), 0, "not-well-formed"},
		{"attributes", `<a ` + many(`xlink:href="x" `) + `/>`, n, ""},
		{"namespaces", `<a xmlns:p` + strings.Join(strings.Split(strings.Repeat("x", n), ""), `="" xmlns:p`) + `=""/>`,
			0, ""},
		{"pieces", `<rss><link>` + many(`x<!-- -->`) + `</link></rss>`, 1, "split-reference"},
		{"pieces of HTML", `<rss><description>` + many(`<![CDATA[<a href=x>]]>`) + `</description></rss>`, n, ""},
		{"doctypes", many(`<!DOCTYPE a [`), 0, ""},
		{"instructions", many(`<?xml-stylesheet href="x"?>`), n, ""},
		{"entities", `<!DOCTYPE a [` + many(`<!ENTITY a "b">`) + `]><a xlink:href="&a;"/>`, 1, ""},
		{"billion laughs",
			`<!DOCTYPE a [<!ENTITY a "` + strings.Repeat("x", 1000) + `"><!ENTITY b "` + strings.Repeat("&a;", 1000) +
				`"><!ENTITY c "` + strings.Repeat("&b;", 1000) + `">]><a xlink:href="&c;"/>`, 1, "unread-entity"},
		{"entity in itself", `<!DOCTYPE a [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]><a xlink:href="&a;"/>`,
			1, "unread-entity"},
		{"ampersands", `<a xlink:href="` + many("&x") + `"/>`, 1, "not-well-formed"},
		{"items", `<rss>` +
			many(`<item><link>http://x.example/</link><description>&lt;a href=x></description></item>`) +
			`</rss>`, 2 * n, ""},
	}
	for _, tt := range tests {
		d := xmlDocument(XML, []byte(tt.data))
		refs := 0
		var r Resolver
		for range r.Links(d) {
			refs++
		}
		problem := ""
		if p := d.Problems(); len(p) > 0 {
			problem = string(p[0].Kind)
		}
		if refs != tt.refs || problem != tt.problem {
			t.Errorf("%s: %d references, problem %q, want %d, %q", tt.name, refs, problem, tt.refs, tt.problem)
		}
	}
}
