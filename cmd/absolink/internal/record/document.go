package record

// Document is what all records of one document say of it. Empty values are unknown ones.
type Document struct {
	Source       string
	Item         int     // number of the message in a mailbox, or of the record in a web archive, from 1; 0 elsewhere
	Part         string  // section number, "" outside messages
	Page         string  // URI that the document was retrieved from
	Message      Message // that holds the document; of the record of a web archive only a date
	RecordID     string  // WARC-Record-ID
	Within       bool    // the document lies in a message or record that begins at RecordOffset
	RecordOffset int64   // in bytes of the source: of the member or frame, where the record is compressed in one
	HTTPStatus   int     // of the archived response
	Type         string  // media type
}

// AppendTo appends all that is known of d to an object.
func (d *Document) AppendTo(o Object) Object {
	r := &Record{Document: *d}
	for i := range Keys {
		if k := &Keys[i]; k.ofDocument && k.Name != "record" {
			o = k.member(o, r)
		}
	}
	return o
}
