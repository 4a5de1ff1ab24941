package record

// Memo keeps what records have in common with the one before, as JSON: source, item,
// part, message and type, and what is said of the base. For most of the records of a document
// these are the same, and half of what is written. Its zero value is empty. It is not
// safe for concurrent use.
type Memo struct {
	document, base Record // of which the lines are
	lead, about    line
}

// leads appends the line up to the type of the document. m may be nil.
func (m *Memo) leads(l line, r *Record) line {
	if m == nil {
		return appendLead(l, r)
	}
	if o := &m.document; m.lead == nil || o.Item != r.Item || o.Source != r.Source || o.Part != r.Part || o.Message != r.Message || o.Type != r.Type {
		m.document = Record{Source: r.Source, Item: r.Item, Part: r.Part, Message: r.Message, Type: r.Type}
		m.lead = appendLead(m.lead[:0], r)
	}
	return append(l, m.lead...)
}

// bases appends what is said of the base. m may be nil.
func (m *Memo) bases(l line, r *Record) line {
	if m == nil {
		return appendBase(l, r)
	}
	if o := &m.base; m.about == nil || o.Base != r.Base || o.Layer != r.Layer || o.BaseFrom != r.BaseFrom || o.BasePart != r.BasePart {
		m.base = Record{Base: r.Base, Layer: r.Layer, BaseFrom: r.BaseFrom, BasePart: r.BasePart}
		m.about = appendBase(m.about[:0], r)
	}
	return append(l, m.about...)
}

func appendLead(l line, r *Record) line {
	l = AppendString(append(l, `{"source":`...), r.Source)
	if r.Item > 0 {
		l = l.number(`,"item":`, int64(r.Item))
	}
	l = l.text(`,"part":`, r.Part).text(`,"message_id":`, r.Message.ID)
	if r.Context {
		l = l.text(`,"subject":`, r.Message.Subject).text(`,"from":`, r.Message.From)
	}
	return l.text(`,"date":`, r.Message.Date).text(`,"type":`, r.Type)
}

func appendBase(l line, r *Record) line {
	l = l.text(`,"base":`, r.Base).text(`,"base_layer":`, r.Layer)
	return l.text(`,"base_source":`, r.BaseFrom).text(`,"base_part":`, r.BasePart)
}
