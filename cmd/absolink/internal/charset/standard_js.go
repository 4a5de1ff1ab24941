package charset

import (
	"syscall/js"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// standardDecoder returns a decoder of the charset with a name of the Encoding Standard, or nil.
// The browser decodes the text.
func standardDecoder(name string) (d *encoding.Decoder) {
	if name == "utf-8" {
		return unicode.UTF8.NewDecoder()
	}
	defer func() {
		if recover() != nil {
			d = nil // TextDecoder does not know the name
		}
	}()
	t := &textDecoder{name: name}
	t.Reset()
	return &encoding.Decoder{Transformer: t}
}

// textDecoder is a transform.Transformer that decodes with the TextDecoder of the browser.
type textDecoder struct {
	name    string
	decoder js.Value
}

// Reset begins another text.
func (t *textDecoder) Reset() {
	t.decoder = js.Global().Get("TextDecoder").New(t.name, map[string]any{"ignoreBOM": true})
}

// perByte is the largest number of bytes of UTF-8 for a byte of the source, and held is the room
// for the bytes of a character that a call has left to the next one.
const (
	perByte = 3
	held    = 16
)

// Transform decodes src. If dst is short, it decodes as much of src as has room for certain. It
// keeps the beginning of a character at the end of src, which counts as read, for the next call.
func (t *textDecoder) Transform(dst, src []byte, atEOF bool) (written, taken int, err error) {
	taken = min(len(src), max(0, len(dst)-held)/perByte)
	array := js.Global().Get("Uint8Array").New(taken)
	js.CopyBytesToJS(array, src[:taken])
	more := !atEOF || taken < len(src)
	text := t.decoder.Call("decode", array, map[string]any{"stream": more}).String()
	if taken < len(src) {
		err = transform.ErrShortDst
	}
	return copy(dst, text), taken, err
}
