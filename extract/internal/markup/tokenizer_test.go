package markup

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/testdata/corpus"
)

// The x/net tokenizer is the oracle for the spans of tokens and for their attributes. It cannot
// find out two things itself: foreign content, and that noscript is markup. The test tells it, as
// x/net's own parser does. The answers come from the scanner, and tree_test.go compares them with
// the tree.

// A departure is a place where the tokenizer is known to depart from the standard. The comparison
// ends there.
type departure string

const (
	agree         departure = ""
	escapedScript departure = "x/net leaves the script-escaped state at '<' before a byte that is no letter"
	inFrameset    departure = "x/net reads raw text where the tree builder drops the start tag in a frameset"
)

// A token as both sides see it.
type token struct {
	kind       Kind
	start, end int
	name       string
	attrs      string
	text       string
}

func (t token) String() string {
	return fmt.Sprintf("%d [%d:%d] %s%s %q", t.kind, t.start, t.end, t.name, t.attrs, t.text)
}

// ours returns the current token of s in the tokenizer's terms: CDATA is text, and references in
// comments are decoded, although the standard does not do that.
func ours(s *Scanner, kind Kind, data []byte) token {
	t := token{kind: kind, start: s.Start, end: s.End}
	switch kind {
	case StartTag:
		t.name = cleanName(data[s.NameStart:s.NameEnd])
		var b strings.Builder
		for _, a := range s.Attrs {
			fmt.Fprintf(&b, " %s=%q", cleanName(data[a.NameStart:a.NameEnd]), cleanValue(data[a.Start:a.End]))
		}
		t.attrs = b.String()
	case EndTag:
		t.name = cleanName(data[s.NameStart:s.NameEnd])
	case Comment:
		t.text = string(AppendUnescaped(nil, []byte(cleanText(data[s.TextStart:s.TextEnd])), false))
	case CDATA:
		t.kind = RawText
	}
	return t
}

func cleanName(name []byte) string {
	folded := make([]byte, len(name))
	for i, c := range name {
		folded[i] = lower(c)
	}
	return strings.ReplaceAll(string(folded), "\x00", "\uFFFD")
}

var cleaner = strings.NewReplacer("\r", "\n", "\x00", "\uFFFD")

func cleanText(text []byte) string {
	s := strings.ReplaceAll(string(text), "\r\n", "\n")
	return cleaner.Replace(s)
}

func cleanValue(value []byte) string {
	return string(AppendUnescaped(nil, []byte(cleanText(value)), true))
}

// theirs returns the current token of z with its span.
func theirs(z *html.Tokenizer, tt html.TokenType, start, end int) token {
	t := token{start: start, end: end}
	tok := z.Token()
	switch tt {
	case html.StartTagToken, html.SelfClosingTagToken:
		t.kind, t.name = StartTag, tok.Data
		var b strings.Builder
		for _, a := range tok.Attr {
			fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
		}
		t.attrs = b.String()
	case html.EndTagToken:
		t.kind, t.name = EndTag, tok.Data
	case html.CommentToken:
		t.kind, t.text = Comment, tok.Data
	case html.DoctypeToken:
		t.kind = Doctype
	case html.TextToken:
		t.kind = RawText
	}
	return t
}

// compareTokens compares the scanner with the tokenizer over data. It returns the first difference,
// or the known departure at which the comparison ended.
func compareTokens(data []byte) (tokens int, known departure, err error) {
	var s Scanner
	s.Reset(data)
	z := html.NewTokenizer(bytes.NewReader(data))
	offset := 0
	for {
		kind := s.Next()
		want, found := advance(z, &s, kind, &offset)
		got := ours(&s, kind, data)
		if found != (kind != EOF) || found && got != want {
			known = departs(&s, kind, data)
		}
		switch {
		case known != agree:
			return tokens, known, nil
		case kind == EOF && !found:
			return tokens, agree, nil
		case kind == EOF:
			return tokens, agree, fmt.Errorf("scanner ends, tokenizer has %v", want)
		case !found:
			return tokens, agree, fmt.Errorf("scanner has %v, tokenizer ends", got)
		case tokens > len(data):
			return tokens, agree, fmt.Errorf("scanner has more tokens than bytes")
		case got != want:
			return tokens, agree, fmt.Errorf("scanner has %v, tokenizer %v", got, want)
		}
		tokens++
		if kind == StartTag && (s.Space != HTML || is(data[s.NameStart:s.NameEnd], "noscript") || dropsRaw(&s, data)) {
			z.NextIsNotRawText()
		}
		z.AllowCDATA(s.foreign())
	}
}

// advance reads on in z to the next token that the scanner also reports. It skips text other than
// raw text and CDATA, and the empty comment for "</>".
func advance(z *html.Tokenizer, s *Scanner, kind Kind, offset *int) (t token, found bool) {
	for {
		tt := z.Next()
		start, raw := *offset, len(z.Raw())
		empty := tt == html.CommentToken && string(z.Raw()) == "</>"
		*offset += raw
		switch {
		case tt == html.ErrorToken:
			return token{}, false
		case empty, tt == html.TextToken && !((kind == RawText || kind == CDATA) && start == s.Start):
			z.AllowCDATA(s.foreign()) // formatting elements may have been reconstructed before the text
			continue
		}
		return theirs(z, tt, start, *offset), true
	}
}

// dropsRaw reports whether the tree builder drops the start tag of a raw text element that s just
// read, because it is in a frameset.
func dropsRaw(s *Scanner, data []byte) bool {
	var w word
	name := string(w.fold(data[s.NameStart:s.NameEnd]))
	switch roleOf(name) {
	case rawText, script, forever:
		return s.Frameset && name != "noframes"
	}
	return false
}

