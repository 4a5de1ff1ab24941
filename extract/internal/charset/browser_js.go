package charset

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall/js"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// In a browser, TextDecoder has the encodings of the standard, so the program need not contain
// their tables: they would be a fifth of it. A table is made when an encoding is first used, from
// the text of all byte sequences that its structure allows. The encoder is the reverse of the table
// by the rules of the standard.

// nameOf returns the name of the encoding with a label of the standard, or "".
func nameOf(label string) string {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	if slices.Contains(replaced, label) {
		return "replacement"
	}
	d, ok := newTextDecoder(label)
	if !ok {
		return ""
	}
	return d.Get("encoding").String()
}

// replaced are the labels of the replacement encoding, which TextDecoder refuses.
var replaced = []string{"csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr", "replacement"}

// newTextDecoder returns a TextDecoder. ok is false if the browser does not know the label.
func newTextDecoder(label string) (d js.Value, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	options := map[string]any{"ignoreBOM": true}
	return js.Global().Get("TextDecoder").New(label, options), true
}

// table has the characters of an encoding by their bytes, as big-endian numbers, and the reverse.
type table struct {
	chars map[uint32]string
	bytes map[rune]uint32
}

var (
	tablesMu sync.Mutex
	tables   = make(map[string]*table) // by the name of the encoding
)

// tableOf returns the table of the encoding with a name of the standard.
func tableOf(name string) *table {
	tablesMu.Lock()
	defer tablesMu.Unlock()
	t := tables[name]
	if t == nil {
		t = &table{make(map[uint32]string), make(map[rune]uint32)}
		tables[name] = t
		t.fill(name)
	}
	return t
}

// fill sets the characters and bytes of the encoding.
func (t *table) fill(name string) {
	list := sequences(name)
	var all bytes.Buffer
	for _, b := range list {
		all.Write(b)
		all.WriteByte('\n') // it ends an invalid sequence
	}
	d, ok := newTextDecoder(name)
	if !ok {
		return
	}
	array := js.Global().Get("Uint8Array").New(all.Len())
	js.CopyBytesToJS(array, all.Bytes())
	i := 0
	for text := range strings.SplitSeq(d.Call("decode", array).String(), "\n") {
		if i == len(list) {
			break
		}
		t.add(name, list[i], text)
		i++
	}
	switch name {
	case "gbk":
		t.bytes[0x20ac] = 0x80
		delete(t.bytes, 0xe5e5)
	case "gb18030":
		const number = 0x8431a437 // U+FFFD itself
		t.chars[number] = replacement
		t.bytes[utf8.RuneError] = number
		delete(t.bytes, 0xe5e5)
	case "shift_jis":
		t.bytes[0xa5] = 0x5c
		t.bytes[0x203e] = 0x7e
		t.bytes[0x2212] = 0x817c
	case "big5": // pairs that are two characters, which Chromium 156 does not read
		t.chars[0x8862] = "\u00ca\u0304"
		t.chars[0x8864] = "\u00ca\u030c"
		t.chars[0x88a3] = "\u00ea\u0304"
		t.chars[0x88a5] = "\u00ea\u030c"
	}
}

// add adds the text of a sequence, unless the sequence is invalid.
func (t *table) add(name string, b []byte, text string) {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 || n < len(text) || r == utf8.RuneError {
		return
	}
	number := numberOf(b)
	t.chars[number] = text
	_, known := t.bytes[r]
	switch {
	case known && !(name == "big5" && strings.ContainsRune("═╞╡╪十卅", r)):
	case name == "big5" && b[0] < 0xa1: // HKSCS
	case name == "shift_jis" && (b[0] == 0xed || b[0] == 0xee): // IBM's characters, selected by NEC
	case name == "shift_jis" && 0xf0 <= b[0] && b[0] <= 0xf9: // for private use
	case name == "gb18030" && len(b) == 1: // the euro sign of GBK
	case name == "euc-jp" && len(b) == 3: // JIS X 0212
	default:
		t.bytes[r] = number
	}
}

// numberOf returns the bytes as a big-endian number.
func numberOf(b []byte) (n uint32) {
	for _, c := range b {
		n = n<<8 | uint32(c)
	}
	return n
}

// sequences returns the byte sequences that the structure of an encoding allows, in the order of
// the pointers of the standard. The sequences of gb18030 outside of the BMP are left out.
func sequences(name string) (list [][]byte) {
	e := &Encoding{}
	switch name {
	case "gbk", "gb18030":
		e.family = gb
	case "shift_jis":
		e.family = shiftJIS
	case "euc-jp":
		e.family = eucJP
	case "big5", "euc-kr":
	default:
		for c := 0x80; c < 0x100; c++ {
			list = append(list, []byte{byte(c)})
		}
		return list
	}
	for c := 0x80; c < 0x100; c++ {
		lead := byte(c)
		if e.isSingle(lead) {
			list = append(list, []byte{lead})
		}
		if e.family == eucJP && lead == 0x8f {
			continue // it begins three bytes
		}
		for trail := 0x40; e.isLead(lead) && trail < 0xff; trail++ {
			list = append(list, []byte{lead, byte(trail)})
		}
	}
	for b := 0xa1; e.family == eucJP && b < 0xff; b++ {
		for c := 0xa1; c < 0xff; c++ {
			list = append(list, []byte{0x8f, byte(b), byte(c)})
		}
	}
	for number := 0; name == "gb18030" && number < 39420; number++ {
		list = append(list, fourBytes(0x81, number))
	}
	return list
}

// fourBytes returns a four-byte sequence of gb18030. Number 0 is the first sequence that begins
// with the byte lead.
func fourBytes(lead byte, number int) []byte {
	return []byte{lead + byte(number/12600), 0x30 + byte(number/1260%10), 0x81 + byte(number/10%126),
		0x30 + byte(number%10)}
}

// errNone is the error for a sequence or a character that an encoding does not have.
var errNone = errors.New("not in the encoding")

// tableDecoder decodes one sequence at a time.
type tableDecoder struct {
	transform.NopResetter
	*table
}

// Transform decodes src, which is one sequence.
func (d tableDecoder) Transform(dst, src []byte, _ bool) (n, taken int, err error) {
	text := d.chars[numberOf(src)]
	if len(src) == 4 && src[0] >= 0x90 {
		number := (int(src[0]-0x90)*10+int(src[1]-0x30))*1260 + int(src[2]-0x81)*10 + int(src[3]-0x30)
		if number < 1<<20 {
			text = string(rune(0x10000 + number))
		}
	}
	if text == "" {
		return 0, 0, errNone
	}
	return copy(dst, text), len(src), nil
}

// tableEncoder encodes one character at a time.
type tableEncoder struct {
	transform.NopResetter
	*table
	name string
}

// Transform encodes src, which is one character.
func (e tableEncoder) Transform(dst, src []byte, _ bool) (n, taken int, err error) {
	r, taken := utf8.DecodeRune(src)
	if r >= 0x10000 && e.name == "gb18030" {
		return copy(dst, fourBytes(0x90, int(r-0x10000))), taken, nil
	}
	number, ok := e.bytes[r]
	if !ok {
		return 0, 0, errNone
	}
	return len(appendNumber(dst[:0], number)), taken, nil
}

// decoderOf returns a decoder of the encoding with a name of the standard.
func decoderOf(name string) transform.Transformer { return tableDecoder{table: tableOf(name)} }

// encoderOf returns an encoder of the encoding with a name of the standard.
func encoderOf(name string) transform.Transformer {
	return tableEncoder{table: tableOf(name), name: name}
}
