package record

// Value is one of the values that a key can have.
type Value struct {
	Name    string
	Means   string // one sentence
	Example string // what has the value
}

// Values are all values of the keys that have some few.
var Values = map[string][]Value{
	"record": {
		{"link", "One reference of a document.", `<a href=x>`},
		{"page", "One document, with --pages.", "a page without links"},
		{"dead", "Something failed, with --stream; the key unit has what reads it again.", "a message whose base64 is cut short"},
		{"unit", "A unit is done, with --stream: all of its records stand before this one.", "a line of --units"},
		{"report", "What --report says of an input, with --stream and --report -.", "an input that was skipped"},
	},
	"kind": {
		{"nav", "Leads to another document.", `<a href=next.html>`},
		{"res", "Is loaded as a part of the document.", `<img src=1.png>`},
		{"form", "Takes what a form sends.", `<form action=search>`},
		{"meta", "Says something about the document.", `<link rel=canonical href=/page>`},
		{"ping", "Gets a request when the link is followed.", `<a href=x ping=/count>`},
		{"hint", "Names a host to connect to.", `<link rel=preconnect href=//cdn.example>`},
		{"service", "Is an endpoint for programs.", `<link rel=pingback href=/xmlrpc>`},
		{"identifier", "Names something by a URI that is not meant to be opened.", `<div itemtype=http://schema.org/Person>`},
		{"frame", "Is shown in a frame.", `<iframe src=map.html>`},
		{"plugin", "Is loaded by a plug-in.", `<object data=movie.swf>`},
		{"script", "Is a script, or stands in one.", `<script src=app.js>`},
	},
	"status": {
		{"resolved", "Was relative; uri has it absolute.", "../x"},
		{"absolute", "Has a scheme, and takes nothing from the base.", "http://example.com/x"},
		{"same-document", "Is empty or only a fragment.", "#top"},
		{"in-message", "Names a part of the same message.", "cid:logo@mail.example"},
		{"unresolved", "Is relative, and there is no usable base; or is part of a message in a charset that is not known.", "../x"},
		{"invalid", "Cannot be parsed under the rule set.", "http://[x/"},
		{"suspect", "Is relative by its grammar, but surely no reference: a piece of a template, or the name of a part.", "{{ url }}"},
		{"identifier", "Names something by a URI that is not meant to be opened.", "urn:isbn:0451450523"},
	},
	"base_layer": {
		{"embedded", "The document itself (5.1.1).", `<base href=http://cdn.example/>`},
		{"encapsulating", "The header of the part, or of what is around it (5.1.2).", "Content-Location: http://example.com/"},
		{"retrieval", "Where the document was retrieved from (5.1.3).", "WARC-Target-URI: http://example.com/"},
		{"default", "The default that was given for documents without a base (5.1.4).", "--default-base http://example.com/"},
		{"forced", "Given by --force-base, whatever the document says.", "--force-base http://example.com/"},
		{"none", "There is no base.", "a page from standard input"},
	},
	"base_source": {
		{"base-element", "A BASE element.", `<base href=http://cdn.example/>`},
		{"xml:base", "An xml:base attribute.", `<feed xml:base="http://example.com/">`},
		{"codebase", "The codebase attribute of an object or applet.", `<applet codebase=classes/>`},
		{"feed-link", "The link of the item or channel, for HTML in a feed.", `<link>http://example.com/</link>`},
		{"@base", "@base in the context of JSON-LD.", `{"@context":{"@base":"http://example.com/"}}`},
		{"content-base", "A Content-Base field.", "Content-Base: http://example.com/"},
		{"content-location", "A Content-Location field.", "Content-Location: http://example.com/"},
		{"option", "--base, or --force-base where base_layer is forced.", "--base http://example.com/"},
		{"root", "--root, and the path below its directory.", "--root mirror=http://example.com/"},
		{"url", "The URL of the document, after redirects.", "absolink extract http://example.com/"},
		{"warc-target-uri", "WARC-Target-URI of the record.", "WARC-Target-URI: http://example.com/"},
		{"snapshot", "Snapshot-Content-Location of an archived page.", "Snapshot-Content-Location: http://example.com/"},
		{"default-base", "--default-base.", "--default-base http://example.com/"},
	},
	"warnings": {
		{"password", "The authority has a user with a password.", "ftp://u:p@example.com/"},
		{"misleading-user", "The user looks like a host.", "http://bank.example@other.example/"},
		{"port", "The port is not the default of the scheme.", "http://example.com:8080/"},
		{"reserved-port", "The port is not the default of the scheme, and is below 1024.", "http://example.com:25/"},
		{"escaped-control", "The URI has an escaped control character.", "x?a=%0D%0A"},
		{"host-change", "The reference keeps only the scheme of the base.", "//cdn.example/x"},
		{"private-host", "The host is local, or of a private network.", "http://192.168.0.1/"},
		{"file-base", "The beginning of the URI comes from a file: base.", "x, with the base file:///home/me/"},
		{"script", "The URI is a script that a browser runs.", "javascript:go()"},
		{"credentials-in-base", "The user or password in the URI comes from the base.", "x, with the base http://u:p@example.com/"},
		{"invalid-utf8", "Bytes that are no UTF-8 stand in the reference: records show U+FFFD for them.", "caf\\xe9.html"},
		{"line-end-hyphen", "A hyphen at a line end in text may belong to the URI, or may not.", "http://example.com/long-"},
		{"unclear-end", "The URI may end elsewhere: a letter, an emoji or a blank in quotes follows, or the text is cut.", "a URI before Chinese text"},
		{"base-in-noscript", "The base stands in noscript: browsers with scripting do not see it.", "<noscript><base href=/d/></noscript>"},
		{"base-late", "Relative references stand before this BASE, which governs them too.", "<a href=x><base href=/d/>"},
		{"base-data", "This BASE is a data: or javascript: URL, and gives no base.", "<base href=data:,x>"},
		{"base-repeated", "A BASE stands before this one: only the first counts.", "<base href=/d/><base href=/e/>"},
		{"charset-conflict", "The document declares another charset than it is sent in, and the reference is not all ASCII.", "a page in windows-1252 whose meta says utf-8"},
		{"srcset-comma", "A comma that srcset would cut off is percent-encoded when it is written.", `<img srcset="a.png,">`},
		{"unwritable", "Its place cannot hold the absolute URI: rewrite leaves the reference as it is.", "an attribute of a URI with a blank between"},
		{"codebase", "HTML 4 resolves the reference against the codebase, browsers do not.", `<object codebase=c/ data=x>`},
		{"missing-part", "A cid: URL that names no part of its message.", "cid:gone@mail.example"},
		{"missing-fragment", "The file, a page, has no id or name that is the fragment, with --check-files.", "page.html#gone"},
		{"missing", "No file stands there, with --check-files.", "gone.html"},
		{"moved?", "A file of another name stands there, with --check-files: found names it.", "About.html for about.html"},
	},
}
