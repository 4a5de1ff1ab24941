package move

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/resolve"
)

// opened returns the result of unwrap for a URL as it is written.
func opened(t *testing.T, written string) (to string, wrapped bool) {
	t.Helper()
	return unwrap(normal(t, written), resolve.Options{})
}

// normal returns a URL as the URL Standard writes it.
func normal(t *testing.T, written string) string {
	t.Helper()
	b, err := resolve.NewBase("", resolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	uri, err := b.Resolve(written)
	if err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	return uri
}

// Each row of the table has a source and an example, which becomes its target.
func TestWraps(t *testing.T) {
	for _, w := range wraps {
		t.Run(w.name, func(t *testing.T) {
			if !strings.HasPrefix(w.source, "https://") {
				t.Errorf("source %q is no address", w.source)
			}
			host, path := webHost(w.example)
			if !w.matches(host, path) {
				t.Errorf("the row does not match its own example %q", w.example)
			}
			if to, wrapped := opened(t, w.example); to != normal(t, w.target) || wrapped {
				t.Errorf("unwrap(%q): got %q, %v, want %q", w.example, to, wrapped, normal(t, w.target))
			}
		})
	}
}

// The strings of testdata/wrapped.txt were published by the vendors, or by the authors of other
// decoders.
func TestPublishedWraps(t *testing.T) {
	text, err := os.ReadFile("testdata/wrapped.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		in, want, ok := strings.Cut(line, " ")
		if !ok {
			t.Fatalf("%q: two URLs are needed", line)
		}
		to, wrapped := opened(t, in)
		switch {
		case want == "left":
			if to != normal(t, in) || !wrapped {
				t.Errorf("unwrap(%q): got %q, %v, want it left and wrapped", in, to, wrapped)
			}
		case to != normal(t, want) || wrapped:
			t.Errorf("unwrap(%q): got %q, %v, want %q", in, to, wrapped, normal(t, want))
		}
	}
	if n < 60 {
		t.Errorf("got %d strings, want at least 60", n)
	}
}

// Links that resemble wrapped links are none.
func TestUnwrapped(t *testing.T) {
	for _, uri := range []string{
		"https://h.example/?url=https%3A%2F%2Fother.example%2F",
		"https://safelinks.protection.outlook.com.h.example/?url=https%3A%2F%2Fother.example%2F",
		"https://notsafelinks.protection.outlook.com/?url=https%3A%2F%2Fother.example%2F",
		"https://www.google.com@h.example/url?q=https%3A%2F%2Fother.example%2F",
		"https://www.google.com:8080/url?q=https%3A%2F%2Fother.example%2F",
		"ftp://www.google.com/url?q=https%3A%2F%2Fother.example%2F",
		"https://www.google.com/urls?q=https%3A%2F%2Fother.example%2F",
		"https://www.google.com/search?q=https%3A%2F%2Fother.example%2F",
		"https://google.h.example/url?q=https%3A%2F%2Fother.example%2F",
		"https://www.google.evil.example/url?q=https%3A%2F%2Fother.example%2F",
		"https://mygoogle.com/url?q=https%3A%2F%2Fother.example%2F",
		"https://www.linkedin.com/feed/?url=https%3A%2F%2Fother.example%2F",
		"https://www.mimecast.com/s/x?url=https%3A%2F%2Fother.example%2F",
		"https://protect.a.b.mimecast.com/s/x?url=https%3A%2F%2Fother.example%2F",
		"https://urldefense.com/v4/__https://other.example/__;!!foo!bar$",
		"https://search.yahoo.com/search?p=/RU=https%3a%2f%2fother.example%2f/RK=2",
		"https://h-example.cdn.ampproject.org/x/s/other.example/",
		"mailto:a@www.google.com/url?q=https%3A%2F%2Fother.example%2F",
	} {
		if to, wrapped := opened(t, uri); to != normal(t, uri) || wrapped {
			t.Errorf("unwrap(%q): got %q, %v, want it unchanged", uri, to, wrapped)
		}
	}
}

// Targets that are damaged, or no links, are left alone and counted.
func TestLeftWrapped(t *testing.T) {
	const outlook = "https://eur02.safelinks.protection.outlook.com/?url="
	deflated := func(text string) string {
		return "https://protect-us.mimecast.com/redirect/" + compressed(text)
	}
	for _, uri := range []string{
		outlook,
		outlook[:len(outlook)-len("?url=")],
		outlook + "https%3A%2F%2Fh.example%2F%",
		outlook + "https%3A%2F%2Fh.example%2F%4",
		outlook + "https%3A%2F%2Fh.example%2F%zz",
		outlook + "https%3A%2F%2Fh.example%2F%ff",
		outlook + "https%3A%2F%2Fh.example%2F%0A",
		outlook + "https%3A%2F%2Fh.example%2F%00",
		outlook + "https%253A%252F%252Fh.example%252F",
		outlook + "https%3A%2F%2F",
		outlook + "https%3A%2F%2F%2Fh.example",
		outlook + "https%3A%2Fh.example",
		outlook + "https%3A%2F%2F%40h.example",
		outlook + "https%3A%2F%2Fa%20b%2F",
		outlook + "http%3A%2F%2F%5B%3A%3A",
		outlook + "%2F%2Fh.example%2F",
		outlook + "h.example",
		outlook + "javascript%3Aalert(1)",
		outlook + "data%3Atext%2Fhtml%2Cx",
		outlook + "file%3A%2F%2F%2Fetc%2Fpasswd",
		outlook + "tel%3A%2B4912",
		outlook + "mailto%3A",
		outlook + "mailto%3A%3Fsubject%3Dx",
		outlook + "https%3A%2F%2Fh.example%2Fa&url=https%3A%2F%2Fh.example%2Fb",
		"https://urldefense.proofpoint.com/v1/url?u=http%3A%2F%2Fh.example%2F",
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__h.example_",
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__h.example_a-&d=x&c=y",
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__h.example_a-2&d=x&c=y",
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__h.example_a-b&d=x&c=y",
		"https://urldefense.com/v3/__https://h.example/a",
		"https://urldefense.com/v3/__https://h.example/a__",
		"https://urldefense.com/v3/__https://h.example/a__;",
		"https://urldefense.com/v3/__https://h.example/a__;!!",
		"https://urldefense.com/v3/__https://h.example/a__;!!$",
		"https://urldefense.com/v3/__https://h.example/a__;!!foo!bar",
		"https://urldefense.com/v3/__https://h.example/a__;!!foo!bar$x",
		"https://urldefense.com/v3/__https://h.example/*a__;!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/a__;Iw!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/*a__;I!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/*a__;Ix!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/*a__;I(!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/*a__;_w!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/**a__;IyM!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/**.__;IyM!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/**B__;IyM!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/**A__;IyMj!!foo!bar$",
		"https://urldefense.com/v3/__https://h.example/%4__;!!foo!bar$",
		"https://urldefense.com/v3/__//h.example/__;!!foo!bar$",
		"https://urldefense.com/v3/____;Iw!!foo!bar$",
		"https://protect-us.mimecast.com/redirect/eJyr",
		"https://protect-us.mimecast.com/redirect/x-y_z",
		"https://protect-us.mimecast.com/redirect/$",
		deflated(`{"url":"javascript:go()"}`),
		deflated(`{"url":""}`),
		deflated(`{"rcpt":"b@e.example"}`),
		deflated(`{"url":"https://h.example/"`),
		deflated(`{"url":"https://h.example/"}` + strings.Repeat(" ", 1<<20)),
		"https://url.us.m.mimecastprotect.com/s/0vR_CVm2Xkul?domain=h.example",
		"https://www.google.com/url?q=two+words&sa=t",
		"https://www.google.com/url?q=https%3A%2F%2Fh.example%2F&url=%2Fsearch%3Fq%3Dx%",
		"https://www.google.com/amp/s/h.example/a%3fb=1",
		"https://www.google.com/amp/s/h.example/a%23b",
		"https://www.google.com/amp/s/nohost/a",
		"https://h-example.cdn.ampproject.org/c/s/",
		"https://r.search.yahoo.com/_ylt=A/RU=%2fsearch/RK=2",
	} {
		if to, wrapped := opened(t, uri); to != normal(t, uri) || !wrapped {
			t.Errorf("unwrap(%q): got %q, %v, want it left and wrapped", uri, to, wrapped)
		}
	}
}

// compressed returns the base64 of the zlib stream of a text.
func compressed(text string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// wrappers write a URL as each row of the table does. They share no code with the decoders.
var wrappers = map[string]func(uri string) string{
	"Outlook Safe Links": func(uri string) string {
		return "https://gbr01.safelinks.protection.outlook.com/ap/t-5/?url=" + query(uri) +
			"&data=05%7C02&sdata=x&reserved=0"
	},
	"Safe Links in Teams": func(uri string) string {
		return "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/2/atp-safelinks.html?url=" + query(uri)
	},
	"Proofpoint URL Defense v1": func(uri string) string {
		return "https://urldefense.proofpoint.com/v1/url?u=" + query(uri) + "&k=a%2B&r=b&m=c&s=d"
	},
	"Proofpoint URL Defense v2": func(uri string) string {
		return "https://urldefense.proofpoint.com/v2/url?u=" + withHyphens(uri) + "&d=DwMF&c=b&r=c&m=d&s=e&e="
	},
	"Proofpoint URL Defense v3": func(uri string) string {
		return "https://urldefense.com/v3/__" + withStars(uri, false)
	},
	"Mimecast, with the target": func(uri string) string {
		b, _ := json.Marshal(map[string]string{"rcpt": "b@e.example", "region": "x", "url": uri})
		return "https://protect-eu.mimecast.com/redirect/" + compressed(string(b))
	},
	"Mimecast":                  parameter("https://url.de.m.mimecastprotect.com/s/token?domain=h.example&url="),
	"Barracuda Link Protection": parameter("https://linkprotect.cudasvc.com/url?a="),
	"Google":                    parameter("http://google.com.br/url?sa=t&q="),
	"Facebook":                  parameter("https://lm.facebook.com/l.php?h=AT0&u="),
	"Instagram and Threads":     parameter("https://l.instagram.com/?u="),
	"LinkedIn":                  parameter("https://www.linkedin.com/safety/go?url="),
	"Slack":                     parameter("https://slack-redir.net/link?url="),
	"Steam":                     parameter("https://steamcommunity.com/linkfilter/?url="),
	"VK":                        parameter("https://m.vk.com/away?to="),
	"DuckDuckGo":                parameter("https://duckduckgo.com/l/?kh=-1&uddg="),
	"YouTube":                   parameter("https://m.youtube.com/redirect?q="),
	"Yahoo": func(uri string) string {
		return "https://search.yahoo.com/r/_ylt=A;_ylu=X/RV=2/RE=1/RO=10/RU=" + query(uri) + "/RK=2/RS=x-"
	},
}

// parameter returns a function that adds a URL as the value of a parameter, with another one after
// it.
func parameter(before string) func(uri string) string {
	return func(uri string) string { return before + query(uri) + "&ved=2" }
}

// query percent-encodes all but letters and digits.
func query(uri string) string { return strings.ReplaceAll(url.QueryEscape(uri), "+", "%20") }

// withHyphens writes a URL as URL Defense v2 does.
func withHyphens(uri string) string {
	var b strings.Builder
	for _, c := range []byte(uri) {
		switch {
		case c == '/':
			b.WriteByte('_')
		case c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "-%02X", c)
		}
	}
	return b.String()
}

// withStars writes a URL as URL Defense v3 does, after "__". It counts bytes, or else characters.
func withStars(uri string, characters bool) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	var b, replaced strings.Builder
	run := 0
	end := func() {
		for run > 0 {
			n := min(run, 65)
			if n == 1 {
				b.WriteByte('*')
			} else {
				b.WriteString("**" + alphabet[n-2:n-1])
			}
			run -= n
		}
	}
	for _, c := range uri {
		if strings.ContainsRune("-._~:/?@!$&'(),;=", c) || c >= '0' && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			end()
			b.WriteRune(c)
			continue
		}
		n := replaced.Len()
		replaced.WriteRune(c)
		run += replaced.Len() - n
		if characters {
			run -= replaced.Len() - n - 1
		}
	}
	end()
	return b.String() + "__;" + base64.RawURLEncoding.EncodeToString([]byte(replaced.String())) + "!!foo!bar-_$"
}

