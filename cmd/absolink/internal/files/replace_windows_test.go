package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// windowsDir returns a new directory. Wine 8 cannot remove what testing.T.TempDir makes.
func windowsDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		list, err := os.ReadDir(dir)
		for _, e := range list {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
		if err := errors.Join(err, os.Remove(dir)); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// replaced writes the file a, lets change change it, and replaces it by "new". It returns the error
// of Replace.
func replaced(t *testing.T, dir string, o Options, change func(path string)) error {
	t.Helper()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	change(path)
	d, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	opened, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		t.Fatal(err)
	}
	o.Release = func() { opened.Close() }
	return Replace(d, "a", info, o, func(f *os.File) error {
		_, err := f.WriteString("new")
		return err
	})
}

func setAttributes(t *testing.T, path string, attributes uint32) {
	name, err := windows.UTF16PtrFromString(path)
	if err == nil {
		err = windows.SetFileAttributes(name, attributes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A file that the caller has opened is replaced. It keeps its times and attributes, and nothing
// else is left in the directory.
func TestReplaceOnWindows(t *testing.T) {
	dir := windowsDir(t)
	created := windows.NsecToFiletime(time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC).UnixNano())
	changed := time.Date(2002, 3, 4, 5, 6, 7, 800, time.UTC)
	err := replaced(t, dir, Options{Backup: "~"}, func(path string) {
		setAttributes(t, path, windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_ATTRIBUTE_ARCHIVE)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := windows.SetFileTime(windows.Handle(f.Fd()), &created, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := setTime(f, changed); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "new", "a~": "old"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: got %q and error %v, want %q", name, got, err, want)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("directory: got %v and error %v, want a and a~", list, err)
	}
	f, err := os.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		t.Fatal(err)
	}
	if got := time.Unix(0, info.LastWriteTime.Nanoseconds()); !got.Equal(changed) {
		t.Errorf("modification time: got %v, want %v", got, changed)
	}
	if info.FileAttributes&windows.FILE_ATTRIBUTE_HIDDEN == 0 {
		t.Errorf("attributes: got %#x, want a hidden file", info.FileAttributes)
	}
}

// Nothing is replaced if something would be lost.
func TestRefusedOnWindows(t *testing.T) {
	tests := []struct {
		name, want string
		change     func(path string)
	}{
		{"read-only", "may only be read: attrib -r", func(path string) {
			setAttributes(t, path, windows.FILE_ATTRIBUTE_READONLY)
		}},
		{"two names", "has 2 names (hard links)", func(path string) {
			if err := os.Link(path, path+"2"); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := windowsDir(t)
			err := replaced(t, dir, Options{}, tt.change)
			if refusal := (*Refusal)(nil); !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Replace: got error %v, want a *Refusal %q", err, tt.want)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(got) != "old" {
				t.Errorf("a: got %q and error %v, want the old file", got, err)
			}
		})
	}
}

// While another program has the file open, it stays, and no temporary file is left.
func TestReplaceOpenElsewhere(t *testing.T) {
	dir := windowsDir(t)
	var other *os.File
	err := replaced(t, dir, Options{}, func(path string) {
		var err error
		if other, err = os.Open(path); err != nil {
			t.Fatal(err)
		}
	})
	other.Close()
	if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		t.Errorf("Replace: got error %v, want one of the system", err)
	}
	want := "cannot be replaced; if another program has it open, close it there, and run absolink again (renameat: "
	if !strings.HasPrefix(err.Error(), want) {
		t.Errorf("Replace: got error %v, want %s…", err, want)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("directory: got %v and error %v, want a", list, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(got) != "old" {
		t.Errorf("a: got %q and error %v, want the old file", got, err)
	}
}

// Nothing is made under the name of a device. The system says only that a handle is invalid.
func TestDevicesOnWindows(t *testing.T) {
	want := "con is a device on Windows, not a file"
	err := Create("con", nil, func(*os.File) error { return nil })
	if refusal := (*Refusal)(nil); !errors.As(err, &refusal) || err.Error() != want {
		t.Errorf("Create: got error %v, want a *Refusal %q", err, want)
	}
	want = `-o a\con is a device on Windows: give another directory`
	if _, err := NewTree(`a\con`, nil); err == nil || err.Error() != want {
		t.Errorf("NewTree: got error %v, want %q", err, want)
	}
	for _, name := range []string{".", "..", "a", "console", `con\a`} {
		if err := refuseDevice(name); err != nil {
			t.Errorf("refuseDevice(%q): got error %v", name, err)
		}
	}
}

func TestParseStreams(t *testing.T) {
	entry := func(name string, last bool) []byte {
		text, err := windows.UTF16FromString(name)
		if err != nil {
			t.Fatal(err)
		}
		text = text[:len(text)-1]
		b := make([]byte, (24+2*len(text)+7)&^7)
		if !last {
			b[0] = byte(len(b))
		}
		b[4] = byte(2 * len(text))
		copy(b[24:], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(text))), 2*len(text)))
		return b
	}
	list := slices.Concat(entry("::$DATA", false), entry(":Zone.Identifier:$DATA", false), entry(":é:$DATA", true))
	want := []string{":Zone.Identifier:$DATA", ":é:$DATA"}
	if got := parseStreams(append(list, make([]byte, 100)...)); !slices.Equal(got, want) {
		t.Errorf("parseStreams: got %q, want %q", got, want)
	}
	for n := range list {
		parseStreams(list[:n]) // does not panic
	}
	if got := parseStreams(make([]byte, 4096)); got != nil {
		t.Errorf("parseStreams of nothing: got %q", got)
	}
}

