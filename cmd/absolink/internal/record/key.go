package record

import "slices"

// Key is one key of records: the name of a member in an object, or of a column in a row.
type Key struct {
	Name    string
	Means   string // meaning, as one sentence
	Example string // a value as JSON
	Type    string // type of the values, if no function below gives them
	values  []Value
	only    only // which default records have it

	ofDocument bool // all records of a document have the same value
	repeated   bool // many records have the same value

	// One of these functions gives the value. "", nil and false mean that it is unknown.
	text   func(*Record) string
	bytes  func(*Record) []byte
	number func(*Record) (n int64, known bool)
	list   func(*Record) []string
	counts func(*Record) []Count
}

// only says which records have a key by default.
type only uint8

const (
	always      only = iota
	withContext      // records with a context
	withChecks       // records of checked links
	withSorts        // records that are mixed with records of other sorts
	withPages        // records of pages
	byName           // no records
)

// Names returns the names of Keys.
func Names() []string {
	var names []string
	for i := range Keys {
		names = append(names, Keys[i].Name)
	}
	return names
}

// Keys are all keys, in the order of the columns in rows.
var Keys = []Key{
	{Name: "record", ofDocument: true, only: withSorts, text: func(r *Record) string { return string(r.Sort) },
		Means: "What the record is of.", Example: `"link"`},
	{Name: "source", ofDocument: true, bytes: (*Record).source,
		Means: "The input as it was given, joined with the path below it where that is a directory; - is standard " +
			"input.", Example: `"crawl/a.warc.gz"`},
	{Name: "item", ofDocument: true, number: func(r *Record) (int64, bool) { return int64(r.Item), r.Item > 0 },
		Means: "Number of the message in an mbox, or of the record in a web archive, from 1.", Example: `7`},
	{Name: "part", ofDocument: true, text: func(r *Record) string { return r.Part },
		Means: "Section number of the part of a message, as in IMAP.", Example: `"1.2"`},
	{Name: "page", ofDocument: true, text: func(r *Record) string { return r.Page },
		Means: "URI that the document was retrieved from: by --base or --root, the URL after redirects, " +
			"WARC-Target-URI or Snapshot-Content-Location. WARC-Target-URI is as it is written, without the angle " +
			"brackets of old wget's archives.", Example: `"http://example.com/news/"`},
	{Name: "message_id", ofDocument: true, text: func(r *Record) string { return r.Message.ID },
		Means: "Message-ID of the message, with its angle brackets.", Example: `"<1@mail.example>"`},
	{Name: "subject", ofDocument: true, only: withContext, text: func(r *Record) string { return r.Message.Subject },
		Means: "Subject of the message, decoded; with --context or --fields.", Example: `"The June issue"`},
	{Name: "from", ofDocument: true, only: withContext, text: func(r *Record) string { return r.Message.From },
		Means:   "Authors of the message, decoded; with --context or --fields.",
		Example: `"Editor <editor@mail.example>"`},
	{Name: "date", ofDocument: true, text: func(r *Record) string { return r.Message.Date },
		Means: "Date of the message by RFC 3339, or WARC-Date of the record as written, which may be as short as a " +
			"year.", Example: `"2026-01-02T03:04:05Z"`},
	{Name: "record_id", ofDocument: true, text: func(r *Record) string { return r.RecordID },
		Means: "WARC-Record-ID of the record.", Example: `"<urn:uuid:0f9a8a4e-0000-4000-8000-000000000000>"`},
	{Name: "record_offset", ofDocument: true, number: func(r *Record) (int64, bool) { return r.RecordOffset, r.Within },
		Means: "Where the record or message begins in the file, in bytes: its gzip member or zstd frame, where it is " +
			"compressed in one.", Example: `1000183`},
	{Name: "http_status", ofDocument: true,
		number: func(r *Record) (int64, bool) { return int64(r.HTTPStatus), r.HTTPStatus > 0 },
		Means:  "Status of the archived response.", Example: `200`},
	{Name: "type", ofDocument: true, text: func(r *Record) string { return r.Type },
		Means: "Media type of the document; text/rfc822-headers for a header.", Example: `"text/html"`},
	{Name: "offset", number: func(r *Record) (int64, bool) { return r.Offset, r.Placed },
		Means: "Where the smallest span of bytes of the source begins that covers the value, from 0. It is absent " +
			"where the bytes do not stand in the source.", Example: `120`},
	{Name: "end", number: func(r *Record) (int64, bool) { return r.End, r.Placed },
		Means: "Where that span ends.", Example: `131`},
	{Name: "line", number: func(r *Record) (int64, bool) { return r.Line, r.Placed && r.Line > 0 },
		Means: "Line of offset, from 1.", Example: `5`},
	{Name: "column", number: func(r *Record) (int64, bool) { return r.Column, r.Placed && r.Line > 0 },
		Means: "Column of offset in bytes, from 1.", Example: `10`},
	{Name: "element", repeated: true, text: func(r *Record) string { return r.Element },
		Means: "Element that the reference stands in, in lower case; header for a header field.", Example: `"a"`},
	{Name: "attribute", repeated: true, text: func(r *Record) string { return r.Attribute },
		Means: "Attribute that it stands in, or name of the header field; absent for text.", Example: `"href"`},
	{Name: "kind", repeated: true, text: func(r *Record) string { return r.Kind },
		Means: "What the reference is for.", Example: `"nav"`},
	{Name: "rel", list: func(r *Record) []string { return r.Rel },
		Means: "Link types.", Example: `["next"]`},
	{Name: "raw", bytes: func(r *Record) []byte { return r.Raw },
		Means: "The reference as it is written.", Example: `"../x?a&amp;b"`},
	{Name: "value", bytes: func(r *Record) []byte { return r.Value },
		Means: "The reference, decoded.", Example: `"../x?a&b"`},
	{Name: "uri", bytes: func(r *Record) []byte { return known(r.URI) },
		Means:   "The absolute URI, with its fragment; absent where the reference is unresolved or invalid.",
		Example: `"http://example.com/x?a&b"`},
	{Name: "status", repeated: true, text: func(r *Record) string { return r.Status },
		Means: "What became of the reference.", Example: `"resolved"`},
	{Name: "base", repeated: true, text: func(r *Record) string { return r.Base },
		Means: "The base URI that counts for it.", Example: `"http://example.com/news/"`},
	{Name: "base_layer", repeated: true, text: func(r *Record) string { return r.Layer },
		Means: "The layer of RFC 2396 Section 5.1 that gave the base.", Example: `"retrieval"`},
	{Name: "base_source", repeated: true, text: func(r *Record) string { return r.BaseFrom },
		Means: "What gave the base in that layer.", Example: `"warc-target-uri"`},
	{Name: "base_part", repeated: true, text: func(r *Record) string { return r.BasePart },
		Means: "Section number of the part that gave it.", Example: `"1"`},
	{Name: "error", repeated: true, text: func(r *Record) string { return r.Error },
		Means:   "In words, why the reference is invalid or unresolved, or what is wrong with the page or unit.",
		Example: `"relative reference without a usable base URI"`},
	{Name: "host", repeated: true, only: byName, text: func(r *Record) string { return Host(r.named()) },
		Means: "Host of uri, or of page in records of pages; with --fields.", Example: `"www.example.co.uk"`},
	{Name: "domain", repeated: true, only: byName, text: func(r *Record) string { return Domain(Host(r.named())) },
		Means: "Registrable domain of that host by the public suffix list; with --fields.", Example: `"example.co.uk"`},
	{Name: "warnings", list: func(r *Record) []string { return r.Warnings },
		Means: "What is worth attention.", Example: `["host-change"]`},
	{Name: "text", only: withContext, text: func(r *Record) string { return r.Text },
		Means:   "Text of the link, its alt or title, white space folded; with --context or --fields.",
		Example: `"Next page"`},
	{Name: "found", only: withChecks, text: func(r *Record) string { return r.Found },
		Means:   "URI of the file that is probably meant; with --check-files.",
		Example: `"http://example.com/About.html"`},
	{Name: "robots", only: withPages, list: func(r *Record) []string { return r.Robots },
		Means: "Directives for robots that hold for the page, by its metas named robots and the X-Robots-Tag fields " +
			"of its answer, and those for --robot-name; none stands as noindex and nofollow.",
		Example: `["noindex","nofollow"]`},
	{Name: "links", only: withPages, counts: func(r *Record) []Count { return r.Links },
		Means: "Numbers of the links of the page by status.", Example: `{"resolved":3}`},
	{Name: "kinds", only: withPages, counts: func(r *Record) []Count { return r.Kinds },
		Means: "Numbers of the links of the page by kind.", Example: `{"nav":2,"res":1}`},
}

