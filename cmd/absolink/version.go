package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

func (p *program) versionCommand() *cobra.Command {
	format := versionText
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the version, the commit and its date as far as the build recorded them, the\nversion of Go and the system.",
		Example: "  absolink version --format json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			line := thisBuild().text()
			if format == versionJSON {
				line = string(thisBuild().json())
			}
			_, err := p.out.Write([]byte(line + "\n"))
			return err
		},
	}
	flag.Enum(c, &format, "format", "`F` of the answer: text or json", versionText, versionJSON)
	return c
}

// versionFormat is the form of the answer.
type versionFormat string

const (
	versionText versionFormat = "text"
	versionJSON versionFormat = "json"
)

func (f versionFormat) String() string { return string(f) }

// build is what the program was built from. What the build did not record is "".
type build struct {
	version, commit, date, goVersion, system string
	modified                                 bool // the sources were not those of the commit
}

// thisBuild returns what the build recorded.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return buildOf(info)
}

// buildOf returns what info records, and what the running program knows itself.
func buildOf(info *debug.BuildInfo) build {
	b := build{version: "(devel)", goVersion: runtime.Version(), system: runtime.GOOS + "/" + runtime.GOARCH}
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

// text returns the facts in one line.
func (b build) text() string {
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

// json returns the facts as an object. What is not known is absent.
func (b build) json() []byte {
	o := record.Object("{").String("version", b.version).String("commit", b.commit).String("date", b.date)
	if b.modified {
		o = o.Raw("modified", []byte("true"))
	}
	return append(o.String("go", b.goVersion).String("system", b.system), '}')
}
