package mime

import "bytes"

// Callers ask for the fields of these names again and again, for every entity. So the scanner notes
// the places of these fields when it reads a heading.

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
	knownFields // the number of known names; also stands for any other name
)

// oneExpected is the first of the names that a heading may have several times. A second field of a
// name before it is a defect.
const oneExpected = snapshotLocation

var knownNames = [knownFields]string{
	contentType: "Content-Type", transferEncoding: "Content-Transfer-Encoding", contentBase: "Content-Base",
	contentLocation: "Content-Location", snapshotLocation: "Snapshot-Content-Location", contentID: "Content-ID",
	messageID: "Message-ID", contentDisposition: "Content-Disposition",
}

// place tells where the fields of a name are: the index of the first field, and the number of
// fields.
type place struct{ first, n int32 }

// knownField returns the known name that equals name.
func knownField(name string) known {
	for k, n := range knownNames {
		if n == name {
			return known(k)
		}
	}
	return knownFields
}

// knownAs returns the known name that a heading spells as name, in any case.
func knownAs(name []byte) known {
	var k, other known
	switch len(name) {
	case len("Content-ID"):
		k, other = contentID, messageID
	case len("Content-Type"):
		k, other = contentType, contentBase
	case len("Content-Location"):
		k, other = contentLocation, contentLocation
	case len("Content-Disposition"):
		k, other = contentDisposition, contentDisposition
	case len("Content-Transfer-Encoding"):
		k, other = transferEncoding, snapshotLocation
	default:
		return knownFields
	}
	for _, k := range [...]known{k, other} {
		if bytes.EqualFold(name, []byte(knownNames[k])) {
			return k
		}
	}
	return knownFields
}

// note records the place of field i if its name is a known one, and returns that name.
func (e *Entity) note(i int) known {
	f := e.fields[i]
	k := knownAs(trimBlanks(e.bytes(Span{f.Start, f.Colon})))
	if k < knownFields {
		p := &e.known[k]
		p.n++
		if p.n == 1 {
			p.first = int32(i)
		}
	}
	return k
}
