package help

import _ "embed"

// listing lists the attributes, properties and fields that hold links. TestListing of
// extract/internal/place compares it with the tables, and writes the file with -update-listing.
//
//go:embed places.txt
var listing string

// places returns the tables, with a heading and a fence for each.
func places() string { return listing }
