package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// templateSource is a file of testdata/templates/list.tsv.
type templateSource struct {
	language string
	path     string // below the folder of all sources
	name     string // in the tree that is rewritten
}

// templateSources returns the files of the list, copied into a tree. It skips the test if the
// packages are missing: .ci/templates fetches them.
func templateSources(t *testing.T, tree string) (list []templateSource) {
	t.Helper()
	dir := os.Getenv("ABSOLINK_TEMPLATES")
	if dir == "" {
		t.Skip("ABSOLINK_TEMPLATES names no folder; .ci/templates DIR fetches the sources and lexers")
	}
	data, err := os.ReadFile(filepath.Join("testdata", "templates", "list.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		kind, pack, _ := strings.Cut(fields[1], ":")
		pack, _, _ = strings.Cut(pack, "==")
		if n := strings.LastIndexByte(pack, '@'); n > 0 {
			pack = pack[:n]
		}
		s := templateSource{fields[0], filepath.Join(dir, kind, pack, fields[2]),
			fmt.Sprintf("%s/%04d.html", fields[0], len(list))}
		source, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(source); hex.EncodeToString(sum[:]) != fields[3] {
			t.Errorf("%s is not the file of the list", s.path)
		}
		copied := filepath.Join(tree, s.name)
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, source, 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	if len(list) < 500 {
		t.Errorf("%d files, want at least 500", len(list))
	}
	return list
}

// templateLexers returns the commands that cut the pieces out of files, see testdata/templates.
func templateLexers(t *testing.T) map[string]*exec.Cmd {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "templates"))
	if err != nil {
		t.Fatal(err)
	}
	lexers := filepath.Join(os.Getenv("ABSOLINK_TEMPLATES"), "lexers")
	python := os.Getenv("ABSOLINK_JINJA")
	if python == "" {
		python = "python3"
	}
	return map[string]*exec.Cmd{
		"php":    exec.Command("php", filepath.Join(dir, "lex.php")),
		"jinja":  exec.Command(python, filepath.Join(dir, "lex.py")),
		"twig":   exec.Command("node", filepath.Join(dir, "lex.cjs"), lexers, "twig"),
		"liquid": exec.Command("node", filepath.Join(dir, "lex.cjs"), lexers, "liquid"),
	}
}

// templatePieces returns the pieces of the files of one language below a tree, by name.
func templatePieces(t *testing.T, list []templateSource, language, tree string) map[string][]string {
	t.Helper()
	cmd := templateLexers(t)[language]
	var names []string
	for _, s := range list {
		if s.language == language {
			names = append(names, s.name)
		}
	}
	cmd.Dir = tree
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", cmd.Args, err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(names) {
		t.Fatalf("%q: %d lines for %d files", cmd.Args, len(lines), len(names))
	}
	pieces := map[string][]string{}
	for i, name := range names {
		var encoded []string
		if err := json.Unmarshal(lines[i], &encoded); err != nil {
			t.Fatalf("%q: %v", cmd.Args, err)
		}
		for _, e := range encoded {
			piece, err := base64.StdEncoding.DecodeString(e)
			if err != nil {
				t.Fatal(err)
			}
			pieces[name] = append(pieces[name], string(piece))
		}
	}
	return pieces
}

// Sources of PHP, Twig, Jinja and Liquid from other projects are rewritten. Every piece stays the
// same to the byte, as the lexers of these languages cut it. Other links are rewritten.
func TestTemplates(t *testing.T) {
	tree := t.TempDir()
	list := templateSources(t, tree)
	languages := []string{"php", "twig", "jinja", "liquid"}
	before, pieces := map[string][]string{}, 0
	for _, language := range languages {
		maps.Copy(before, templatePieces(t, list, language, tree))
	}
	for _, s := range list {
		pieces += len(before[s.name])
		if len(before[s.name]) == 0 {
			t.Errorf("%s has no piece", s.path)
		}
	}
	if pieces < 20000 {
		t.Errorf("%d pieces, want at least 20000", pieces)
	}
	changed := 0
	for _, options := range [][]string{
		{"--default-base", "http://old.test/d/"},
		{"--root", ".=http://old.test/", "--map",
			"http://old.test/=https://new.test/n/", "--lazy", "--scripts", "--comments"},
		{"--root", ".=http://old.test/", "--to", "root-relative", "--lazy", "--scripts", "--comments"},
		{"--default-base", "http://old.test/d/", "--normalize", "--absolutize-fragments", "--base-element", "drop"},
	} {
		name := strings.Join(options, " ")
		out := t.TempDir()
		args := append([]string{"rewrite", "-q", "--type", "html", "-o", out, "--overwrite"}, options...)
		cmd := exec.Command("absolink", append(args, ".")...)
		cmd.Dir = tree
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, text)
		}
		n := 0
		for _, s := range list {
			if !bytes.Equal(templateFile(t, tree, s.name), templateFile(t, out, s.name)) {
				n++
			}
		}
		changed += n
		t.Logf("%s: %d of %d files changed", name, n, len(list))
		for _, language := range languages {
			after := templatePieces(t, list, language, out)
			for _, s := range list {
				if s.language == language && !slices.Equal(before[s.name], after[s.name]) {
					t.Errorf("%s: %s: %s", name, s.path, firstChange(before[s.name], after[s.name]))
				}
			}
		}
	}
	if changed < 150 {
		t.Errorf("%d files changed in all, want at least 150", changed)
	}
}

func templateFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// firstChange describes the first piece that differs.
func firstChange(before, after []string) string {
	for i, piece := range before {
		if i == len(after) {
			return fmt.Sprintf("the piece %q is gone", piece)
		}
		if after[i] != piece {
			return fmt.Sprintf("the piece %q became %q", piece, after[i])
		}
	}
	return fmt.Sprintf("the piece %q is new", after[len(before)])
}
