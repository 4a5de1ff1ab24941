package files

import (
	"errors"
	"os"
	"testing"

	"absolink/testdata/effort"
)

// A change of a file in the last moment before it is replaced is not lost.
func TestTake(t *testing.T) {
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
		{"renamed", func() { os.Rename("a", "c") }, "exchange temp a: no such file or directory", ""},
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
			err = (&target{dir: dir, name: "a", src: src}).take("temp")
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
				t.Errorf("take: got error %v, want %q", err, tt.want)
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

// A file that changed in the last moment gets its name back, even while other runs sweep the
// directory.
func TestTakeWhileSwept(t *testing.T) {
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
		if err := (&target{dir: dir, name: "a", src: src}).take(f.Base()); err == nil ||
			err.Error() != "was changed by another program meanwhile" {
			t.Errorf("take: got error %v, want that the file was changed", err)
		}
		if got, _ := os.ReadFile("a"); string(got) != "longer" {
			t.Fatalf("the file afterwards, turn %d: got %q, want %q", i, got, "longer")
		}
		f.Cleanup()
	}
	close(stop)
	<-stopped
}
