package base

import (
	"errors"
	"syscall/js"
)

// decoder does the same as decoder in charset.go, with the TextDecoder of the browser. If
// TextDecoder does not know the charset, New panics.
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
