package escape

import "absolink/resolve/ascii"

// appendCommented appends b, which is ready for the markup in a comment, and percent-encodes bytes
// that could end the comment: "-->" and "--!>" end one. If b is not enclosed, its last bytes must
// not begin such an end either.
func appendCommented(dst, b []byte, enclosed bool) []byte {
	for i, c := range b {
		last := i == len(b)-1 && !enclosed
		if c == '>' || last && (c == '-' || c == '!' && (i == 0 || b[i-1] == '-')) {
			dst = ascii.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
