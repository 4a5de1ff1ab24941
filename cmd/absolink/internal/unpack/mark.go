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

// markSuffix follows the name of a file in the name of the stream with its mark.
const markSuffix = ":Zone.Identifier"

// maxMark is the largest size in bytes of a mark that is copied.
const maxMark = 64 << 10

// CopyMark gives the files with the names to the mark of the file from. It does nothing if from has
// no mark, or if the system has no marks. An error names the file that has no mark.
func CopyMark(from string, to []string) error {
	if !marksFiles {
		return nil
	}
	return copyMark(from, to)
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
