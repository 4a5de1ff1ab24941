// Arrows counts how often a file of a package uses a file that comes later in reading order. It
// counts in the packages of covered. Run it in the root of the module: go run .ci/arrows/main.go
// [-v].
//
// There is an arrow from one file of a package to another file if the first uses a name, method or
// field that the second declares. Each pair of files counts as one arrow. An arrow points up if the
// package comment lists the other file later ("Files in reading order: a.go, b.go (its content)
// …"). In each package at most one arrow in ten may point up. A file that the comment does not list
// is an error, unless it declares nothing or is the only file. -v prints the upward arrows with the
// names that they use.
package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// covered lists patterns of the packages whose arrows are counted.
var covered = []string{"./extract/...", "./resolve", command + "account", command + "batch", command + "container",
	command + "report", command + "run", command + "serve", command + "write"}

const command = "./cmd/absolink/internal/"

func main() {
	verbose := len(os.Args) > 1 && os.Args[1] == "-v"
	exports, packages := list()
	sum, upwards, bad := 0, 0, false
	for _, p := range packages {
		c, err := count(p, exports)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			bad = true
			continue
		}
		sum += c.all
		upwards += len(c.upward)
		if n := len(c.upward); n > c.all/10 {
			fmt.Fprintf(os.Stderr, "%s: %d arrows lead upwards, and at most %d may\n", p.path, n, c.all/10)
			bad = true
		}
		if c.all > 0 {
			fmt.Printf("%-40s %4d arrows between %2d files, %3d upwards\n", p.path, c.all, len(p.files), len(c.upward))
		}
		for _, a := range slices.Sorted(maps.Keys(c.upward)) {
			if verbose {
				names := slices.Sorted(maps.Keys(c.upward[a]))
				fmt.Printf("  %s: %s\n", a, strings.Join(names, " "))
			}
		}
	}
	fmt.Printf("%-40s %4d arrows, %d upwards\n", "all", sum, upwards)
	if bad {
		os.Exit(1)
	}
}

// pkg is one package.
type pkg struct {
	path, dir string
	files     []string
}

// list asks the go command for the covered packages, and for the export files of the packages that
// they import.
func list() (exports map[string]string, packages []pkg) {
	args := []string{"list", "-export", "-deps", "-f",
		"{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}\t{{.DepOnly}}"}
	cmd := exec.Command("go", append(args, covered...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "go list:", err)
		os.Exit(1)
	}
	exports = make(map[string]string)
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[0]] = f[1]
		if f[4] == "false" {
			packages = append(packages, pkg{f[0], f[2], strings.Fields(f[3])})
		}
	}
	return exports, packages
}

// counted holds the number of arrows of a package, and the names that upward arrows use.
type counted struct {
	all    int
	upward map[string]map[string]bool
}

// count counts the arrows of a package.
func count(p pkg, exports map[string]string) (c counted, err error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.files {
		f, err := parser.ParseFile(fset, filepath.Join(p.dir, name), nil, parser.ParseComments)
		if err != nil {
			return c, err
		}
		files = append(files, f)
	}
	place, err := order(p, files)
	if err != nil {
		return c, err
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	checked, err := conf.Check(p.path, fset, files, info)
	if err != nil {
		return c, err
	}
	file := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	seen := make(map[[2]string]bool)
	c.upward = make(map[string]map[string]bool)
	for id, o := range info.Uses {
		from, to := file(id.Pos()), ""
		if o.Pkg() != checked || from == file(o.Pos()) {
			continue
		}
		to = file(o.Pos())
		if !seen[[2]string{from, to}] {
			seen[[2]string{from, to}] = true
			c.all++
		}
		if place[to] > place[from] {
			a := from + " → " + to
			if c.upward[a] == nil {
				c.upward[a] = make(map[string]bool)
			}
			c.upward[a][o.Name()] = true
		}
	}
	return c, nil
}

var fileName = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)

// order returns the place of each file in the list of the package comment.
func order(p pkg, files []*ast.File) (map[string]int, error) {
	place := make(map[string]int)
	for _, f := range files {
		_, list, _ := strings.Cut(f.Doc.Text(), "Files in reading order:")
		for _, name := range fileName.FindAllString(list, -1) {
			if place[name] > 0 || !exists(p.dir, name) {
				return nil, fmt.Errorf("%s: the package comment lists %s twice, or there is no such file", p.path, name)
			}
			place[name] = len(place) + 1
		}
	}
	for i, f := range files {
		if place[p.files[i]] == 0 && len(files) > 1 && len(f.Decls) > 0 {
			return nil, fmt.Errorf("%s: the package comment does not list %s", p.path, p.files[i])
		}
	}
	return place, nil
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
