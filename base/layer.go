package base

// Source says where the value of a layer comes from (RFC 2396 Section 5.1). The zero value is
// [None].
type Source uint8

// The sources, in the order of Section 5.1. The last three are outside of this order: for some or
// all references they replace the other layers.
const (
	None            Source = iota
	BaseElement            // BASE element of an HTML document
	XMLBase                // xml:base attribute
	Codebase               // codebase attribute of object or applet
	FeedLink               // link of an item or a channel, for the HTML in a feed
	JSONBase               // @base in the context of JSON-LD
	HeadersPath            // path of a page in a file _headers, which gives header fields to pages of a site
	ContentBase            // Content-Base field
	ContentLocation        // Content-Location field
	Option                 // --base
	Root                   // URI of --root, and the path of the file below the directory of --root
	URL                    // URL from which the document was fetched: the last one, if there were redirects
	WARCTarget             // WARC-Target-URI of the record
	Snapshot               // Snapshot-Content-Location, which Chromium writes when it saves a page as MHTML
	DefaultBase            // --default-base; only here thismessage:/ (RFC 2557 Section 5) is allowed
	ImageBase              // --image-base, only for images
	RootBase               // --root-base, only for references that begin with a slash
	Forced                 // --force-base, for all references
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

// String returns the name of the source, or "" for None. The name of Forced is "option", like that
// of Option.
func (s Source) String() string { return sourceNames[s].source }

// Box returns the name of the box in Section 5.1 to which the source belongs: embedded (5.1.1),
// encapsulating (5.1.2), retrieval (5.1.3) or default (5.1.4). It returns "forced" for Forced and
// "none" for None. The output of the command has this name in the key base_layer.
func (s Source) Box() string { return sourceNames[s].box }

// isEmbedded reports whether the document itself contains the value.
func (s Source) isEmbedded() bool {
	return BaseElement <= s && s <= HeadersPath
}

// isMIMEField reports whether the source is one of the two fields that RFC 2110 defines.
func (s Source) isMIMEField() bool { return s == ContentBase || s == ContentLocation }

// setByOperator reports whether neither the document nor a message set the value. The operator set
// it, or it is the URL from which the document came. Such a base may be a file: URI.
func (s Source) setByOperator() bool {
	return s == Option || s == Root || s == URL || s == DefaultBase || s == Forced || s == ImageBase || s == RootBase
}

// Layer is one box of the figure in Section 5.1. Documents share their outer layers, so a Layer
// must not change once another Layer refers to it. It is then safe for concurrent use. A nil *Layer
// stands for a document without layers.
type Layer struct {
	Source Source
	// Value is the value as written. Of an attribute it is the value without character references,
	// and of a header field the value with its folding.
	Value string
	// Part is the section number of the entity that contains the value, as in IMAP: "1.2". A
	// message that is not a multipart has the number "1". Part is "" outside of messages, and for a
	// field in the header of a message that is a multipart.
	Part string
	// UnknownCharset is the name of the charset of the document, if Value has characters that
	// cannot be read in that charset: the charset is unknown, or it is US-ASCII and Value has other
	// bytes. Otherwise UnknownCharset is "". A layer with an UnknownCharset stops the search for a
	// base.
	UnknownCharset string
	// Inherited is set if Value is a header field of an entity around the entity of the document.
	Inherited bool
	// Across is set if Value is a header field of an outer message, and the document is in another
	// message inside that message. The entity of the field is then a message/*, or it contains a
	// message/* that contains the document.
	Across bool
	// Template is set if Value has a piece of a template, which a program will still replace. It is
	// also set for a HeadersPath that stands for many pages, such as "/d/*". A layer with Template
	// stops the search for a base.
	Template bool
	// Outer is the layer around this one, or nil.
	Outer *Layer
}

// WithSnapshot adds a layer for a Snapshot-Content-Location to copies of the layers of l, and
// returns the innermost layer. value is the value of the field, and part is its [Layer].Part. The
// new layer counts if the retrieval URI is unknown. So it is around all other layers except
// DefaultBase. WithSnapshot does not change l, which may be nil.
func (l *Layer) WithSnapshot(value, part string) *Layer {
	if l == nil || l.Source == DefaultBase {
		return &Layer{Source: Snapshot, Value: value, Part: part, Outer: l}
	}
	inner := *l
	inner.Outer = l.Outer.WithSnapshot(value, part)
	return &inner
}
