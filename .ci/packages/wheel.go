package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// python is the folder of the Python package.
const python = "cmd/absolink/python"

// platforms maps systems to the platform tags of their wheels. The programs of Linux are static, so
// they need no version of a C library. Go 1.26 needs macOS 12.
var platforms = map[string][]string{
	"linux/amd64":   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_12_0_x86_64"},
	"darwin/arm64":  {"macosx_12_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// largestWheel is the most bytes that a wheel may have.
const largestWheel = 12_000_000

// writeWheel writes the wheel of a system: the Python package, and the program as a script, which
// pip installs as the command.
func (r *release) writeWheel(system string, program file, licences []byte) error {
	tags := platforms[system]
	version, err := pythonVersion(r.version)
	if err != nil {
		return err
	}
	files, err := pythonModules()
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(python, "README.md"))
	if err != nil {
		return err
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	info := "absolink-" + version + ".dist-info/"
	program.name = "absolink-" + version + ".data/scripts/" + filepath.Base(program.name)
	files = append(files, program,
		file{name: info + "METADATA", data: metadata(version, readme)},
		file{name: info + "WHEEL", data: wheelTags(tags)},
		file{name: info + "licenses/LICENSE", data: licence},
		file{name: info + "licenses/THIRD-PARTY-LICENSES.txt", data: licences})
	files = append(files, file{name: info + "RECORD", data: recordOf(files, info+"RECORD")})
	wheel, err := r.zipped(files)
	if err != nil {
		return err
	}
	name := "absolink-" + version + "-py3-none-" + strings.Join(tags, ".") + ".whl"
	if len(wheel) > largestWheel {
		return fmt.Errorf("%s has %d bytes, at most %d are allowed", name, len(wheel), largestWheel)
	}
	return os.WriteFile(filepath.Join("dist", name), wheel, 0o666)
}

// pythonModules returns the files of the Python package.
func pythonModules() ([]file, error) {
	var files []file
	for _, pattern := range []string{"*.py", "py.typed"} {
		paths, err := filepath.Glob(filepath.Join(python, "absolink", pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			files = append(files, file{name: "absolink/" + filepath.Base(path), data: data})
		}
	}
	return files, nil
}

// prerelease matches the end of a version that Python writes otherwise.
var prerelease = regexp.MustCompile(`^-(alpha|beta|rc)\.?(\d+)$`)

// pythonVersion returns a version as Python packages write it: 1.2.3rc1 for 1.2.3-rc.1.
func pythonVersion(version string) (string, error) {
	at := strings.IndexByte(version, '-')
	if at < 0 {
		return version, nil
	}
	m := prerelease.FindStringSubmatch(version[at:])
	if m == nil {
		return "", fmt.Errorf("Python has no version %s: use -alpha.N, -beta.N or -rc.N", version)
	}
	return version[:at] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[1]] + m[2], nil
}

// metadata returns the core metadata 2.4 of the package, with its README.
func metadata(version string, readme []byte) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.4
Name: absolink
Version: %s
Summary: Links of web pages, mail and web archives, absolute by the layers of RFC 2396
Keywords: links,html,crawler,scrapy,mail,warc
License-Expression: MIT
License-File: LICENSE
License-File: THIRD-PARTY-LICENSES.txt
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Internet :: WWW/HTTP :: Indexing/Search
Classifier: Typing :: Typed
Requires-Python: >=3.10
Description-Content-Type: text/markdown

%s`, version, readme)
}

// wheelTags returns the file WHEEL.
func wheelTags(tags []string) []byte {
	b := []byte("Wheel-Version: 1.0\nGenerator: absolink\nRoot-Is-Purelib: false\n")
	for _, tag := range tags {
		b = fmt.Appendf(b, "Tag: py3-none-%s\n", tag)
	}
	return b
}

// recordOf returns the file RECORD: the name, sum and size of each file, and its own name.
func recordOf(files []file, own string) []byte {
	var b []byte
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		b = fmt.Appendf(b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	return fmt.Appendf(b, "%s,,\n", own)
}

// zipped returns a zip of files, compressed as much as deflate can.
func (r *release) zipped(files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.date}
		h.SetMode(f.perm())
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
