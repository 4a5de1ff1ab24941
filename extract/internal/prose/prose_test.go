package prose

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/resolve"
	"absolink/resolve/ascii"
	"absolink/testdata/effort"
)

func found(text string, abbreviated bool) (uris []string) {
	for f := range Find([]byte(text), abbreviated) {
		uri := f.URI
		if f.Uncertain {
			uri += " uncertain"
		}
		if f.UnclearEnd {
			uri += " unclear"
		}
		if f.Abbreviated {
			uri += " abbreviated"
		}
		uris = append(uris, uri)
	}
	return uris
}

// TestFindTable runs the examples of the documents' appendices.
func TestFindTable(t *testing.T) {
	var table struct {
		Cases []struct {
			Text string
			URLs []string
		}
	}
	data, err := os.ReadFile("../../../testdata/rfc/context.json")
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) < 17 {
		t.Fatalf("%d cases, want 17", len(table.Cases))
	}
	for _, c := range table.Cases {
		if got := found(c.Text, false); !slices.Equal(got, c.URLs) {
			t.Errorf("Find(%q)\ngot  %q\nwant %q", c.Text, got, c.URLs)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"end of a sentence", "See http://a.example/b. Or not.", "http://a.example/b"},
		{"in brackets", "(see http://a.example/b)", "http://a.example/b"},
		{"brackets of its own", "http://a.example/b_(c) and", "http://a.example/b_(c)"},
		{"address in brackets", "[http://[2001:db8::1]/x]", "http://[2001:db8::1]/x"},
		{"question", "at http://a.example/?q?", "http://a.example/?q"},
		{"two", "http://a.example/ mailto:b@c.example", "http://a.example/|mailto:b@c.example"},
		{"hyphen at a line's end", "<http://a.example/b-\n  c>", "http://a.example/b-c uncertain"},
		{"hyphen elsewhere", "<http://a.example/b-c\nd>", "http://a.example/b-cd"},
		{"quotes over lines", "\"http://a.example/b\n  c\"", "http://a.example/bc"},
		{"quotes with a bracket", "\"http://a.example/b>c\"", "http://a.example/b"},
		{"quotes with words", "\"http://a.example/ is it\"", "http://a.example/ unclear"},
		{"quotes with a blank", "open \"http://a.example/a b\" now", "http://a.example/a unclear"},
		{"quotes with a tab", "open \"http://a.example/a\tb\" now", "http://a.example/a unclear"},
		{"quotes with a no-break space", "\"http://a.example/a\u00a0b\"", "http://a.example/a unclear"},
		{"quotes with a line end and a blank", "\"http://a.example/a\nb c\"", "http://a.example/a unclear"},
		{"marks of other languages with a blank",
			"«http://h/a b» ‹http://h/c d› “http://h/e f” „http://h/g h“ „http://h/i j” ”http://h/k l” " +
				"»http://h/m n« 「http://h/o p」 『http://h/q r』 ‚http://h/s t‘ 《http://h/u v》",
			"http://h/a unclear|http://h/c unclear|http://h/e unclear|http://h/g unclear|http://h/i unclear|" +
				"http://h/k unclear|http://h/m unclear|http://h/o unclear|http://h/q unclear|http://h/s unclear|" +
				"http://h/u unclear"},
		{"marks with blanks inside",
			"« http://h/a » «\u00a0http://h/b\u00a0» «\u202fhttp://h/c d\u202f»",
			"http://h/a|http://h/b|http://h/c unclear"},
		{"marks with a line end, punctuation, abbreviated",
			"«http://h/a\nb» «http://h/c, d» «www.h.example/e f»",
			"http://h/a unclear|http://h/c unclear|http://www.h.example/e unclear abbreviated"},
		{"marks around the URI alone",
			"«http://h/a» “http://h/b.” „http://h/c“, 「http://h/d」",
			"http://h/a|http://h/b|http://h/c|http://h/d"},
		{"marks that close before", "«a» http://h/a b «c» “d” http://h/e f", "http://h/a|http://h/e"},
		{"marks that do not close",
			"«http://h/a b\n\nc» “http://h/d e «f”» “http://h/g h",
			"http://h/a|http://h/d|http://h/g"},
		{"marks around words and a URI", "«see http://h/a b» “at: http://h/c d”", "http://h/a|http://h/c"},
		{"quotes with URL: and a blank", "\"URL:http://a.example/a b\"", "http://a.example/a unclear"},
		{"quotes with a blank and punctuation", "\"http://a.example/a, b\"", "http://a.example/a unclear"},
		{"quotes with a blank, abbreviated", "\"www.a.example/a b\"", "http://www.a.example/a unclear abbreviated"},
		{"quotes that do not close", "\"http://a.example/a b", "http://a.example/a"},
		{"between two quotes", "\"x\" http://a.example/a and \"y\"", "http://a.example/a"},
		{"in quoted words", "\"see http://a.example/a b\"", "http://a.example/a"},
		{"quotes with a second URI", "\"http://a.example/a http://b.example/b\"",
			"http://a.example/a unclear|http://b.example/b"},
		{"quotes with an escape sequence", "\"http://a.example/\x1B[0ma b\"", "http://a.example/"},
		{"a scheme behind a number", "1.http://a.example/ 2-http://b.example/", "http://a.example/|http://b.example/"},

		{"hyphen, bare, at a line's end", "see http://a.example/long-\nname", "http://a.example/long- uncertain"},
		{"hyphen, bare, CRLF and blanks", "http://a.example/b- \t\r\nc", "http://a.example/b- uncertain"},
		{"hyphen, bare, CR", "http://a.example/b-\rc", "http://a.example/b- uncertain"},
		{"hyphen, bare, within a line", "http://a.example/b- c\n", "http://a.example/b-"},
		{"hyphen, bare, at the end of the text", "http://a.example/b-", "http://a.example/b-"},
		{"hyphen, bare, before punctuation", "http://a.example/b-.\n", "http://a.example/b-"},
		{"hyphen of the host", "http://a-\nb.example/", "http://a- uncertain"},
		{"hyphen in a bracket that does not close", "<http://a.example/b-\nc <", "http://a.example/b- uncertain"},
		{"soft hyphen and hyphen of Unicode",
			"http://a.example/b\u00AD\nc http://a.example/d\u2010 \r\ne http://a.example/f\u00ADg",
			"http://a.example/b uncertain|http://a.example/d uncertain|http://a.example/f"},
		{"quotes in a quoted message", "> \"http://a.example/b\n> c\"", "http://a.example/bc"},
		{"tag", "<p:x> a <b> <http://a.example/>", "http://a.example/"},
		{"any scheme after URL:", "<URL:z39.50:x> <z39.50:x>", "z39.50:x"},
		{"prose", "In other news: nothing. Note: x, http: or std::vector", ""},
		{"scheme only", "http:// mailto: <URL:http:>", ""},
		{"inside a word", "xhttp://a.example/", "http://a.example/"},
		{"no delimiter closes", "<http://a.example/b \"http://c.example/", "http://a.example/b|http://c.example/"},
		{"abbreviated", "at www.a.example/b, <www.c.example> www. www.x",
			"http://www.a.example/b abbreviated|http://www.c.example abbreviated"},
		{"abbreviated, labels of one byte",
			"www.a.b www.a.1 www.a.- www.a. www.. www..c.example", "http://www.a.b abbreviated"},
		{"abbreviated, in quotes over lines", "\"www.a.example/b\n  c\"", "http://www.a.example/bc abbreviated"},
		{"begins with w", "at wais://h.example/d?w", "wais://h.example/d?w"},
		{"URL: and bare", "URL:http://a.example/", "http://a.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, true), "|"); got != c.want {
				t.Errorf("Find(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// A bare URI ends where the text after it cannot be part of it. If it may end earlier or later, the
// result says so.
func TestFindEnds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"lists", "http://a/b,http://a/c;https://a/d,FTP://a/e|http://a/f",
			"http://a/b|http://a/c|https://a/d|FTP://a/e|http://a/f"},
		{"hosts in a list", "http://a,http://b;http://c:80,http://d", "http://a|http://b|http://c:80|http://d"},
		{"strings in a list", "['http://a/b','http://a/c'],{'d':'http://a/d'}", "http://a/b|http://a/c|http://a/d"},
		{"an apostrophe in a string", "'http://a/b's' http://a/b's'", "http://a/b's unclear|http://a/b's"},
		{"a comma in a path", "http://a/b,c,5;d http://a/0,,1-43", "http://a/b,c,5;d|http://a/0,,1-43"},
		{"URIs as parameters", "http://a/?u=http://b/c http://a/2020/http://b/ http://a/?b&http://c http://a/#http://b",
			"http://a/?u=http://b/c|http://a/2020/http://b/|http://a/?b&http://c|http://a/#http://b"},
		{"URIs in URIs", "http://a/xhttp://b http://a/-http://b http://a/.http://b http://a/!http://b",
			"http://a/xhttp://b unclear|http://a/-http://b unclear|http://a/.http://b unclear|" +
				"http://a/!http://b unclear"},
		{"tags of a forum", "[url]http://a/b[/url] [url=http://a/c]x[/url] [img]http://a[/img]",
			"http://a/b|http://a/c|http://a"},
		{"square brackets", "http://a/[b] http://a/b[c d] http://a/?b[]=1&c[0]=2 http://a/?b[] http://a/[[b]]",
			"http://a/[b] unclear|http://a/b[c unclear|http://a/?b[]=1&c[0]=2|http://a/?b[]|http://a/[[b]] unclear"},
		{"brackets of the text", "[x http://a/b] [http://a/b](http://a/c) (http://a/b",
			"http://a/b|http://a/b|http://a/c|http://a/b"},
		{"an open bracket", "http://a/b(see below)", "http://a/b(see unclear"},
		{"character references",
			"&lt;http://a/b&gt; &quot;http://a/c&quot; http://a&nbsp;d http://a/?e&#39;f http://a/?g&amp;h&lt=1",
			"http://a/b|http://a/c|http://a|http://a/?e|http://a/?g&amp;h&lt=1"},
		{"templates", "http://a/{b} http://a:{{b}}/ http://a/${b} http://a/<%= b %> http://a/<?b?> http://a/#{b}",
			"http://a/ unclear|http://a unclear|http://a/$ unclear|http://a/ unclear|http://a/ unclear|" +
				"http://a/# unclear"},
		{"tags of a page", "http://a/b<br> <b>http://a/c</b> {http://a/d}", "http://a/b|http://a/c|http://a/d"},
		{"escapes", `http://a/b\u003d1 http://a/b\_c http://a/b\ {\"u\":\"http://a/c\"} "http://a/?d\u0026e"`,
			`http://a/b unclear|http://a/b unclear|http://a/b unclear|http://a/c|http://a/?d unclear`},
		{"two escapes", `"http://a/\user?d\u0026e"`, `http://a/ unclear`},
		{"bars", "http://a/b|c |http://a/d|5| http://a/e| f <http://a/g|h i> <http://a/j|k>",
			"http://a/b unclear|http://a/d|http://a/e|http://a/g|http://a/j"},
		{"bars in a query", "<http://a/?b=c|d e> <http://a/?b=c|d> <http://a/?b=c|d|e> <http://a/?b=c|d&f=1>",
			"http://a/?b=c|http://a/?b=c unclear|http://a/?b=c|d|e|http://a/?b=c|d&f=1"},
		{"a URI as a title", "<http://a/b|http://a/c>", "http://a/b|http://a/c"},
		{"emphasis", "*http://a/b* **http://a/c** _http://a/d_ ~~http://a/e~~ *see http://a/f_",
			"http://a/b unclear|http://a/c unclear|http://a/d unclear|http://a/e unclear|http://a/f_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, false), "|"); got != c.want {
				t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
			}
			walkAlike(t, c.text)
		})
	}
	var got []string
	for f := range FindInFields([]byte("1,http://a/b,9.99,\"http://a/c,d\",http://a,http://a/e;f\n"), false) {
		got = append(got, f.URI)
	}
	if want := []string{"http://a/b", "http://a/c,d", "http://a", "http://a/e;f"}; !slices.Equal(got, want) {
		t.Errorf("in fields: got %q, want %q", got, want)
	}
}

