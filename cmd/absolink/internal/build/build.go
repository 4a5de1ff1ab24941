// Package build tells what the program was built from.
package build

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"

	"absolink/cmd/absolink/internal/record"
)

// Build is what the program was built from. What the build did not record is "".
type Build struct {
	version, commit, date, goVersion, system string
	modified                                 bool // the sources were not those of the commit
}

// What a package is built with (-ldflags -X): the go command does not look into the repository
// then, so that any clone gives the same bytes. "" in other builds.
var releaseVersion, releaseCommit, releaseDate string

// This returns what the build recorded.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	b := of(info)
	b.version = cmp.Or(releaseVersion, b.version)
	b.commit = cmp.Or(releaseCommit, b.commit)
	b.date = cmp.Or(releaseDate, b.date)
	return b
}

// Version returns the version, such as v1.2.3.
func (b Build) Version() string { return b.version }

// Day returns the date of the commit, such as 2026-01-02; "" if it is not known.
func (b Build) Day() string {
	day, _, _ := strings.Cut(b.date, "T")
	return day
}

// of returns what info records, and what the running program says of itself.
func of(info *debug.BuildInfo) Build {
	b := Build{version: "(devel)", goVersion: runtime.Version(), system: runtime.GOOS + "/" + runtime.GOARCH}
	if info.Main.Version != "" {
		b.version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.date = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// Text returns the facts in one line.
func (b Build) Text() string {
	words := []string{"absolink", b.version}
	if b.commit != "" {
		words = append(words, "commit", b.commit)
	}
	if b.modified {
		words = append(words, "modified")
	}
	if b.date != "" {
		words = append(words, b.date)
	}
	return strings.Join(append(words, b.goVersion, b.system), " ")
}

// JSON returns the facts as an object. What is not known is absent.
func (b Build) JSON() []byte {
	o := record.Object("{").String("version", b.version).String("commit", b.commit).String("date", b.date)
	if b.modified {
		o = o.Raw("modified", []byte("true"))
	}
	return append(o.String("go", b.goVersion).String("system", b.system), '}')
}
