package extract

import "absolink/extract/internal/place"

// Kind is the purpose of a reference. The zero value is KindNav.
type Kind uint8

// The kinds of references.
const (
	KindNav        = Kind(place.KindNav)        // leads to another document
	KindRes        = Kind(place.KindRes)        // is loaded as a part of this document
	KindForm       = Kind(place.KindForm)       // receives the content of a form
	KindMeta       = Kind(place.KindMeta)       // describes the document
	KindPing       = Kind(place.KindPing)       // browsers send it a request when a link is followed
	KindHint       = Kind(place.KindHint)       // names a host to connect to
	KindService    = Kind(place.KindService)    // is an endpoint for programs
	KindIdentifier = Kind(place.KindIdentifier) // names something, and is not a link
	KindFrame      = Kind(place.KindFrame)      // is shown in a frame
	KindPlugin     = Kind(place.KindPlugin)     // is for a plug-in
	KindScript     = Kind(place.KindScript)     // is a script, or is in a script
)

// String returns the name of k in records, or "" if k is not a Kind.
func (k Kind) String() string { return place.Kind(k).String() }
