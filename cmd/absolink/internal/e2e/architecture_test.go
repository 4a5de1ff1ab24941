package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"absolink/testdata/effort"
)

// commandFolder is the folder of the command, with its help.
var commandFolder = filepath.Join(repository, "cmd", "absolink")

// repository is the absolute path of the top of the repository, so that tests may change their
// directory.
var repository = func() string {
	top, err := filepath.Abs("../../../..")
	if err != nil {
		panic(err)
	}
	return top + string(filepath.Separator)
}()

// imports is the import table of the design. A package may import the standard library, the
// packages of the line left of it, the packages below its own folder, and the modules named here.
var imports = []struct {
	folder  string
	left    []string
	modules []string
}{
	{"resolve", nil, []string{"golang.org/x/net/idna"}},
	{"resolve/grammar", []string{"resolve", "resolve/ascii", "resolve/internal/component"}, nil},
	{"resolve/move", []string{"resolve", "resolve/ascii"}, nil},
	{"base", []string{"resolve", "resolve/ascii"}, []string{"golang.org/x/text/encoding/htmlindex"}},
	{"extract", []string{"resolve", "resolve/ascii", "base"}, []string{"golang.org/x/net/html/atom"}},
	{"extract/internal/text", []string{"resolve/ascii"}, nil},
	{"extract/internal/place", []string{"resolve/ascii", "extract/internal/markup", "extract/internal/text"}, nil},
	{"extract/internal/escape",
		[]string{"resolve/ascii", "extract/internal/css", "extract/internal/json", "extract/internal/text"}, nil},
	{"extract/internal/value",
		[]string{"resolve", "resolve/ascii", "base", "extract/internal/charset", "extract/internal/css",
			"extract/internal/escape", "extract/internal/json", "extract/internal/place",
			"extract/internal/template", "extract/internal/text"}, nil},
	{"extract/internal/ref",
		[]string{"base", "extract/internal/escape", "extract/internal/place",
			"extract/internal/template", "extract/internal/text"}, nil},
	{"extract/internal/reading",
		[]string{"base", "extract/internal/charset", "extract/internal/escape", "extract/internal/markup",
			"extract/internal/place", "extract/internal/prose", "extract/internal/ref", "extract/internal/template",
			"extract/internal/text", "extract/internal/value"}, nil},
	{"extract/internal/prose", []string{"resolve", "resolve/ascii"}, nil},
	{"extract/internal/lines",
		[]string{"resolve/ascii", "base", "extract/internal/charset", "extract/internal/escape",
			"extract/internal/place", "extract/internal/prose", "extract/internal/reading",
			"extract/internal/ref", "extract/internal/text"}, nil},
	{"extract/internal/page",
		[]string{"resolve/ascii", "base", "extract/internal/escape", "extract/internal/json", "extract/internal/markup",
			"extract/internal/place", "extract/internal/reading",
			"extract/internal/ref", "extract/internal/text"}, nil},
	{"extract/internal/xml",
		[]string{"resolve/ascii", "base", "extract/internal/escape", "extract/internal/markup", "extract/internal/page",
			"extract/internal/place", "extract/internal/reading",
			"extract/internal/ref", "extract/internal/text"}, nil},
	{"extract/internal/charset", []string{"resolve/ascii", "extract/internal/byteset", "extract/internal/markup",
		"extract/internal/text"},
		[]string{"golang.org/x/text"}},
	{"extract/internal/byteset", nil, []string{"golang.org/x/sys/cpu"}},
	{"extract/internal/template", []string{"resolve/ascii", "extract/internal/byteset", "extract/internal/text"}, nil},
	{"extract/internal/markup", []string{"resolve/ascii", "extract/internal/text", "extract/internal/byteset"}, nil},
	{"extract/internal/css", []string{"resolve/ascii", "extract/internal/byteset"}, nil},
	{"extract/internal/json", []string{"resolve/ascii", "extract/internal/text"}, nil},
	{"extract/markdown",
		[]string{"resolve/ascii", "extract/internal/escape", "extract/internal/markup", "extract/internal/page",
			"extract/internal/place", "extract/internal/reading", "extract/internal/ref", "extract/internal/text"},
		[]string{"github.com/yuin/goldmark/ast", "github.com/yuin/goldmark/parser", "github.com/yuin/goldmark/text",
			"github.com/yuin/goldmark/util"}}, // goldmark/extension is slow to initialise
	{"extract/dom",
		[]string{"resolve", "base", "extract", "extract/internal/charset", "extract/internal/escape",
			"extract/internal/json", "extract/internal/markup", "extract/internal/place", "extract/internal/template",
			"extract/internal/text", "extract/internal/value"}, []string{"github.com/PuerkitoBio/goquery",
			"github.com/andybalholm/cascadia", "golang.org/x/net/html"}},
	{"mime", []string{"resolve", "resolve/ascii", "base", "extract"},
		[]string{"github.com/emersion/go-message", "golang.org/x/text"}},
	{"mime/mbox", []string{"resolve", "resolve/ascii", "base", "extract", "mime", "mime/internal/header"}, nil},
	{"mime/httpmsg", []string{"resolve", "resolve/ascii", "base", "extract", "mime", "mime/internal/header"},
		[]string{"github.com/andybalholm/brotli", "github.com/klauspost/compress"}},
	{"mime/document", []string{"resolve", "base", "extract", "mime", "mime/httpmsg"}, nil},
	{"mime/rewrite",
		[]string{"resolve", "resolve/ascii", "resolve/move", "base", "extract", "mime", "mime/document",
			"mime/internal/sealed", "mime/mbox"}, nil},
	{"mime/warc",
		[]string{"resolve", "base", "extract", "mime", "mime/httpmsg", "mime/internal/header",
			"mime/internal/inflate"}, []string{"github.com/klauspost/compress"}},
	{"cmd/absolink",
		[]string{"resolve", "resolve/ascii", "resolve/grammar", "resolve/move", "base", "extract", "extract/dom",
			"extract/markdown",
			"mime", "mime/mbox", "mime/httpmsg", "mime/warc", "mime/document",
			"mime/rewrite"}, []string{"github.com/spf13/cobra", "github.com/spf13/pflag",
			"github.com/schollz/progressbar/v3", "github.com/rogpeppe/go-internal", "golang.org/x/sys/unix",
			"github.com/klauspost/compress", "github.com/andybalholm/brotli", "golang.org/x/sync/semaphore"}},
	{"cmd/absolink/internal/hypertext", nil, nil},
	{"cmd/absolink/internal/lines", nil, []string{"golang.org/x/text"}},
	{"cmd/absolink/internal/glob", nil, []string{"github.com/bmatcuk/doublestar/v4"}},
	{"cmd/absolink/internal/arrow", nil, []string{"github.com/google/flatbuffers/go"}},
	{"cmd/absolink/internal/columns", []string{"cmd/absolink/internal/arrow", "cmd/absolink/internal/record"}, nil},
	{"cmd/absolink/internal/links",
		[]string{"resolve", "resolve/ascii", "resolve/move", "base", "extract", "extract/dom", "mime", "mime/document",
			"cmd/absolink/internal/authority", "cmd/absolink/internal/console", "cmd/absolink/internal/fault",
			"cmd/absolink/internal/flag", "cmd/absolink/internal/input", "cmd/absolink/internal/record",
			"cmd/absolink/internal/report", "cmd/absolink/internal/robots", "cmd/absolink/internal/site",
			"cmd/absolink/internal/source"}, []string{"github.com/andybalholm/cascadia",
			"github.com/spf13/cobra", "golang.org/x/net/html"}},
	{"cmd/absolink/internal/container",
		[]string{"mime", "mime/document", "mime/httpmsg", "mime/mbox", "mime/warc", "cmd/absolink/internal/account",
			"cmd/absolink/internal/batch", "cmd/absolink/internal/coding", "cmd/absolink/internal/flag",
			"cmd/absolink/internal/input", "cmd/absolink/internal/report", "cmd/absolink/internal/source",
			"cmd/absolink/internal/unit"}, []string{"golang.org/x/sync/semaphore"}},
	{"cmd/absolink/internal/account",
		[]string{"extract", "cmd/absolink/internal/console",
			"cmd/absolink/internal/files", "cmd/absolink/internal/flag",
			"cmd/absolink/internal/input", "cmd/absolink/internal/record", "cmd/absolink/internal/report",
			"cmd/absolink/internal/source", "cmd/absolink/internal/unit"}, nil},
	{"cmd/absolink/internal/record",
		[]string{"resolve", "mime", "cmd/absolink/internal/authority", "cmd/absolink/internal/fault",
			"cmd/absolink/internal/flag", "cmd/absolink/internal/hidden"}, []string{"golang.org/x/net/publicsuffix"}},
	{"cmd/absolink/internal/kinds", []string{"extract"}, nil},
	{"cmd/absolink/internal/charset", nil, []string{"golang.org/x/text"}},
	{"cmd/absolink/internal/unpack", []string{"resolve", "base", "extract", "mime", "mime/mbox",
		"cmd/absolink/internal/charset", "cmd/absolink/internal/input", "cmd/absolink/internal/files",
		"cmd/absolink/internal/flag"}, []string{"golang.org/x/net/html"}},
	{"cmd/absolink/internal/site",
		[]string{"resolve", "resolve/ascii", "resolve/move", "extract", "cmd/absolink/internal/flag",
			"cmd/absolink/internal/kinds", "cmd/absolink/internal/lines"},
		[]string{"golang.org/x/net/html", "golang.org/x/net/idna", "golang.org/x/text"}},
	{"cmd/absolink/internal/pipe",
		[]string{"extract", "cmd/absolink/internal/console", "cmd/absolink/internal/flag",
			"cmd/absolink/internal/input", "cmd/absolink/internal/kinds", "cmd/absolink/internal/record",
			"cmd/absolink/internal/report"}, nil},
	{"cmd/absolink/internal/serve",
		[]string{"extract", "cmd/absolink/internal/coding", "cmd/absolink/internal/console",
			"cmd/absolink/internal/flag", "cmd/absolink/internal/input", "cmd/absolink/internal/record",
			"cmd/absolink/internal/report",
			"cmd/absolink/internal/files"}, []string{"github.com/VictoriaMetrics/metrics",
			"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	{"cmd/absolink/internal/serve/viewer",
		[]string{"extract", "mime/document", "cmd/absolink/internal/hypertext",
			"cmd/absolink/internal/input", "cmd/absolink/internal/links",
			"cmd/absolink/internal/container", "cmd/absolink/internal/record", "cmd/absolink/internal/report",
			"cmd/absolink/internal/run", "cmd/absolink/internal/serve/sheet",
			"cmd/absolink/internal/files"}, nil},
	{"cmd/absolink/internal/serve/sheet",
		[]string{"resolve", "base", "extract", "mime/document", "cmd/absolink/internal/authority",
			"cmd/absolink/internal/charset", "cmd/absolink/internal/fault", "cmd/absolink/internal/hypertext"}, nil},
	{"cmd/absolink/internal/authority", []string{"resolve"}, nil},
	{"cmd/absolink/internal/fault", []string{"resolve", "extract", "mime/document", "mime/rewrite"}, nil},
	{"cmd/absolink/internal/serve/static",
		[]string{"resolve", "resolve/move", "base", "extract", "mime", "mime/document", "mime/mbox", "mime/rewrite",
			"cmd/absolink/internal/fault", "cmd/absolink/internal/kinds", "cmd/absolink/internal/serve/sheet"},
		[]string{"github.com/rogpeppe/go-internal/diff"}},
	{"cmd/absolink/internal/serve/static/wasm", []string{"cmd/absolink/internal/serve/static"}, nil},
	{"cmd/absolink/internal/serve/static/site",
		[]string{"cmd/absolink/internal/serve/sheet", "cmd/absolink/internal/serve/static"}, nil},
}

// Imports go one way only, and no package uses a module that its row does not name.
func TestImportTable(t *testing.T) {
	for _, pkg := range packagesOf(t) {
		for _, path := range pkg.Imports {
			if !allowed(strings.TrimPrefix(pkg.ImportPath, "absolink/"), path) {
				t.Errorf("%s imports %s, which the import table does not allow", pkg.ImportPath, path)
			}
		}
	}
}

// allowed reports whether the package folder may import path.
func allowed(folder, path string) bool {
	own, ours := strings.CutPrefix(path, "absolink/")
	first, _, _ := strings.Cut(path, "/")
	if !ours && !strings.Contains(first, ".") {
		return true // standard library
	}
	for i := len(imports) - 1; i >= 0; i-- {
		row := imports[i]
		switch {
		case !below(folder, row.folder):
			continue
		case ours:
			return slices.Contains(row.left, own) || below(own, row.folder)
		default:
			return slices.ContainsFunc(row.modules, func(m string) bool { return below(path, m) })
		}
	}
	return false
}

func below(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func TestAllowed(t *testing.T) {
	tests := []struct {
		folder, path string
		want         bool
	}{
		{"resolve", "strings", true},
		{"resolve", "absolink/base", false},
		{"base", "absolink/resolve", true},
		{"extract", "absolink/mime", false},
		{"extract", "absolink/extract/internal/css", true},
		{"extract/internal/css", "absolink/extract", false},
		{"extract", "golang.org/x/net/html", false},
		{"extract/dom", "github.com/PuerkitoBio/goquery", true},
		{"mime", "absolink/extract/dom", false},
		{"cmd/absolink/internal/batch", "absolink/mime", true},
		{"cmd/absolink", "github.com/tdewolff/parse/v2", false},
		{"new", "absolink/resolve", false},
	}
	for _, tt := range tests {
		if got := allowed(tt.folder, tt.path); got != tt.want {
			t.Errorf("allowed(%s, %s): got %v, want %v", tt.folder, tt.path, got, tt.want)
		}
	}
}

// A program that embeds the library must not pay for features that it does not use.
func TestLibraryDependencies(t *testing.T) {
	banned := []string{"net/http", "github.com/PuerkitoBio/goquery", "github.com/yuin/goldmark",
		"github.com/schollz/progressbar", "github.com/spf13/cobra", "os/signal"}
	for _, pkg := range packagesOf(t, "resolve", "base", "extract", "mime") {
		for _, dep := range pkg.Deps {
			if slices.ContainsFunc(banned, func(b string) bool { return below(dep, b) }) {
				t.Errorf("go list -deps %s shows %s", pkg.ImportPath, dep)
			}
		}
	}
}

// Users who know nothing about the packages read the messages of the library.
func TestMessagesNameNoPackage(t *testing.T) {
	files := 0
	for _, pkg := range packagesOf(t) {
		if !inLibrary(pkg) {
			continue
		}
		prefix := regexp.MustCompile(`(Errorf|Sprintf|New)\("` + pkg.Name + `: .*`)
		for _, name := range pkg.GoFiles {
			files++
			path := filepath.Join(pkg.Dir, name)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if message := prefix.Find(source); message != nil {
				t.Errorf("%s: %s: the message begins with the name of the package", path, message)
			}
		}
	}
	if files < 100 {
		t.Errorf("%d files were read, want at least 100", files)
	}
}

// The program stays small. Most of a sudden growth comes from a call of reflect's MethodByName, as
// text/template has one: the linker then keeps every exported method.
const (
	mostBytes    = 31_000_000 // with symbols and debug information
	mostPackages = 400
)

func TestPackagesLinked(t *testing.T) {
	const itself = 1
	n := itself + len(packagesOf(t, "cmd/absolink")[0].Deps)
	if n > mostPackages {
		t.Errorf("the program links %d packages, want at most %d", n, mostPackages)
	}
}

// The packages that the program is built on must be in the binary: the linker drops functions that
// nothing calls.
func TestPackagesAtWork(t *testing.T) {
	effort.Only(t)
	binary := filepath.Join(t.TempDir(), "absolink")
	build := exec.Command("go", "build", "-o", binary, "./cmd/absolink")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("the program has %d bytes, want at most %d", info.Size(), mostBytes)
	}
	symbols, err := exec.Command("go", "tool", "nm", binary).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	for _, name := range []string{
		"github.com/PuerkitoBio/goquery.(*Selection).FindMatcher",
		"github.com/emersion/go-message/mail.(*Header).AddressList",
		"github.com/schollz/progressbar/v3.(*ProgressBar).Add64",
		"golang.org/x/net/html.ParseWithOptions",
	} {
		if !strings.Contains(string(symbols), " T "+name+"\n") {
			t.Errorf("the program has no %s", name)
		}
	}
}

// listedPackage is a package as go list describes it. Its fields have the names of the keys of
// go list -json.
type listedPackage struct {
	ImportPath, Name, Dir  string
	GoFiles, Imports, Deps []string
}

// goList runs go list over the repository, once for all tests.
var goList = sync.OnceValues(func() (list []listedPackage, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,Imports,Deps", "./...")
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var pkg listedPackage
		if err := dec.Decode(&pkg); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, pkg)
	}
	return list, nil
})

