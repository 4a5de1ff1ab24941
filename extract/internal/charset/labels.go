package charset

import "unicode/utf8"

// Get returns the encoding with a label of the standard, or nil.
func Get(label string) *Encoding {
	name := nameOf(label)
	if name == "" {
		return nil
	}
	e := &Encoding{Name: name, Form: formOf(name)}
	switch e.Form {
	case ASCII, Shifting:
		e.setTables()
	}
	return e
}

// formOf returns the form of a charset of the standard.
func formOf(name string) Form {
	switch name {
	case "utf-8":
		return UTF8
	case "utf-16le":
		return UTF16LE
	case "utf-16be":
		return UTF16BE
	case "iso-2022-jp":
		return Shifting
	case "replacement":
		return Opaque
	}
	return ASCII
}

// setTables sets the tables for looking up characters. ISO-2022-JP uses the tables of EUC-JP, and
// ISO-2022-KR uses the tables of EUC-KR. GBK and HZ are read like gb18030.
func (e *Encoding) setTables() {
	reads, writes := e.Name, e.Name
	switch e.Name {
	case "gbk", "gb18030":
		e.family, reads = gb, "gb18030"
	case "shift_jis":
		e.family = shiftJIS
	case "euc-jp", "iso-2022-jp":
		e.family, reads, writes = eucJP, "euc-jp", "euc-jp"
	case "hz-gb-2312":
		e.family, reads, writes = gb, "gb18030", "gbk"
	case "iso-2022-kr":
		reads, writes = "euc-kr", "euc-kr"
	}
	e.decoder = decoderOf(reads)
	e.encoder = encoderOf(writes)
	for i := range differences {
		d := &differences[i]
		if d.name == reads {
			e.decodes = d.decode
		}
		if d.name == e.Name {
			e.encodes = d.encode
		}
	}
	switch reads {
	case "big5", "euc-jp", "euc-kr", "gb18030", "shift_jis":
	default:
		e.single = e.singleBytes()
	}
}

// singleBytes returns the characters of the bytes from 128 on. If x/text has no character for a
// byte below 160, the standard has the control character of the same number.
func (e *Encoding) singleBytes() *[256]rune {
	all := new([256]rune)
	for c := 0x80; c < 0x100; c++ {
		all[c] = utf8.RuneError
		if b, ok := e.lookup([]byte{byte(c)}); ok {
			all[c], _ = utf8.DecodeRune(b)
		} else if c < 0xa0 {
			all[c] = rune(c)
		}
	}
	return all
}