// targets are URLs of many shapes, as the URL Standard writes them.
var targets = []string{
	"https://h.example/",
	"http://h.example/a/b.html",
	"https://h.example:8443/a",
	"https://h.example/a?b=1&c=2",
	"https://h.example/a?b=1&url=https%3A%2F%2Fother.example%2F&k=1&d=2&c=3",
	"https://h.example/a#s",
	"https://h.example/a?b=1#s?t&u",
	"https://h.example/100%25/%2F%20%41",
	"https://h.example/%E4%BD%A0%E5%A5%BD?q=%C3%A4#%C3%A4",
	"https://h.example/latin%E4",
	"https://user:pa%3Ass@h.example/x",
	"https://xn--bcher-kva.example/",
	"https://[2001:db8::1]/a",
	"https://192.0.2.1/a",
	"https://h.example/a-b_c.d~e!f$g'h(i)j*k,l;m=n:o@p",
	"https://h.example/a*b**c***d/****A**_x",
	"https://h.example/?a+b=c+d",
	"https://h.example/__;x!!y$/__;!!z$",
	"https://h.example/?a=[]&b={}|^",
	"https://h.example//double//slash/",
	"ftp://h.example/pub/file.txt",
	"mailto:a@h.example",
	"mailto:a@h.example?subject=x%20y&body=z",
	"https://h.example/?" + strings.Repeat("%20", 200) + strings.Repeat("%C3%AD%23", 70),
	"https://h.example/" + strings.Repeat("x/", 500),
}

