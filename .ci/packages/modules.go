package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// module is a module that is linked into the program, or Go's standard library.
type module struct {
	path, version string
	ids           []string // of its licences, as SPDX names them, sorted
	texts         []byte   // its licences, and its notice if it has one
}

// modules holds modules by their path.
type modules map[string]module

// merged returns the modules of all systems, each with the licences of all its parts.
func merged(all []*packaged) modules {
	used := modules{}
	for _, p := range all {
		for path, m := range p.used {
			m.ids = append(slices.Clone(m.ids), used[path].ids...)
			slices.Sort(m.ids)
			m.ids = slices.Compact(m.ids)
			used[path] = m
		}
	}
	return used
}

// standard is the name of Go's standard library.
const standard = "std"

// linked returns the modules of the program at path.
func linked(path string) (modules, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := modules{}
	packages, err := directories(info)
	if err != nil {
		return nil, err
	}
	for _, dep := range info.Deps {
		if all[dep.Path], err = newModule(dep.Path, dep.Version, packages[dep.Path]); err != nil {
			return nil, err
		}
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all[standard], err = newModule(standard,
		strings.TrimPrefix(runtime.Version(), "go"), []string{strings.TrimSpace(root)})
	return all, err
}

// directories returns the directories of each module: its own, and the directories of its packages
// that are in the program of info. Parts of a module may have their own licences.
func directories(info *buildinfo.BuildInfo) (map[string][]string, error) {
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}\t{{.Dir}}"}
	env := os.Environ()
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED":
			env = append(env, s.Key+"="+s.Value)
		case "-tags":
			args = append(args, "-tags", s.Value)
		}
	}
	cmd := exec.Command("go", append(args, "./cmd/absolink")...)
	cmd.Env = append(env, "GOFLAGS=")
	list, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	all := make(map[string][]string)
	for line := range strings.Lines(string(list)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 {
			continue // of Go's standard library
		}
		top := fields[1]
		for dir := fields[2]; !slices.Contains(all[fields[0]], dir); dir = filepath.Dir(dir) {
			all[fields[0]] = append(all[fields[0]], dir)
			if dir == top {
				break
			}
		}
	}
	for _, dirs := range all {
		slices.Sort(dirs)
	}
	return all, nil
}

// licenceName matches the names of files with a licence, or with text that belongs to one.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(txt|md))?$`)

// newModule reads the licences of a module in dirs. The first directory is the module's own.
func newModule(path, version string, dirs []string) (module, error) {
	m := module{path: path, version: version}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return m, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return m, err
			}
			m.ids = append(m.ids, licenceIDs(string(text))...)
			if below, err := filepath.Rel(dirs[0], dir); err == nil && below != "." {
				m.texts = fmt.Appendf(m.texts, "-- %s\n\n", filepath.ToSlash(below))
			}
			m.texts = fmt.Appendf(m.texts, "%s\n\n", bytes.TrimSpace(text))
		}
	}
	slices.Sort(m.ids)
	m.ids = slices.Compact(m.ids)
	if len(m.ids) == 0 {
		return m, fmt.Errorf("%s: no licence that is known in %s", path, dirs)
	}
	return m, nil
}

// licenceIDs finds the licences in a text by their characteristic sentences.
func licenceIDs(text string) (ids []string) {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	if has("Apache License Version 2.0") {
		ids = append(ids, "Apache-2.0")
	}
	switch {
	case !has("Redistribution and use in source and binary forms"):
	case has("Neither the name"):
		ids = append(ids, "BSD-3-Clause")
	default:
		ids = append(ids, "BSD-2-Clause")
	}
	if has("Permission is hereby granted, free of charge, to any person") {
		ids = append(ids, "MIT")
	}
	return ids
}

// expression returns the licences of m as an SPDX expression: all of them apply, each to a part of
// the module.
func (m *module) expression() string { return strings.Join(m.ids, " AND ") }

// sorted returns the modules, sorted by path.
func (all modules) sorted() []module {
	return slices.SortedFunc(maps.Values(all), func(a, b module) int { return strings.Compare(a.path, b.path) })
}

// licences returns the licences of all modules, one after the other.
func (all modules) licences() []byte {
	var b []byte
	for _, m := range all.sorted() {
		b = fmt.Appendf(b, "==== %s %s (%s) ====\n\n%s", m.path, m.version, m.expression(), m.texts)
	}
	return b
}

// writeBill writes the bill of materials, in CycloneDX 1.6.
func (r *release) writeBill(used modules) error {
	type object = map[string]any
	type list = []any
	component := func(kind, ref, name, version, licence string) object {
		return object{"type": kind, "bom-ref": ref, "name": name, "version": version, "purl": ref,
			"licenses": list{object{"expression": licence}}}
	}
	self := fmt.Sprintf("pkg:golang/absolink@v%s", r.version)
	var components, refs list
	for _, m := range used.sorted() {
		ref := fmt.Sprintf("pkg:golang/%s@%s", m.path, strings.ReplaceAll(m.version, "+", "%2B"))
		components = append(components, component("library", ref, m.path, m.version, m.expression()))
		refs = append(refs, ref)
	}
	text, err := json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": object{"timestamp": r.date.Format(time.RFC3339),
			"component":  component("application", self, "absolink", "v"+r.version, "MIT"),
			"properties": list{object{"name": "commit", "value": r.commit}}},
		"components":   components,
		"dependencies": list{object{"ref": self, "dependsOn": refs}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile("dist/absolink-"+r.version+".cdx.json", append(text, '\n'), 0o666)
}
