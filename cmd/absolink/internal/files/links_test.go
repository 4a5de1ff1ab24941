package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"absolink/cmd/absolink/internal/files"
)

// A link of the output leads to the copy of its target in the input, whatever the copy is named. It
// replaces an existing file.
func TestLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	os.MkdirAll("out/full/x", 0o777)
	file(t, "out/old")
	tree, err := files.NewTree("out", nil)
	if err == nil {
		err = tree.Begin()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"a", "deep/down/b"} {
		path, err := tree.Reserve(rel, "", nil)
		if err == nil {
			err = tree.Create(path, nil, text(rel))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tree.SetOutputPath("deep/first", "deep/down/b")
	for rel, target := range map[string]string{"up": "deep/down/b",
		"other/name": "deep/first", "old": "a", "gone": "none"} {
		path, err := tree.Reserve(rel, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		tree.AddLink(path, target)
	}
	var dangling []string
	if err := tree.Finish(func(path,
		target string) {
		dangling = append(dangling, filepath.Base(path), target)
	}); err != nil {
		t.Error(err)
	}
	if want := []string{"gone", "none"}; !slices.Equal(dangling, want) {
		t.Errorf("Finish: got dangling links %q, want %q", dangling, want)
	}
	for rel, want := range map[string]struct{ text, content string }{
		"up": {"deep/down/b", "deep/down/b"}, "other/name": {"../deep/down/b", "deep/down/b"}, "old": {"a", "a"},
	} {
		if got, err := os.Readlink(filepath.Join("out", rel)); err != nil || got != want.text {
			t.Errorf("out/%s: got a link to %q and error %v, want %q", rel, got, err, want.text)
		}
		content(t, filepath.Join("out", rel), want.content)
	}
	path, err := tree.Reserve("full", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.AddLink(path, "a")
	if err := tree.Finish(func(string, string) {}); err == nil {
		t.Error("a link in the place of a directory: got no error, want a refusal")
	}
}
