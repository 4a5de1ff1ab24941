package index

import "slices"

// Encode returns the bytes of a character that is not ASCII. ok is false if the charset has no such
// character. In ISO-2022-JP it returns the two bytes between escape sequences, for characters in
// index jis0208.
func (x *Indexes) Encode(charset string, r rune) (b string, ok bool) {
	switch charset {
	case "big5":
		return x.big5(r)
	case "euc-jp", "shift_jis", "iso-2022-jp":
		return x.japanese(charset, r)
	case "gbk", "gb18030":
		return x.chinese(charset, r)
	}
	return x.first(charset, charset, r, nil)
}

// first returns the bytes of the first pointer of a character that is not skipped.
func (x *Indexes) first(charset, index string, r rune, skip func(p int) bool) (b string, ok bool) {
	for _, p := range x.get(index).at[r] {
		if skip == nil || !skip(p) {
			b = bytesOf(charset, p)
			return b, b != ""
		}
	}
	return "", false
}

// big5 leaves out HKSCS, and takes the last pointer of six characters ("index Big5 pointer").
func (x *Indexes) big5(r rune) (b string, ok bool) {
	skip := func(p int) bool { return p < (0xa1-0x81)*157 }
	switch r {
	case 0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345:
		last := slices.Max(x.get("big5").at[r])
		skip = func(p int) bool { return p < last }
	}
	return x.first("big5", "big5", r, skip)
}

// japanese follows sections 12.1 to 12.3.
func (x *Indexes) japanese(charset string, r rune) (b string, ok bool) {
	kana := 0xff61 <= r && r <= 0xff9f
	switch {
	case charset != "iso-2022-jp" && r == 0xa5:
		return "\x5c", true
	case charset != "iso-2022-jp" && r == 0x203e:
		return "\x7e", true
	case charset == "shift_jis" && r == 0x80:
		return "\x80", true
	case charset == "shift_jis" && kana:
		return string([]byte{byte(r - 0xff61 + 0xa1)}), true
	case charset == "euc-jp" && kana:
		return string([]byte{0x8e, byte(r - 0xff61 + 0xa1)}), true
	case kana:
		r = x.get("iso-2022-jp-katakana").runes[r-0xff61]
	case r == 0x2212:
		r = 0xff0d
	}
	if charset == "shift_jis" {
		return x.first(charset, "jis0208", r, func(p int) bool { return 8272 <= p && p <= 8835 })
	}
	b, ok = x.first("euc-jp", "jis0208", r, nil)
	if ok && charset == "iso-2022-jp" {
		b = string([]byte{b[0] & 0x7f, b[1] & 0x7f})
	}
	return b, ok
}

// former are private use characters that GB 18030 no longer uses, with the bytes that they keep
// (section 10.2.2).
var former = map[rune]string{
	0xe78d: "\xa6\xd9", 0xe78e: "\xa6\xda", 0xe78f: "\xa6\xdb",
	0xe790: "\xa6\xdc", 0xe791: "\xa6\xdd", 0xe792: "\xa6\xde",
	0xe793: "\xa6\xdf", 0xe794: "\xa6\xec", 0xe795: "\xa6\xed",
	0xe796: "\xa6\xf3", 0xe81e: "\xfe\x59", 0xe826: "\xfe\x61",
	0xe82b: "\xfe\x66", 0xe82c: "\xfe\x67", 0xe832: "\xfe\x6d",
	0xe843: "\xfe\x7e", 0xe854: "\xfe\x90", 0xe864: "\xfe\xa0",
}

// chinese follows section 10.2.2.
func (x *Indexes) chinese(charset string, r rune) (b string, ok bool) {
	switch {
	case r == 0xe5e5:
		return "", false
	case charset == "gbk" && r == 0x20ac:
		return "\x80", true
	case former[r] != "":
		return former[r], true
	}
	b, ok = x.first(charset, "gb18030", r, nil)
	if ok || charset == "gbk" {
		return b, ok
	}
	if r == 0xe7c7 {
		return four(7457), true
	}
	f := x.get("gb18030-ranges")
	i, found := slices.BinarySearch(f.runes, r)
	if !found {
		i--
	}
	return four(f.pointers[i] + int(r-f.runes[i])), true
}
