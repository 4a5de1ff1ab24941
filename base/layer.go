package base

// Source is the source of the value of a layer (RFC 2396 Section 5.1). The zero value is [None].
type Source uint8

// The sources, in the order of Section 5.1.
const (
	None            Source = iota
	BaseElement            // BASE element of an HTML document
	XMLBase                // xml:base attribute
	Codebase               // codebase attribute of object or applet
	FeedLink               // link of an item or a channel, for the HTML in a feed
	JSONBase               // @base in the context of JSON-LD
	ContentBase            // Content-Base field
	ContentLocation        // Content-Location field
	Option                 // --base
	Root                   // --root and the path below it
	URL                    // the URL from which a document was fetched, after redirects
	WARCTarget             // WARC-Target-URI of the record
	Snapshot               // Snapshot-Content-Location field
	DefaultBase            // --default-base; only here thismessage:/ (RFC 2557 Section 5) is allowed
	Forced                 // --force-base: counts whatever the layers say
)

var sourceNames = [...]struct{ source, layer string }{
	None:            {"", "none"},
	BaseElement:     {"base-element", "embedded"},
	XMLBase:         {"xml:base", "embedded"},
	Codebase:        {"codebase", "embedded"},
	FeedLink:        {"feed-link", "embedded"},
	JSONBase:        {"@base", "embedded"},
	ContentBase:     {"content-base", "encapsulating"},
	ContentLocation: {"content-location", "encapsulating"},
	Option:          {"option", "retrieval"},
	Root:            {"root", "retrieval"},
	URL:             {"url", "retrieval"},
	WARCTarget:      {"warc-target-uri", "retrieval"},
	Snapshot:        {"snapshot", "retrieval"},
	DefaultBase:     {"default-base", "default"},
	Forced:          {"option", "forced"},
}

// String returns the name of the source, or "" for None.
func (s Source) String() string { return sourceNames[s].source }

// Layer returns the base_layer of a record, which is the box of Section 5.1 that the source fills:
// embedded (5.1.1), encapsulating (5.1.2), retrieval (5.1.3) or default (5.1.4). It returns
// "forced" for Forced and "none" for None.
func (s Source) Layer() string { return sourceNames[s].layer }

// embedded reports whether the document itself holds the value.
func (s Source) embedded() bool {
	return s == BaseElement || s == XMLBase || s == Codebase || s == FeedLink || s == JSONBase
}

// header reports whether the heading of an entity holds the value and the rules for MIME headings
// apply to it.
func (s Source) header() bool { return s == ContentBase || s == ContentLocation }

// operator reports whether the person who runs the program set the value.
func (s Source) operator() bool {
	return s == Option || s == Root || s == DefaultBase || s == Forced
}

// Layer is one box of the figure in Section 5.1. Do not change a Layer once it is linked, since
// documents share the outer layers. It is then safe for concurrent use. A nil *Layer is a document
// with nothing around it.
type Layer struct {
	Source Source
	// Value is the value of the source as written: the decoded attribute value, the field value
	// with its folding, the option.
	Value string
	// Part is the section number of the part that gave the value. It is "" outside messages and for
	// the heading of the message itself.
	Part string
	// Charset is the name of the charset of Value if it is unknown and some of Value cannot be
	// read, or "". Such a layer stops the search for a base.
	Charset string
	// Inherited means that the header field is in the heading of an entity around the entity of the
	// document.
	Inherited bool
	// Across means that the field was inherited across a message: the entity with the field is a
	// message/*, or a message/* is between it and the document.
	Across bool
	// Unknown means that a program will still replace a part of Value, as in the source of a
	// template. Such a layer stops the search: references stay unresolved.
	Unknown bool
	// Outer is the box around this one; nil at the end.
	Outer *Layer
}

// WithSnapshot returns l, which may be nil, with a layer added for value, the
// Snapshot-Content-Location of a part. The field replaces an unknown retrieval URI, so its layer is
// between the retrieval layers and the default. The layers inside it are copied: l itself is not
// modified.
func (l *Layer) WithSnapshot(value, part string) *Layer {
	if l == nil || l.Source == DefaultBase {
		return &Layer{Source: Snapshot, Value: value, Part: part, Outer: l}
	}
	inner := *l
	inner.Outer = l.Outer.WithSnapshot(value, part)
	return &inner
}
