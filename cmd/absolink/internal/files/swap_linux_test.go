package files

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"absolink/testdata/effort"
)

// A change of a file in the last moment before it is replaced is not lost.
func TestSwapIn(t *testing.T) {
	tests := []struct {
		name string
		last func() // runs after the last comparison
		want string // part of the error, or empty
		a    string // content of the file afterwards, or empty if there is no file
	}{
		{"nothing", func() {}, "", "new"},
		{"another file in its place", func() { os.WriteFile("b", []byte("foreign"), 0o600); os.Rename("b", "a") },
			"was changed by another program meanwhile", "foreign"},
		{"longer", func() { os.WriteFile("a", []byte("longer"), 0o600) },
			"was changed by another program meanwhile", "longer"},
		{"renamed", func() { os.Rename("a", "c") }, "exchange: no such file or directory", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			errs := []error{os.WriteFile("a", []byte("old"), 0o600), os.WriteFile("temp", []byte("new"), 0o600)}
			src, err := os.Lstat("a")
			if err := errors.Join(append(errs, err)...); err != nil {
				t.Fatal(err)
			}
			tt.last()
			dir, _ := OpenDir(".")
			defer dir.Close()
			f := temporary(t, dir, "temp")
			err = (&target{dir: dir, name: "a", src: src}).swapIn(f)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
				t.Errorf("swapIn: got error %v, want %q", err, tt.want)
			}
			if got, _ := os.ReadFile("a"); string(got) != tt.a {
				t.Errorf("the file afterwards: got %q, want %q", got, tt.a)
			}
			want := "new"
			if err == nil {
				want = "old"
			}
			if got, _ := os.ReadFile("temp"); string(got) != want {
				t.Errorf("the temporary file afterwards: got %q, want %q", got, want)
			}
		})
	}
}

// temporary returns the Temporary of the file with a name.
func temporary(t *testing.T, dir *Dir, name string) *Temporary {
	t.Helper()
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return &Temporary{File: file, dir: dir, base: name}
}

// The names change again between the exchange of swapIn and that of swapBack. No content is lost.
func TestSwapBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after func() // runs after the exchange of swapIn
		want  string
		files map[string]string
	}{
		{"nothing", func() {}, "was changed", map[string]string{"a": "foreign"}},
		{"the name was removed", func() { os.Remove("a") }, "was changed", map[string]string{"a": "foreign"}},
		{"the name belongs to a third file", func() {
			os.WriteFile("b", []byte("third"), 0o600)
			os.Rename("b", "a")
		}, "was changed; the file of the other program is kept as a.kept-1",
			map[string]string{"a": "foreign", "a.kept-1": "third"}},
		{"the name belongs to a third file, and was kept before", func() {
			os.WriteFile("a.kept-1", []byte("before"), 0o600)
			os.WriteFile("b", []byte("third"), 0o600)
			os.Rename("b", "a")
		}, "was changed; the file of the other program is kept as a.kept-2",
			map[string]string{"a": "foreign", "a.kept-1": "before", "a.kept-2": "third"}},
		{"the temporary name was removed", func() { os.Remove("temp") },
			"its content was replaced, and that cannot be undone: was changed", map[string]string{"a": "new"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			os.WriteFile("temp", []byte("new"), 0o600)
			dir, _ := OpenDir(".")
			defer dir.Close()
			f := temporary(t, dir, "temp")
			os.WriteFile("a", []byte("foreign"), 0o600)
			if err := dir.Exchange("temp", "a"); err != nil {
				t.Fatal(err)
			}
			tt.after()
			err := (&target{dir: dir, name: "a"}).swapBack(f, &Refusal{"was changed"})
			f.Cleanup()
			if err == nil || err.Error() != tt.want {
				t.Errorf("swapBack: got error %v, want %q", err, tt.want)
			}
			// A refusal says that the content was not replaced.
			if refusal := new(Refusal); errors.As(err, &refusal) != (tt.files["a"] != "new") {
				t.Errorf("swapBack: error %v is a *Refusal: got %t", err, tt.files["a"] == "new")
			}
			got := map[string]string{}
			entries, _ := os.ReadDir(".")
			for _, e := range entries {
				text, _ := os.ReadFile(e.Name())
				got[e.Name()] = string(text)
			}
			if !maps.Equal(got, tt.files) {
				t.Errorf("files afterwards: got %q, want %q", got, tt.files)
			}
		})
	}
}

// If the usual names for the file of another program exist, it gets a random one.
func TestKeepForeign(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("temp", []byte("foreign"), 0o600)
	dir, _ := OpenDir(".")
	defer dir.Close()
	f := temporary(t, dir, "temp")
	for n := 1; n <= attempts; n++ {
		os.WriteFile(fmt.Sprintf("a.kept-%d", n), nil, 0o600)
	}
	err := (&target{dir: dir, name: "a"}).keepForeign(f, errChanged)
	f.Cleanup()
	kept, _ := filepath.Glob("kept-*")
	if len(kept) != 1 {
		t.Fatalf("files kept-*: got %q, want one", kept)
	}
	want := errChanged.Reason + "; the file of the other program is kept as " + kept[0]
	if err == nil || err.Error() != want {
		t.Errorf("keepForeign: got error %v, want %q", err, want)
	}
	if got, _ := os.ReadFile(kept[0]); string(got) != "foreign" {
		t.Errorf("%s: got %q, want foreign", kept[0], got)
	}
}

// If the file of another program gets no other name, the error says that it must be moved, because
// a Sweeper removes it.
func TestKeepForeignNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("temp", []byte("foreign"), 0o600)
	dir, _ := OpenDir(".")
	f := temporary(t, dir, "temp")
	dir.Close() // so that no rename works
	err := (&target{dir: dir, name: "a"}).keepForeign(f, errChanged)
	want := errChanged.Reason +
		"; the file of the other program is temp: move it now, because the next run removes it"
	if err == nil || err.Error() != want {
		t.Errorf("keepForeign: got error %v, want %q", err, want)
	}
	f.dir, _ = OpenDir(".")
	f.Cleanup()
	f.dir.Close()
	if got, _ := os.ReadFile("temp"); string(got) != "foreign" {
		t.Errorf("temp: got %q, want foreign", got)
	}
}

// A file that changed in the last moment gets its name back, even while other runs sweep the
// directory.
func TestSwapInWhileSwept(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, _ := OpenDir(".")
	defer dir.Close()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				new(Sweeper).Sweep(".", OpenDir)
			}
		}
	}()
	for i := range effort.Pick(300, 50) {
		os.WriteFile("a", []byte("old"), 0o600)
		src, err := os.Lstat("a")
		f, err2 := CreateTemporary(dir, "a", 0o600)
		if err := errors.Join(err, err2, os.WriteFile("a", []byte("longer"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := (&target{dir: dir, name: "a", src: src}).swapIn(f); err == nil ||
			err.Error() != "was changed by another program meanwhile" {
			t.Errorf("swapIn: got error %v, want that the file was changed", err)
		}
		if got, _ := os.ReadFile("a"); string(got) != "longer" {
			t.Fatalf("the file afterwards, turn %d: got %q, want %q", i, got, "longer")
		}
		f.Cleanup()
	}
	close(stop)
	<-stopped
}
