package cli

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"

	"absolink/cmd/absolink/internal/console"
)

var getConsoleProcessList = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetConsoleProcessList")

// hasOwnWindow reports whether a user sees in and out in a console that closes with this process,
// because no other process uses it.
func hasOwnWindow(in io.Reader, out io.Writer) bool {
	if !console.IsTerminal(in) || !console.IsTerminal(out) || getConsoleProcessList.Find() != nil {
		return false
	}
	var processes [2]uint32
	n, _, _ := getConsoleProcessList.Call(uintptr(unsafe.Pointer(&processes[0])), uintptr(len(processes)))
	return n == 1
}

// waitForKey waits until the user presses a key.
func waitForKey() {
	in := windows.Handle(os.Stdin.Fd())
	var mode uint32
	if windows.GetConsoleMode(in, &mode) == nil {
		windows.FlushConsoleInputBuffer(in)
		windows.SetConsoleMode(in, mode&^(windows.ENABLE_LINE_INPUT|windows.ENABLE_ECHO_INPUT))
		defer windows.SetConsoleMode(in, mode)
	}
	os.Stdin.Read(make([]byte, 1))
}
