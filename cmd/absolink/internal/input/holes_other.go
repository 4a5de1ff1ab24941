//go:build !linux

package input

import (
	"io/fs"
	"os"
)

func isSparse(fs.FileInfo) bool { return false }

func extent(_ *os.File, at, size int64) (start, end int64) { return at, size }
