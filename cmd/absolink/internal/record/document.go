package record

// Document has the values that all records of a document share. Empty values are unknown.
type Document struct {
	Source       string
	Item         int     // number of the message in a mailbox, or of the record in a web archive, from 1; else 0
	Part         string  // section number, or empty outside messages
	Page         string  // URI that the document was retrieved from
	Message      Message // the message with the document; for a WARC record only Date is set
	RecordID     string  // WARC-Record-ID
	Within       bool    // the document is in a message or record that begins at RecordOffset
	RecordOffset int64   // offset in the source in bytes; for a compressed record the offset of its member or frame
	HTTPStatus   int     // status code of the archived response
	Type         string  // media type
}

// AppendTo appends all known values of d to an object.
func (d *Document) AppendTo(o Object) Object {
	r := &Record{Document: *d}
	for i := range Keys {
		if k := &Keys[i]; k.ofDocument && k.Name != "record" {
			o = k.appendMember(o, r)
		}
	}
	return o
}
