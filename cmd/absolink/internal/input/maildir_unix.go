//go:build unix

package input

// readsMaildirs says that Maildirs are read here.
const readsMaildirs = true
