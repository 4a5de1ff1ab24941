package copies_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// Test trees are lists of names. A name that ends with / is a directory, and "name -> target" is a
// symbolic link. The content of a file is its base name, unless "name: content" gives another.

// clock is the time of all files of a test tree.
var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// lay makes a tree in the current directory.
func lay(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		name, content, given := strings.Cut(name, ": ")
		if !given {
			content = filepath.Base(name)
		}
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		switch {
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(name, 0o777))
		case isLink:
			err = errors.Join(err, os.Symlink(target, name))
		default:
			err = errors.Join(err, os.WriteFile(name, []byte(content), 0o666), os.Chtimes(name, clock, clock))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns the tree dir in the form of lay, without the directories that have entries.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		switch {
		case d.IsDir():
			if entries, _ := os.ReadDir(path); len(entries) == 0 {
				list = append(list, name+"/")
			}
		case d.Type() != 0:
			target, err := os.Readlink(path)
			list = append(list, name+" -> "+target)
			return err
		default:
			content, err := os.ReadFile(path)
			list = append(list, name+": "+string(content))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// copied holds the outcome and the reason of each input, and the links that were left out.
type copied struct {
	outcomes, dangling []string
}

// copyAll copies args below the directory of o. A message becomes absolute, with another size.
func copyAll(t *testing.T, o copies.Options, args ...string) (*copied, error) {
	t.Helper()
	inputs := new(source.Set)
	if err := inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	out, err := copies.New(inputs, o)
	if err != nil {
		return nil, err
	}
	c := new(copied)
	for f, err := range inputs.All(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		var e report.Entry
		switch {
		case f.Skip.Target != "":
			out.AddLink(f, &e)
		case !f.IsInput(), o.Resume && out.SkipExisting(&f, &e):
		default:
			if err := copyOne(t.Context(), out, f, &e); err != nil {
				e.FailWrite(err)
			}
		}
		if e.Result.Outcome() != "" {
			c.outcomes = append(c.outcomes, strings.TrimSpace(
				fmt.Sprintf("%s %s %s", f.Rel, e.Result.Outcome(), e.Result.Reason())))
		}
	}
	return c, out.Finish(func(path, target string) { c.dangling = append(c.dangling, path+" "+target) })
}

func copyOne(ctx context.Context, out *copies.Tree, f input.File, e *report.Entry) error {
	in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20}}).Open(ctx, f)
	if err != nil {
		return err
	}
	defer in.Close()
	plan := new(rewrite.Plan)
	if in.Kind.Mail() {
		var r rewrite.Rewriter
		plan, err = r.Plan(&document.Source{Message: true, At: in.Stored, Size: in.StoredSize},
			&base.Layer{Source: base.Option, Value: "http://a.test/"})
		if err != nil {
			return err
		}
	}
	rel, err := out.RelPathEdited(in, plan, e)
	if err != nil {
		return err
	}
	path, err := out.Reserve(rel, in, e)
	if err != nil {
		return err
	}
	e.Result.SetOutcome(report.Copied)
	return out.Create(path, in, func(w *os.File) error {
		if plan.Edited() {
			return plan.Write(w)
		}
		_, err := io.Copy(w, io.NewSectionReader(in.Stored, 0, in.StoredSize))
		return err
	})
}

