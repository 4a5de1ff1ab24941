package e2e

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestExports limits the number of exports of the library: types and functions, including functions
// that make a type. It counts each package and all packages together. Methods, variables, constants
// and internal packages do not count.
func TestExports(t *testing.T) {
	const ofPackage, ofAll = 20, 90
	all := 0
	for _, p := range library(t) {
		var names []string
		for _, e := range exports(p) {
			if !e.method {
				names = append(names, e.name)
			}
		}
		if len(names) > ofPackage {
			t.Errorf("%s exports %d types and functions, want at most %d: %s",
				p.ImportPath, len(names), ofPackage, strings.Join(names, " "))
		}
		t.Logf("%3d %s: %s", len(names), p.Name, strings.Join(names, " "))
		all += len(names)
	}
	t.Logf("%3d in all", all)
	if all > ofAll {
		t.Errorf("the library exports %d types and functions, want at most %d", all, ofAll)
	}
}

// contract matches the words that state what a caller must do and may expect: who owns memory,
// until when it is valid, the meaning of nil and other zero values, the possible errors, and
// concurrent use.
var contract = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(caller|owns?|modif(y|ied)|shared?|must|until|valid|nil|zero|errors?|panics?|fails?|never|if there is none|allocates?|concurrent|goroutines?|io\.EOF)\b|""|\bErr[A-Z]`)
})

// TestContracts measures how many comments on exports of the library, including methods, contain a
// word of a contract.
func TestContracts(t *testing.T) {
	const least = 60 // percent
	stated, all := 0, 0
	for _, p := range library(t) {
		for _, e := range exports(p) {
			all++
			if contract().MatchString(e.comment) {
				stated++
			} else {
				t.Logf("%s.%s: %s", p.Name, e.name, strings.Join(strings.Fields(e.comment), " "))
			}
		}
	}
	t.Logf("%d of %d comments", stated, all)
	if stated*100 < all*least {
		t.Errorf("%d of %d comments of what the library exports have a word of a contract, want at least %d %%",
			stated, all, least)
	}
}

// library returns the documentation of the public packages of the library.
func library(t *testing.T) (packages []*doc.Package) {
	t.Helper()
	for _, pkg := range publicPackages(t) {
		p, err := doc.NewFromFiles(pkg.set, pkg.files, pkg.path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// syntax holds the syntax trees of a package.
type syntax struct {
	path  string // import path
	set   *token.FileSet
	files []*ast.File // files that go build reads on this system
}

// publicPackages returns the packages of the library that programs outside it can import.
func publicPackages(t *testing.T) (list []syntax) {
	t.Helper()
	for _, p := range packagesOf(t) {
		if !inLibrary(p) || strings.Contains(p.ImportPath, "/internal/") {
			continue
		}
		pkg := syntax{path: p.ImportPath, set: token.NewFileSet()}
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			f, err := parser.ParseFile(pkg.set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			pkg.files = append(pkg.files, f)
		}
		list = append(list, pkg)
	}
	return list
}

// export is a type, function or method that a package exports.
type export struct {
	name, comment string
	method        bool
}

// exports returns the exports of a package, except for variables and constants.
func exports(p *doc.Package) (list []export) {
	add := func(prefix string, method bool, funcs []*doc.Func) {
		for _, f := range funcs {
			list = append(list, export{prefix + f.Name, f.Doc, method})
		}
	}
	add("", false, p.Funcs)
	for _, typ := range p.Types {
		list = append(list, export{typ.Name, typ.Doc, false})
		add("", false, typ.Funcs)
		add(typ.Name+".", true, typ.Methods)
	}
	return list
}
