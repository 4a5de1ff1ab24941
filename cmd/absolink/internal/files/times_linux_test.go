package files_test

import (
	"os"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/files"
)

// Times are set through the open file. A link that takes the place of the file does not change the
// time of another one.
func TestTimesOfOpenFile(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "src")
	file(t, "other")
	long := time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)
	if err := os.Chtimes("src", long, long); err != nil {
		t.Fatal(err)
	}
	src, _ := os.Stat("src")
	before, _ := os.Stat("other")
	write := func(f *os.File) error {
		if err := os.Rename(f.Name(), "moved"); err != nil {
			t.Fatal(err)
		}
		return os.Symlink("other", f.Name())
	}
	if err := files.Create("new", src, write); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.Stat("other"); !now.ModTime().Equal(before.ModTime()) {
		t.Errorf("time of the other file: got %v, want %v", now.ModTime(), before.ModTime())
	}
	if now, _ := os.Stat("moved"); !now.ModTime().Equal(long) {
		t.Errorf("time of the file: got %v, want %v", now.ModTime(), long)
	}
}
