package input

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"absolink/extract"
)

// realKinds maps the kinds in testdata/kinds/files.tsv to the names that absolink uses.
var realKinds = map[Kind]string{
	HTML:                     "html, php, page of a template",
	Kind(extract.XHTML):      "xhtml",
	Kind(extract.XML):        "xml, xslt",
	Kind(extract.OpenSearch): "xml",
	Kind(extract.SVG):        "svg",
	Kind(extract.Feed):       "atom, atom 0.3, rss, rss 1.0",
	Kind(extract.Sitemap):    "sitemap",
	Kind(extract.OPML):       "opml",
	Kind(extract.CSS):        "css, style sheet of a template",
	Kind(extract.Plain):      "text, restructuredtext",
	Kind(extract.Markdown):   "markdown",
	Kind(extract.Manifest):   "manifest",
	Kind(extract.Script):     "javascript, javascript module, script of a template",
	Message:                  "message",
	MHTML:                    "mhtml",
	Mbox:                     "mbox",
	WARC:                     "warc",
	Other: "actionscript, assembler, batch, c, c header, c#, c++, csv, dart, emacs lisp, flash, font, gettext, " +
		"gettext, compiled, gif, go, icon, java, jpeg, json, " +
		"kotlin, less, lua, mp3, nim, odt, pdf, png, protobuf, python, rust, scss, shell, source map, swift, tex, " +
		"tex style, toml, typescript, yaml, zip",
}

const (
	fewestReal  = 2000 // files that must be present
	fewestKinds = 30   // kinds that these files must have
)

// Files of other projects get the kind that a person would give them.
func TestRealFiles(t *testing.T) {
	packages := os.Getenv("ABSOLINK_KINDS")
	if packages == "" {
		t.Skip("ABSOLINK_KINDS is not set: it names the folder that .ci/kinds fills with packages")
	}
	list, err := os.ReadFile("../../../../testdata/kinds/files.tsv")
	if err != nil {
		t.Fatal(err)
	}
	modules := moduleFolders(t)
	present, kinds := 0, map[string]bool{}
	for line := range strings.Lines(string(list)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) != 4 || columns[0] == "source" {
			continue
		}
		source, path, sum, kind := columns[0], columns[1], columns[2], columns[3]
		folder := filepath.Join(packages, source)
		if module, ok := strings.CutPrefix(source, "go/"); ok {
			folder = modules[module]
		} else if source == "corpus" {
			folder = os.Getenv("ABSOLINK_CORPUS")
		}
		file := filepath.Join(folder, filepath.FromSlash(path))
		content, err := os.ReadFile(file)
		if folder == "" || os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if hash := sha256.Sum256(content); hex.EncodeToString(hash[:16]) != sum {
			t.Errorf("%s %s: another file than the one that is listed", source, path)
			continue
		}
		present++
		kinds[kind] = true
		checkReal(t, file, source+" "+path, kind)
	}
	if present < fewestReal || len(kinds) < fewestKinds {
		t.Errorf("%d files of %d kinds are there, want %d of %d", present, len(kinds), fewestReal, fewestKinds)
	}
}

// checkReal compares the detected kind of a file with its real kind.
func checkReal(t *testing.T, file, name, kind string) {
	t.Helper()
	r := Reader{Options: Options{MaxSize: 64 << 20, Scripts: true, Peek: true}}
	d, err := r.Open(t.Context(), File{Path: file, Rel: filepath.Base(file)})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer d.Close()
	if !strings.Contains(", "+realKinds[d.Kind]+", ", ", "+kind+", ") {
		t.Errorf("%s: read as %v, and it is %s (%s)", name, d.Kind, kind, d.Why)
	}
}

// moduleFolders returns the folders of the modules in the module cache, by path and version.
func moduleFolders(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f",
		"{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{}
	for line := range strings.Lines(string(out)) {
		module, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		folders[module] = folder
	}
	return folders
}
