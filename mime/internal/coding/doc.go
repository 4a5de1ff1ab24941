// Package coding undoes the transfer encodings of MIME (RFC 2045 Section 6), and uuencode
// before them, into text with a map back to the encoded bytes. What it cannot decode it
// names, and decodes the rest.
//
// Files in reading order: quoted.go, base64.go, uuencode.go.
package coding
