// Site writes the page without a server to a directory, which any static host can serve:
//
//	go run ./cmd/absolink/internal/serve/static/site DIR
//
// It works in the root of the module, and needs the go command.
package main

import (
	"embed"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/serve/sheet"
	"absolink/cmd/absolink/internal/serve/static"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	if len(os.Args) != 2 {
		log.Fatal("give one directory")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write writes all files of the page to dir.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, assets := range []embed.FS{sheet.Assets, static.Files} {
		names, err := fs.Glob(assets, "*.*")
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := assets.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				return err
			}
		}
	}
	if err := copySupport(dir); err != nil {
		return err
	}
	return build(filepath.Join(dir, "absolink.wasm"))
}

// copySupport copies the script that starts programs of Go in a browser.
func copySupport(dir string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	const name = "wasm_exec.js"
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), data, 0o666)
}

// build builds the program of the page. Without inlining (-l) it is a tenth smaller in gzip.
func build(path string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l",
		"-ldflags=-s -w -buildid=", "-o", path, "./cmd/absolink/internal/serve/static/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWASM=")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