// In scripts with blanks between words, letters outside of ASCII belong to a bare URI, and in all
// scripts to its host. If they may be prose, the result says so.
func TestFindIRI(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"letter", "see https://de.wikipedia.org/wiki/Österreich now", "https://de.wikipedia.org/wiki/Österreich"},
		{"decomposed", "http://a.example/Österreich.", "http://a.example/Österreich"},
		{"Cyrillic, Greek, Arabic", "http://a.example/Москва, http://a.example/Αθήνα; http://a.example/مصر؟",
			"http://a.example/Москва|http://a.example/Αθήνα|http://a.example/مصر"},
		{"Hindi, Hebrew, digits", "http://a.example/भारत http://a.example/?q=ישראל http://a.example/#٣",
			"http://a.example/भारत|http://a.example/?q=ישראל|http://a.example/#٣"},
		{"joiner inside and behind", "http://a.example/می\u200cخواهم http://a.example/می\u200c x",
			"http://a.example/می\u200cخواهم|http://a.example/می"},
		{"brackets", "(http://a.example/Graz_(Österreich))", "http://a.example/Graz_(Österreich)"},
		{"quotes", "„http://a.example/ä“ «http://a.example/ö» ‘http://a.example/ü’",
			"http://a.example/ä|http://a.example/ö|http://a.example/ü"},
		{"host", "http://müller.example/x http://президент.рф http://user@ünï.example:80/",
			"http://müller.example/x|http://президент.рф|http://user@ünï.example:80/"},
		{"host of one label", "http://bücher/x", "http://bücher/x"},
		{"address", "mailto:jörg@müller.example?subject=é", "mailto:jörg@müller.example?subject=é"},
		{"abbreviated", "www.müller.example, www.例え.jp/x",
			"http://www.müller.example abbreviated|http://www.例え.jp/x abbreviated"},

		{"Chinese path", "https://zh.wikipedia.org/wiki/中国 是", "https://zh.wikipedia.org/wiki/ unclear"},
		{"Chinese prose", "在http://www.example.org/a/index.html中。", "http://www.example.org/a/index.html unclear"},
		{"Chinese full stop", "在http://www.example.org/a。在", "http://www.example.org/a"},
		{"Japanese prose behind a host", "http://example.jpをご覧ください。", "http://example.jp unclear"},
		{"Japanese prose behind a port", "http://example.jp:8080をご覧ください。", "http://example.jp:8080 unclear"},
		{"Japanese host", "http://例え.jp/x と http://www.日本語.jp:80 です", "http://例え.jp/x|http://www.日本語.jp:80"},
		{"Japanese top-level domain", "http://例え.テスト/ http://例え.テスト http://例え.テスト。",
			"http://例え.テスト/|http://例え.テスト unclear|http://例え.テスト unclear"},
		{"two hosts", "http://a.example.jpとb.example.jp/", "http://a.example.jpとb.example.jp/ unclear"},
		{"two URIs", "http://a.jpとhttp://b.jpを http://a.jp/とhttp://b.jp/",
			"http://a.jp unclear|http://b.jp unclear|http://a.jp/ unclear|http://b.jp/"},
		{"prose about schemes", "「http://」で始まる http://で始まる mailto:で", ""},
		{"half and full width", "http://a.jp/ｶﾅ http://a.jp/Ａ http://a.jp/（",
			"http://a.jp/ unclear|http://a.jp/ unclear|http://a.jp/"},
		{"Thai, Lao, Khmer, Myanmar", "http://a.th/ไทย http://a.la/ລາວ http://a.kh/ខ្មែរ http://a.mm/မြန်မာ",
			"http://a.th/ unclear|http://a.la/ unclear|http://a.kh/ unclear|http://a.mm/ unclear"},
		{"Korean", "https://ko.wikipedia.org/wiki/한국 http://example.com에서 http://한국.kr/",
			"https://ko.wikipedia.org/wiki/한국 unclear|http://example.com unclear|http://한국.kr/"},
		{"dash, apostrophe and dot",
			"http://a.example/Bose–Einstein http://a.example/L’Été http://a.example/Il·lusió http://a.example/x – y",
			"http://a.example/Bose unclear|http://a.example/L unclear|http://a.example/Il unclear|http://a.example/x"},
		{"bytes that are no character", "http://a.example/\xE9t\xE9 http://b.example/\uFFFD",
			"http://a.example/ unclear|http://b.example/ unclear"},
		{"emoji in a path, a query and behind a host",
			"http://a.example/b🚀. http://a.example/?x=😀 http://a.example👉 now",
			"http://a.example/b unclear|http://a.example/?x= unclear|http://a.example unclear"},
		{"emoji, two URIs", "http://a.example👉http://b.example/👉http://c.example/",
			"http://a.example unclear|http://b.example/ unclear|http://c.example/"},
		{"emoji with a selector, a flag, a keycap, a skin colour",
			"http://a.example/❤️ http://a.example/🇯🇵 http://a.example/1️⃣ http://a.example/👍🏽",
			"http://a.example/ unclear|http://a.example/ unclear|http://a.example/1 unclear|http://a.example/ unclear"},
		{"emoji of text and of later versions",
			"http://a.example/©x http://a.example/™ http://a.example/☺ http://a.example/\U0001FAE9",
			"http://a.example/ unclear|http://a.example/ unclear|http://a.example/ unclear|http://a.example/ unclear"},
		{"emoji behind a blank, symbols and punctuation",
			"http://a.example/ 🚀 http://a.example/→ http://a.example/│ http://a.example/。x http://a.example/”",
			"http://a.example/|http://a.example/|http://a.example/|http://a.example/|http://a.example/"},
		{"inside delimiters", "<http://a.jp/日本> \"http://例え.jp/日本\"", "http://a.jp/日本|http://例え.jp/日本"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, true), "|"); got != c.want {
				t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
			}
			walkAlike(t, c.text)
		})
	}
}

