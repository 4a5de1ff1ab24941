package source

import (
	"runtime"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/glob"
)

// expands says that the shells of the system leave patterns such as *.html to the programs.
const expands = runtime.GOOS == "windows"

// Expand returns args, with the names of the files that match in place of each pattern. It does so
// only on Windows: elsewhere the shell has expanded all patterns. The error is a *[flag.Error] if a
// pattern matches nothing.
func Expand(args []string) ([]string, error) {
	if !expands {
		return args, nil
	}
	return expandAll(args)
}

// IsPattern reports whether Expand takes arg for a pattern.
func IsPattern(arg string) bool { return expands && glob.IsPattern(arg) }

// expandAll is Expand for shells that leave patterns to the programs.
func expandAll(args []string) ([]string, error) {
	var list []string
	for _, arg := range args {
		if !glob.IsPattern(arg) {
			list = append(list, arg)
			continue
		}
		names, err := glob.Files(arg)
		switch {
		case err != nil:
			return nil, flag.Errorf("no file has the name %v", err)
		case len(names) == 0:
			return nil, flag.Errorf("%s matches no file: give a name, or another pattern", arg)
		}
		list = append(list, names...)
	}
	return list, nil
}