func TestCopies(t *testing.T) {
	tests := []struct {
		name     string
		inputs   []string // the trees a and b
		there    []string // below the directory of the outputs
		o        copies.Options
		args     []string // a alone if there are none
		outcomes []string
		want     []string
	}{
		{"a new directory", []string{"a/x", "a/sub/y"}, nil, copies.Options{}, nil,
			[]string{"sub/y copied", "x copied"}, []string{"sub/y: y", "x: x"}},
		{"two trees", []string{"a/x", "b/sub/y"}, nil, copies.Options{}, []string{"a", "b"},
			[]string{"x copied", "sub/y copied"}, []string{"sub/y: y", "x: x"}},
		{"other files are there", []string{"a/sub/x"}, []string{"sub/z", "w"}, copies.Options{}, nil,
			[]string{"sub/x copied"}, []string{"sub/x: x", "sub/z: z", "w: w"}},
		{"a link within the tree", []string{"a/x", "a/sub/l -> ../x"}, nil, copies.Options{}, nil,
			[]string{"sub/l copied", "x copied"}, []string{"sub/l -> ../x", "x: x"}},
		{"replaced", []string{"a/x"}, []string{"x: old", "z"}, copies.Options{Overwrite: true}, nil,
			[]string{"x copied"}, []string{"x: x", "z: z"}},
		{"replaced links", []string{"a/x"}, []string{"x -> z", "z"}, copies.Options{Overwrite: true}, nil,
			[]string{"x copied"}, []string{"x: x", "z: z"}},
		{"finished by an earlier run", []string{"a/x", "a/y"}, []string{"x: done"}, copies.Options{Resume: true}, nil,
			[]string{"x skipped finished by an earlier run", "y copied"}, []string{"x: done", "y: y"}},
		{"a link of an earlier run", []string{"a/x", "a/l -> x"}, []string{"l -> x"}, copies.Options{Resume: true},
			nil, []string{"l copied", "x copied"}, []string{"l -> x", "x: x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			lay(t, tt.inputs...)
			for _, name := range tt.there {
				lay(t, "out/"+name)
			}
			if tt.args == nil {
				tt.args = []string{"a"}
			}
			tt.o.Dir = "out"
			got, err := copyAll(t, tt.o, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.outcomes, tt.outcomes) {
				t.Errorf("the outcomes are %q, want %q", got.outcomes, tt.outcomes)
			}
			if files := tree(t, "out"); !slices.Equal(files, tt.want) {
				t.Errorf("the outputs are %q, want %q", files, tt.want)
			}
		})
	}
}

// If New refuses the directory, it has changed nothing there.
func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		inputs []string
		there  []string
		o      copies.Options
		args   []string
		want   string
	}{
		{"a file in its place", []string{"a/x"}, []string{"x: old"}, copies.Options{}, nil,
			"-o out: out/x is there already: --overwrite replaces"},
		{"a directory in its place", []string{"a/x"}, []string{"x/y"}, copies.Options{Overwrite: true}, nil,
			"out/x is a directory, and the output of a/x is a file"},
		{"a file in the place of a directory", []string{"a/s/x"}, []string{"s"},
			copies.Options{Overwrite: true}, nil,
			"out/s is a file, and a directory is needed there"},
		{"a link in the place of a directory", []string{"a/s/d/x", "e/"}, []string{"s -> ../e"},
			copies.Options{Overwrite: true}, nil, "out/s is a symbolic link"},
		{"a link in the place of a file", []string{"a/x"}, []string{"x -> y"},
			copies.Options{Resume: true}, nil, "out/x was not left by an interrupted run"},
		{"a file in the place of a link", []string{"a/x", "a/l -> x"}, []string{"l"},
			copies.Options{Resume: true}, nil, "out/l was not left by an interrupted run"},
		{"a link that leads out", []string{"a/x", "a/l -> x"}, []string{"l -> ../a/x"},
			copies.Options{Resume: true}, nil, "out/l was not left by an interrupted run"},
		{"two inputs for one output", []string{"a/x", "b/x"}, nil, copies.Options{}, []string{"a", "b"},
			"a/x and b/x have the same output out/x"},
		{"within the input", []string{"a/x"}, nil, copies.Options{Dir: "a/out"}, nil, "lies in the input a"},
		{"the input by another name", []string{"a/x"}, []string{"y -> ../a/x"}, copies.Options{Name: "y"},
			[]string{"a/x"}, "the output out/y is the input: --in-place replaces it"},
		{"a file by its name", []string{"a/x"}, []string{"y"}, copies.Options{Name: "y"}, []string{"a/x"},
			"-o out/y: it is there already: --overwrite replaces it, or give another name"},
		{"a link by its name", []string{"a/x"}, []string{"y -> nowhere"}, copies.Options{Name: "y"}, []string{"a/x"},
			"-o out/y: it is there already"},
		{"a file", []string{"a/x", "out"}, nil, copies.Options{}, nil, "out is a file: -o takes a directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			lay(t, tt.inputs...)
			for _, name := range tt.there {
				lay(t, "out/"+name)
			}
			before := tree(t, ".")
			if tt.args == nil {
				tt.args = []string{"a"}
			}
			if tt.o.Dir == "" {
				tt.o.Dir = "out"
			}
			_, err := copyAll(t, tt.o, tt.args...)
			var usage *flag.Error
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New: got error %v, want a *flag.Error with %q", err, tt.want)
			}
			if after := tree(t, "."); !slices.Equal(after, before) {
				t.Errorf("New changed %q to %q", before, after)
			}
		})
	}
}

