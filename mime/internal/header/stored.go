//go:build !js

package header

import (
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// decodingReader returns a reader that decodes r from a charset with a name of the Encoding
// Standard, or nil.
func decodingReader(charset string, r io.Reader) io.Reader {
	enc, err := htmlindex.Get(charset)
	if err != nil || enc == encoding.Replacement {
		return nil
	}
	return enc.NewDecoder().Reader(r)
}