// In angle brackets a reference needs no "//" after its scheme.
func TestFindSchemes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"file:/home/fred/bio.txt, <file:/home/fred/bio.txt> \"FILE:/x\" <URL:file:/home/fred/bio.txt>",
			"file:/home/fred/bio.txt|file:/home/fred/bio.txt|FILE:/x|file:/home/fred/bio.txt"},
		{"<file:/home/\n   fred/bio.txt>", "file:/home/fred/bio.txt"},
		{"<data:,x> <telnet:a.example> <tag:a.example,2026:x> <z39.50r:x> <wais:x>",
			"data:,x|telnet:a.example|tag:a.example,2026:x|z39.50r:x|wais:x"},
		{"<afs:/cell/x> <x-own:/y/z>", "afs:/cell/x|x-own:/y/z"},
		{"<a:b> <a:b/> <ns:name attr=\"/\"> <ns:/> <br:/> <C:/dir/x> <note:/ not this> <std::vector> <foo:bar>", ""},
		{"file: a, file:x, the file:/ data: tag:x info:y about:z", ""},
		{"<URL:foo:bar> <URL:data:,x>", "foo:bar|data:,x"},
	} {
		if got := strings.Join(found(c.text, false), "|"); got != c.want {
			t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
		}
		walkAlike(t, c.text)
	}
}