// unitKeys are the columns of --format arrow for records of units, and of failures in them. Other
// rows have no value there. status and error are added only if the chosen keys do not have them.
var unitKeys = []Key{
	{Name: "status", repeated: true, text: func(r *Record) string { return r.of(r.Status, Unit) }},
	{Name: "error", repeated: true, text: func(r *Record) string { return r.of(r.Error, Unit, Dead) }},
	{Name: "unit", repeated: true, text: func(r *Record) string { return r.Unit }},
	{Name: "page_count", number: func(r *Record) (int64, bool) { return int64(r.Counts[0]), r.Sort == Unit }},
	{Name: "link_count", number: func(r *Record) (int64, bool) { return int64(r.Counts[1]), r.Sort == Unit }},
	{Name: "dead_count", number: func(r *Record) (int64, bool) { return int64(r.Counts[2]), r.Sort == Unit }},
}

// source returns the source of r, or nil for a record of a unit. All other records have a source,
// the first member of objects.
func (r *Record) source() []byte {
	if r.Sort == Unit {
		return nil
	}
	return []byte(r.Source)
}

// of returns s if r has one of the sorts, else "".
func (r *Record) of(s string, sorts ...Sort) string {
	if slices.Contains(sorts, r.Sort) {
		return s
	}
	return ""
}

// known returns b, or nil if it is empty.
func known(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
