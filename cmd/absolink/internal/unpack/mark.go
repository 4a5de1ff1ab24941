package unpack

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"absolink/cmd/absolink/internal/input"
)

// Windows marks files from the network: a second stream of the file tells the zone from which the
// file came. Programs warn before they open such a file. So the files of a page get the mark of the
// message. Files on other systems have no streams.

// marksFiles says that the system marks files from the network.
const marksFiles = runtime.GOOS == "windows"

// The mark of a file is in the stream with the name of the file and markSuffix.
const markSuffix = ":Zone.Identifier"

// maxMark is the largest size in bytes of a mark that is copied.
const maxMark = 64 << 10

// CopyMark copies the mark of a file to the files with the given names. It does nothing if source
// has no mark, or if the system has no marks. An error names the first file that did not get the
// mark.
func CopyMark(source string, names []string) error {
	if !marksFiles {
		return nil
	}
	return copyMark(source, names)
}

// copyMark is CopyMark for a system with marks.
func copyMark(from string, to []string) error {
	f, err := os.Open(from + markSuffix)
	if err != nil {
		return nil // no mark, or a file system without streams
	}
	defer f.Close()
	mark, err := io.ReadAll(io.LimitReader(f, maxMark))
	for _, name := range to {
		if err == nil {
			err = os.WriteFile(name+markSuffix, mark, 0o666)
		}
		if err != nil {
			return fmt.Errorf("%s does not get its zone mark, which says that it is from the network: %w", name,
				input.Pathless(err))
		}
	}
	return nil
}