var blanks = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\v", "", "\f", "", "\r", "", "\u00a0", "")

func FuzzFind(f *testing.F) {
	f.Add("a <URL:http://a.example/\n b> \"www.b.example\" (http://c/)", true)
	f.Fuzz(func(t *testing.T, text string, abbreviated bool) {
		last := 0
		for u := range Find([]byte(text), abbreviated) {
			if u.Start < last || u.End <= u.Start || u.End > len(text) {
				t.Fatalf("Find(%q): span %d to %d after %d", text, u.Start, u.End, last)
			}
			last = u.End
			joined := blanks.Replace(text[u.Start:u.End])
			quoted := joined != text[u.Start:u.End] && isWithoutMarks(u.URI, joined)
			if joined != strings.TrimPrefix(u.URI, "http://") && joined != u.URI && !quoted {
				t.Errorf("Find(%q): span %q, URI %q", text, text[u.Start:u.End], u.URI)
			}
			if resolve.Split(u.URI).Scheme == "" {
				t.Errorf("Find(%q): %q has no scheme", text, u.URI)
			}
		}
		walkAlike(t, text)
	})
}

// isWithoutMarks reports whether uri is text without quoting marks: some '>' and '|', and letters
// before '>'.
func isWithoutMarks(uri, text string) bool {
	i := 0
	for n := 0; n < len(text); n++ {
		switch {
		case i < len(uri) && uri[i] == text[n]:
			i++
		case text[n] != '>' && text[n] != '|' && !ascii.Letter.Has(text[n]):
			return false
		}
	}
	return i == len(uri)
}

