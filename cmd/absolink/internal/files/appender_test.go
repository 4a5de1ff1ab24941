package files

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"absolink/testdata/effort"
)

// The file gets the bytes in order, also beyond the size after which write-back starts.
func TestAppender(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := NewAppender(f)
	want := make([]byte, 0, 3*writebackSize)
	for i := range effort.Pick(20, 17) { // two write-backs
		piece := bytes.Repeat([]byte{byte('a' + i)}, writebackSize/8+i)
		want = append(want, piece...)
		if n, err := a.Write(piece); n != len(piece) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
		if rest := int64(len(want)) - a.started; rest < 0 || rest >= writebackSize {
			t.Fatalf("%d bytes wait after %d", rest, len(want))
		}
	}
	if a.started == 0 {
		t.Error("no write-back has started")
	}
	got, err := os.ReadFile(f.Name())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	f.Close()
	if n, err := a.Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("Write to a closed file: %d, %v", n, err)
	}
}
