package resolve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func found(text string, abbreviated bool) (uris []string) {
	for f := range Find([]byte(text), abbreviated) {
		uri := f.URI
		if f.Uncertain {
			uri += " uncertain"
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
	load(t, "../testdata/rfc/context.json", &table)
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
		{"quotes with words", "\"http://a.example/ is it\"", "http://a.example/"},
		{"tag", "<p:x> a <b> <http://a.example/>", "http://a.example/"},
		{"any scheme after URL:", "<URL:z39.50:x> <z39.50:x>", "z39.50:x"},
		{"prose", "In other news: nothing. Note: x, http: or std::vector", ""},
		{"scheme only", "http:// mailto: <URL:http:>", ""},
		{"inside a word", "xhttp://a.example/", "xhttp://a.example/"},
		{"no delimiter closes", "<http://a.example/b \"http://c.example/", "http://a.example/b|http://c.example/"},
		{"abbreviated", "at www.a.example/b, <www.c.example> www. www.x", "http://www.a.example/b abbreviated|http://www.c.example abbreviated"},
		{"URL: and bare", "URL:http://a.example/", "http://a.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, true), "|"); got != c.want {
				t.Errorf("Find(%q) = %q, want %q", c.text, got, c.want)
			}
		})
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
			if joined != strings.TrimPrefix(u.URI, "http://") && joined != u.URI {
				t.Errorf("Find(%q): span %q, URI %q", text, text[u.Start:u.End], u.URI)
			}
			if Split(u.URI).Scheme == "" {
				t.Errorf("Find(%q): %q has no scheme", text, u.URI)
			}
		}
		walkAlike(t, text)
	})
}

// walkAlike compares what is found from colon to colon with a walk that looks everywhere.
func walkAlike(t *testing.T, text string) {
	t.Helper()
	var want []Found
	for f, i := (finder{text: []byte(text)}), 0; i < len(text); {
		found, next := f.at(i)
		if i = next; found.End > found.Start {
			want = append(want, found)
		}
	}
	if got := slices.Collect(Find([]byte(text), false)); !slices.Equal(got, want) {
		t.Errorf("Find(%q, false)\ngot  %v\nwant %v", text, got, want)
	}
}

// Texts of pieces that matter to where a URI starts.
func TestFindJumps(t *testing.T) {
	pieces := []string{"<", "\"", ">", ":", "//", "http", "mailto:", "a", " ", "\n", "\u00A0", "\xC2", "URL:", "-", ",", "http://a/b", "1", "."}
	for _, seed := range []uint64{1, 2, 3} {
		r := rand.New(rand.NewPCG(seed, 0))
		for range 20_000 {
			var b strings.Builder
			for range 1 + r.IntN(12) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			if walkAlike(t, b.String()); t.Failed() {
				return
			}
		}
	}
}

func TestFindIsLinear(t *testing.T) {
	for _, unit := range []string{"a:", "<a:", "\"a:", "<", "\"", "news:", "a-", "www.", "http://", "<http://", "URL:", "a://."} {
		for range Find([]byte(strings.Repeat(unit, 1<<20/len(unit))), true) {
		}
		for range Find([]byte(strings.Repeat(unit, 1<<20/len(unit))), false) {
		}
	}
}

func BenchmarkFind(b *testing.B) {
	text := []byte(strings.Repeat("Some words of prose, with a colon: and then <http://a.example/b> or www.b.example.\n", 1000))
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
