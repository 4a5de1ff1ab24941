package template

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/text"
	"absolink/testdata/effort"
)

// marked returns a text without its marks ‹ and ›, and the spans between them.
func marked(s string) (data []byte, spans []text.Span) {
	for s != "" {
		switch {
		case strings.HasPrefix(s, "‹"):
			spans = append(spans, text.Span{Start: len(data), End: -1})
			s = s[len("‹"):]
		case strings.HasPrefix(s, "›"):
			spans[len(spans)-1].End = len(data)
			s = s[len("›"):]
		default:
			data = append(data, s[0])
			s = s[1:]
		}
	}
	return data, spans
}

// TestFirst marks the first piece of each value; a value without marks has none.
func TestFirst(t *testing.T) {
	for _, s := range []string{
		// Template languages.
		`‹<?php echo $base ?>›/x`, `/a/‹<?= $x ?>›`, `‹<? x ?>›`, `a‹<?PHP x?>›b`, `‹<?php echo ›`, `a‹<?=›`,
		`<?xml version="1.0"?>`, `a<b`, `a?>`,
		`‹<%= root %>›z`, `a‹<%›`, `‹<%- a %>›<%= b %>`, `a%>b`,
		`‹{{ site.baseurl }}›/y`, `x‹{{{a}}}›`, `‹{{a›`, `/a}}`, `?q={"a":{"b":1}}`,
		`‹{% url 'a' %}›`, `‹{%- a -%}›/b`, `‹{%url›`, `?q={%22a%22:1}`, `/a%}`,
		`‹{# note #}›/x`, `‹{#note#}›`, `‹{# cut off›`, `‹{#- cut off›`, `/x{#frag}`, `{#`,
		`‹${base}›/b`, `‹${f({a: 1})}›/b`, `‹${param[›`, `/$a{b}`, `$`,
		`a‹{$url}›b`, `‹{$cut›`, `{$1}`, `‹{!Contact.Name}›`, `{!`, `‹{!! $url !!}›/x`, `/a‹{!! f(›`, `‹{!!$a[1}!!}›`,
		`‹[[~12]]›`, `/‹[[*alias]]›/x`, `page?id=‹[[+id]]›`, `/a‹[[b]]›`, `‹[[$chunk? &x=›`, `‹[[ a ]]›`,
		`a[[0]]=1`, `?a[[b]]=1`, `?a[b][[c]]=1`, `?x=[[1,2],[3,4]]`, `?x=[["a"]]`,
		`?x=[[a,b],[c,d]]`, `/a[[]]`, `/a[[`, `/[[b`, `?a=[[+b`, `/a]]`,
		`?x=‹[[b]]›`, `#‹[[b]]›`,
		`‹<c:url value='/x'/>›/y`, `/a‹<xsl:value-of select="b"/>›`, `‹<c:url value=›`,
		`‹<@spring.url '/x'/>›`, `‹<#if a>›b`, `‹<!--#echo var="a" -->›b`,
		`<a:`, `<:a`, `<a href=b>`, `<a`, `<!-- a -->`, `<b>:c`,
		// Mail merges.
		`‹*|UNSUB|*›`, `mailto:‹*|EMAIL|*›`, `/a*|b`, `*||*`,
		`‹%%u%%›`, `/‹%%GLOBAL_X%%›/a`, `‹%%First Name%%›`, `‹%%=RedirectTo(a)=%%›`,
		`‹%%[ set a ]%%›x`, `/100%%20%%`, `/a%%`, `%%%%`, `/%%a&b%%`,
		`‹[% u %]›`, `a‹[%u%]›`, `‹[% cut›`, `?a[%22x%22]=1`, `/a%]`,
		`‹[unsubscribe]›`, `‹[UNSUBSCRIBE_URL]›`, `‹[link: web version]›`, `‹{unsubscribe}›`,
		// Site generators and page builders.
		`‹{filename}›/a.md`, `‹{static}›/i.png`, `‹{attach}›i.png`, `‹|filename|›/a.md`, `@/a.md`, `‹@{/x(a=${b})}›`,
		`‹{f:uri.page(pageUid: 1)}›`, `/a‹{url path='x'}›`, `‹{= it.u }›`, `a‹{!$Resource.x}›/a`, `‹{base}›/p`,
		`‹[~12~]›`, `/‹[(site_url)]›x`, `‹<$BlogURL$>›`, `‹<$MTBlogURL$>›x`, `‹[=url]›/x`, `‹$relpath^›index.html`,
		`‹$relpath$›doxygen.css`, `a‹%(url)s›`, `a/{b}/c`, `a@/b`, `a@{b}`, `?a[=b]`, `[~a]`, `[()]`, `<$a`, `$rel`, `%(a)`,
		`?q={"a b":1}`, `{1 2}`, `@`, `@x/y`, `{=}`,
		`/[unsubscribe]`, `[unsubscribe]/a`, `[0]`, `[]`, `[::1]`, `[a/b]`, `{a/b}`, `{1}`, `[_x}`, `‹[_x]›`,
		// Values without a piece.
		``, `/`, `a b`, `%20%41`, `/50%off`, `x.html?a=b&c[]=d`, `*`, `[`, `{`, `<`, `%`,
	} {
		v, want := marked(s)
		if has := Has(" " + string(v)); has != (len(want) > 0) {
			t.Errorf("Has(%q) = %v", v, has)
		}
		got, ok := First(v)
		if ok != (len(want) > 0) || ok && got != want[0] {
			t.Errorf("First(%q) = %v, %v; want %v", v, got, ok, want)
		}
	}
	if _, ok := First([]byte("[" + strings.Repeat("a", 200) + "]")); ok {
		t.Error("First takes a long word in brackets for a field")
	}
}