// A target is the same after wrapping and unwrapping, for each row and each shape.
func TestWrapAndUnwrap(t *testing.T) {
	for i := range wraps {
		w := &wraps[i]
		write := wrappers[w.name]
		if w.coding == cached {
			continue // see TestCached
		}
		if write == nil {
			t.Errorf("%s: no wrapper in wrappers", w.name)
			continue
		}
		for _, uri := range targets {
			in := write(uri)
			if to, wrapped := opened(t, in); to != uri || wrapped {
				t.Errorf("%s: unwrap(%q): got %q, %v, want %q", w.name, in, to, wrapped, uri)
			}
		}
	}
}

// URL Defense v3 also has URLs that are not all ASCII. Both counts of replaced characters are read.
func TestStars(t *testing.T) {
	for _, uri := range []string{"https://h.example/ü", "https://bücher.example/ü#你好", "https://h.example/?" +
		strings.Repeat("你", 40) + "a" + strings.Repeat("#", 130) + strings.Repeat("ü", 66), "http://h.example/😀*😀**😀"} {
		for _, characters := range []bool{false, true} {
			for _, host := range []string{"urldefense.com", "urldefense.us", "urldefense.proofpoint.com"} {
				in := "https://" + host + "/v3/__" + withStars(uri, characters)
				if to, wrapped := opened(t, in); to != normal(t, uri) || wrapped {
					t.Errorf("unwrap(%q): got %q, %v, want %q", in, to, wrapped, normal(t, uri))
				}
			}
		}
	}
	const in = "https://urldefense.com/v3/__https:/h.example/a__;!!foo!bar$"
	if to, _ := opened(t, in); to != "https://h.example/a" {
		t.Errorf("unwrap(%q): got %q", in, to)
	}
}

