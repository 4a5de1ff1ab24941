// Packages writes the packages that people install to dist/, in the root of the module: .ci/package
// [-only SYSTEM] [-url URL] VERSION. It is a module of its own, so that the modules that it needs
// are not among those of absolink. It works in the root of absolink.
//
// For each system it writes a tar.gz and a zip. They contain the program, LICENSE, README, the
// manual pages, shell completions, and the licences of all modules that are linked in. For Linux on
// amd64 and arm64, nfpm also makes a deb and an rpm, and absolink-VERSION-oci.tar is an OCI image
// layout. Linux, macOS and Windows on amd64 and arm64 get a wheel for Python. Manifests tell
// package managers to install an archive that they download from below URL: absolink.rb (Homebrew),
// absolink.json (Scoop), three files of winget, PKGBUILD (Arch Linux) and absolink.nix.
// absolink-page-VERSION.zip is the page of the command serve for any static host, with the library
// as WebAssembly.
// absolink-VERSION.cdx.json lists the modules (CycloneDX), and SHA256SUMS holds the sum of each
// file.
//
// The same commit and the same Go give the same bytes in any clone. The linker's -X sets version,
// commit and date, so the go command does not look into the repository. Every recorded time is the
// time of the commit.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// systems lists the systems that are packaged.
var systems = []string{
	"linux/amd64", "linux/arm64", "linux/386", "linux/riscv64", "linux/s390x", "darwin/amd64", "darwin/arm64",
	"freebsd/amd64", "openbsd/amd64", "netbsd/amd64", "windows/amd64", "windows/arm64",
}

// release is the commit that is packaged.
type release struct {
	version, commit string
	url             string // of the directory that the files of dist are downloaded from
	date            time.Time
	work            string // directory for intermediate files
	shared          []file // files in the package of every system
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("package: ")
	only := flag.String("only", "", "package this `SYSTEM` alone, such as linux/amd64")
	url := flag.String("url", "", "the files of dist can be downloaded from below this `URL`")
	flag.Parse()
	if flag.NArg() != 1 || !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`).MatchString(flag.Arg(0)) {
		log.Fatal("usage: .ci/package [-only SYSTEM] [-url URL] VERSION, such as 1.2.3 or 1.2.3-rc.1")
	}
	if *only != "" {
		if !slices.Contains(systems, *only) {
			log.Fatalf("-only %s: use one of %s", *only, strings.Join(systems, ", "))
		}
		systems = []string{*only}
	}
	if *url == "" {
		*url = "https://absolink.example/" + flag.Arg(0)
		log.Printf("without -url, the manifests of package managers name %s, where nothing is", *url)
	}
	if !regexp.MustCompile(`^https?://[^/\s"'$\\]+(/[^\s"'$\\]*)?$`).MatchString(*url) {
		log.Fatalf("-url %s: use an address such as https://example.org/releases/1.2.3", *url)
	}
	if err := run(flag.Arg(0), *url); err != nil {
		log.Fatal(err)
	}
}

// run packages the commit that is checked out.
func run(version, url string) error {
	work, err := os.MkdirTemp("", "absolink-package")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &release{version: version, url: strings.TrimSuffix(url, "/"), work: work}
	if err := r.identify(); err != nil {
		return err
	}
	if err := os.RemoveAll("dist"); err != nil {
		return err
	}
	if err := os.Mkdir("dist", 0o777); err != nil {
		return err
	}
	if err := r.share(); err != nil {
		return err
	}
	all, err := r.packageAll()
	if err != nil {
		return err
	}
	if err := r.writeBill(merged(all)); err != nil {
		return err
	}
	if err := r.writePage(merged(all)); err != nil {
		return err
	}
	if err := r.writeImages(all); err != nil {
		return err
	}
	if err := r.writeManifests(); err != nil {
		return err
	}
	return sums("dist")
}

// identify finds commit and date. It returns an error if files differ from the commit.
func (r *release) identify() error {
	changes, err := output("git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("files differ from the commit; commit or remove them:\n%s", changes)
	}
	show, err := output("git", "show", "-s", "--format=%H %ct", "HEAD")
	if err != nil {
		return err
	}
	var seconds int64
	if _, err := fmt.Sscan(show, &r.commit, &seconds); err != nil {
		return err
	}
	r.date = time.Unix(seconds, 0).UTC()
	return nil
}

