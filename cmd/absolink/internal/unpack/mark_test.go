package unpack

import (
	"os"
	"strings"
	"testing"
)

// On systems without streams the mark is a file beside the file.
func TestCopyMark(t *testing.T) {
	t.Chdir(t.TempDir())
	const mark = "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://a.test/\r\n"
	for _, name := range []string{"a.mht", "a.html", "b.png", "plain.mht", "c.html"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("a.mht:Zone.Identifier", []byte(mark), 0o666); err != nil {
		t.Skip("a file system with neither streams nor such names:", err)
	}
	if err := copyMark("plain.mht", []string{"c.html"}); err != nil {
		t.Errorf("copyMark of a file without a mark: got error %v", err)
	}
	if _, err := os.Stat("c.html:Zone.Identifier"); err == nil {
		t.Error("copyMark of a file without a mark: got a mark")
	}
	if err := copyMark("a.mht", []string{"a.html", "b.png"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.html", "b.png"} {
		if got, err := os.ReadFile(name + ":Zone.Identifier"); err != nil || string(got) != mark {
			t.Errorf("mark of %s: got %q and error %v, want %q", name, got, err, mark)
		}
	}
	err := copyMark("a.mht", []string{"c.html", "none/d.html"})
	if err == nil || !strings.HasPrefix(err.Error(), "none/d.html does not get its zone mark") {
		t.Errorf("copyMark to a missing directory: got error %v", err)
	}
	long := strings.Repeat("x", maxMark+1)
	if err := os.WriteFile("a.mht:Zone.Identifier", []byte(long), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := copyMark("a.mht", []string{"c.html"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("c.html:Zone.Identifier"); err == nil && info.Size() != maxMark {
		t.Errorf("mark of %d bytes: got %d bytes, want %d", len(long), info.Size(), maxMark)
	}
}

// Other systems have no marks: nothing is copied.
func TestCopyMarkElsewhere(t *testing.T) {
	if marksFiles {
		t.Skip("this system marks files")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.mht:Zone.Identifier", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CopyMark("a.mht", []string{"a.html"}); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir("."); err != nil || len(list) != 1 {
		t.Errorf("got %v and error %v, want one file", list, err)
	}
}
