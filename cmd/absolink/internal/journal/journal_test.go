package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"absolink/cmd/absolink/internal/journal"
	"absolink/testdata/effort"
)

var old = time.Date(2001, 2, 3, 4, 5, 6, 7000, time.UTC)

// change is one replacement in a text, by offset.
type change struct {
	offset int
	old    string
	new    string
}

// put writes a file, and its new content beside, and gives the information on it.
func put(t *testing.T, name, text, made string) (fs.FileInfo, *os.File) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Chtimes(name, old, old)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create("new-" + filepath.Base(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.WriteString(made)
	return info, f
}

// kept returns the time that put gives files, as this system keeps it: some drop what
// is less than a microsecond, or a second.
func kept(t *testing.T) time.Time {
	t.Helper()
	info, _ := put(t, "kept", "", "")
	if d := old.Sub(info.ModTime()); d < 0 || d >= time.Second {
		t.Fatalf("modification time: got %v, want %v or the second of it", info.ModTime(), old)
	}
	return info.ModTime().UTC()
}

func open(t *testing.T) *journal.Journal {
	t.Helper()
	j, err := journal.Create("journal", journal.Run{Roots: journal.Roots{"/mail", "/m"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// begin begins an entry.
func begin(t *testing.T, j *journal.Journal, path string, locked bool) *journal.Entry {
	t.Helper()
	e, err := j.Begin(path, locked)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// enter brings a file to be ready.
func enter(t *testing.T, j *journal.Journal, path, text, made, name string, changes ...change) *journal.Entry {
	t.Helper()
	info, f := put(t, filepath.Base(path), text, made)
	e := begin(t, j, path, false)
	for _, c := range changes {
		e.Edit(int64(c.offset), []byte(c.old), int64(len(c.new)))
	}
	if err := e.Ready(strings.NewReader(text), info, f, name); err != nil {
		t.Fatal(err)
	}
	return e
}

// The text of a journal is what its documentation says.
func TestText(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	e := enter(t, j, "/mail/a.eml", "a <x> b", "a <http://x/> b", "a.eml", change{3, "x", "http://x/"})
	if err := e.Done(); err != nil {
		t.Fatal(err)
	}
	enter(t, j, "/mail/\xff:2,S", "x", "y", "\xfe", change{0, "x", "y"})
	j.Close()
	got, _ := os.ReadFile("journal")
	when := kept(t).Format(time.RFC3339Nano)
	want := `{"absolink":"journal","version":2,"roots":[{"path":"/mail"},{"path":"/m"}]}
{"file":1,"root":0,"path":"a.eml"}
{"file":1,"offset":3,"old":"eA==","new":9}
{"file":1,"status":"ready","size":7,"mtime":"` + when + `","before":"8f6a4ba20723a7009ab54110ed569dc15ea365fe88bb2580a03b280ff910e003","after":"7beef45131e2476a39b30f39f61f394be948b10f75c8a3047cf8304b1521c54a","bytes":15}
{"file":1,"status":"done"}
{"file":2,"root":0,"path_base64":"/zoyLFM="}
{"file":2,"offset":0,"old":"eA==","new":1}
{"file":2,"status":"ready","size":1,"mtime":"` + when + `","before":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","after":"a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa","bytes":1,"name_base64":"/g=="}
`
	if string(got) != want {
		t.Errorf("journal:\ngot  %s\nwant %s", got, want)
	}
}

// What was written is read back, by path and in both directions.
func TestLookBack(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	if !j.Empty() {
		t.Error("Empty of a new journal: got false, want true")
	}
	enter(t, j, "/m/a", "1", "12", "a", change{1, "", "2"}).Done()
	enter(t, j, "/m/b,S=1", "1", "12", "b,S=2", change{1, "", "2"})
	enter(t, j, "/m/c", "1", "12", "c", change{1, "", "2"}).Done()
	enter(t, j, "/m/a", "12", "123", "a", change{2, "", "3"}).Done()
	begin(t, j, "/m/d", true).Edit(0, []byte("x"), 1) // never ready
	j.Close()

	j = open(t)
	if j.Empty() {
		t.Error("Empty: got true, want false")
	}
	want := "4 /m/a done 2 3, 3 /m/c done 1 2, 2 /m/b,S=1 ready 1 2 -> b,S=2, 1 /m/a done 1 2"
	if got := list(t, j); got != want {
		t.Errorf("Backward:\ngot  %s\nwant %s", got, want)
	}
	for f, err := range j.Unsettled() {
		if err != nil || f.Number != 2 || f.NewPath() != "/m/b,S=2" || !f.ModTime.Equal(kept(t)) {
			t.Errorf("Unsettled: got %+v and error %v, want file 2", f, err)
		}
		j.Mark(f, journal.Undone)
	}
	for path, want := range map[string]int{"/m/a": 4, "/m/b,S=1": 2, "/m/b,S=2": 2, "/m/c": 3, "/m/d": 0, "/m/e": 0} {
		f, err := j.Lookup(path)
		if err != nil || f == nil && want != 0 || f != nil && f.Number != want {
			t.Errorf("Lookup(%q): got %+v and error %v, want file %d", path, f, err, want)
		}
	}
	j.Close()

	j = open(t)
	if f, err := j.Lookup("/m/b,S=1"); f != nil || err != nil {
		t.Errorf("Lookup of a file that was undone: got %+v and error %v, want none", f, err)
	}
	enter(t, j, "/m/e", "1", "12", "e", change{1, "", "2"})
	j.Close()
	if got, want := list(t, open(t)), "6 /m/e ready 1 2, "+strings.Replace(want, "ready", "undone", 1); got != want {
		t.Errorf("Backward:\ngot  %s\nwant %s", got, want)
	}
}

// A message of a Maildir is found by its unique name, whatever its flags, its sizes and its
// directory were. Only files in new or cur are messages.
func TestLookupMessage(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	enter(t, j, "/m/new/1.h", "1", "12", "1.h", change{1, "", "2"})
	enter(t, j, "/m/cur/2.h,S=1:2,S", "1", "12", "2.h,S=2:2,S", change{1, "", "2"})
	enter(t, j, "/m/d/3.h", "1", "12", "3.h", change{1, "", "2"})
	j.Close()
	j = open(t)
	for path, want := range map[string]int{"/m/cur/1.h:2,FS": 1, "/m/new/1.h": 1, "/m/new/2.h": 2,
		"/m/cur/2.h,S=2:2,": 2, "/m/d/3.h": 0, "/m/cur/3.h": 0, "/cur/1.h": 0, "/m/cur/1.h.x": 0} {
		f, err := j.LookupMessage(path)
		if err != nil || f == nil && want != 0 || f != nil && f.Number != want {
			t.Errorf("LookupMessage(%q): got %+v and error %v, want file %d", path, f, err, want)
		}
		if f != nil {
			j.Mark(f, journal.Undone)
		}
	}
	j.Close()
	j = open(t)
	for _, path := range []string{"/m/cur/1.h:2,FS", "/m/new/2.h"} {
		if f, err := j.LookupMessage(path); f != nil || err != nil {
			t.Errorf("LookupMessage(%q) after the undo: got %+v and error %v, want none", path, f, err)
		}
	}
}

func list(t *testing.T, j *journal.Journal) string {
	t.Helper()
	var s []string
	for f, err := range j.Backward() {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%d %s %s %d %d", f.Number, f.Path, f.Status, f.Size, f.NewSize)
		if f.Name != filepath.Base(f.Path) {
			line += " -> " + f.Name
		}
		s = append(s, line)
	}
	return strings.Join(s, ", ")
}

// large is longer than a line of a journal, and than what an entry gathers.
var large = strings.Repeat("0123456789abcdef", 20_000)

var restored = []struct {
	name      string
	old, made string
	changes   []change
}{
	{"insertion", "ab", "axb", []change{{1, "", "x"}}},
	{"deletion", "abc", "ac", []change{{1, "b", ""}}},
	{"at both ends", "abc", "xbyy", []change{{0, "a", "x"}, {2, "c", "yy"}}},
	{"side by side", "abc", "xyc", []change{{0, "a", "x"}, {1, "b", "y"}}},
	{"all", "abc", "", []change{{0, "abc", ""}}},
	{"into nothing", "", "abc", []change{{0, "", "abc"}}},
	{"no change", "abc", "abc", nil},
	{"binary", "\x00\xff\n\"", "\x00x\n\"", []change{{1, "\xff", "x"}}},
	{"large old bytes", "a" + large + "b", "axb", []change{{1, large, "x"}}},
	{"large new bytes", "ab", "a" + large + "b", []change{{1, "", large}}},
	{"far apart", "1" + large + "2" + large + "3", "x" + large + large + "y",
		[]change{{0, "1", "x"}, {320_001, "2", ""}, {640_002, "3", "y"}}},
}

// A path of any length that a system allows is found again, also if its line is escaped.
func TestLongPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	var paths []string
	for _, c := range []string{"x", "\x01", "\xff"} {
		for _, names := range []int{1, 10, 500, 1000, 1500} {
			paths = append(paths, "/m/"+strings.Repeat(c+"/", names)+"a")
		}
	}
	for names := 2000; names < 2048; names++ { // lines of about 4 KB
		paths = append(paths, "/m/"+strings.Repeat("x/", names)+"a")
	}
	for _, path := range paths {
		enter(t, j, path, "x", "y", "a", change{0, "x", "y"})
	}
	j.Close()
	j = open(t)
	for _, path := range paths {
		if f, err := j.Lookup(path); err != nil || f.Path != path {
			t.Errorf("path of %d bytes %.6q: got error %v", len(path), path, err)
		}
	}
}

func TestRestore(t *testing.T) {
	for _, tt := range restored {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			j := open(t)
			enter(t, j, "/m/a", tt.old, tt.made, "a", tt.changes...)
			enter(t, j, "/m/b", "x", "y", "b", change{0, "x", "y"})
			j.Close()
			f, err := open(t).Lookup("/m/a")
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := f.Restore(&got, iotest.OneByteReader(strings.NewReader(tt.made))); err != nil ||
				got.String() != tt.old {
				t.Errorf("Restore: got %.60q (%d bytes) and error %v, want %.60q (%d bytes)",
					got.String(), got.Len(), err, tt.old, len(tt.old))
			}
			for r, want := range map[string]journal.Sum{tt.old: f.Before, tt.made: f.After} {
				if got, err := journal.SumOf(strings.NewReader(r)); got != want || err != nil {
					t.Errorf("SumOf(%.60q): got %x and error %v, want %x", r, got, err, want)
				}
			}
			if err := f.Restore(io.Discard, iotest.ErrReader(fs.ErrInvalid)); len(tt.made) > 0 &&
				!errors.Is(err, fs.ErrInvalid) && err != io.ErrUnexpectedEOF {
				t.Errorf("Restore from a reader that fails: got error %v, want its error", err)
			}
		})
	}
}

// Many files at once keep their edits apart.
func TestInterleaved(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	files := effort.Pick(5, 3)
	edits := effort.Pick(12_000, 1500) // more than are kept in memory
	before := strings.Repeat("a", effort.Pick(1, 200))
	text, made := strings.Repeat(before+"b", edits), strings.Repeat("xyzb", edits)
	done := make(chan error)
	for n := range files {
		info, f := put(t, fmt.Sprint(n), text, made)
		go func() {
			e, _ := j.Begin(fmt.Sprintf("/m/%d", n), false)
			for i := range edits {
				e.Edit(int64(i*len(before+"b")), []byte(before), 3)
			}
			done <- e.Ready(strings.NewReader(text), info, f, fmt.Sprint(n))
		}()
	}
	for range files {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	j.Close()
	j = open(t)
	for n := range files {
		f, err := j.Lookup(fmt.Sprintf("/m/%d", n))
		if err != nil || f == nil {
			t.Fatalf("Lookup of file %d: got %v and error %v", n, f, err)
		}
		var got bytes.Buffer
		if err := f.Restore(&got, strings.NewReader(made)); err != nil || got.String() != text {
			t.Errorf("Restore of file %d: got %d bytes and error %v, want the old ones", n, got.Len(), err)
		}
	}
}

func TestAll(t *testing.T) {
	for _, text := range []string{"", "abc", large, large[:48<<10], large[:96<<10]} {
		t.Chdir(t.TempDir())
		j := open(t)
		info, made := put(t, "a", text, "new")
		e := begin(t, j, "/m/a", false)
		if err := e.All(iotest.OneByteReader(strings.NewReader(text)), 3); err != nil {
			t.Fatal(err)
		}
		if err := e.Ready(strings.NewReader(text), info, made, "a"); err != nil {
			t.Errorf("Ready after All of %d bytes: got error %v, want none", len(text), err)
		}
		if err := begin(t, j, "/m/b", false).All(iotest.ErrReader(fs.ErrInvalid), 3); err != fs.ErrInvalid {
			t.Errorf("All of a reader that fails: got error %v, want its error", err)
		}
		j.Close()
	}
}

// What cannot be had back is not ready.
func TestReadyRefuses(t *testing.T) {
	tests := []struct {
		name       string
		read, made string
		edit       change
		want       error
	}{
		{"changed in front", "Xbc", "ayc", change{1, "b", "y"}, journal.ErrChanged},
		{"changed behind", "abX", "ayc", change{1, "b", "y"}, journal.ErrChanged},
		{"grown", "abcd", "ayc", change{1, "b", "y"}, journal.ErrChanged},
		{"shrunk", "ab", "ayc", change{1, "b", "y"}, journal.ErrChanged},
		{"an edit that is not made", "abc", "abc", change{1, "b", "yy"}, journal.ErrChanged},
		{"an edit too many", "abc", "axyc", change{1, "b", "x"}, journal.ErrChanged},
		{"new bytes that end early", "abc", "a", change{1, "b", "yyy"}, io.ErrUnexpectedEOF},
		{"as it should be", "abc", "ayc", change{1, "b", "y"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			info, made := put(t, "a", tt.read, tt.made)
			e := begin(t, open(t), "/m/a", false)
			e.Edit(int64(tt.edit.offset), []byte(tt.edit.old), int64(len(tt.edit.new)))
			if err := e.Ready(strings.NewReader(tt.read), info, made, "a"); err != tt.want {
				t.Errorf("Ready: got error %v, want %v", err, tt.want)
			}
		})
	}
}

// Ready checks all edits, however many of them are in the journal already.
func TestReadyOfManyEdits(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	counts := []int{1, 100, 5_000, 6_500, 7_000, 20_000}
	before := "a"
	if !effort.Whole() { // long edits, so fewer are more than are kept in memory
		before = strings.Repeat("a", 200)
		counts = []int{1, 100, 1000, 1200, 2500}
	}
	for number, edits := range counts {
		text, made := strings.Repeat(before+"b", edits), strings.Repeat("xyzb", edits)
		info, f := put(t, "a", text, made)
		ready := func(name, text string) error {
			e := begin(t, j, fmt.Sprintf("/m/%s%d", name, number), false)
			for i := range edits {
				e.Edit(int64(i*len(before+"b")), []byte(before), 3)
			}
			return e.Ready(strings.NewReader(text), info, f, name)
		}
		if err := ready("same", text); err != nil {
			t.Errorf("%d edits: got error %v, want none", edits, err)
		}
		for _, at := range []int{0, edits, len(text) - 1} {
			changed := text[:at] + "X" + text[at+1:]
			if err := ready(fmt.Sprint("changed", at), changed); err != journal.ErrChanged {
				t.Errorf("%d edits, with byte %d changed: got error %v, want ErrChanged", edits, at, err)
			}
		}
	}
	j.Close()
	j = open(t)
	for number, edits := range counts {
		f, err := j.Lookup(fmt.Sprintf("/m/same%d", number))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		err = f.Restore(&got, strings.NewReader(strings.Repeat("xyzb", edits)))
		if err != nil || got.String() != strings.Repeat(before+"b", edits) {
			t.Errorf("Restore of %d edits: got %d bytes and error %v", edits, got.Len(), err)
		}
	}
}

func TestOpen(t *testing.T) {
	const first = `{"absolink":"journal","version":2,"roots":[{"path":"/mail"},{"path":"/m"}]}` + "\n"
	const lines = "x\n{}\n{\"file\":0}\n{\"file\":99999999999999999999}\n"
	old := `{"absolink":"journal","version":1}` + "\n"
	tests := []struct{ name, text, want, left string }{
		{"empty", "", "", first},
		{"its first line torn", first[:20], "", first},
		{"its first line torn at the end", first[:len(first)-1], "", first},
		{"a torn line", first + `{"file":1,"pa`, "", first},
		{"zeros at the end", first + "{\"file\":1}\n\x00\x00", "", first + "{\"file\":1}\n"},
		{"damaged lines", first + lines, "", first + lines},
		{"a line that is too long", first + large + "\n", "", first + large + "\n"},
		{"other roots and no file", strings.Replace(first, "mail", "home", 1), "", first},
		{"an earlier version", old, "journal: " + journal.ErrOld.Error(), old},
		{"another version", strings.Replace(first, "2", "3", 1),
			"journal: is not a journal of absolink", strings.Replace(first, "2", "3", 1)},
		{"no roots", `{"absolink":"journal","version":2}` + "\n",
			"journal: is not a journal of absolink", `{"absolink":"journal","version":2}` + "\n"},
		{"a relative root", strings.Replace(first, "/m\"", "m\"", 1),
			"journal: is not a journal of absolink", strings.Replace(first, "/m\"", "m\"", 1)},
		{"a file above a root", first + outside("../x"),
			"journal: the line at offset 76 names a file that lies below none of the roots of the run", first +
				outside("../x")},
		{"an absolute file", first + outside("/x"),
			"journal: the line at offset 76 names a file that lies below none of the roots of the run", first +
				outside("/x")},
		{"another file", "From x\n", "journal: is not a journal of absolink", "From x\n"},
		{"a shorter one", "{", "", first},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			os.WriteFile("journal", []byte(tt.text), 0o600)
			j, err := journal.Create("journal", journal.Run{Roots: journal.Roots{"/mail", "/m"}})
			if err == nil {
				for _, err := range j.Backward() {
					t.Errorf("Backward: got a file and error %v, want none", err)
				}
				j.Close()
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
				t.Errorf("Create: got error %v, want %q", err, tt.want)
			}
			if got, _ := os.ReadFile("journal"); string(got) != tt.left {
				t.Errorf("journal afterwards: got %.80q, want %.80q", got, tt.left)
			}
		})
	}
	if _, err := journal.Create("none/journal", journal.Run{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create in a directory that is none: got error %v, want that it is none", err)
	}
}

func outside(path string) string { return `{"file":1,"root":1,"path":"` + path + `"}` + "\n" }

func TestOpenTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	j := open(t)
	if _, err := journal.Open("journal"); !errors.Is(err, journal.ErrInUse) {
		t.Errorf("Open of a journal in use: got error %v, want %v", err, journal.ErrInUse)
	}
	info, _ := os.Stat("journal")
	if !j.Is(info) || j.Is(nil) {
		t.Errorf("Is: got %v for itself and %v for nil, want true and false", j.Is(info), j.Is(nil))
	}
	if dir, _ := os.Getwd(); j.Path() != filepath.Join(dir, "journal") {
		t.Errorf("Path: got %q, want it in %q", j.Path(), dir)
	}
}

// However a journal is damaged, what it brings back is either right or known
// to be wrong, and reading it never fails otherwise than with an error.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	name := filepath.Join(dir, "journal")
	f.Add([]byte(`{"file":1,"root":1,"path":"a"}
{"file":1,"offset":1,"old":"Yg==","new":1}
{"file":1,"status":"ready","size":3,"mtime":"2001-02-03T04:05:06Z","before":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","after":"36a9e7f1c95b82ffb99743e0c5c4ce95d83c9a430aac59f84ef3cbfab6145068","bytes":3}
{"file":1,"status":"done"}
`))
	for _, line := range []string{`"root":0,"path":"../x"`, `"root":2,"path":"x"`,
		`"root":-1,"path":"x"`, `"root":0,"path":"/x"`, `"root":0,"path":"."`} {
		f.Add([]byte(`{"file":1,` + line + `}
{"file":1,"status":"ready","name":"..","before":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","after":"36a9e7f1c95b82ffb99743e0c5c4ce95d83c9a430aac59f84ef3cbfab6145068","bytes":3}
`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		os.Remove(name) // writing over it would wait for the disk
		os.WriteFile(name,
			append([]byte(`{"absolink":"journal","version":2,"roots":[{"path":"/mail/a"},{"path":"/"}]}`+"\n"),
				text...), 0o600)
		j, err := journal.Open(name)
		if err != nil && strings.Contains(err.Error(), "below none of the roots") {
			return
		}
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		defer j.Close()
		for f, err := range j.Backward() {
			if err != nil {
				continue
			}
			if filepath.Dir(f.NewPath()) != filepath.Dir(f.Path) ||
				!j.Roots().Has(f.Path) || filepath.Clean(f.Path) != f.Path {
				t.Fatalf("paths %q and %q: want them side by side below %q", f.Path, f.NewPath(), j.Roots())
			}
			var old bytes.Buffer
			if err := f.Restore(&old, strings.NewReader("axc")); err != nil {
				continue
			}
			if sum, _ := journal.SumOf(&old); sum == f.Before && old.Len() > 0 {
				t.Fatalf("Restore: %q remains", old.Bytes())
			}
		}
	})
}
