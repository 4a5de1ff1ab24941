package record

// Memo caches the encoded values that a record shares with the record before it: the values of the
// document, which come first, and the values of the base. In most documents they are the same in
// all records, and more than half of the output. The zero value is empty. A Memo serves the records
// of one Layout. It is not safe for concurrent use.
type Memo struct {
	sort        Sort
	document    Document // document of lead
	base        Record   // base values of about
	lead, about line
}

// appendLead appends the values of the document of r. It calls make only if the record before had
// another document or sort. m may be nil.
func (m *Memo) appendLead(dst []byte, r *Record, make func([]byte, *Record) []byte) []byte {
	if m == nil {
		return make(dst, r)
	}
	if m.lead == nil || m.sort != r.Sort || m.document != r.Document {
		m.sort, m.document = r.Sort, r.Document
		m.lead = make(m.lead[:0], r)
	}
	return append(dst, m.lead...)
}

// appendBase appends the values of the base. m may be nil.
func (m *Memo) appendBase(l line, r *Record) line {
	if m == nil {
		return appendBase(l, r)
	}
	if o := &m.base; m.about == nil || o.Base != r.Base || o.Layer != r.Layer ||
		o.BaseFrom != r.BaseFrom || o.BasePart != r.BasePart {
		m.base = Record{Base: r.Base, Layer: r.Layer, BaseFrom: r.BaseFrom, BasePart: r.BasePart}
		m.about = appendBase(m.about[:0], r)
	}
	return append(l, m.about...)
}

func appendBase(l line, r *Record) line {
	l = l.text(`,"base":`, r.Base).text(`,"base_layer":`, r.Layer)
	return l.text(`,"base_source":`, r.BaseFrom).text(`,"base_part":`, r.BasePart)
}