// build builds the program for a system and returns its path.
func (r *release) build(goos, goarch string) (string, error) {
	path := filepath.Join(r.work, goos+"-"+goarch, "absolink")
	if goos == "windows" {
		path += ".exe"
	}
	const build = "absolink/cmd/absolink/internal/build.release"
	set := fmt.Sprintf("-s -w -buildid= -X %sVersion=v%s -X %sCommit=%s -X %sDate=%s",
		build, r.version, build, r.commit, build, r.date.Format(time.RFC3339))
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", set, "-o", path, "./cmd/absolink")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch,
		"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GO386=sse2")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s/%s: %v: %s", goos, goarch, err, out)
	}
	return path, nil
}

// share makes the files of all packages, with the program of this machine.
func (r *release) share() error {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if err := r.add(name, name); err != nil {
			return err
		}
	}
	program, err := r.build(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	pages := filepath.Join(r.work, "man")
	if _, err := output(program, "man", pages); err != nil {
		return err
	}
	entries, err := os.ReadDir(pages)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := r.add("man/man"+strings.TrimPrefix(filepath.Ext(e.Name()), ".")+"/"+e.Name(),
			filepath.Join(pages, e.Name())); err != nil {
			return err
		}
	}
	for shell, name := range map[string]string{"bash": "absolink.bash",
		"zsh": "_absolink", "fish": "absolink.fish", "powershell": "absolink.ps1"} {
		text, err := output(program, "completion", shell)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{name: "completions/" + name, data: []byte(text)})
	}
	return nil
}

// add adds the file at path to the files of all packages.
func (r *release) add(name, path string) error {
	data, err := os.ReadFile(path)
	r.shared = append(r.shared, file{name: name, data: data})
	return err
}

// packaged is what the packages of one system contain.
type packaged struct {
	goos, goarch string
	used         modules  // modules that are linked in
	image        v1.Image // or nil
}

// packageAll packages every system, as many at once as there are processors.
func (r *release) packageAll() ([]*packaged, error) {
	var wg sync.WaitGroup
	failed := make([]error, len(systems))
	all := make([]*packaged, len(systems))
	places := make(chan struct{}, runtime.NumCPU())
	for i, system := range systems {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			goos, goarch, _ := strings.Cut(system, "/")
			all[i], failed[i] = r.packageOne(goos, goarch)
		})
	}
	wg.Wait()
	return all, errors.Join(failed...)
}

// packageOne writes the packages of one system, except for its image.
func (r *release) packageOne(goos, goarch string) (*packaged, error) {
	path, err := r.build(goos, goarch)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	used, err := linked(path)
	if err != nil {
		return nil, err
	}
	p := &packaged{goos: goos, goarch: goarch, used: used}
	files := append(slices.Clone(r.shared), file{name: filepath.Base(path), data: program, mode: 0o755},
		file{name: "THIRD-PARTY-LICENSES.txt", data: used.licences()})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	top := r.archive(goos, goarch)
	if err := writeTar("dist/"+top+".tar.gz", top, files, r.date); err != nil {
		return nil, err
	}
	if err := writeZip("dist/"+top+".zip", top, files, r.date); err != nil {
		return nil, err
	}
	if platforms[goos+"/"+goarch] != nil {
		err = r.writeWheel(goos+"/"+goarch, file{name: path, data: program, mode: 0o755}, used.licences())
		if err != nil {
			return nil, err
		}
	}
	if goos == "linux" && (goarch == "amd64" || goarch == "arm64") {
		if err := r.writeLinux(goarch, files); err != nil {
			return nil, err
		}
		p.image, err = r.image(goarch, files)
	}
	return p, err
}

// archive returns the name of the archives of a system, without extension. It is also the name of
// the directory in them.
func (r *release) archive(goos, goarch string) string {
	return "absolink-" + r.version + "-" + goos + "-" + goarch
}

// sums writes the sum of every file of dir to SHA256SUMS in it.
func sums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), list.Bytes(), 0o666)
}

// output runs a program and returns its standard output.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %v: %s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out), nil
}
