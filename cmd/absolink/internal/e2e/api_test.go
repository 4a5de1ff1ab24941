package e2e

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateAPI = flag.Bool("update-api", false, "write the API of the library into testdata/api")

// TestAPI compares the exports of the public packages with testdata/api, which has one file per
// package. Each line is a constant, variable, function, method, type or field. If a change is
// intended, write the files again:
//
//	go test ./cmd/absolink/internal/e2e -run TestAPI -update-api
func TestAPI(t *testing.T) {
	folder := filepath.Join(repository, "testdata", "api")
	written := map[string]bool{}
	for _, pkg := range publicPackages(t) {
		name := strings.ReplaceAll(strings.TrimPrefix(pkg.path, "absolink/"), "/", ".") + ".txt"
		path := filepath.Join(folder, name)
		written[name] = true
		got := apiLines(pkg.files)
		if *updateAPI {
			if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v; run the test with -update-api", pkg.path, err)
			continue
		}
		want := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
		for _, line := range without(got, want) {
			t.Errorf("%s: new: %s", name, line)
		}
		for _, line := range without(want, got) {
			t.Errorf("%s: gone: %s", name, line)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !written[e.Name()] {
			t.Errorf("testdata/api/%s describes no package", e.Name())
		}
	}
}

// without returns the lines of list that are not in others.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool { return slices.Contains(others, line) })
}

// apiLines returns the exported declarations of the files of a package, sorted, each in one line.
func apiLines(files []*ast.File) []string {
	var lines []string
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				lines = append(lines, apiFunc(d)...)
			case *ast.GenDecl:
				var typ ast.Expr // of the constants that repeat the one before
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && v.Type == nil && v.Values == nil {
						v.Type = typ
					} else if ok {
						typ = v.Type
					}
					lines = append(lines, apiSpec(d.Tok, spec)...)
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// apiFunc returns the line of a function or method, or nothing if it is not exported.
func apiFunc(d *ast.FuncDecl) []string {
	if !d.Name.IsExported() {
		return nil
	}
	signature := strings.TrimPrefix(goSource(d.Type), "func")
	if d.Recv == nil {
		return []string{"func " + d.Name.Name + signature}
	}
	receiver := goSource(d.Recv.List[0].Type)
	if !ast.IsExported(strings.TrimPrefix(receiver, "*")) {
		return nil
	}
	return []string{"method (" + receiver + ") " + d.Name.Name + signature}
}

// apiSpec returns the lines of a constant, variable or type. The lines of a type include its fields
// or methods.
func apiSpec(tok token.Token, spec ast.Spec) (lines []string) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() {
				lines = append(lines, strings.TrimSpace(tok.String()+" "+name.Name+" "+goSource(spec.Type)))
			}
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return nil
		}
		head := "type " + spec.Name.Name
		if spec.Assign.IsValid() {
			head += " ="
		}
		switch typ := spec.Type.(type) {
		case *ast.StructType:
			lines = append(lines, head+" struct")
			lines = append(lines, apiFields(head+" struct, ", typ.Fields)...)
		case *ast.InterfaceType:
			lines = append(lines, head+" interface")
			lines = append(lines, apiFields(head+" interface, ", typ.Methods)...)
		default:
			lines = append(lines, head+" "+goSource(typ))
		}
	}
	return lines
}

// apiFields returns the lines of the exported fields of a struct or methods of an interface.
func apiFields(prefix string, list *ast.FieldList) (lines []string) {
	for _, f := range list.List {
		typ := goSource(f.Type)
		if len(f.Names) == 0 && ast.IsExported(typ[strings.LastIndexAny(typ, "*.")+1:]) {
			lines = append(lines, prefix+"embedded "+typ)
		}
		for _, name := range f.Names {
			if name.IsExported() {
				lines = append(lines, prefix+name.Name+" "+typ)
			}
		}
	}
	return lines
}

// goSource returns the text of an expression in one line, or an empty string for nil.
func goSource(x ast.Expr) string {
	if x == nil {
		return ""
	}
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), x); err != nil {
		panic(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
