//go:build unix

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/journal"
)

// stranger is a user that is not the one who runs, nor root.
const stranger = 12345

// trustCases are what somebody may have made of a journal.
var trustCases = []struct {
	name  string
	setup func(t *testing.T) // of d/journal; d and the journal are 0700 and 0600
	want  string             // pattern of the error, "" for none
}{
	{"one's own", func(*testing.T) {}, ""},
	{"that others read", modes(0o755, 0o644), ""},
	{"that the group can write", modes(0o755, 0o664),
		`^d/journal: others can write it \(mode 0664\): if you trust its content, chmod g-w d/journal$`},
	{"that others can write", modes(0o755, 0o602), `others can write it \(mode 0602\).* chmod o-w d/journal$`},
	{"a directory of the group", modes(0o770, 0o600),
		`^d/journal: others can write the directory /.*/d \(mode 0770\), and so replace the journal: chmod g-w /.*/d, or keep the journal elsewhere$`},
	{"a directory of all", modes(0o777, 0o600),
		`others can write the directory /.*/d \(mode 0777\), .* chmod go-w /.*/d, or`},
	{"a sticky directory", modes(0o777|os.ModeSticky, 0o600), ""},
	{"somebody else's", chown("d/journal", stranger),
		`^d/journal: belongs to user 12345, not to you: a journal is as dangerous as a script; .*\(cp d/journal DIR\)`},
	{"somebody else's directory", chown("d", stranger),
		`^d/journal: /.*/d, a part of its path, belongs to user 12345, who can replace the journal: keep`},
	{"a link from a directory of all", func(t *testing.T) {
		os.Rename("d", "own")
		os.Mkdir("d", 0o700)
		os.Chmod("d", 0o777)
		os.Symlink("../own/journal", "d/journal")
	}, `others can write the directory .*chmod go-w /.*/d,`},
	{"a link", func(t *testing.T) {
		os.Rename("d/journal", "d/j")
		os.Symlink("j", "d/journal")
	}, `^d/journal: is a symbolic link, which somebody else may have made: give the name of the journal itself$`},
	{"a link in a sticky directory", func(t *testing.T) {
		modes(0o777|os.ModeSticky, 0o600)(t)
		os.Rename("d/journal", "d/j")
		os.Symlink("j", "d/journal")
	}, `^d/journal: is a symbolic link`},
	{"a link that dangles", func(t *testing.T) {
		os.Remove("d/journal")
		os.Symlink("../made", "d/journal")
	}, `^d/journal: is a symbolic link`},
	{"a second name", func(t *testing.T) { os.Link("d/journal", "d/j") }, ""},
	{"a second name in a sticky directory", func(t *testing.T) {
		modes(0o777|os.ModeSticky, 0o600)(t)
		os.Link("d/journal", "j")
	}, `^d/journal: has 2 names \(hard links\), and others can make such names in its directory: take a copy of it .*\(cp d/journal DIR\)`},
	{"a directory above that all can write", func(t *testing.T) { above(t, 0o777) },
		`^d/journal: others can write the directory /.*/open \(mode 0777\), .*: chmod go-w /.*/open, or`},
	{"a sticky directory above", func(t *testing.T) { above(t, 0o777|os.ModeSticky) }, ""},
	{"somebody else's directory above", func(t *testing.T) {
		above(t, 0o755)
		chown("open", stranger)(t)
	}, `^d/journal: /.*/open, a part of its path, belongs to user 12345`},
	{"somebody else's link above", func(t *testing.T) {
		above(t, 0o755)
		if os.Geteuid() != 0 {
			t.Skip("only root can give a link to another user")
		}
		os.Lchown("d", stranger, -1)
	}, `^d/journal: /.*/d, a part of its path, belongs to user 12345`},
	{"links in a circle", func(t *testing.T) {
		os.RemoveAll("d")
		os.Symlink("d", "d")
	}, `too many levels`},
}

