// Package charset decodes text in the charsets that extract.Doc.Encoding names: those of the
// Encoding Standard, and code pages that only mail has. Package ianaindex knows more charsets, but
// builds its tables at each start of the program.
package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// Decoder returns a decoder of the charset with this name. It returns nil for the charsets that
// absolink only lists links in, such as utf-7, and for unknown-8bit.
func Decoder(name string) *encoding.Decoder {
	if d := standardDecoder(name); d != nil {
		return d
	}
	page := codePage(name)
	if page == nil {
		return nil
	}
	return page.NewDecoder()
}

// codePage returns the code page with a name of IANA's registry, or nil.
func codePage(name string) *charmap.Charmap {
	switch name {
	case "ibm437":
		return charmap.CodePage437
	case "ibm850":
		return charmap.CodePage850
	case "ibm852":
		return charmap.CodePage852
	case "ibm855":
		return charmap.CodePage855
	case "ibm00858":
		return charmap.CodePage858
	case "ibm860":
		return charmap.CodePage860
	case "ibm862":
		return charmap.CodePage862
	case "ibm863":
		return charmap.CodePage863
	case "ibm865":
		return charmap.CodePage865
	}
	return nil
}