// Next continues after a piece.
func TestNext(t *testing.T) {
	v, want := marked(`‹{{a}}›/‹<?b?>›[c]‹${d}›‹%%e%%›`)
	var got []text.Span
	for p, ok := Next(v, 0); ok; p, ok = Next(v, p.End) {
		got = append(got, p)
	}
	if !slices.Equal(got, want) {
		t.Errorf("pieces of %s: %v, want %v", v, got, want)
	}
}

// TestCode marks the pieces of documents, as the lexers of their languages cut them.
func TestCode(t *testing.T) {
	for _, s := range []string{
		// PHP.
		`a‹<?php foreach ($a as $b => $c): ?>›<a href="/x">‹<?= $c ?>›</a>‹<?PHP endforeach` + `; ?>›b`,
		`‹<?php echo "?>", '?>', ` + "`?>`" +
			`; ?>›x`, `‹<?php echo "\"?>"; ?>›x`, `‹<?php // it's ?>›x`,
		"‹<?php # it's\n'?>' ?>›x", "‹<?php // a\r'?>' ?>›",
		`‹<?php /* it's ?> */ ?>›x`, `‹<?php #[A('?>')] ?>›x`,
		"‹<?php echo <<<EOT\n?> it's\n  EOTX\n  EOT . '?>'; ?>›x",
		"‹<?php echo <<<'EOT'\n?>\nEOT; ?>›x", "‹<?php echo <<<\"EOT\"\n?>\nEOT\n?>›x",
		"‹<?php echo 1 <<<2 ?>›", "‹<?php echo <<< EOT ?>›", "‹<?php <<<EOT\n?> a›",
		`‹<?php echo 1; <a href="/x">›`, `‹<?php›`, `<?phpx ?>`, `‹<? a ?>›`, `<? a`,
		`<?= a`, `<?xml version="1.0"?>`, `<?import namespace=t>`, `a ?> b`, `?`,
		`‹<?php "a›`, `‹<?php /* a›`, `‹<?php 'a\›`, `‹<?php # a›`, `‹<?= /* ?> */ $a ?>›`,
		`‹<? don't ?>›<a href=x>`, `‹<? don't ?>›<a href=x>‹<? b ?>›`, `‹<?= "a ?>›<a href=x>`, `‹<?= '?>' ?>›<a href=x>`, `‹<?php don't ?><a href=x>›`,
		// Ruby, ASP, JSP.
		`‹<% if a > b %>›<a href=x>‹<%= c %>›`, `<% a`, `a %>`, `‹<%-- <% a %> --%>›b`, `‹<%-- a %>›b`, `50%`, `%`,
		// Braces.
		`‹{{ a }}›b‹{{ c }}›`, `‹{{{ a }}}›`, `‹{{ "}}" }}›`, `‹{{ '}}' }}›`,
		`‹{{ {"a": {"b": 1}} }}›`, `‹{{ f("<a href='/x'>") }}›`, `{{ a`, `a }}`,
		`‹{{ it's }}›a`, `‹{{!-- {{a}} --}}›b`, `‹{{! a }}›b`,
		`‹{{!-- a }}›b`, `‹{{ "a" | replace: "}", "" }}›`, `{ {a} }`, `{`,
		`‹{% if a %}›<a href=x>‹{%- endif -%}›`, `‹{% set a = "%}" %}›`,
		`‹{% a it's %}›b`, `{% a`, `?q={%22a%22:%22%}`, `‹{%a%}›`,
		`‹{# <a href="/x"> {{ y }} #}›<a href=z>`, `@media print{#a{b:c}#d{e:f}}`,
		// A mark before an end tag is text about templates, but Hugo has end tags in braces.
		`<code>{{</code> is {<a href=x><code>}}</code>`, `<b>{%</b><a href=x>%}`, `<b>{{</b`, `‹{#</b><a href=x>#}›`,
		`<b>{{</b>‹{{ a }}›<a href=x>}}`, `‹{{</ note >}}›a`, `‹{{</note>}}›a`, `‹{{</* note */>}}›a`, `‹{{< note >}}›a`,
		// A piece that begins in a script or style sheet ends in the same one.
		`<script>{{</script><a href=x>}}`, `<script>if(a)‹{{{b}}}›</script>`,
		`<script>a={{"</script><a href=x>‹{{ b }}›`,
		`‹{{ "<script src=x></script>" }}›`, `<script>x=‹{{a:"}}›"</script>`,
		`<script>class A{#b=1}</script><a href=x>#}`, `<script>‹{# <style></style> #}›</script>`,
		`<style>@media print{#a{b:c}}</style><a href=x>‹{# d #}›`, `<style>‹{# a #}›</style>`,
		`<STYLE>@media print{{% a}</STYLE><a href=x>%}`, `‹{# <style>a{b:c}</style> #}›<a href=x>`,
		`<script>{{!--</script><a href=x>--}}`, `‹{{!-- <script></script> --}}›`,
	} {
		data, want := marked(s)
		if got := Code(nil, data); !slices.Equal(got, want) {
			t.Errorf("Code(%q) = %v, want %v", data, got, want)
		}
	}
}

