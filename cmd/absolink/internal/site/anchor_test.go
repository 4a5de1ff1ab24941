package site

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	_ "absolink/extract/markdown"
)

// Fragments of a page are those of its elements, whatever the page is named. Nothing is known of
// fragments in other files.
func TestAnchors(t *testing.T) {
	const page, image = "<!DOCTYPE html><p id=a><a name=b>", "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'/></svg>"
	tests := []struct {
		name, content, fragment string
		want                    bool
	}{
		{"page.html", page, "a", true},
		{"page.html", page, "b", true},
		{"page.html", page, "c", false},
		{"page.html", page, "", true},
		{"page.html", page, "TOP", true},
		{"page.html", page, "%61", true},
		{"page.html", page, "c:~:text=x", false},
		{"page.html", "<p id=d><p id=b><p id=b><a name=c><p id=a>", "a", true},
		{"page.html", "<p id=d><p id=b><p id=b><a name=c><p id=a>", "b", true},
		{"page.html", "<p id=d><p id=b><p id=b><a name=c><p id=a>", "d", true},
		{"page.html", "<p id=ab><p id=cd>", "bc", false},
		{"page.html", "<p id=ab><p id=cd>", "abcd", false},
		{"page.html", "<meta charset=latin1><p id=\xe9>", "%C3%A9", true},
		{"page.html", "<p id='a&amp;b'>", "a&b", true},
		{"page.html", "<noscript><p id=a></noscript>", "a", false},
		{"page.html", page + strings.Repeat("x", headSize) + "<p id=far>", "far", true},
		{"page.html", page + strings.Repeat("x", headSize) + "<p id=far>", "farther", false},
		{"page.html", page + strings.Repeat("x", headSize-len(page)), "b", true},
		{"page?id=1", page, "c", false},
		{"page", page, "c", false},
		{"page.php", "words <p id=a>", "c", false},
		{"theme.css", page, "c", false},
		{"a.css", "/* <p id=a> */ b{}", "c", true},
		{"paper.html", "%PDF-1.4\n<p id=a>", "page=2", true},
		{"notes.txt", "<p id=a>", "c", true},
		{"a.md", "# Head Line\n", "head-line", true},
		{"a.md", "# Head Line\n", "Head-Line", true},
		{"a.md", "# \u00c9t\u00e9\n", "%C3%89T%C3%89", true},
		{"a.md", "# Head <a name=Own>\n", "Own", true},
		{"a.md", "# Head <a name=Own>\n", "own", false}, // GitHub changes only the case of the fragment
		{"a.md", "# Head {#Own}\n", "Own", true},
		{"a.md", "# Head\n", "Heads", false},
		{"page.html", page, "A", false},
		{"i.svg", image, "a", true},
		{"i.svg", image, "c", false},
		{"i.svg", image, "top", false},
		{"i.svg", image, "svgView(viewBox(0,0,1,1))", true},
		{"i.svg", image, "xywh=0,0,1,1", true},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.content), 0o666); err != nil {
			t.Fatal(err)
		}
		var a Anchors
		for range 2 { // the second answer comes from memory
			if got := a.Has(path, tt.fragment); got != tt.want {
				t.Errorf("Has(%s with %q, %q): got %v, want %v", tt.name, tt.content, tt.fragment, got, tt.want)
			}
		}
	}
	var a Anchors
	if !a.Has(filepath.Join(t.TempDir(), "gone.html"), "a") {
		t.Error("Has of a file that is not there: got false, want true")
	}
}

// Goroutines that ask for the places of many files at once get those of each file.
func TestAnchorsConcurrently(t *testing.T) {
	dir := t.TempDir()
	const files = 20
	for i := range files {
		page := "<p id=all><p id=p" + strconv.Itoa(i) + ">" + strings.Repeat("x", i*1000)
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var a Anchors
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range files * files {
				file, id := i%files, i/files
				got := a.Has(filepath.Join(dir, strconv.Itoa(file)), "p"+strconv.Itoa(id))
				if want := file == id; got != want {
					t.Errorf("Has(%d, p%d): got %v, want %v", file, id, got, want)
				}
			}
		})
	}
	wg.Wait()
}

