package extract

import "absolink/extract/internal/place"

// Kind says what a reference is for. The zero value is KindNav.
type Kind uint8

// The kinds of references.
const (
	KindNav        = Kind(place.KindNav)        // leads to another document
	KindRes        = Kind(place.KindRes)        // is loaded as a part of this one
	KindForm       = Kind(place.KindForm)       // a form is sent to it
	KindMeta       = Kind(place.KindMeta)       // says something about the document
	KindPing       = Kind(place.KindPing)       // browsers send it a request when a link is followed
	KindHint       = Kind(place.KindHint)       // names a host to connect to
	KindService    = Kind(place.KindService)    // is an endpoint for programs
	KindIdentifier = Kind(place.KindIdentifier) // names something
	KindFrame      = Kind(place.KindFrame)      // is shown in a frame
	KindPlugin     = Kind(place.KindPlugin)     // is for a plug-in
	KindScript     = Kind(place.KindScript)     // is a script, or stands in one
)

// String returns the name of k in records, "" if k is not a Kind.
func (k Kind) String() string { return place.Kind(k).String() }
