package write

import (
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/source"
)

// file returns the directory and the name of the output of the only input, if the output is to be a
// file. Otherwise name is empty, and dir is the directory of all outputs. The output is a file if
// there is one input, no directory, and the argument of -o has the ending of a document or a
// container.
func (d *Destination) file(inputs *source.Set) (dir, name string) {
	args := inputs.Args()
	last := d.Dir[len(d.Dir)-1]
	if len(args) != 1 || inputs.URLs != "" || os.IsPathSeparator(last) || input.IsDir(args[0]) || input.IsDir(d.Dir) ||
		!hasKnownEnding(d.Dir) {
		return d.Dir, ""
	}
	return filepath.Dir(d.Dir), filepath.Base(d.Dir)
}

// codings are the codings that a name may have.
var codings = []coding.Coding{coding.Gzip, coding.Zstd, coding.Brotli, coding.Bzip2}

// endingOfCoding returns the ending of a name that stands for a coding, such as ".gz", or "".
func endingOfCoding(name string) string {
	for _, c := range codings {
		if rest := c.Name(name); rest != name {
			return name[len(rest):]
		}
	}
	return ""
}

// checkCoding refuses an output whose name has another coding than the input: the output is
// compressed as the input is. The error is a [*flag.Error].
func checkCoding(in, out string) error {
	is := endingOfCoding(in)
	wanted := endingOfCoding(out)
	if is == wanted {
		return nil
	}
	return flag.Errorf("-o %s: the output is compressed as the input is: type -o %s", out,
		strings.TrimSuffix(out, wanted)+is)
}

// hasKnownEnding reports whether a name has the ending of a document or a container, perhaps with
// the ending of a coding.
func hasKnownEnding(name string) bool {
	name = filepath.Base(name)
	name = strings.TrimSuffix(name, endingOfCoding(name))
	return input.Identify(nil, name).Named != input.Other
}
