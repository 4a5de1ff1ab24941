package record

// Memo keeps what records have in common with the one before, as it is written: all that is
// said of the document at their beginning, and of the base. For most of the records of a
// document these are the same, and more than half of what is written. Its zero value is
// empty. It is for the records of one Layout, and not safe for concurrent use.
type Memo struct {
	sort        Sort
	document    Document // of which the beginning is
	base        Record   // of which the line is
	lead, about line
}

// leads appends what make appends for the document of r, which is all but the same for its
// other records. m may be nil.
func (m *Memo) leads(dst []byte, r *Record, make func([]byte, *Record) []byte) []byte {
	if m == nil {
		return make(dst, r)
	}
	if m.lead == nil || m.sort != r.Sort || m.document != r.Document {
		m.sort, m.document = r.Sort, r.Document
		m.lead = make(m.lead[:0], r)
	}
	return append(dst, m.lead...)
}

// bases appends what is said of the base. m may be nil.
func (m *Memo) bases(l line, r *Record) line {
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