// A private file belongs to the user, and nobody else can write it. A file that everybody may write
// is found out.
func TestRights(t *testing.T) {
	dir := windowsDir(t)
	path := filepath.Join(dir, "a")
	f, err := CreatePrivate(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("text"); err != nil {
		t.Error(err)
	}
	if err := CheckOwner(f); err != nil {
		t.Errorf("CheckOwner: got %v", err)
	}
	if other, err := OtherWriter(f); other != "" || err != nil {
		t.Errorf("OtherWriter of a private file: got %q and error %v", other, err)
	}
	if _, err := CreatePrivate(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("CreatePrivate of a file that exists: got error %v", err)
	}
	sd, err := windows.SecurityDescriptorFromString("D:P(A;;FA;;;WD)")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := sd.DACL()
	if err != nil {
		t.Fatal(err)
	}
	const parts = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	if err := windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, parts, nil, nil, list, nil); err != nil {
		t.Fatal(err)
	}
	if other, err := OtherWriter(f); other == "" || err != nil {
		t.Errorf("OtherWriter of a file for everybody: got %q and error %v", other, err)
	}
}

// The locks of two open files of the same path exclude each other, and do not keep the other file
// from being read and written. The lock ends when the file is closed.
func TestFlockOnWindows(t *testing.T) {
	path := filepath.Join(windowsDir(t), "a")
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	var opened [2]*os.File
	for i := range opened {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		opened[i] = f
	}
	if free, err := Hold(opened[0]); !free || err != nil {
		t.Fatalf("Hold: got %v and error %v", free, err)
	}
	if free, err := Hold(opened[1]); free || err != nil {
		t.Errorf("Hold of a locked file: got %v and error %v", free, err)
	}
	if _, err := opened[1].WriteString("TEXT"); err != nil {
		t.Errorf("a write to a locked file: got error %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "TEXT" {
		t.Errorf("a locked file: got %q and error %v", got, err)
	}
	opened[0].Close()
	if free, err := Hold(opened[1]); !free || err != nil {
		t.Errorf("Hold after the release: got %v and error %v", free, err)
	}
}

// A temporary file of a dead process is removed. One in use stays.
func TestSweepOnWindows(t *testing.T) {
	dir := windowsDir(t)
	d, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	used, err := CreateTemporary(d, "a", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	left, err := CreateTemporary(d, "a", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	left.File.Close() // as the end of a process does
	sweep(dir, OpenDir)
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != used.Base() {
		t.Errorf("directory: got %v and error %v, want %s", list, err, used.Base())
	}
	if err := used.Cleanup(); err != nil {
		t.Error(err)
	}
}

func TestNamelessOnWindows(t *testing.T) {
	f, err := Nameless()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Error(err)
	}
	got := make([]byte, 4)
	if _, err := f.ReadAt(got, 0); err != nil || string(got) != "text" {
		t.Errorf("ReadAt: got %q and error %v", got, err)
	}
	f.Close()
	if _, err := os.Lstat(f.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close: got error %v, want none of the file left", err)
	}
}
