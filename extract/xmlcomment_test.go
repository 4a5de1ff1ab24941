package extract

import (
	"fmt"
	"slices"
	"testing"
)

func TestCommentsInXML(t *testing.T) {
	const conditional = `<html xmlns="http://www.w3.org/1999/xhtml"><!--[if mso]><v:fill src='a'><![endif]--><!-- <base href="/n/"><a href=b> --></html>`
	tests := []struct {
		name   string
		format Format
		data   string
		o      Options
		want   []string
		out    string
	}{
		{"not read", XHTML, conditional, Options{}, nil, conditional},
		{"conditional in a message", XHTML, conditional,
			Options{ConditionalComments: true}, []string{"v:fill a resolved"},
			`<html xmlns="http://www.w3.org/1999/xhtml"><!--[if mso]><v:fill src='http://example.test/dir/a'><![endif]--><!-- <base href="/n/"><a href=b> --></html>`},
		{"read", XHTML, conditional, Options{Comments: true},
			[]string{"v:fill a resolved", "base /n/ resolved", "a b resolved"},
			`<html xmlns="http://www.w3.org/1999/xhtml"><!--[if mso]><v:fill src='http://example.test/dir/a'><![endif]--><!-- <base href="/n/"><a href="http://example.test/dir/b"> --></html>`},
		{"inside of text", Feed, `<rss><link>/l<!-- <a href=c> --></link></rss>`,
			Options{Comments: true}, []string{"link /l resolved", "a c resolved"},
			`<rss><link>http://example.test/l<!-- <a href="http://example.test/dir/c"> --></link></rss>`},
		{"xml:base around it", XML, `<a xml:base="/x/"><!--<a href=d>--></a>`,
			Options{Comments: true}, []string{"a /x/ resolved", "a d resolved"},
			`<a xml:base="/x/"><!--<a href="http://example.test/x/d">--></a>`},
		{"two hyphens", XML, `<a><!--<a href=../e-&#45;f>--></a>`, Options{Comments: true},
			[]string{"a ../e--f resolved [unwritable]"}, `<a><!--<a href=../e-&#45;f>--></a>`},
		{"style and srcdoc", XML, `<a><!--<style>p{q:url(g)}</style><iframe srcdoc="<a href='h'>">--></a>`,
			Options{Comments: true}, []string{"style g resolved", "a h resolved"},
			`<a><!--<style>p{q:url(http://example.test/dir/g)}</style><iframe srcdoc="<a href='http://example.test/dir/h'>">--></a>`},
	}
	for _, tt := range tests {
		d := xmlDocument(tt.format, []byte(tt.data))
		d.Options = tt.o
		var got []string
		var r Resolver
		for l := range r.Links(d) {
			if l.Identifier {
				continue
			}
			s := fmt.Sprintf("%s %s %s", l.Element, l.Value, l.Status)
			if len(l.Warnings) > 0 {
				s += fmt.Sprint(" ", l.Warnings)
			}
			got = append(got, s)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: links of %q are %q, want %q", tt.name, tt.data, got, tt.want)
		}
		if out := string(rewritten(d)); out != tt.out {
			t.Errorf("%s: %q rewritten to %q, want %q", tt.name, tt.data, out, tt.out)
		}
		if where := sameXML([]byte(tt.data), rewritten(d), len(tt.want), "http"); where != "" {
			t.Errorf("%s: %s", tt.name, where)
		}
	}
}
