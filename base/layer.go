package base

// Source says where the value of a layer comes from (RFC 2396 Section 5.1). The zero value is
// [None].
type Source uint8

// The sources, in the order of Section 5.1.
const (
	None            Source = iota
	BaseElement            // BASE element of an HTML document
	XMLBase                // xml:base attribute
	Codebase               // codebase attribute of object or applet
	FeedLink               // link of an item or a channel, for the HTML in a feed
	JSONBase               // @base in the context of JSON-LD
	HeadersPath            // path of a rule in a file _headers
	ContentBase            // Content-Base field
	ContentLocation        // Content-Location field
	Option                 // --base
	Root                   // --root and the path below it
	URL                    // the URL from which a document was fetched, after redirects
	WARCTarget             // WARC-Target-URI of the record
	Snapshot               // Snapshot-Content-Location field
	DefaultBase            // --default-base; only here thismessage:/ (RFC 2557 Section 5) is allowed
	ImageBase              // --image-base, for images alone
	RootBase               // --root-base, for references that begin with a slash
	Forced                 // --force-base; replaces all layers
)

var sourceNames = [...]struct{ source, box string }{
	None:            {"", "none"},
	BaseElement:     {"base-element", "embedded"},
	XMLBase:         {"xml:base", "embedded"},
	Codebase:        {"codebase", "embedded"},
	FeedLink:        {"feed-link", "embedded"},
	JSONBase:        {"@base", "embedded"},
	HeadersPath:     {"headers-path", "embedded"},
	ContentBase:     {"content-base", "encapsulating"},
	ContentLocation: {"content-location", "encapsulating"},
	Option:          {"option", "retrieval"},
	Root:            {"root", "retrieval"},
	URL:             {"url", "retrieval"},
	WARCTarget:      {"warc-target-uri", "retrieval"},
	Snapshot:        {"snapshot", "retrieval"},
	DefaultBase:     {"default-base", "default"},
	ImageBase:       {"image-base", "retrieval"},
	RootBase:        {"root-base", "retrieval"},
	Forced:          {"option", "forced"},
}

// String returns the name of the source, or "" for None.
func (s Source) String() string { return sourceNames[s].source }

// Box returns the name of the box in Section 5.1 to which the source belongs: embedded (5.1.1),
// encapsulating (5.1.2), retrieval (5.1.3) or default (5.1.4). It returns "forced" for Forced and
// "none" for None. Records contain the name as base_layer.
func (s Source) Box() string { return sourceNames[s].box }

// isEmbedded reports whether the document itself contains the value.
func (s Source) isEmbedded() bool {
	return BaseElement <= s && s <= HeadersPath
}

// isMIMEField reports whether the value comes from a header field to which [Policy].MIME applies.
func (s Source) isMIMEField() bool { return s == ContentBase || s == ContentLocation }

// setByOperator reports whether the value was set by the operator, or by a client that sends
// documents. Such a base may be a file: URI.
func (s Source) setByOperator() bool {
	return s == Option || s == Root || s == URL || s == DefaultBase || s == Forced || s == ImageBase || s == RootBase
}

// Layer is one box of the figure in Section 5.1. Documents share their outer layers, so a Layer
// must not change once another Layer refers to it. It is then safe for concurrent use. A nil *Layer
// stands for a document without layers.
type Layer struct {
	Source Source
	// Value is the value as written: the decoded value of the attribute, the value of the field
	// with its folding, or the option.
	Value string
	// Part is the number of the part of a message that contains the value, such as "1.2". It is ""
	// outside messages, and in the header of the message itself.
	Part string
	// UnknownCharset is the name of the charset of Value if the charset is unknown and matters for
	// the value. Otherwise it is "". Such a layer stops the search for a base.
	UnknownCharset string
	// Inherited is set if the header field belongs to an entity around the entity of the document.
	Inherited bool
	// Across is set if a message separates the field from the document: the entity with the field
	// is a message/*, or a message/* is between that entity and the document.
	Across bool
	// Template is set if a program will still replace a part of Value, as in the source of a
	// template. It is also set if Value is the path of a rule that stands for many pages. Such a
	// layer stops the search: references stay unresolved.
	Template bool
	// Outer is the layer around this one, or nil.
	Outer *Layer
}

// WithSnapshot returns l with a layer added for value, the Snapshot-Content-Location of a part. l
// may be nil. The new layer stands for the unknown retrieval URI: it is around all other layers
// except DefaultBase. WithSnapshot copies the layers inside the new one, and does not change l.
func (l *Layer) WithSnapshot(value, part string) *Layer {
	if l == nil || l.Source == DefaultBase {
		return &Layer{Source: Snapshot, Value: value, Part: part, Outer: l}
	}
	inner := *l
	inner.Outer = l.Outer.WithSnapshot(value, part)
	return &inner
}
