package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// nfpm makes packages for Linux distributions. Later versions need modules that module proxies do
// not have.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1"

// writeLinux writes the deb and the rpm for a processor.
func (r *release) writeLinux(goarch string, files []file) error {
	root := filepath.Join(r.work, "linux-"+goarch+"-root")
	var contents []map[string]any
	for _, f := range files {
		for _, p := range places(f.name) {
			data, err := f.data, error(nil)
			if strings.HasSuffix(p.path, ".gz") {
				data, err = gzipped(data)
			}
			if err != nil {
				return err
			}
			at := filepath.Join(root, p.path)
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(at, data, 0o666); err != nil {
				return err
			}
			contents = append(contents, map[string]any{"src": at, "dst": p.path, "packager": p.packager,
				"file_info": map[string]any{"mode": int(f.perm()), "owner": "root", "group": "root", "mtime": r.date}})
		}
	}
	config, err := json.Marshal(map[string]any{
		"name": "absolink", "arch": goarch, "platform": "linux", "version": r.version, "version_schema": "semver",
		"section": "text", "priority": "optional", "license": "MIT", "mtime": r.date.Format(time.RFC3339),
		"maintainer": "The absolink authors <absolink@localhost>", "disable_globbing": true,
		"description": "links of documents and messages, made absolute\nabsolink lists the links of web pages, mail " +
			"messages, mailboxes and web archives\nas absolute URIs, or writes them back so that every other byte " +
			"stays as it was.",
		"contents": contents,
		"rpm": map[string]any{"buildhost": "localhost",
			"summary": "Links of documents and messages, made absolute"},
	})
	if err != nil {
		return err
	}
	path := filepath.Join(r.work, "nfpm-"+goarch+".yaml")
	if err := os.WriteFile(path, config, 0o666); err != nil {
		return err
	}
	for _, packager := range []string{"deb", "rpm"} {
		if _, err := output("go", "run", nfpm, "package", "--config", path,
			"--packager", packager, "--target", "dist/"); err != nil {
			return fmt.Errorf("%s of linux/%s: %w", packager, goarch, err)
		}
	}
	return nil
}

// place is the path at which a system installs a file of the archives.
type place struct{ path, packager string } // packager is empty for both packages

// places returns the paths at which a file of the archives is installed.
func places(name string) []place {
	const doc = "/usr/share/doc/absolink/"
	switch dir, base := filepath.Split(name); {
	case name == "absolink":
		return []place{{"/usr/bin/absolink", ""}}
	case name == "LICENSE":
		return []place{{doc + "copyright", ""}}
	case dir == "":
		return []place{{doc + base, ""}}
	case base == "absolink.bash":
		return []place{{"/usr/share/bash-completion/completions/absolink", ""}}
	case base == "absolink.fish":
		return []place{{"/usr/share/fish/vendor_completions.d/absolink.fish", ""}}
	case base == "_absolink":
		return []place{{"/usr/share/zsh/vendor-completions/_absolink", "deb"},
			{"/usr/share/zsh/site-functions/_absolink", "rpm"}}
	case strings.HasPrefix(dir, "man/"):
		return []place{{"/usr/share/" + name + ".gz", ""}}
	}
	return nil // a file for other systems
}