// inLibrary reports whether the package belongs to the library.
func inLibrary(pkg listedPackage) bool {
	return slices.ContainsFunc([]string{"resolve", "base", "extract", "mime"}, func(folder string) bool {
		return below(pkg.ImportPath, "absolink/"+folder)
	})
}

// packagesOf returns the packages in the given folders of the repository, or all packages if no
// folder is given. Each folder must hold a package.
func packagesOf(t *testing.T, folders ...string) []listedPackage {
	t.Helper()
	list, err := goList()
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) == 0 {
		return list
	}
	var some []listedPackage
	for _, pkg := range list {
		if slices.Contains(folders, strings.TrimPrefix(pkg.ImportPath, "absolink/")) {
			some = append(some, pkg)
		}
	}
	if len(some) != len(folders) {
		t.Fatalf("go list shows %d of the packages %q", len(some), folders)
	}
	return some
}

// The top level holds nothing else.
func TestTopLevel(t *testing.T) {
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "base", "cmd",
		"extract", "go.mod", "go.sum", "mime", "resolve", "testdata"}
	entries, err := os.ReadDir(repository)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !ignored(e) {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("top level: got %q, want %q", got, want)
	}
}

// ignored reports whether .gitignore names an entry: a built program, packages, or files that tests
// write.
func ignored(e os.DirEntry) bool {
	ext := filepath.Ext(e.Name())
	return e.IsDir() && e.Name() == "dist" || !e.IsDir() && (e.Name() == "absolink" || ext == ".test" || ext == ".prof")
}
