package help

import _ "embed"

// places lists the attributes, properties and fields that hold references. TestListing of
// extract/internal/place compares it with the tables, and writes the file with -update-listing.
//
//go:embed constructs.txt
var places string

// constructs returns the tables, with a heading and a fence for each.
func constructs() string { return places }
