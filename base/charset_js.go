package base

import (
	"errors"
	"syscall/js"
)

// decoder has the contract of decoder in charset.go. The TextDecoder of the browser does the work.
// If TextDecoder does not know the charset, its constructor throws, and Go panics.
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
