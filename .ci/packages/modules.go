package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// module is a module that is linked into the program, or Go's own library.
type module struct {
	path, version string
	id            string // of its licence, as SPDX has it
	texts         []byte // its licence, and its notice if it has one
}

// modules are modules by their path.
type modules map[string]module

// standard is the name of Go's own library.
const standard = "std"

// linked returns the modules of the program at path.
func linked(path string) (modules, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := modules{}
	for _, dep := range info.Deps {
		dir, err := output("go", "list", "-m", "-f", "{{.Dir}}", dep.Path)
		if err != nil {
			return nil, err
		}
		if all[dep.Path], err = newModule(dep.Path, dep.Version, strings.TrimSpace(dir)); err != nil {
			return nil, err
		}
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all[standard], err = newModule(standard, strings.TrimPrefix(runtime.Version(), "go"), strings.TrimSpace(root))
	return all, err
}

// newModule reads the licence of the module in dir.
func newModule(path, version, dir string) (module, error) {
	m := module{path: path, version: version}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return m, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(txt|md))?$`).MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return m, err
		}
		m.id = cmp.Or(m.id, licenceID(string(text)))
		m.texts = fmt.Appendf(m.texts, "%s\n\n", bytes.TrimSpace(text))
	}
	if m.id == "" {
		return m, fmt.Errorf("%s: no licence that is known in %s", path, dir)
	}
	return m, nil
}

// licenceID names a licence by sentences in it, "" if it is none that is known.
func licenceID(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("Apache License Version 2.0"):
		return "Apache-2.0"
	case has("Redistribution and use in source and binary forms") && has("Neither the name"):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("Permission is hereby granted, free of charge, to any person"):
		return "MIT"
	}
	return ""
}

// sorted returns the modules by their path.
func (all modules) sorted() []module {
	return slices.SortedFunc(maps.Values(all), func(a, b module) int { return strings.Compare(a.path, b.path) })
}

// licences returns the licences of all modules, one behind the other.
func (all modules) licences() []byte {
	var b []byte
	for _, m := range all.sorted() {
		b = fmt.Appendf(b, "==== %s %s (%s) ====\n\n%s", m.path, m.version, m.id, m.texts)
	}
	return b
}

// writeBill writes the bill of materials, in CycloneDX 1.6.
func (r *release) writeBill(used modules) error {
	type object = map[string]any
	type list = []any
	component := func(kind, ref, name, version, licence string) object {
		return object{"type": kind, "bom-ref": ref, "name": name, "version": version, "purl": ref,
			"licenses": list{object{"license": object{"id": licence}}}}
	}
	self := fmt.Sprintf("pkg:golang/absolink@v%s", r.version)
	var components, refs list
	for _, m := range used.sorted() {
		ref := fmt.Sprintf("pkg:golang/%s@%s", m.path, strings.ReplaceAll(m.version, "+", "%2B"))
		components = append(components, component("library", ref, m.path, m.version, m.id))
		refs = append(refs, ref)
	}
	text, err := json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": object{"timestamp": r.date.Format(time.RFC3339), "component": component("application", self, "absolink", "v"+r.version, "MIT"),
			"properties": list{object{"name": "commit", "value": r.commit}}},
		"components":   components,
		"dependencies": list{object{"ref": self, "dependsOn": refs}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile("dist/absolink-"+r.version+".cdx.json", append(text, '\n'), 0o666)
}
