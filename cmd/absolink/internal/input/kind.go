package input

import (
	"absolink/cmd/absolink/internal/kinds"
	_ "absolink/extract/markdown"
)

// Kind is the kind of a file. It and its constants are those of package kinds, so that users of
// this package need not import it.
type Kind = kinds.Kind

// The kinds.
const (
	Other   = kinds.Other
	HTML    = kinds.HTML
	Message = kinds.Message
	MHTML   = kinds.MHTML
	Mbox    = kinds.Mbox
	Maildir = kinds.Maildir
	Emlx    = kinds.Emlx
	WARC    = kinds.WARC
	HTTP    = kinds.HTTP
	WACZ    = kinds.WACZ
)

// readWhole reports whether a file of the kind is read into memory as a whole.
func readWhole(k Kind) bool { return k.Single() || k == HTTP }
