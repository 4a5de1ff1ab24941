package write

import (
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/source"
)

// outputFile splits the argument of -o. If it names the file of the only output, dir and name are
// the directory and the base name of this file. Otherwise dir is the directory of all outputs, and
// name is empty. The argument names a file if three conditions hold. It has the ending of the
// input, or the ending of a document or a container. It does not end with a slash, and is not an
// existing directory. There is only one input, which is not a directory.
func (d *Destination) outputFile(inputs *source.Set) (dir, name string) {
	args := inputs.Args()
	last := d.Dir[len(d.Dir)-1]
	if len(args) != 1 || inputs.URLs != "" || os.IsPathSeparator(last) || input.IsDir(args[0]) || input.IsDir(d.Dir) ||
		!hasKnownEnding(d.Dir) && !haveSameEnding(d.Dir, args[0]) {
		return d.Dir, ""
	}
	return filepath.Dir(d.Dir), filepath.Base(d.Dir)
}

// namedCodings are the codings with an ending for file names, such as .gz.
var namedCodings = []coding.Coding{coding.Gzip, coding.Zstd, coding.Brotli, coding.Bzip2}

// endingOfCoding returns the ending of name that stands for a coding, such as ".gz". It returns ""
// if name has no such ending.
func endingOfCoding(name string) string {
	for _, c := range namedCodings {
		if rest := c.Name(name); rest != name {
			return name[len(rest):]
		}
	}
	return ""
}

// checkCoding refuses the name of an output if its ending stands for another coding than the ending
// of its input: the output is compressed like the input. The error is a [*flag.Error].
func checkCoding(inputName, outputName string) error {
	want := endingOfCoding(inputName)
	got := endingOfCoding(outputName)
	if want == got {
		return nil
	}
	return flag.Errorf("-o %s: the output is compressed like the input: type -o %s", outputName,
		strings.TrimSuffix(outputName, got)+want)
}

// hasKnownEnding reports whether name has the ending of a document or a container. The ending of a
// coding may follow, as in page.html.gz.
func hasKnownEnding(name string) bool {
	name = filepath.Base(name)
	name = strings.TrimSuffix(name, endingOfCoding(name))
	return kinds.Identify(nil, name).Named != input.Other || contentEndings[strings.ToLower(filepath.Ext(name))]
}

// contentEndings are the endings of documents whose kind the content decides.
var contentEndings = map[string]bool{".json": true, ".ics": true, ".vcf": true}

// haveSameEnding reports whether two names have the same ending, such as .php. The ending of a
// coding may follow.
func haveSameEnding(a, b string) bool {
	ext := func(name string) string { return filepath.Ext(strings.TrimSuffix(name, endingOfCoding(name))) }
	return ext(a) != "" && strings.EqualFold(ext(a), ext(b))
}