// Has finds each of any number of anchors, in any order in the page, and no others.
func TestManyAnchors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.html")
	for _, n := range []int{0, 1, 2, 3, 10, 999} {
		var page strings.Builder
		for i := range n {
			id := strconv.Itoa(i * 7919 % 1009)
			page.WriteString("<p id=x" + id + "><a name=x" + id + ">")
		}
		if err := os.WriteFile(path, []byte("<!DOCTYPE html>"+page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		want := make(map[int]bool)
		for i := range n {
			want[i*7919%1009] = true
		}
		var a Anchors
		for i := range 1020 {
			if got := a.Has(path, "x"+strconv.Itoa(i)); got != want[i] {
				t.Errorf("%d anchors: Has(x%d): got %v, want %v", n, i, got, want[i])
			}
		}
		if a.Has(path, "x") || a.Has(path, "y") || a.Has(path, "a") {
			t.Errorf("%d anchors: Has: got an anchor that is not in the page", n)
		}
	}
}

// The file of a URI is the same at the first look and later, also after so many other URIs that it
// was forgotten.
func TestMatches(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.html", "b?c=1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := NewFiles([]Root{{Dir: dir, URI: "http://a.test/d/"}}, nil)
	tests := []struct {
		uri     string
		verdict Verdict
		meant   string
		dropped bool
	}{
		{"http://a.test/d/a.html", Found, "", false},
		{"http://a.test/d/a.html#x", Found, "", false},
		{"http://a.test/d/a.html?x", Found, "", true},
		{"http://a.test/d/A.html", Similar, "http://a.test/d/a.html", false},
		{"http://a.test/d/b?c=1", Similar, "http://a.test/d/b%3Fc=1", false},
		{"http://a.test/d/b?c=2", Missing, "", false},
		{"http://a.test/d/..%2f", Missing, "", false},
		{"http://a.test/d", Missing, "", false},
		{"http://a.test/da.html", Outside, "", false},
		{"http://b.test/d/a.html", Outside, "", false},
	}
	for round := range 3 {
		if round == 2 {
			for i := range maxMatches + 1 {
				f.cache.set("http://a.test/d/"+strconv.Itoa(i), match{})
			}
			if n := len(f.cache.byURI); n > maxMatches {
				t.Errorf("%d URIs are remembered, want at most %d", n, maxMatches)
			}
		}
		for _, tt := range tests {
			v, meant := f.Check(tt.uri)
			if _, _, dropped := f.Find(tt.uri); v != tt.verdict || meant != tt.meant || dropped != tt.dropped {
				t.Errorf("round %d, %s: got %v, %q and %v, want %v, %q and %v",
					round, tt.uri, v, meant, dropped, tt.verdict, tt.meant, tt.dropped)
			}
		}
	}
	for _, uri := range []string{"http://b.test/d/a.html", "http://a.test/da.html"} {
		if _, ok := f.cache.byURI[uri]; ok {
			t.Errorf("%s is remembered, and lies outside", uri)
		}
	}
}

// Names fold by NFKC and full case folding, and ASCII names by lower case, which is the same.
func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"Read Me.HTML": "read me.html", "\x00@[`{~Z": "\x00@[`{~z", "": "",
		"Straße": "strasse", "CAF\u00c9": "caf\u00e9", "cafe\u0301": "caf\u00e9", "\ufb01n": "fin", "\u212a": "k",
	} {
		if got := fold(name); got != want {
			t.Errorf("fold(%q): got %q, want %q", name, got, want)
		}
	}
	for c := range byte(utf8.RuneSelf) {
		name := "x" + string(rune(c))
		if got, want := fold(name), cases.Fold().String(norm.NFKC.String(name)); got != want {
			t.Errorf("fold(%q): got %q, want %q", name, got, want)
		}
	}
}
