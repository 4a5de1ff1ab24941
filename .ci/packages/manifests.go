package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/template"
)

// summary tells in one line what absolink does. Package managers show it.
const summary = "Lists or rewrites the links of web pages, mail and web archives"

//go:embed manifests
var manifests embed.FS

// manifestFuncs are the functions that a manifest calls for a system: the name of its archive, and
// the address and sum of a file.
func (r *release) manifestFuncs() template.FuncMap {
	return template.FuncMap{
		"archive": r.archive,
		"url":     func(name string) string { return r.url + "/" + name },
		"sum": func(name string) (string, error) {
			data, err := os.ReadFile("dist/" + name)
			return fmt.Sprintf("%x", sha256.Sum256(data)), err
		},
	}
}

// writeManifests writes the manifests of package managers, which have the addresses and sums of
// archives. It leaves out a manifest if one of its archives was not written.
func (r *release) writeManifests() error {
	entries, err := manifests.ReadDir("manifests")
	if err != nil {
		return err
	}
	for _, e := range entries {
		t, err := template.New(e.Name()).Funcs(r.manifestFuncs()).ParseFS(manifests, "manifests/"+e.Name())
		if err != nil {
			return err
		}
		var b bytes.Buffer
		err = t.Execute(&b, map[string]string{
			"Version": r.version, "Arch": strings.ReplaceAll(r.version, "-", ""), "Date": r.date.Format("2006-01-02"),
			"Summary": summary, "Homepage": r.homepage(), "Root": r.url})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile("dist/"+e.Name(), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// homepage returns the address of the project: the repository if the files are among its releases,
// as at GitHub, else the address of the files.
func (r *release) homepage() string {
	repository, _, _ := strings.Cut(r.url, "/releases/")
	return repository
}
