//go:build !linux

package effort

// memoryDir returns "": no such directory is known.
func memoryDir() string { return "" }
