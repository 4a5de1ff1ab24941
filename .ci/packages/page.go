package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// writePage writes the page without a server: a folder that any static host can serve. used has the
// modules of the program, which are more than those of the page.
func (r *release) writePage(used modules) error {
	dir := filepath.Join(r.work, "page")
	if _, err := output("go", "run", "-trimpath", "./cmd/absolink/internal/serve/static/site", dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var files []file
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		files = append(files, file{name: e.Name(), data: data})
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	linked, err := pageModules(used)
	if err != nil {
		return err
	}
	files = append(files, file{name: "LICENSE", data: licence},
		file{name: "THIRD-PARTY-LICENSES.txt", data: linked.licences()})
	top := "absolink-page-" + r.version
	return writeZip("dist/"+top+".zip", top, files, r.date)
}

// pageModules returns those modules of used that the page needs.
func pageModules(used modules) (modules, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}",
		"./cmd/absolink/internal/serve/static/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	list, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	linked := modules{standard: used[standard]}
	for path := range strings.FieldsSeq(string(list)) {
		if m, ok := used[path]; ok {
			linked[path] = m
		}
	}
	return linked, nil
}
