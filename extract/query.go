package extract

import (
	"unicode/utf8"

	"absolink/extract/internal/hex"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// queryEncoder returns the function that writes queries in an encoding (URL
// Standard, "percent-encode after encoding"): what it cannot hold becomes a
// percent-encoded decimal character reference. It keeps a state and is not safe
// for concurrent use.
func queryEncoder(name string, enc encoding.Encoding) func(dst, query []byte, special bool) []byte {
	encoder := enc.NewEncoder().Transformer
	return func(dst, query []byte, special bool) []byte {
		encoder.Reset()
		var buf [64]byte
		for len(query) > 0 {
			r, n := utf8.DecodeRune(query)
			last := n == len(query)
			nDst, _, err := encoder.Transform(buf[:], query[:n], last)
			switch {
			case err != nil && isControl(name, r):
				buf[0] = byte(r)
				err, nDst = nil, 1
			case !standard(name, r, buf[:nDst]):
				err, nDst = transform.ErrEndOfSpan, 0
			}
			dst = appendQueryBytes(dst, buf[:nDst], special) // with an error: the way back to ASCII
			if err != nil {
				dst = appendUnencodable(dst, r)
			}
			query = query[n:]
		}
		return dst
	}
}

// standard reports whether the Encoding Standard encodes r as b as well: it
// leaves JIS X 0212 out of EUC-JP, and U+E5E5 out of GBK and gb18030.
func standard(name string, r rune, b []byte) bool {
	switch name {
	case "euc-jp":
		return len(b) < 3
	case "gbk", "gb18030":
		return r != 0xe5e5
	}
	return true
}

// appendQueryBytes appends encoded bytes, percent-encoded by the (special-)query set.
func appendQueryBytes(dst, b []byte, special bool) []byte {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '#' || c == '<' || c == '>' || c == '\'' && special {
			dst = hex.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendUnencodable appends "&#N;" percent-encoded.
func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	ref := appendNumeric(nil, max(r, 0xa0))
	return append(append(dst, ref[2:len(ref)-1]...), "%3B"...)
}