// An output is finished if it has the time of its input, in the precision of some file system.
// Otherwise it is refused, and stays.
func TestSkipExisting(t *testing.T) {
	for _, tt := range []struct {
		name     string
		input    time.Duration // behind clock
		output   time.Duration
		finished bool
	}{
		{"the same time", 123456789, 123456789, true},
		{"to 100 ns", 123456789, 123456700, true},
		{"to 1 µs", 123456789, 123456000, true},
		{"to 1 ms", 123456789, 123000000, true},
		{"to 1 s", 123456789, 0, true},
		{"to 2 s", 2*time.Second + 5, time.Second, true}, // clock has an odd second
		{"to 4 s", time.Second + 5, -time.Second, false},
		{"later", 0, time.Hour, false},
		{"earlier", 0, -time.Second - 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			lay(t, "a/x", "out/x: old")
			err := errors.Join(os.Chtimes("a/x", clock, clock.Add(tt.input)),
				os.Chtimes("out/x", clock, clock.Add(tt.output)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := copyAll(t, copies.Options{Dir: "out", Resume: true}, "a")
			if err != nil {
				t.Fatal(err)
			}
			want := "x skipped finished by an earlier run"
			if !tt.finished {
				want = "x refused out/x is there with another time than the input: it is not an output of an " +
					"earlier run, or the input has changed since; remove it to have it written"
			}
			if len(got.outcomes) != 1 || got.outcomes[0] != want {
				t.Errorf("got %q, want %q", got.outcomes, want)
			}
			if files := tree(t, "out"); !slices.Equal(files, []string{"x: old"}) {
				t.Errorf("the outputs are %q, want the old file", files)
			}
		})
	}
}

// Files that appear below the directory during a run stay as they are.
func TestReserveRefuses(t *testing.T) {
	for _, overwrite := range []bool{false, true} {
		t.Chdir(t.TempDir())
		lay(t, "a/x", "a/y")
		inputs := new(source.Set)
		if err := inputs.SetArgs([]string{"a"}); err != nil {
			t.Fatal(err)
		}
		out, err := copies.New(inputs, copies.Options{Dir: "out", Overwrite: overwrite, Report: "out/r"})
		if err != nil {
			t.Fatal(err)
		}
		lay(t, "out/x: new")
		in := new(input.Document)
		in.Rel, in.Path = "x", "a/x"
		var e report.Entry
		if _, err := out.Reserve("x", in, &e); (err == nil) != overwrite {
			t.Errorf("Reserve with Overwrite %v: got error %v", overwrite, err)
		}
		in.Rel, in.Path = "y", "a/y"
		path, err := out.Reserve("y", in, &e)
		if err != nil || filepath.Base(path) != "y" || e.Result.HasClass(report.Usage) {
			t.Errorf("Reserve of another file: got %q and error %v", path, err)
		}
		if _, err := out.Reserve("y", in, &e); err == nil || !e.Result.HasClass(report.Usage) {
			t.Errorf("Reserve of the same file again: got error %v, want one for a mistake of the command line", err)
		}
		e = report.Entry{}
		if _, err := out.Reserve("r", in, &e); err == nil || !e.Result.HasClass(report.Usage) {
			t.Errorf("Reserve of the report: got error %v, want one for a mistake of the command line", err)
		}
		if err := out.Finish(nil); err != nil {
			t.Error(err)
		}
	}
}

// Finish makes no link to a file without an output, and names the link.
func TestDangling(t *testing.T) {
	t.Chdir(t.TempDir())
	lay(t, "a/x", "a/l -> x")
	inputs := new(source.Set)
	if err := inputs.SetArgs([]string{"a"}); err != nil {
		t.Fatal(err)
	}
	out, err := copies.New(inputs, copies.Options{Dir: "out"})
	if err != nil {
		t.Fatal(err)
	}
	var e report.Entry
	for f := range inputs.All(t.Context(), nil) {
		if f.Skip.Target != "" {
			out.AddLink(f, &e)
		}
	}
	var left []string
	err = out.Finish(func(path, target string) { left = append(left, filepath.Base(path)+" "+target) })
	if err != nil || !slices.Equal(left, []string{"l x"}) {
		t.Errorf("Finish named %q with error %v, want the link", left, err)
	}
	if files := tree(t, "out"); !slices.Equal(files, []string{"./"}) {
		t.Errorf("the outputs are %q, want none", files)
	}
}

// One input is written to a file with a name of its own.
func TestName(t *testing.T) {
	const there = "y: old"
	for _, tt := range []struct {
		name  string
		there []string
		in    string
		o     copies.Options
		want  []string
	}{
		{"a new directory", nil, "a/x", copies.Options{}, []string{"y: x"}},
		{"replaced", []string{there, "z"}, "a/x", copies.Options{Overwrite: true}, []string{"y: x", "z: z"}},
		{"a link is replaced", []string{"y -> z", "z"}, "a/x", copies.Options{Overwrite: true},
			[]string{"y: x", "z: z"}},
		{"finished by an earlier run", []string{there}, "a/x", copies.Options{Resume: true}, []string{there}},
		{"a message of a Maildir", nil, "m/cur/1:2,S", copies.Options{}, []string{"y: 1:2,S"}},
		{"the output stands beside the input", []string{"x"}, "out/x", copies.Options{}, []string{"x: x", "y: x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			lay(t, "a/x", "m/cur/1:2,S", "m/new/", "m/tmp/")
			for _, name := range tt.there {
				lay(t, "out/"+name)
			}
			tt.o.Dir = "out"
			tt.o.Name = "y"
			if _, err := copyAll(t, tt.o, tt.in); err != nil {
				t.Fatal(err)
			}
			if files := tree(t, "out"); !slices.Equal(files, tt.want) {
				t.Errorf("the outputs are %q, want %q", files, tt.want)
			}
		})
	}
}

// layout moves the files of a directory NAME to x/NAME, and d/moved to x/NAME/e/f/g/moved.
func layout(path, rel string) (out, top string) {
	dir, below, _ := strings.Cut(filepath.ToSlash(path), "/")
	if below == "d/moved" {
		return "x/" + dir + "/e/f/g/moved", "x/" + dir
	}
	return "x/" + dir + "/" + below, "x/" + dir
}

// With a layout each file and each link has the path that the layout returns.
func TestLayout(t *testing.T) {
	t.Chdir(t.TempDir())
	lay(t, "a/p", "a/d/moved", "a/d/l -> ../p", "a/k -> d/moved", "b/p")
	if err := os.Chmod("a/d", 0o700); err != nil {
		t.Fatal(err)
	}
	want := []string{"x/a/d/l -> ../p", "x/a/e/f/g/moved: moved", "x/a/k -> e/f/g/moved", "x/a/p: p", "x/b/p: p"}
	for _, resume := range []bool{false, true} {
		got, err := copyAll(t, copies.Options{Dir: "out", Layout: layout, Resume: resume}, "a", "b")
		if err != nil || got.dangling != nil {
			t.Fatalf("resumed %v: error %v, left out %q", resume, err, got.dangling)
		}
		if files := tree(t, "out"); !slices.Equal(files, want) {
			t.Errorf("resumed %v: the outputs are %q, want %q", resume, files, want)
		}
	}
	for dir, perm := range map[string]os.FileMode{"out/x/a/d": 0o700, "out/x/a/e/f/g": 0o700, "out/x/a/e/f": 0o755,
		"out/x": 0o755} {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&^0o022 != perm {
			t.Errorf("%s has the mode %v and error %v, want %v", dir, info.Mode(), err, perm)
		}
	}
}

// Two files with the same path in the layout are refused, even if they lie in one tree.
func TestLayoutRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	lay(t, "a/p", "a/q")
	one := func(string, string) (out, top string) { return "o", "." }
	_, err := copyAll(t, copies.Options{Dir: "out", Layout: one}, "a")
	if want := "a/p and a/q have the same output out/o"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %q", err, want)
	}
	if _, err := os.Lstat("out"); err == nil {
		t.Error("the directory of the outputs was made")
	}
}
