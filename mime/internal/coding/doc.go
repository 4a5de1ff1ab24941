// Package coding decodes the transfer encodings of MIME (RFC 2045 Section 6), and the older
// uuencode, into text with a map back to the encoded bytes. If a body has faults, the package
// reports one of them and decodes the rest.
//
// Files in reading order: quoted.go, base64.go, uuencode.go.
package coding
