package record

import "slices"

// Key is one key of records: the name of a member in an object, or of a column in a row.
type Key struct {
	Name     string
	Meaning  string  // one sentence
	Example  string  // a value as JSON
	Type     string  // type of the values; empty if one of the functions below is set
	values   []Value // possible values of a key that Keys does not have; nil for any value
	presence presence

	ofDocument bool // all records of a document have the same value
	ofUnit     bool // records of links have no value
	ofEdge     bool // only with --edges
	repeated   bool // many records have the same value

	// One of these functions returns the value. "", nil and false mean that it is unknown.
	text   func(*Record) string
	bytes  func(*Record) []byte
	number func(*Record) (n int64, known bool)
	list   func(*Record) []string
	counts func(*Record) []Count
}

// presence says in which records a key is by default, without --fields.
type presence uint8

const (
	always           presence = iota
	withContext               // records with a context
	withChecks                // records of checked links
	withCategories            // records of output with several categories
	withPages                 // records of pages
	ifNamed                   // no records: only --fields adds the key
	ifNamedWithPages          // no records: only --fields adds the key to records of pages
)

// Names returns the names of Keys.
func Names() []string {
	var names []string
	for i := range Keys {
		names = append(names, Keys[i].Name)
	}
	return names
}

// Keys are all keys, in the order of the columns.
var Keys = []Key{
	{Name: "record", ofDocument: true, presence: withCategories,
		text:    func(r *Record) string { return string(r.Category) },
		Meaning: "Category of the record.", Example: `"link"`},
	{Name: "source", ofDocument: true, bytes: (*Record).source,
		Meaning: "The input as it was given. If it is a directory, the path below it follows. - is standard input.",
		Example: `"crawl/a.warc.gz"`},
	{Name: "item", ofDocument: true, number: func(r *Record) (int64, bool) { return int64(r.Item), r.Item > 0 },
		Meaning: "Number of the message in an mbox, or of the record in a web archive, from 1.", Example: `7`},
	{Name: "part", ofDocument: true, text: func(r *Record) string { return r.Part },
		Meaning: "Section number of the part of a message, as in IMAP.", Example: `"1.2"`},
	{Name: "page", ofDocument: true, text: func(r *Record) string { return r.Page },
		Meaning: "URI that the document was retrieved from: by --base or --root, the URL after redirects, " +
			"WARC-Target-URI or Snapshot-Content-Location. WARC-Target-URI is unchanged, except that the angle " +
			"brackets of old wget archives are removed.", Example: `"http://example.com/news/"`},
	{Name: "message_id", ofDocument: true, text: func(r *Record) string { return r.Message.ID },
		Meaning: "Message-ID of the message, with its angle brackets.", Example: `"<1@mail.example>"`},
	{Name: "subject", ofDocument: true, presence: withContext,
		text:    func(r *Record) string { return r.Message.Subject },
		Meaning: "Subject of the message, decoded; with --context or --fields.", Example: `"The June issue"`},
	{Name: "from", ofDocument: true, presence: withContext, text: func(r *Record) string { return r.Message.From },
		Meaning: "Authors of the message, decoded; with --context or --fields.",
		Example: `"Editor <editor@mail.example>"`},
	{Name: "date", ofDocument: true, text: func(r *Record) string { return r.Message.Date },
		Meaning: "Date of the message by RFC 3339, or the unchanged WARC-Date of the record, which may be as short " +
			"as a year.", Example: `"2026-01-02T03:04:05Z"`},
	{Name: "record_id", ofDocument: true, text: func(r *Record) string { return r.RecordID },
		Meaning: "WARC-Record-ID of the record.", Example: `"<urn:uuid:0f9a8a4e-0000-4000-8000-000000000000>"`},
	{Name: "record_offset", ofDocument: true, number: func(r *Record) (int64, bool) { return r.RecordOffset, r.Within },
		Meaning: "Offset in the file at which the record or message begins, in bytes. For a compressed record it is " +
			"the offset of its gzip member or zstd frame.", Example: `1000183`},
	{Name: "http_status", ofDocument: true,
		number:  func(r *Record) (int64, bool) { return int64(r.HTTPStatus), r.HTTPStatus > 0 },
		Meaning: "Status of the archived response.", Example: `200`},
	{Name: "type", ofDocument: true, text: func(r *Record) string { return r.Type },
		Meaning: "Media type of the document; text/rfc822-headers for a header.", Example: `"text/html"`},
	{Name: "offset", number: func(r *Record) (int64, bool) { return r.Offset, r.HasPlace },
		Meaning: "Offset at which the smallest span of bytes of the source begins that covers the value, from 0. It " +
			"is absent if the source does not have the bytes, as in a compressed part.", Example: `120`},
	{Name: "end", number: func(r *Record) (int64, bool) { return r.End, r.HasPlace },
		Meaning: "Offset at which that span ends.", Example: `131`},
	{Name: "line", number: func(r *Record) (int64, bool) { return r.Line, r.HasPlace && r.Line > 0 },
		Meaning: "Line of offset, from 1.", Example: `5`},
	{Name: "column", number: func(r *Record) (int64, bool) { return r.Column, r.HasPlace && r.Line > 0 },
		Meaning: "Column of offset in bytes, from 1.", Example: `10`},
	{Name: "element", repeated: true, text: func(r *Record) string { return r.Element },
		Meaning: "Element that has the link, in lower case; header for a header field.", Example: `"a"`},
	{Name: "attribute", repeated: true, text: func(r *Record) string { return r.Attribute },
		Meaning: "Attribute that has the link, or name of the header field; absent for text.", Example: `"href"`},
	{Name: "kind", repeated: true, text: func(r *Record) string { return r.Kind },
		Meaning: "Purpose of the link.", Example: `"nav"`},
	{Name: "rel", list: func(r *Record) []string { return r.Rel },
		Meaning: "Link types.", Example: `["next"]`},
	{Name: "raw", bytes: func(r *Record) []byte { return r.Raw },
		Meaning: "The link as it is written.", Example: `"../x?a&amp;b"`},
	{Name: "value", bytes: func(r *Record) []byte { return r.Value },
		Meaning: "The link, decoded.", Example: `"../x?a&b"`},
	{Name: "uri", bytes: func(r *Record) []byte { return nilIfEmpty(r.URI) },
		Meaning: "The absolute URI, with its fragment; absent if the link is unresolved or invalid.",
		Example: `"http://example.com/x?a&b"`},
	{Name: "status", repeated: true, text: func(r *Record) string { return r.Status },
		Meaning: "Result of resolving the link.", Example: `"resolved"`},
	{Name: "base", repeated: true, text: func(r *Record) string { return r.Base },
		Meaning: "Base URI of the link.", Example: `"http://example.com/news/"`},
	{Name: "base_layer", repeated: true, text: func(r *Record) string { return r.Layer },
		Meaning: "The layer of RFC 2396 Section 5.1 that gave the base.", Example: `"retrieval"`},
	{Name: "base_source", repeated: true, text: func(r *Record) string { return r.BaseFrom },
		Meaning: "The source in that layer that gave the base.", Example: `"warc-target-uri"`},
	{Name: "base_part", repeated: true, text: func(r *Record) string { return r.BasePart },
		Meaning: "Section number of the part that gave the base.", Example: `"1"`},
	{Name: "error", repeated: true, text: func(r *Record) string { return r.Error },
		Meaning: "In words: why the link is invalid or unresolved, or the defect of the page or unit.",
		Example: `"relative link without a usable base URI"`},
	{Name: "host", repeated: true, presence: ifNamed, text: (*Record).host,
		Meaning: "Host of uri, or of page in records of pages; with --fields.", Example: `"www.example.co.uk"`},
	{Name: "domain", repeated: true, presence: ifNamed, text: (*Record).domain,
		Meaning: "Registrable domain of that host by the public suffix list; with --fields.",
		Example: `"example.co.uk"`},
	{Name: "warnings", list: func(r *Record) []string { return r.Warnings },
		Meaning: "Properties of the link that deserve attention.", Example: `["host-change"]`},
	{Name: "text", presence: withContext, text: func(r *Record) string { return r.Text },
		Meaning: "Text of the link, or its alt or title, with folded white space; with --context or --fields.",
		Example: `"Next page"`},
	{Name: "found", presence: withChecks, text: func(r *Record) string { return r.Found },
		Meaning: "URI of the file that is probably meant; with --check-files.",
		Example: `"http://example.com/About.html"`},
	{Name: "robots", presence: withPages, list: func(r *Record) []string { return r.Robots },
		Meaning: "Directives for robots that apply to the page: from its metas named robots and the X-Robots-Tag " +
			"fields of its response, and those for --robot-name. The directive none becomes noindex and nofollow.",
		Example: `["noindex","nofollow"]`},
	{Name: "links", presence: withPages, counts: func(r *Record) []Count { return r.Links },
		Meaning: "Numbers of the links of the page by status.", Example: `{"resolved":3}`},
	{Name: "kinds", presence: withPages, counts: func(r *Record) []Count { return r.Kinds },
		Meaning: "Numbers of the links of the page by kind.", Example: `{"nav":2,"res":1}`},
	{Name: "hosts", presence: ifNamedWithPages, counts: func(r *Record) []Count { return r.Hosts },
		Meaning: "Numbers of the links of the page by host of uri, except links of kind identifier; with --fields.",
		Example: `{"www.example.co.uk":2,"cdn.example":1}`},
	{Name: "domains", presence: ifNamedWithPages, counts: func(r *Record) []Count { return r.Domains },
		Meaning: "Numbers of these links by registrable domain of the host; with --fields.",
		Example: `{"example.co.uk":2}`},
}

