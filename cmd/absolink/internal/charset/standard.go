//go:build !js

package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// standardDecoder returns a decoder of the charset with a name of the Encoding Standard, or nil.
func standardDecoder(name string) *encoding.Decoder {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	return e.NewDecoder()
}
