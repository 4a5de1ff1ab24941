package rewrite_test

import (
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// If more follows an absolute URL, only the part of its start that changes is replaced.
func TestStart(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a piece", `<a href="http://old.test/{{ x }}">`, `<a href="https://new.test/n/{{ x }}">`},
		{"a piece behind a path", `<a href="http://old.test/a/b?c={{ x }}&amp;d=e">`,
			`<a href="https://new.test/n/a/b?c={{ x }}&amp;d=e">`},
		{"a piece behind the host", `<a href="http://old.test<?= $p ?>">`, `<a href="https://new.test/n<?= $p ?>">`},
		{"a piece with a blank in it", `<a href=" http://old.test/a<%= x %> ">`,
			`<a href=" https://new.test/n/a<%= x %> ">`},
		{"no quotes", `<a href=http://old.test/{{x}}>`, `<a href=https://new.test/n/{{x}}>`},
		{"a cut piece", `<a href="http://old.test/<?= f("x") ?>">`, `<a href="https://new.test/n/<?= f("x") ?>">`},
		{"a piece in the host", `<a href="http://{{ x }}.old.test/y">`, ``},
		{"a piece for the host", `<a href="http://${x}/y"><a href="{{ x }}://old.test/">`, ``},
		{"the rest of the host", `<a href="http://old.test{{ x }}.test/">`,
			`<a href="https://new.test/n{{ x }}.test/">`},
		{"another host", `<a href="http://other.test/{{ x }}">`, ``},
		{"a relative one", `<a href="//old.test/{{ x }}"><a href="/a/{{ x }}">`, ``},
		{"a longer prefix", `<a href="http://old.test/blog/{{ x }}"><a href="http://old.test/blog{{ x }}">`,
			`<a href="https://blog.test/{{ x }}"><a href="https://blog.test{{ x }}">`},
		{"references", `<a href="http:&#47;/old&#x2e;test/{{ x }}">`, `<a href="https://new.test/n/{{ x }}">`},
		{"upper case", `<a href="HTTP://OLD.test/{{ x }}">`, `<a href="https://new.test/n/{{ x }}">`},
		{"a host in upper case", `<a href="HTTP://OLD.test{{ x }}">`, `<a href="https://new.test/n{{ x }}">`},
		{"a URL within a URL", `<a href="http://in.test/{{ x }}"><a href="http://out.test/a/{{ x }}">`,
			`<a href="http://web.test/http://in.test/{{ x }}"><a href="http://out.test/{{ x }}">`},
		{"a port that is left out", `<a href="http://old.test:80/{{ x }}">`, ``},
		{"a mail address", `<a href="mailto:*|X|*@old.test">`, ``},
		{"an identifier", `<p itemtype="http://old.test/{{ x }}">`, ``},
		{"a style", `<p style="a:url('http://old.test/${x}')">`, `<p style="a:url('https://new.test/n/${x}')">`},
		{"a srcset", `<img srcset="http://old.test/${x} 1x, http://old.test/y 2x">`,
			`<img srcset="https://new.test/n/${x} 1x, https://new.test/n/y 2x">`},
		{"a srcdoc", `<iframe srcdoc="<a href='http://old.test/{{ x }}'>">`,
			`<iframe srcdoc="<a href='https://new.test/n/{{ x }}'>">`},

		{"a string", `<script>h="http://old.test";fetch(h+"/api")</script>`,
			`<script>h="https://new.test/n";fetch(h+"/api")</script>`},
		{"a string with a slash", `<script>h="http://old.test/"</script>`, `<script>h="https://new.test/n/"</script>`},
		{"a string with a path", `<script>h='http://old.test/a b'+c;d='http://old.test/e f.png'</script>`, ``},
		{"strings that are joined", `<script>f("http://old.test/a/"+b,c+'http://old.test')</script>`,
			`<script>f("https://new.test/n/a/"+b,c+'https://new.test/n')</script>`},
		{"a template literal", "<script>`http://old.test/a/${b}/\\u0063`</script>",
			"<script>`https://new.test/n/a/${b}/\\u0063`</script>"},
		{"escapes", `<script>h="http:\/\/old.test\/\u0061\/b"</script>`,
			`<script>h="https:\/\/new.test\/n\/\u0061\/b"</script>`},
		{"all of it escaped", `<script>h="\x68\u0074tp:\/\/old.test\/a"</script>`,
			`<script>h="https:\/\/new.test\/n\/a"</script>`},
		{"dots beyond the root", `<script>h="http://old.test/../a";i="http://old.test/b/%2E%2e/../c"</script>`,
			`<script>h="https://new.test/n/a";i="https://new.test/n/c"</script>`},
		{"dots within the path", `<script>h="http://old.test/b/../a";i="http://old.test/./c"</script>`,
			`<script>h="https://new.test/n/b/../a";i="https://new.test/n/./c"</script>`},
		{"dots beyond the root, and more",
			"<script>f(\"http://old.test/../a\"+b,`http://old.test/..${c}`)</script><a href='http://old.test/../{{ x " +
				"}}'>", ``},
		{"dots within the path, and more", `<a href="http://old.test/b/../{{ x }}">`,
			`<a href="https://new.test/n/b/../{{ x }}">`},
		{"a host alone", `<script>h="//old.test";i="//old.test/"</script>`,
			`<script>h="https://new.test/n";i="https://new.test/n/"</script>`},
		{"a handler", `<p onclick="f('http://old.test'+x)">`, `<p onclick="f('https://new.test/n'+x)">`},
		{"a javascript: URL", `<a href="javascript:f('http:%2F%2Fold.test%2F'+x)">`,
			`<a href="javascript:f('https://new.test/n%2F'+x)">`},
		{"relative pieces", `<script>f(h+"/a");"/b"+c;` + "`/d/${e}`" + `</script>`, ``},
		{"the same port", `<script>h="http://old.test:80/a"</script>`, `<script>h="https://new.test/n/a"</script>`},
		{"an import map", `<script type=importmap>{"imports":{"a":"http:\/\/old.test\/b"}}</script>`,
			`<script type=importmap>{"imports":{"a":"https://new.test/n/b"}}</script>`},
	}
	for _, tt := range tests {
		site := new(move.Site)
		for _, rule := range [][2]string{{"//old.test/", "https://new.test/n/"},
			{"//old.test/blog", "https://blog.test/"},
			{"http://in.test/", "http://web.test/http://in.test/"},
			{"http://out.test/a/", "http://out.test/"}} {
			addRule(t, site, rule[0], rule[1])
		}
		r := &rewrite.Rewriter{Site: site, Options: document.Options{Read: extract.Options{Scripts: true}}}
		want := tt.want
		if want == "" {
			want = tt.in
		}
		t.Run(tt.name, func(t *testing.T) {
			if got := result(t, r, plan(t, r, tt.in)); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

// If a pattern could change the bytes after such a URL, the URL stays, and that is a minor problem.
func TestStartOfPattern(t *testing.T) {
	site := new(move.Site)
	if err := site.Map.AddPattern(`http://old\.test/(.*)`, "https://new.test/$1.html"); err != nil {
		t.Fatal(err)
	}
	r := &rewrite.Rewriter{Site: site}
	const in = `<a href="http://old.test/a/{{ x }}"><a href="http://old.test/b">`
	p := plan(t, r, in)
	if got, want := result(t, r, p), strings.Replace(in,
		"http://old.test/b", "https://new.test/b.html", 1); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if len(p.Problems) != 1 || p.Problems[0].Kind != rewrite.Unmoved || !p.Problems[0].Minor {
		t.Errorf("problems %+v, want a minor one of kind %s", p.Problems, rewrite.Unmoved)
	}
}

// A pattern that matches the start alone, and keeps the bytes after it, moves the start.
func TestStartOfOpenPattern(t *testing.T) {
	site := new(move.Site)
	for expr, replacement := range map[string]string{`^http://p\.test/(\w*)$`: "http://new.test/p/$1",
		`^http://q\.test/\?q=(\w*)$`: "http://new.test/?p=$1",
		`^http://r\.test/x#(\w*)$`:   "http://new.test/#$1",
		`^http://s\.test/x(/\w|$)`:   "http://new.test/s$1",
	} {
		if err := site.Map.AddPattern(expr, replacement); err != nil {
			t.Fatal(err)
		}
	}
	r := &rewrite.Rewriter{Site: site}
	for in, want := range map[string]string{
		`<a href="http://p.test/{{x}}">`:    `<a href="http://new.test/p/{{x}}">`,
		`<a href="http://q.test/?q={{x}}">`: `<a href="http://new.test/?p={{x}}">`,
		`<a href="http://r.test/x#{{x}}">`:  `<a href="http://new.test/#{{x}}">`,
		`<a href="http://s.test/x{{x}}">`:   `<a href="http://new.test/s{{x}}">`,
		`<a href="http://p.test/y/{{x}}">`:  "",
		`<a href="http://q.test/?r={{x}}">`: "",
	} {
		if want == "" {
			want = in
		}
		if got := result(t, r, plan(t, r, in)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A URL whose host is not known stays, and is no problem, even if a pattern fits everything.
func TestStartWithoutHost(t *testing.T) {
	site := new(move.Site)
	if err := site.Map.AddPattern(`(.*)`, "http://web.test/$1"); err != nil {
		t.Fatal(err)
	}
	r := &rewrite.Rewriter{Site: site}
	for _, in := range []string{`<a href="http://{{ x }}/y">`, `<a href="http://[{{ x }}]/y">`, `<a href="//{{ x }}/y">`} {
		p := plan(t, r, in)
		if got := result(t, r, p); got != in || len(p.Problems) > 0 {
			t.Errorf("%s: got %s and the problems %+v, want no change and none", in, got, p.Problems)
		}
	}
}

// If only the start of a URL is known, the forms other than absolute do not apply.
func TestStartOfForm(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.Relative}, "http://old.test/", "http://a.test/")
	site.Include("http://a.test/")
	r := &rewrite.Rewriter{Site: site, Options: document.Options{Read: extract.Options{Scripts: true}}}
	const in = `<a href="http://old.test/{{ x }}"><a href="http://old.test/d/b"><script>"http://old.test";"http://old.test/d/b.png";"http://old.test/d/b"+c</script>`
	const want = `<a href="http://a.test/{{ x }}"><a href="b"><script>"http://a.test";"b.png";"http://a.test/d/b"+c</script>`
	if got := result(t, r, plan(t, r, in)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Normalising leaves such URLs unchanged, and adds no slash in a script.
func TestStartNormalized(t *testing.T) {
	r := &rewrite.Rewriter{Resolver: extract.Resolver{Normalize: true},
		Options: document.Options{Read: extract.Options{Scripts: true}}}
	const in = `<a href="HTTP://A.test/{{ x }}"><a href="HTTP://A.test"><script>"HTTP://A.test";"http://a.test";"HTTP://A.test"+b;"//a.test"</script>`
	const want = `<a href="HTTP://A.test/{{ x }}"><a href="http://a.test/"><script>"http://a.test";"http://a.test";"HTTP://A.test"+b;"http://a.test"</script>`
	if got := result(t, r, plan(t, r, in)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
