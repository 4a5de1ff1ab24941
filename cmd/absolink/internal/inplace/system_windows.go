package inplace

import "absolink/cmd/absolink/internal/flag"

// refused says that no file is replaced here.
func refused() error {
	return flag.Errorf("--in-place: on Windows no file is replaced, since that was never tried there; -o DIR writes " +
		"copies")
}