// A journal is accepted only if it belongs to the user, and no other user can write or replace it.
// A new journal is not made in a directory in which others could replace it.
func TestTrust(t *testing.T) {
	for _, tt := range trustCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(realDir(t))
			os.Mkdir("d", 0o700)
			j, err := journal.Create("d/journal", journal.Run{Roots: journal.Roots{"/m"}})
			if err != nil {
				t.Fatal(err)
			}
			j.Close()
			tt.setup(t)
			for name, open := range map[string]func() (*journal.Journal, error){
				"Create": func() (*journal.Journal, error) {
					return journal.Create("d/journal", journal.Run{Roots: journal.Roots{"/m"}})
				},
				"Open": func() (*journal.Journal, error) { return journal.Open("d/journal") },
			} {
				j, err := open()
				switch {
				case err == nil && tt.want == "":
					j.Close()
				case err == nil || tt.want == "" || !regexp.MustCompile(tt.want).MatchString(err.Error()):
					t.Errorf("%s: got error %v, want %q", name, err, tt.want)
				}
			}
			if _, err := os.Lstat("made"); err == nil {
				t.Error("Create made a file where the link leads to; want none")
			}
			if !strings.Contains(tt.want, "the directory") {
				return
			}
			if _, err := journal.Create("d/another", journal.Run{Roots: journal.Roots{"/m"}}); err == nil {
				t.Error("Create of a new one: got no error, want the same")
			}
			if _, err := os.Lstat("d/another"); err == nil {
				t.Error("Create made a journal there; want none")
			}
		})
	}
}

// above moves d into a directory of that mode and lays a link to it.
func above(t *testing.T, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.Mkdir("open", 0o700), os.Rename("d", "open/d"),
		os.Symlink("open/d", "d"), os.Chmod("open", mode)); err != nil {
		t.Fatal(err)
	}
}

func modes(dir, file os.FileMode) func(*testing.T) {
	return func(*testing.T) {
		os.Chmod("d", dir)
		os.Chmod("d/journal", file)
	}
}

func chown(name string, uid int) func(*testing.T) {
	return func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a file to another user")
		}
		if err := os.Chown(name, uid, -1); err != nil {
			t.Fatal(err)
		}
	}
}

// realDir makes a directory and returns its name without symbolic links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// What lies below no root is not begun, and no link on the way is followed.
func TestDirectory(t *testing.T) {
	t.Chdir(realDir(t))
	dir, _ := os.Getwd()
	os.MkdirAll("root/in/deep", 0o700)
	os.Mkdir("out", 0o700)
	os.WriteFile("root/file", nil, 0o600)
	os.Symlink("in", "root/within")
	os.Symlink("../out", "root/away")
	os.Symlink("root", "link")
	j, err := journal.Create("journal", journal.Run{Roots: journal.Roots{dir + "/root", dir + "/link"}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, tt := range []struct {
		dir   string
		begun bool   // a file in it
		want  string // of the error of opening it, "" for none
	}{
		{"root", true, ""},
		{"root/in", true, ""},
		{"root/in/deep", true, ""},
		{"root/none", true, "open " + dir + "/root/none: no such file or directory"},
		{"root/file", true, "open " + dir + "/root/file: not a directory"},
		{"root/within", true, dir + "/root/within is a symbolic link by now"},
		{"root/within/deep", true, dir + "/root/within is a symbolic link by now"},
		{"root/away", true, dir + "/root/away is a symbolic link by now"},
		{"link", true, dir + "/link is a symbolic link by now"},
		{"link/in", true, dir + "/link is a symbolic link by now"},
		{"rootless", false, "lies below none of the roots of the run"},
		{"out", false, "lies below none of the roots of the run"},
		{".", false, "lies below none of the roots of the run"},
	} {
		path := filepath.Join(dir, tt.dir)
		if _, err := j.Begin(path+"/a", false); (err == nil) != tt.begun {
			t.Errorf("Begin(%s/a): got error %v, want one: %v", tt.dir, err, !tt.begun)
		}
		d, err := j.Roots().Directory(path)
		switch {
		case err == nil && tt.want == "":
			d.Close()
		case err == nil || err.Error() != tt.want:
			t.Errorf("Directory(%s): got error %v, want %q", tt.dir, err, tt.want)
		}
	}
	for _, path := range []string{dir + "/root", dir + "/root/../out/a"} {
		if _, err := j.Begin(path, false); err == nil {
			t.Errorf("Begin(%s): got no error", path)
		}
	}
}

// The line that begins a file is enough to know where something may be left.
func TestLeft(t *testing.T) {
	t.Chdir(realDir(t))
	dir, _ := os.Getwd()
	roots := []string{dir + "/m"}
	j, err := journal.Create("journal", journal.Run{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	begin(t, j, dir+"/m/sub/box", true)
	begin(t, j, dir+"/m/a", false)
	j.Close()
	if j, err = journal.Open("journal"); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	dirs, mailboxes := j.Leftovers()
	slices.Sort(dirs)
	if want := []string{dir + "/m", dir + "/m/sub"}; !slices.Equal(dirs, want) {
		t.Errorf("directories: got %q, want %q", dirs, want)
	}
	if want := []string{dir + "/m/sub/box"}; !slices.Equal(mailboxes, want) {
		t.Errorf("mailboxes: got %q, want %q", mailboxes, want)
	}
}
