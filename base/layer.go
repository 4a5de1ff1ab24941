package base

// Source says where the value of a layer comes from (RFC 2396 Section 5.1). The zero value is
// [None].
type Source uint8

// The sources, in the order of Section 5.1: the innermost first. The last three have no place in
// this order. They replace the other layers, for all references or for some.
const (
	None            Source = iota
	BaseElement            // BASE element of an HTML document
	XMLBase                // xml:base attribute
	Codebase               // codebase attribute of object or applet
	FeedLink               // link of an item or channel of a feed: the base of the HTML in it
	JSONBase               // @base in the context of JSON-LD
	HeadersPath            // path of a rule in a file _headers: the base of the links in the rule
	ContentBase            // Content-Base field
	ContentLocation        // Content-Location field
	Option                 // --base
	Root                   // URI of --root, joined with the path of the file below the directory of --root
	URL                    // URL from which the document was fetched, after all redirects
	WARCTarget             // WARC-Target-URI field of a record in a web archive
	Snapshot               // Snapshot-Content-Location field; Chromium writes it when it saves a page as MHTML
	DefaultBase            // --default-base, the only source that may be thismessage:/ (RFC 2557 Section 5)
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
// encapsulating (5.1.2), retrieval (5.1.3) or default (5.1.4). ImageBase and RootBase also have the
// box "retrieval". The box of Forced is "forced", and the box of None is "none". The command prints
// this name in the key base_layer.
func (s Source) Box() string { return sourceNames[s].box }

// isEmbedded reports whether the value is in the document itself.
func (s Source) isEmbedded() bool {
	return BaseElement <= s && s <= HeadersPath
}

// isMIMEField reports whether the source is one of the two fields that RFC 2110 defines.
func (s Source) isMIMEField() bool { return s == ContentBase || s == ContentLocation }

// mayBeFile reports whether a file: URI of this source may be a base without Policy.FileBase. The
// value then does not come from the input: the operator set it, or it is the URL from which the
// document was fetched.
func (s Source) mayBeFile() bool {
	return s == Option || s == Root || s == URL || s == DefaultBase || s == Forced || s == ImageBase || s == RootBase
}

// Layer is one box of the figure in Section 5.1. A nil *Layer stands for a document without layers.
// Documents share their outer layers, so do not change a Layer that is the Outer of another Layer.
// All methods are safe for concurrent use.
type Layer struct {
	// Source says where Value comes from.
	Source Source
	// Value is the value before [Layer.Reference] cleans it. In the value of an attribute,
	// character references are already decoded. The value of a header field still has its folding.
	Value string
	// Part is the section number of the entity that contains the value, as in IMAP: "1.2". A
	// message that is not a multipart has the number "1". Part is "" outside of messages. It is
	// also "" for a field in the header of a message that is a multipart.
	Part string
	// UnknownCharset is set if some characters of Value cannot be read. It is then the name of the
	// charset of the document. Either this charset is unknown, or it is US-ASCII and Value has
	// bytes above 127. Such a layer stops the search for a base.
	UnknownCharset string
	// Inherited is set if Value is a Content-Base or Content-Location of an entity around the
	// entity of the document.
	Inherited bool
	// Across is set if Value is a Content-Base or Content-Location of one message, and the document
	// is in another message inside that message. The entity of the field is itself a message/*, or
	// a message/* is between this entity and the document.
	Across bool
	// Template is set if a program will still replace a part of Value, because the document is a
	// template. It is also set for a HeadersPath that stands for many pages, such as "/d/*". Such a
	// layer stops the search for a base.
	Template bool
	// Outer is the layer around this one, or nil.
	Outer *Layer
}

// WithSnapshot returns a copy of l and the layers around it, with a new layer for a
// Snapshot-Content-Location. value is the value of the field, and part is its [Layer].Part. The
// field gives the URI from which the document was retrieved, if no other layer gives it. So the new
// layer is around all other layers except DefaultBase. l may be nil.
func (l *Layer) WithSnapshot(value, part string) *Layer {
	if l == nil || l.Source == DefaultBase {
		return &Layer{Source: Snapshot, Value: value, Part: part, Outer: l}
	}
	inner := *l
	inner.Outer = l.Outer.WithSnapshot(value, part)
	return &inner
}