// walkAlike compares the walk from colon to colon with a walk that looks everywhere.
func walkAlike(t *testing.T, text string) {
	t.Helper()
	var want []Found
	for f, i := newFinder([]byte(text), false), 0; i < len(text); {
		found, next := f.at(i)
		i = next
		if found.End > found.Start {
			want = append(want, found)
		}
	}
	if got := slices.Collect(Find([]byte(text), false)); !slices.Equal(got, want) {
		t.Errorf("Find(%q, false)\ngot  %v\nwant %v", text, got, want)
	}
}

// The texts consist of pieces that affect the start of a URI.
func TestFindJumps(t *testing.T) {
	pieces := []string{"<", "\"", ">", ":", "//", "http", "mailto:", "a", " ", "\n", "\u00A0", "\xC2",
		"URL:", "-", ",", "http://a/b", "1", ".", "é", "日", "/", "@", "> ", "\r\n", "\x1B$B", "\x1B(B", "👉",
		"|", "'", "&lt;", "[/", "\\u0026", "*", "{"}
	for _, seed := range []uint64{1, 2, 3} {
		r := rand.New(rand.NewPCG(seed, 0))
		for range 20_000 {
			var b strings.Builder
			for range 1 + r.IntN(12) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			walkAlike(t, b.String())
			if t.Failed() {
				return
			}
		}
	}
}

func TestFindIsLinear(t *testing.T) {
	effort.Only(t)
	for _, unit := range []string{"a:", "<a:", "\"a:", "<", "\"", "news:", "a-", "www.", "http://", "<http://", "URL:",
		"a://.", "a://日", "日a://日", "http://日", "http://a日.", "a://日:", "a://@日", "a://한", "http://é’",
		"\n> <a:", "\n> \"a:", "> <a:\n", "\n> a:b", "\x1B", "\x1B$B", "\x1B[", "https", "a.", "\"a: b",
		",http://a", "'http://a',", "http://a&lt;", "<http://a|", "http://a[", "http://a[/", "http://a/x"} {
		for range Find([]byte(strings.Repeat(unit, 1<<20/len(unit))), true) {
		}
		for range Find([]byte(strings.Repeat(unit, 1<<20/len(unit))), false) {
		}
	}
}

func BenchmarkFind(b *testing.B) {
	text := []byte(strings.Repeat("Some words of prose, with a colon: and then <http://a.example/b> or "+
		"www.b.example.\n", 1000))
	for _, abbreviated := range []bool{false, true} {
		b.Run(fmt.Sprintf("abbreviated=%t", abbreviated), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for range Find(text, abbreviated) {
				}
			}
		})
	}
}
