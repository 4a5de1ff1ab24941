//go:build !js

package base

import "golang.org/x/text/encoding/htmlindex"

// decoder returns a function that decodes text in the charset with a label of the Encoding
// Standard. Invalid bytes become U+FFFD.
func decoder(charset string) (func([]byte) ([]byte, error), error) {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return enc.NewDecoder().Bytes, nil
}
