package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
)

// A user of Windows drops a file on the icon of absolink, or opens the program without a file. Then
// the program has a console of its own, which closes with the program. So the program waits for a
// key, and a page is unpacked beside its file instead of being listed.

// runInWindow calls run for args, in a console that closes with the program. Then it waits for a
// key. out is the console.
func runInWindow(args []string, out io.Writer, run func(args []string) int, waitForKey func()) int {
	if unpack, ok := unpackArgs(args); ok {
		page := console.Printable(args[0])
		fmt.Fprintf(out, "The page in %s becomes files that a browser opens. Open this one:\n", page)
		args = unpack
	}
	code := run(args)
	fmt.Fprint(out, "\nPress a key to close this window.")
	waitForKey()
	return code
}

// unpackArgs returns the arguments that unpack a page into a new directory beside its file. ok is
// false if args are not one page.
func unpackArgs(args []string) (unpack []string, ok bool) {
	pages := []string{".mht", ".mhtml"}
	if len(args) != 1 || !slices.Contains(pages, strings.ToLower(filepath.Ext(args[0]))) {
		return nil, false
	}
	if info, err := os.Stat(args[0]); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	return []string{"unpack", "-o", newName(strings.TrimSuffix(args[0], filepath.Ext(args[0]))), "--", args[0]}, true
}

// newName returns name, or name with a number if the name exists.
func newName(name string) string {
	candidate := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(candidate); err != nil {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d", name, n)
	}
}

// By default cobra lets nobody start a program from the file manager of Windows.
func init() { cobra.MousetrapHelpText = "" }
