package extract

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
	"unicode/utf8"
)

// queryEncoder returns the function that writes queries in an encoding (URL
// Standard, "percent-encode after encoding"): what it cannot hold becomes a
// percent-encoded decimal character reference. It keeps a state and is not safe
// for concurrent use.
func queryEncoder(enc encoding.Encoding) func(dst, query []byte, special bool) []byte {
	encoder := enc.NewEncoder().Transformer
	return func(dst, query []byte, special bool) []byte {
		encoder.Reset()
		var buf [64]byte
		for done := false; !done; {
			nDst, nSrc, err := encoder.Transform(buf[:], query, true)
			dst = appendQueryBytes(dst, buf[:nDst], special)
			query = query[nSrc:]
			switch {
			case err == nil:
				done = true
			case err == transform.ErrShortDst:
			case len(query) > 0:
				r, n := utf8.DecodeRune(query)
				dst = appendUnencodable(dst, r)
				query = query[n:]
			default:
				done = true
			}
		}
		return dst
	}
}

// appendQueryBytes appends encoded bytes, percent-encoded by the (special-)query set.
func appendQueryBytes(dst, b []byte, special bool) []byte {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '#' || c == '<' || c == '>' || c == '\'' && special {
			dst = appendPercent(dst, c)
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
