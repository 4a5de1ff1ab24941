package page_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract/internal/reading"
	"absolink/extract/internal/readingtest"
)

// optional returns "element attribute kind value" of each reference of a document that is read with
// options. References that are only listed begin with '-'.
func optional(d *readingtest.Doc) (list []string) {
	for r := range d.Refs() {
		s := fmt.Sprintf("%s %s %s %s", r.Element, r.Attr, r.Kind, r.Value)
		if r.ListOnly {
			s = "-" + s
		}
		list = append(list, s)
	}
	return list
}

func TestOptions(t *testing.T) {
	lazy := reading.Options{Lazy: true}
	scripts := reading.Options{Scripts: true}
	comments := reading.Options{Comments: true}
	tests := []struct {
		name, data string
		o          reading.Options
		want       []string
	}{
		{"lazy off", `<img data-src=a src=b><embed href=c><param name=movie value=d>`,
			reading.Options{}, []string{"img src res b", "-embed href res c"}},
		{"lazy", `<img data-src=a src=b data-srcset="c 1x"><embed href=d><param name=movie value=e>`, lazy,
			[]string{"img data-src res a", "img src res b", "img data-srcset res c",
				"embed href res d", "param value plugin e"}},
		{"lazy requests", `<p hx-get=a data-hx-post=b><a up-href=c data-remote=d/e>`, lazy,
			[]string{"p hx-get form a", "p data-hx-post form b", "a up-href form c", "a data-remote form d/e"}},
		{"animation",
			`<svg><set attributeName=href to=a /><animate attributeName=xlink:href values="b;c" from=d /><animate attributeName=x to=e /></svg>`, lazy,
			[]string{"set to res a", "animate values res b", "animate values res c", "animate from res d"}},
		{"open graph", `<meta property=og:image content=a><meta property=og:image:width content=5>`,
			reading.Options{}, []string{"-meta content meta a"}},
		{"open graph, lazy", `<meta property=og:image content=a>`, lazy, []string{"meta content meta a"}},
		{"handler", `<p onclick="go('/a', &quot;b.html&quot;, 'c')" ONLOAD='f("./d")'>`, scripts,
			[]string{"p onclick script /a", "p onclick script b.html", "p onload script ./d"}},
		{"handler of a long name",
			`<p onWebkitFullscreenChange="go('/a')" onx-12345678901234567890123456789="go('/b')">`, scripts,
			[]string{"p onwebkitfullscreenchange script /a", "p onx-12345678901234567890123456789 script /b"}},
		{"prefix of a long name", `<p xmlns:x-12345678901234567890123456789="urn:a">`,
			reading.Options{}, []string{"-p xmlns:x-12345678901234567890123456789 identifier urn:a"}},
		{"javascript URL", `<a href="javascript:go('/a','b%2Fc.png')">`, scripts,
			[]string{"a href script /a", "a href script b/c.png"}},
		{"script", `<script>a="/b";c='d e';f="\u002fg"</script><script type=text/x>h="/i"</script><script type=module>j='/k'</script>`, scripts,
			[]string{"script  script /b", "script  script /g", "script  script /k"}},
		{"scripts off", `<p onclick="go('/a')"><script>a="/b"</script><a href="javascript:go('/c')">`,
			reading.Options{}, []string{"a href nav javascript:go('/c')"}},
		{"loaders", `<style>a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(sizingMethod='x', src = 'a.png');b:url(c)}/* AlphaImageLoader(src='d') */</style><p style="filter:AlphaImageLoader(src='e')">`, scripts,
			[]string{"style  res a.png", "style  res c", "p style res e"}},
		{"source maps behind code",
			"<script>x();//# sourceMappingURL=a</script><style>p{}/*# sourceMappingURL=b */</style>",
			reading.Options{}, []string{"-script  service a", "-style  service b"}},
		{"source map in a URL", "<style>p{b:url(c/*#sourceMappingURL=d*/</style>",
			reading.Options{}, []string{"style  res c/*#sourceMappingURL=d*/"}},
		{"source maps", "<script>x()\n//# sourceMappingURL=a</script><style>p{}\n/*# sourceMappingURL=b */</style>",
			reading.Options{}, []string{"-script  service a", "-style  service b"}},
		{"comment", `<!-- <a href=a><!-- <img src=b> --><a href=c><!--><a href=d>-->`, comments,
			[]string{"a href nav a", "img src res b", "a href nav c", "a href nav d"}},
		{"blocks", `<!-- wp:cover {"url":"/a.png","alt":"b/c","style":{"bg":["\/d","e.jpg"]}} --><!-- /wp:cover --><!--wp:x/y {"link":"/f"} /--><!-- wp:group {"href":"g"}` + "\n" + `-->`, comments,
			[]string{"wp:cover  res /a.png", "wp:cover  res /d", "wp:cover  res e.jpg", "wp:x/y  res /f"}},
		{"no blocks",
			`<!-- wp:more --><!-- wp: {"url":"/a"} --><!-- wp:x a {"url":"/b"} --><!-- wpx:y {"url":"/c"} --><!-- wp:x {"url":"/d" --><!-- wp:x{"url":"/e"} -->`, comments, nil},
		{"blocks off", `<!-- wp:cover {"url":"/a.png"} -->`,
			reading.Options{Lazy: true, Scripts: true, ConditionalComments: true}, nil},
		{"settings", `<p data-x='{"a":"/b"}' data-y="[&quot;\/c&quot;]" data-12345678901234567890123456789="[&#34;/d&#34;]" data-z="{{ '/e' }}" data-="[]">`, lazy,
			[]string{"p data-x res /b", "p data-y res /c", "p data-12345678901234567890123456789 res /d"}},
		{"settings off", `<p data-x='{"a":"/b"}'>`, reading.Options{Scripts: true, Comments: true}, nil},
		{"lazy numbers",
			`<p data-thumb=16:9 data-lazy=1.5 data-image=v1.2 data-remote=me@h.example data-original=12:30 data-poster=16:9.png data-bg=16/9 data-url=1.5>`, lazy,
			[]string{"p data-poster res 16:9.png", "p data-url nav 1.5"}},
		{"values of lazy attributes",
			`<p data-bg="url(/a)" data-original="Some text" data-lazy=true data-poster=b.png data-href=c data-url="d e" data-iframe-src=f data-srcset='["/g"]'>`, lazy,
			[]string{"p data-bg res /a", "p data-poster res b.png", "p data-href nav c",
				"p data-url nav d e", "p data-iframe-src frame f", "p data-srcset res /g"}},
		{"parameters",
			`<param name=flashvars value="a=/b&c=d"><param name=filename value=e.mid><param name=movie value=f>`,
			lazy, []string{"param value plugin e.mid", "param value plugin f"}},
		{"lazy script URLs", `<p data-href="javascript:f('/a')" data-bg="javascript:f('/b')">`,
			reading.Options{Lazy: true, Scripts: true}, []string{"p data-href script /a", "p data-bg script /b"}},
		{"joined strings",
			"<script>f(h+'/a');g('/b');i=`/c/${d}`;j='http://e.test/'+k</script><p onclick=\"f('/l'+m)\">",
			scripts, []string{"script  script /b", "script  script http://e.test/"}},
		{"comments off", `<!-- <a href=a> --><!--[if mso]><a href=b><![endif]-->`, reading.Options{}, nil},
		{"conditional",
			`<!--[if mso]><a href=b><![endif]--><![if !mso]><a href=c><![endif]><!--[if !mso]><!--><a href=d><!--<![endif]-->`, comments,
			[]string{"a href nav b", "a href nav c", "a href nav d"}},
		{"source of objects", `<object codebase=a data=b>`, reading.Options{HTML5Objects: true},
			[]string{"object codebase meta a", "object data res b"}},
	}
	for _, tt := range tests {
		d := htmlDoc(tt.data)
		d.Options = tt.o
		got := optional(d)
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: Refs(%q):\n got %q\nwant %q", tt.name, tt.data, got, tt.want)
		}
	}
}
