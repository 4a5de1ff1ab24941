package header

import "io"

// decodingReader returns nil: in a browser, package extract decodes all charsets.
func decodingReader(string, io.Reader) io.Reader { return nil }