// The URLs of AMP caches and viewers hold http and https URLs.
func TestCached(t *testing.T) {
	for _, uri := range targets {
		scheme, rest, _ := strings.Cut(uri, "://")
		if scheme != "http" && scheme != "https" || strings.ContainsAny(rest[:1], "[1u") {
			continue // a name without a user is needed
		}
		secure := ""
		if scheme == "https" {
			secure = "s/"
		}
		for _, in := range []string{"https://x.cdn.ampproject.org/c/" + secure + rest,
			"https://cdn.ampproject.org/v/" + secure + rest, "https://www.bing-amp.com/c/" + secure + rest,
			"https://www.google.fr/amp/" + secure + rest} {
			to, wrapped := opened(t, in)
			want := uri
			if path, _, _ := strings.Cut(rest, "?"); strings.Contains(strings.ToLower(path), "%23") {
				want = normal(t, in)
			}
			if to != want || wrapped != (want != uri) {
				t.Errorf("unwrap(%q): got %q, %v, want %q", in, to, wrapped, want)
			}
		}
	}
}

// Up to five wraps around each other are undone. More are left as they are, so that a second run
// does not undo the rest.
func TestNestedWraps(t *testing.T) {
	var names []string
	for name := range wrappers {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range names {
		for _, uri := range targets[:8] {
			in := uri
			for depth := 1; depth <= maxWraps+2; depth++ {
				in = normal(t, wrappers[names[(i+depth*7)%len(names)]](in))
				to, wrapped := unwrap(in, resolve.Options{})
				want := uri
				if depth > maxWraps {
					want = in
				}
				if to != want || wrapped != (depth > maxWraps) {
					t.Errorf("%d wraps from %s on, %q: got %q, %v, want %q", depth, names[i], in, to, wrapped, want)
				}
			}
		}
	}
}

// A readable wrap around one that cannot be read is undone, and the rest is wrapped.
func TestHalfWrapped(t *testing.T) {
	const inner = "https://url.us.m.mimecastprotect.com/s/token?domain=h.example"
	for name, write := range wrappers {
		if to, wrapped := opened(t, write(inner)); to != inner || !wrapped {
			t.Errorf("%s around %q: got %q, %v", name, inner, to, wrapped)
		}
	}
}

// Prefixes of archives and wraps may stand around each other. Then parameters are stripped, but not
// those of a wrapped link, and at last the rules apply.
func TestSimple(t *testing.T) {
	m := &Map{Unwayback: true, Unwrap: true, StripTracking: true}
	if err := m.Add("https://h.example/", "https://new.example/"); err != nil {
		t.Fatal(err)
	}
	const archive = "https://web.archive.org/web/20160102030405/"
	const mimecast = "https://protect-us.mimecast.com/s/x?domain=h.example&utm_source=token"
	outlook, google := wrappers["Outlook Safe Links"], wrappers["Google"]
	for in, want := range map[string]string{
		outlook("https://h.example/a?utm_source=x&b=1"):          "https://new.example/a?b=1",
		archive + outlook(archive+google("https://h.example/a")): "https://new.example/a",
		outlook(archive + "https://h.example/a?fbclid=1#s"):      "https://new.example/a#s",
		"https://other.example/?gclid=1":                         "https://other.example/",
		mimecast:                                                 mimecast,
	} {
		if got := m.URI(normal(t, in)); got != want {
			t.Errorf("URI(%q): got %q, want %q", in, got, want)
		}
	}
	if !m.Wrapped("https://protect-us.mimecast.com/s/x?domain=h.example") || m.Wrapped("https://h.example/") ||
		new(Map).Wrapped("https://protect-us.mimecast.com/s/x?domain=h.example") {
		t.Error("Wrapped reports wrong links")
	}
}

// A rule that applies behind a wrap, or behind a removed parameter, changes the whole URI.
func TestMoveStartOfSimple(t *testing.T) {
	m := &Map{Unwrap: true, StripTracking: true}
	if err := m.Add("https://h.example/", "https://new.example/x/"); err != nil {
		t.Fatal(err)
	}
	wrapped := wrappers["Slack"]("https://h.example/a")
	for uri, want := range map[string]string{"https://h.example/a": "https://new.example/x",
		"https://h.example/a?gclid=1": "", wrapped: "", "https://other.example/?gclid=1": ""} {
		to, n, err := m.MoveStart(uri, time.Time{})
		if err != nil || want == "" && n != len(uri) || want != "" && to != want+uri[n:] {
			t.Errorf("MoveStart(%q): got %q, %d, %v", uri, to, n, err)
		}
		if rule, ok := m.Rule(uri); !ok || (rule == "") != strings.HasPrefix(uri, "https://other") {
			t.Errorf("Rule(%q): got %q, %v", uri, rule, ok)
		}
	}
}

// A wrapped link without a scheme needs no base.
func TestOriginalOfWrapped(t *testing.T) {
	m := &Map{Unwrap: true}
	for ref, want := range map[string]string{
		" //duckduckgo.com/l/?uddg=http%3A%2F%2Fh.example%2F&rut=x": "http://h.example/",
		"//h-example.cdn.ampproject.org/c/s/h.example/a":            "https://h.example/a",
		"//protect-us.mimecast.com/s/x?domain=h.example":            "",
		"//h.example/?uddg=http%3A%2F%2Fh.example%2F":               "",
		"/l/?uddg=http%3A%2F%2Fh.example%2F":                        "",
		"//[x":                                                      "",
		"/web/20160102030405/http://h.example/":                     "",
	} {
		if got := m.Original(ref); got != want {
			t.Errorf("Original(%q): got %q, want %q", ref, got, want)
		}
	}
	both := &Map{Unwrap: true, Unwayback: true}
	for _, ref := range []string{"//duckduckgo.com/l/?uddg=http%3A%2F%2Fh.example%2F",
		"/web/20160102030405/http://h.example/"} {
		if got := both.Original(ref); got != "http://h.example/" {
			t.Errorf("Original(%q): got %q", ref, got)
		}
		if got := new(Map).Original(ref); got != "" {
			t.Errorf("Original(%q) without flags: got %q", ref, got)
		}
	}
}

// An open link may go on: its target has no end of its own.
func TestOpen(t *testing.T) {
	const outlook = "https://nam11.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2Fa"
	m := &Map{Unwrap: true}
	for uri, want := range map[string]bool{outlook: true, outlook + "&data=05": false, outlook + "&": false,
		outlook[:len(outlook)-1] + "%": false, "https://h.example/a": false,
		"https://www.youtube.com/redirect?v=1&q=https%3A%2F%2Fh.example%2Fa": true,
		"https://h-example.cdn.ampproject.org/c/s/h.example/a":               true,
		"https://urldefense.com/v3/__https://h.example/a__;!!foo!bar$":       false,
		"https://urldefense.com/v3/__https://h.example/a__;!!foo!ba":         false,
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__h.example&d=x": false} {
		if got := m.EndsInTarget(uri); got != want || new(Map).EndsInTarget(uri) {
			t.Errorf("Open(%q): got %v", uri, got)
		}
	}
}

func TestStripTracking(t *testing.T) {
	m := new(Map)
	for in, want := range map[string]string{
		"http://h.example/?utm_source=x":                    "http://h.example/",
		"http://h.example?utm_source=x":                     "http://h.example",
		"HTTP://H.example/a?b=%7e&utm_source=x&c#s?utm_x=1": "HTTP://H.example/a?b=%7e&c#s?utm_x=1",
		"https://h.example/?utm_anything_new":               "https://h.example/",
		"https://h.example/?a=1&fbclid=2&b=3&gclid=4":       "https://h.example/?a=1&b=3",
		"https://h.example/?gclid=4&a=1":                    "https://h.example/?a=1",
		"https://h.example/?a&&gclid=4":                     "https://h.example/?a&",
		"https://h.example/?&gclid=4":                       "https://h.example/",
		" https://h.example/?mc_eid=4&a#x":                  " https://h.example/?a#x",

		"https://h.example/":                      "",
		"https://h.example/?":                     "",
		"https://h.example/?a=utm_source":         "",
		"https://h.example/?xutm_source=1":        "",
		"https://h.example/?UTM_SOURCE=1":         "",
		"https://h.example/?my_fbclid=1&ref=2":    "",
		"https://h.example/#?utm_source=x":        "",
		"https://h.example/utm_source=x&fbclid=1": "",
		"https://h.example/?a=b?utm_source=x":     "",
		"mailto:a@h.example?utm_source=x":         "",
		"ftp://h.example/?utm_source=x":           "",
		"javascript:go('?utm_source=x&a')":        "",
		"/a?utm_source=x":                         "",
		"?utm_source=x":                           "",
		"//h.example/?utm_source=x":               "",
	} {
		if want == "" {
			want = in
		}
		if got := m.Strip(in); got != want {
			t.Errorf("Strip(%q): got %q, want %q", in, got, want)
		}
	}
	for name := range strings.FieldsSeq(strings.ReplaceAll(tracking, "*", "x")) {
		if got := m.Strip("https://h.example/?a=1&" + name + "=x&b=2#s"); got != "https://h.example/?a=1&b=2#s" {
			t.Errorf("%s stays: got %q", name, got)
		}
	}
}

// No wrapped link becomes anything but an http, https, ftp or mailto URI, and a second run changes
// nothing more.
func FuzzUnwrap(f *testing.F) {
	for _, w := range wraps {
		f.Add(w.example)
	}
	f.Add("https://urldefense.com/v3/__https:/h.example/***A__;Iy8v!!a$")
	m := new(Map)
	f.Fuzz(func(t *testing.T, in string) {
		b, _ := resolve.NewBase("", resolve.Options{})
		uri, err := b.Resolve(in)
		if err != nil {
			return
		}
		to, wrapped := unwrap(uri, resolve.Options{})
		if to != uri && !isTarget(to) {
			t.Errorf("unwrap(%q): got %q", uri, to)
		}
		if again, still := unwrap(to, resolve.Options{}); again != to || still != wrapped {
			t.Errorf("unwrap(%q): got %q, %v, and then %q, %v", uri, to, wrapped, again, still)
		}
		if stripped := m.Strip(uri); m.Strip(stripped) != stripped {
			t.Errorf("Strip(%q): got %q, and then %q", uri, stripped, m.Strip(stripped))
		}
	})
}

// An escape that is cut, or text that is not UTF-8, is no URL.
func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "%41": "A", "a%2fb%2F": "a/b/", "%c3%a9": "é",
		"é": "é", "%25": "%", "%": "!", "%4": "!", "a%4": "!", "%zz": "!", "%4z": "!", "%z4": "!", "%ff": "!",
		"\xff": "!", "%41%": "!", "%c3": "!"} {
		wantOK := want != "!"
		s, ok := unescape(text)
		if ok != wantOK || ok && s != want {
			t.Errorf("unescape(%q) = %q, %v, want %q", text, s, ok, want)
		}
		s, ok = unescapeMarkup(text + "&amp;x&y")
		if ok != wantOK || ok && s != want+"&x&y" {
			t.Errorf("unescapeMarkup(%q) = %q, %v, want %q", text+"&amp;x&y", s, ok, want+"&x&y")
		}
		s, ok = fillStars("https://a/" + text + "__;!!signature$")
		if ok != wantOK || ok && s != "https://a/"+want {
			t.Errorf("fillStars with %q = %q, %v, want %q", text, s, ok, want)
		}
	}
}

// The parts of a pattern around its star do not overlap.
func TestMatchesHost(t *testing.T) {
	for _, tt := range []struct {
		pattern, host string
		want          bool
	}{
		{"ab*ba", "abba", true}, {"ab*ba", "aba", false}, {"ab*ba", "ab", false}, {"ab*ba", "ba", false},
		{"ab*ba", "abxba", true}, {"ab*ba", "ab.ba", false}, {"ab*ba", "ab:ba", false}, {"ab*", "ab", true},
		{"*ba", "xba", true}, {"*ba", "xbax", false}, {"ab*", "xab", false}, {"a.test", "a.test", true},
		{"a.test", "x.a.test", false}, {".a.test", "a.test", true}, {".a.test", "x.a.test", true},
		{".a.test", "xa.test", false}, {".a.test", ".a.test", true}, {".a.test", "test", false},
	} {
		if got := matchesHost(tt.pattern, tt.host); got != tt.want {
			t.Errorf("matchesHost(%q, %q) = %v, want %v", tt.pattern, tt.host, got, tt.want)
		}
	}
}
