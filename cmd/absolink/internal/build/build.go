// Package build reports the version of the program and the commit that it was built from.
package build

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"

	"absolink/cmd/absolink/internal/record"
)

// Build describes how the program was built. A fact that the build did not record is empty.
type Build struct {
	version, commit, date, goVersion, system string
	modified                                 bool // the sources differed from the commit
}

// These are set by the linker (-ldflags -X) in a release, and empty in other builds. A release is
// built without -buildvcs, so any clone of the repository gives the same bytes.
var releaseVersion, releaseCommit, releaseDate string

// This returns the facts that the build of this program recorded.
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

// Day returns the date of the commit, such as 2026-01-02, or "" if it is unknown.
func (b Build) Day() string {
	day, _, _ := strings.Cut(b.date, "T")
	return day
}

// of returns the facts in info, with the Go version and the system of the running program.
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

// JSON returns the facts as an object. Unknown facts have no key.
func (b Build) JSON() []byte {
	o := record.Object("{").String("version", b.version).String("commit", b.commit).String("date", b.date)
	if b.modified {
		o = o.Raw("modified", []byte("true"))
	}
	return append(o.String("go", b.goVersion).String("system", b.system), '}')
}
