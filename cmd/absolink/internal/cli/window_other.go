//go:build !windows

package cli

import "io"

// hasOwnWindow returns false: only Windows opens a console for each program.
func hasOwnWindow(io.Reader, io.Writer) bool { return false }

func waitForKey() {}
