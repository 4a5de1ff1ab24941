//go:build !js

package base

import "golang.org/x/text/encoding/htmlindex"

// decoder returns a function that converts bytes in a charset to UTF-8. charset is a label of the
// Encoding Standard, in upper or lower case. The function turns invalid bytes into U+FFFD. If the
// Encoding Standard does not have the label, decoder returns an error.
func decoder(charset string) (func([]byte) ([]byte, error), error) {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return enc.NewDecoder().Bytes, nil
}