// departs reports whether the tokenizer is known to depart from the standard at this token.
func departs(s *Scanner, kind Kind, data []byte) departure {
	if kind != RawText || !is(data[s.NameStart:s.NameEnd], "script") {
		return agree
	}
	text := data[s.TextStart:min(s.TextEnd+1, len(data))]
	_, escaped, found := bytes.Cut(text, []byte("<!--"))
	if !found {
		return agree
	}
	for i, c := range escaped {
		if c == '<' && i+1 < len(escaped) && class[escaped[i+1]]&letter == 0 && escaped[i+1] != '/' {
			return escapedScript
		}
	}
	return agree
}

func TestAgainstTokenizer(t *testing.T) {
	for _, src := range seeds {
		if _, _, err := compareTokens([]byte(src)); err != nil {
			t.Errorf("scan of %q: %v", src, err)
		}
	}
}

func TestOwnPagesAgainstTokenizer(t *testing.T) { ownPagesAgree(t, compareTokens) }

func TestCorpusAgainstTokenizer(t *testing.T) {
	corpusAgrees(t, compareTokens, corpus.Least(280_000, 6_000))
}

// A comparison scans data and compares it with an oracle. It returns the amount that was compared,
// and the first difference, or the known departure at which it ended.
type comparison func(data []byte) (compared int, known departure, err error)

// ownPagesAgree compares the pages of the project with an oracle; no departure is allowed.
func ownPagesAgree(t *testing.T, compare comparison) {
	for _, doc := range ownDocuments(t, "pages", 5) {
		if n, known, err := compare(doc.Data); err != nil || known != agree || n < 100 {
			t.Errorf("%s: %d compared, %v, departure %q, want none", doc.Name, n, err, known)
		}
	}
}

// corpusAgrees compares the corpora with an oracle; least is the amount that must agree.
func corpusAgrees(t *testing.T, compare comparison, least int) {
	total, departures := 0, 0
	for _, doc := range corpus.Documents(t, "pages", "mail", "mhtml", "html") {
		n, known, err := compare(doc.Data)
		if err != nil {
			t.Errorf("%s: %v", doc.Name, err)
		}
		if known != agree {
			t.Logf("%s: %s", doc.Name, known)
			departures++
		}
		total += n
	}
	if total < least || departures > 10 {
		t.Errorf("%d agree, %d documents left at a known departure, want at least %d and at most 10",
			total, departures, least)
	}
}

func FuzzTokenizer(f *testing.F) { fuzzComparison(f, compareTokens) }

func fuzzComparison(f *testing.F, compare comparison) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, _, err := compare(data); err != nil {
			t.Errorf("scan of %q: %v", data, err)
		}
	})
}

// seeds are short documents that reach every state.
var seeds = []string{
	"<template><td>x<tr><td>y<tr><math></tr><x>", "<template><caption><tr></tr><math></table><t>",
	"<template><tr></tr><td>s</td><caption>f<math></table><p>", "<template><tr><table><td>x",
	"<template><tr></tr><form><svg></form><y>",
	"<template><tr><td><form><svg></form><y>", "<template><tr><form><svg></form><y>",
	"<template><tr><math></table><select><ul>", "<template><tbody><math></table><p>",
	"<template><tr><td><math></table><p>", "<template><caption><math></table><p>",
	`<!doctype html><html><head><title>a<b></title><base href="/x/"><link rel=stylesheet href=a.css></head><body><a href='b?c&amp;d&copy=1'>x</a></body></html>`,
	`<script><!-- <script> </script> --></script><style>a{}</style><textarea></textareas></textarea><noscript><img src=a></noscript>`,
	`<svg viewBox="0 0 1 1"><title/><g><use xlink:href="#a"/></g><![CDATA[<a>]]><foreignObject><p>x<b></foreignObject></svg><math><mi><a>x</a></mi></math>`,
	`<div a=1 a=2 b c= d=">" e='>' /f/=g></div a="b>"><br/><br a=/>`,
	`<!--><!---><!-- a --!><!- b><!x><?y?></z ></><![CDATA[x]]><!doctype><!doctypex>`,
	"<a\x00b c\x00=\x00 d=\"\r\n\x00\"><p\x0cq>\r<t\tu\n>",
	`<template><td><base></template><frameset><frame src=a><noframes><a></noframes></frameset>`,
	`<table><tr><td><svg><desc><div></td></desc></svg></table><select><option><textarea></select></textarea>`,
	`<plaintext></plaintext><a`,
	`<form><svg></form><style><g></style></svg><svg><desc><form><svg></form><style><g></svg></desc></svg>`,
	`<form><svg><desc><form><![CDATA[<a>]]><b></desc></svg></form><svg><desc><form><![CDATA[<a>]]>`,
	`</><frameset><template><noframes>`,
	`<tr><math></tr><source srcset=x>`, `<a><object><svg></a><xmp><img src=x></xmp>`,
	`<h1><svg></h2><g><xmp><a></xmp>`, `<b><div><svg></b><xmp><a></xmp>`,
	`<svg><desc><i>b<u></i>c</desc><source srcset=x>`, `<svg><desc><i>b<u></i>c</desc><style><a href=x></style>`,
	`<svg><desc><i><u></i> <style><b></style></desc><style><b>`,
	`<span><div><svg></span><style><a></style>`, `<table><svg><desc><table><svg></tbody><xmp><b></xmp>`,
	`<template><tr><svg></tbody><style><b></style>`,
	`<svg><desc><b><b><b><b><p></b></b></p>x</desc><style><b></style>`,
	`<svg><foreignObject><a><div><a></foreignObject><style><b></style>`,
	`<a b="`, `<a b='x'`, `<!--a--!`, `<!`, `</`, `<`, `<a/`, `<a b=`, `<script></scrip`,
}
