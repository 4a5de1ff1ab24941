package record

// Memo caches encoded values that a record shares with the record before it: the values of the
// document, which come first, and the values of the base. In most documents all records have the
// same values there, and these values are more than half of the output. In the format Arrow it
// caches the values of each run of columns. The zero value is empty. Use a Memo for only one
// Layout. It is not safe for concurrent use.
type Memo struct {
	category Category
	document Document
	prefix   jsonLine // the encoded category and document
	base     Record   // the base values
	baseText jsonLine // the encoded base values
	hosts    HostCache
	domains  DomainCache
	runs     []memoRun
}

// Host returns the host of a URI, or "".
func (m *Memo) Host(uri []byte) string { return m.hosts.Host(uri) }

// memoRun has the values of a run of columns in the last record.
type memoRun struct {
	texts   []string // nil before the first record
	encoded []byte
}

// appendPrefix appends the values of the document of r. It calls appendNew to encode them, unless
// the record before had the same document and category. m may be nil.
func (m *Memo) appendPrefix(dst []byte, r *Record, appendNew func([]byte, *Record) []byte) []byte {
	if m == nil {
		return appendNew(dst, r)
	}
	if m.prefix == nil || m.category != r.Category || m.document != r.Document {
		m.category = r.Category
		m.document = r.Document
		m.prefix = appendNew(m.prefix[:0], r)
	}
	return append(dst, m.prefix...)
}

// appendBase appends the values of the base of r. m may be nil.
func (m *Memo) appendBase(l jsonLine, r *Record) jsonLine {
	if m == nil {
		return appendBase(l, r)
	}
	if o := &m.base; m.baseText == nil || o.Base != r.Base || o.Layer != r.Layer ||
		o.BaseFrom != r.BaseFrom || o.BasePart != r.BasePart {
		m.base = Record{Base: r.Base, Layer: r.Layer, BaseFrom: r.BaseFrom, BasePart: r.BasePart}
		m.baseText = appendBase(m.baseText[:0], r)
	}
	return append(l, m.baseText...)
}

// appendBase appends the values of the base of r without a cache.
func appendBase(l jsonLine, r *Record) jsonLine {
	l = l.text(`,"base":`, r.Base).text(`,"base_layer":`, r.Layer)
	return l.text(`,"base_source":`, r.BaseFrom).text(`,"base_part":`, r.BasePart)
}

// appendRun appends the values of keys, which are texts. The keys are those of the run with a
// number. m may be nil.
func (m *Memo) appendRun(dst []byte, number int, keys []*Key, r *Record) []byte {
	if m == nil {
		return appendValues(dst, r, keys)
	}
	for len(m.runs) <= number {
		m.runs = append(m.runs, memoRun{})
	}
	run := &m.runs[number]
	same := run.texts != nil
	if !same {
		run.texts = make([]string, len(keys))
	}
	for i, k := range keys {
		if text := k.text(r); text != run.texts[i] {
			run.texts[i] = text
			same = false
		}
	}
	if !same {
		run.encoded = appendTexts(run.encoded[:0], run.texts)
	}
	return append(dst, run.encoded...)
}
