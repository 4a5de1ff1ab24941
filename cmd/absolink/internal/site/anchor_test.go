package site

import (
	"os"
	"path/filepath"
	"testing"
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
		{"page?id=1", page, "c", false},
		{"page", page, "c", false},
		{"page.php", "words <p id=a>", "c", false},
		{"theme.css", page, "c", false},
		{"a.css", "/* <p id=a> */ b{}", "c", true},
		{"paper.html", "%PDF-1.4\n<p id=a>", "page=2", true},
		{"notes.txt", "<p id=a>", "c", true},
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