// Many marks take no more than linear time.
func TestLinear(t *testing.T) {
	for _, s := range []string{"{{", "{%", "{#", "<%", "<%--", "{{!--", "<?=", "<? ",
		"<? /* ?>", "<? <<<A\n?>", "<?=' ?>", "{{'", "{%\"",
		"<?php <<<A", "{{</script", "{#</style", "{{</b", "{{ {", "{", "[[a", "?[[+", "*|", "${", "{#a", "{# ",
		"%%a", "%%[", "[%"} {
		data := []byte(strings.Repeat(s, effort.Pick(1<<18, 1<<16)/len(s)))
		for p, ok := Next(data, 0); ok; p, ok = Next(data, p.End) {
		}
		for _, tail := range []string{"", "}}", "%}</script>}}", "#}</style>}}", "?>%>"} {
			Code(nil, append(data, tail...))
		}
	}
}

// FuzzCode checks the pieces. They are in order and do not overlap. Each begins and ends with
// marks, unless it is PHP that the document cuts off.
func FuzzCode(f *testing.F) {
	f.Add([]byte(`<?php "?>" ?>{{ a }}{% '%}' %}<%-- %> --%>{# #}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		last := 0
		pieces := Code(nil, data)
		if want := everywhere(data); !slices.Equal(pieces, want) {
			t.Fatalf("%q: the pieces are %v, want %v", data, pieces, want)
		}
		for _, s := range pieces {
			piece := string(data[s.Start:s.End])
			if s.Start < last || s.End < s.Start+2 {
				t.Fatalf("%q: the piece at %v begins before %d", data, s, last)
			}
			last = s.End
			open, close := piece[:2], piece[len(piece)-2:]
			want := map[string]string{"<?": "?>", "<%": "%>", "{{": "}}", "{%": "%}", "{#": "#}"}[open]
			if close != want && !(open == "<?" && s.End == len(data)) {
				t.Fatalf("%q: the piece %q", data, piece)
			}
		}
		for i := range data {
			if p, ok := Next(data, i); ok && (p.Start < i || p.End <= p.Start || p.End > len(data)) {
				t.Fatalf("%q: Next from %d is %v", data, i, p)
			}
		}
	})
}

// everywhere returns the expected result of Code: it tries each offset.
func everywhere(data []byte) (pieces []text.Span) {
	l := lexer{data: data}
	for i := 0; i+1 < len(data); i++ {
		if end := l.piece(i); end > 0 {
			pieces = append(pieces, text.Span{Start: i, End: end})
			i = end - 1
		}
	}
	return pieces
}
