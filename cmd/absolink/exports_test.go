package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestExports holds the number of what the library exports: the types and functions, also those
// that make a type, of a package and of all together. Methods, variables and constants do not
// count, nor does what is internal.
func TestExports(t *testing.T) {
	const ofPackage, ofAll = 20, 100
	all := 0
	for _, dir := range goList(t, "-f", "{{.Dir}}", "./resolve/...", "./base/...", "./extract/...", "./mime/...") {
		if strings.Contains(filepath.ToSlash(dir), "/internal/") {
			continue
		}
		names := exports(t, dir)
		if len(names) > ofPackage {
			t.Errorf("%s exports %d types and functions, want at most %d: %s", dir, len(names), ofPackage, strings.Join(names, " "))
		}
		t.Logf("%3d %s: %s", len(names), filepath.Base(dir), strings.Join(names, " "))
		all += len(names)
	}
	t.Logf("%3d in all", all)
	if all > ofAll {
		t.Errorf("the library exports %d types and functions, want at most %d", all, ofAll)
	}
}

// exports returns the names of the exported types and functions of the package in dir.
func exports(t *testing.T, dir string) (names []string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	set := token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name.Name != "main" {
			files = append(files, f)
		}
	}
	p, err := doc.NewFromFiles(set, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Funcs {
		names = append(names, f.Name)
	}
	for _, typ := range p.Types {
		names = append(names, typ.Name)
		for _, f := range typ.Funcs {
			names = append(names, f.Name)
		}
	}
	return names
}
