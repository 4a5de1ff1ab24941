package mime

import "bytes"

// What fields of these names say is asked for of every entity, again and again, so
// that their places are noted when the heading is read.

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
	knownFields // their number, and any other name
)

// oneExpected is the first of these names of which a heading may have several fields:
// else a second one is a defect.
const oneExpected = snapshotLocation

var knownNames = [knownFields]string{
	contentType: "Content-Type", transferEncoding: "Content-Transfer-Encoding", contentBase: "Content-Base",
	contentLocation: "Content-Location", snapshotLocation: "Snapshot-Content-Location", contentID: "Content-ID",
	messageID: "Message-ID", contentDisposition: "Content-Disposition",
}

// place is where fields of a name stand: the number of the first one, and how many
// there are.
type place struct{ first, n int32 }

// knownField returns which of the names a caller asks for.
func knownField(name string) known {
	for k, n := range knownNames {
		if n == name {
			return known(k)
		}
	}
	return knownFields
}

// knownAs returns which name it is that is written in a heading, in any case.
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

// note notes the place of the field of a number if its name is a known one, which it
// returns.
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
