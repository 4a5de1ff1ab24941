package mime

import "bytes"

// Callers ask for the fields with a few names again and again, for every entity. So the scanner
// records where these fields are when it reads a heading.

// known is one of these names.
type known uint8

const (
	contentType known = iota
	transferEncoding
	contentBase
	contentLocation
	snapshotLocation
	contentID
	messageID
	contentDisposition
	knownFields // the number of known names, and the value for all other names
)

// firstRepeatable and the known names after it may occur twice in a heading. For the names before
// firstRepeatable, a second field is a defect.
const firstRepeatable = snapshotLocation

var knownNames = [knownFields]string{
	contentType: "Content-Type", transferEncoding: "Content-Transfer-Encoding", contentBase: "Content-Base",
	contentLocation: "Content-Location", snapshotLocation: "Snapshot-Content-Location", contentID: "Content-ID",
	messageID: "Message-ID", contentDisposition: "Content-Disposition",
}

// fieldPlace has the index of the first field of a name, and the number of fields with the name.
type fieldPlace struct{ first, n int32 }

// knownField returns the known name that equals name. The case must be the same as in knownNames.
func knownField(name string) known {
	for k, n := range knownNames {
		if n == name {
			return known(k)
		}
	}
	return knownFields
}

// knownFieldFold returns the known name that equals name in any case.
func knownFieldFold(name []byte) known {
	var candidates [2]known // the known names of this length
	switch len(name) {
	case len("Content-ID"):
		candidates = [2]known{contentID, messageID}
	case len("Content-Type"):
		candidates = [2]known{contentType, contentBase}
	case len("Content-Location"):
		candidates = [2]known{contentLocation, contentLocation}
	case len("Content-Disposition"):
		candidates = [2]known{contentDisposition, contentDisposition}
	case len("Content-Transfer-Encoding"):
		candidates = [2]known{transferEncoding, snapshotLocation}
	default:
		return knownFields
	}
	for _, k := range candidates {
		if bytes.EqualFold(name, []byte(knownNames[k])) {
			return k
		}
	}
	return knownFields
}

// recordField records the place of field i if its name is known, and returns the known name.
func (e *Entity) recordField(i int) known {
	f := e.fields[i]
	k := knownFieldFold(trimBlanks(e.bytes(Span{f.Start, f.Colon})))
	if k < knownFields {
		p := &e.known[k]
		p.n++
		if p.n == 1 {
			p.first = int32(i)
		}
	}
	return k
}
