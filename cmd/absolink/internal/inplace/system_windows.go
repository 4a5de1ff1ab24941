package inplace

import "absolink/cmd/absolink/internal/flag"

// refused returns an error: files cannot be replaced in place on this system.
func refused() error {
	return flag.Errorf("--in-place: on Windows no file is replaced, since that was never tried there; -o DIR writes " +
		"copies")
}