// unitKeys are extra columns of --format arrow. Only records of units, failures and edges have
// values there. The columns status and error are added only if they are not among the chosen keys.
var unitKeys = []Key{
	{Name: "status", repeated: true, ofUnit: true,
		text: func(r *Record) string { return r.ifCategory(r.Status, Unit) }},
	{Name: "error", repeated: true, ofUnit: true,
		text: func(r *Record) string { return r.ifCategory(r.Error, Unit, Dead) }},
	{Name: "unit", repeated: true, ofUnit: true, text: func(r *Record) string { return r.Unit }},
	{Name: "referrer", repeated: true, ofUnit: true, ofEdge: true,
		text: func(r *Record) string { return r.Edge.Referrer }},
	{Name: "target", repeated: true, ofUnit: true, ofEdge: true,
		text: func(r *Record) string { return r.Edge.Target }},
	{Name: "page_count", ofUnit: true,
		number: func(r *Record) (int64, bool) { return int64(r.Sums.Pages), r.Category == Unit || r.isEdge() }},
	{Name: "link_count", ofUnit: true,
		number: func(r *Record) (int64, bool) { return int64(r.Sums.Links), r.Category == Unit || r.isEdge() }},
	{Name: "dead_count", ofUnit: true,
		number: func(r *Record) (int64, bool) { return int64(r.Sums.Dead), r.Category == Unit }},
	{Name: "edge_count", ofUnit: true, ofEdge: true,
		number: func(r *Record) (int64, bool) { return int64(r.Sums.Edges), r.Category == Unit }},
}

// isEdge reports whether r describes the links between two hosts or domains.
func (r *Record) isEdge() bool { return r.Category == HostEdge || r.Category == DomainEdge }

// source returns the source of r, or nil for a record of a unit or an edge. All other records have
// a source, even an empty one.
func (r *Record) source() []byte {
	if r.Category == Unit || r.isEdge() {
		return nil
	}
	return []byte(r.Source)
}

// ifCategory returns s if r has one of the categories, and otherwise "".
func (r *Record) ifCategory(s string, categories ...Category) string {
	if slices.Contains(categories, r.Category) {
		return s
	}
	return ""
}

// ofPages reports whether only records of pages have the key.
func (k *Key) ofPages() bool { return k.presence == withPages || k.presence == ifNamedWithPages }

// nilIfEmpty returns b, or nil if b is empty. nil stands for an unknown value.
func nilIfEmpty(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
