//go:build unix

package input

// readsMaildirs reports whether Maildirs are read on this system.
const readsMaildirs = true
