package record

// Key is one key of records: of an object its member, of a row its column.
type Key struct {
	Name string
	only only // which whole records have it

	ofDocument bool // all records of a document have the same value

	// One of these gives the value. "", nil and false stand for one that is not known.
	text   func(*Record) string
	bytes  func(*Record) []byte
	number func(*Record) (n int64, known bool)
	list   func(*Record) []string
	counts func(*Record) []Count
}

// only says which records have a key that were not asked for it.
type only uint8

const (
	always      only = iota
	withContext      // those with a context
	withChecks       // those of links that are checked
	withSorts        // those that stand among records of another sort
	withPages        // those of pages
	byName           // none
)

// Names returns the names of Keys.
func Names() []string {
	var names []string
	for i := range Keys {
		names = append(names, Keys[i].Name)
	}
	return names
}

// Keys are all keys, in the order of rows.
var Keys = []Key{
	{Name: "record", ofDocument: true, only: withSorts, text: func(r *Record) string { return string(r.Sort) }},
	{Name: "source", ofDocument: true, bytes: func(r *Record) []byte { return []byte(r.Source) }},
	{Name: "item", ofDocument: true, number: func(r *Record) (int64, bool) { return int64(r.Item), r.Item > 0 }},
	{Name: "part", ofDocument: true, text: func(r *Record) string { return r.Part }},
	{Name: "page", ofDocument: true, text: func(r *Record) string { return r.Page }},
	{Name: "message_id", ofDocument: true, text: func(r *Record) string { return r.Message.ID }},
	{Name: "subject", ofDocument: true, only: withContext, text: func(r *Record) string { return r.Message.Subject }},
	{Name: "from", ofDocument: true, only: withContext, text: func(r *Record) string { return r.Message.From }},
	{Name: "date", ofDocument: true, text: func(r *Record) string { return r.Message.Date }},
	{Name: "record_id", ofDocument: true, text: func(r *Record) string { return r.RecordID }},
	{Name: "record_offset", ofDocument: true, number: func(r *Record) (int64, bool) { return r.RecordOffset, r.Within }},
	{Name: "http_status", ofDocument: true, number: func(r *Record) (int64, bool) { return int64(r.HTTPStatus), r.HTTPStatus > 0 }},
	{Name: "type", ofDocument: true, text: func(r *Record) string { return r.Type }},
	{Name: "offset", number: func(r *Record) (int64, bool) { return r.Offset, r.Placed }},
	{Name: "end", number: func(r *Record) (int64, bool) { return r.End, r.Placed }},
	{Name: "line", number: func(r *Record) (int64, bool) { return r.Line, r.Placed && r.Line > 0 }},
	{Name: "column", number: func(r *Record) (int64, bool) { return r.Column, r.Placed && r.Line > 0 }},
	{Name: "element", text: func(r *Record) string { return r.Element }},
	{Name: "attribute", text: func(r *Record) string { return r.Attribute }},
	{Name: "kind", text: func(r *Record) string { return r.Kind }},
	{Name: "rel", list: func(r *Record) []string { return r.Rel }},
	{Name: "raw", bytes: func(r *Record) []byte { return r.Raw }},
	{Name: "value", bytes: func(r *Record) []byte { return r.Value }},
	{Name: "uri", bytes: func(r *Record) []byte { return known(r.URI) }},
	{Name: "status", text: func(r *Record) string { return r.Status }},
	{Name: "base", text: func(r *Record) string { return r.Base }},
	{Name: "base_layer", text: func(r *Record) string { return r.Layer }},
	{Name: "base_source", text: func(r *Record) string { return r.BaseFrom }},
	{Name: "base_part", text: func(r *Record) string { return r.BasePart }},
	{Name: "error", text: func(r *Record) string { return r.Error }},
	{Name: "host", only: byName, text: func(r *Record) string { return Host(string(r.URI)) }},
	{Name: "domain", only: byName, text: func(r *Record) string { return Domain(Host(string(r.URI))) }},
	{Name: "warnings", list: func(r *Record) []string { return r.Warnings }},
	{Name: "text", only: withContext, text: func(r *Record) string { return r.Text }},
	{Name: "found", only: withChecks, text: func(r *Record) string { return r.Found }},
	{Name: "links", only: withPages, counts: func(r *Record) []Count { return r.Links }},
	{Name: "kinds", only: withPages, counts: func(r *Record) []Count { return r.Kinds }},
}

// known returns b, nil if it is empty.
func known(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
