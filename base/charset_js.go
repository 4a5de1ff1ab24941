package base

import (
	"errors"
	"syscall/js"
)

// decoder returns a function that decodes text in the charset with a label of the Encoding
// Standard. Invalid bytes become U+FFFD. The browser decodes the text.
func decoder(charset string) (decode func([]byte) ([]byte, error), err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("unknown charset " + charset)
		}
	}()
	d := js.Global().Get("TextDecoder").New(charset)
	return func(b []byte) ([]byte, error) {
		array := js.Global().Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(array, b)
		return []byte(d.Call("decode", array).String()), nil
	}, nil
}
