//go:build !js

package charset

import (
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// nameOf returns the name of the encoding with a label of the standard, or "".
func nameOf(label string) string {
	enc, err := htmlindex.Get(strings.Trim(label, "\t\n\f\r "))
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return ""
	}
	return name
}

// decoderOf returns a decoder of the encoding with a name of the standard.
func decoderOf(name string) transform.Transformer {
	enc, _ := htmlindex.Get(name)
	return enc.NewDecoder().Transformer
}

// encoderOf returns an encoder of the encoding with a name of the standard.
func encoderOf(name string) transform.Transformer {
	enc, _ := htmlindex.Get(name)
	return enc.NewEncoder().Transformer
}
