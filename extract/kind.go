package extract

import "absolink/extract/internal/place"

// Kind says what a reference is for. Its String is the name of the kind in records, never "".
type Kind = place.Kind

// The kinds of references.
const (
	KindNav        = place.KindNav        // leads to another document
	KindRes        = place.KindRes        // is loaded as a part of this one
	KindForm       = place.KindForm       // a form is sent to it
	KindMeta       = place.KindMeta       // says something about the document
	KindPing       = place.KindPing       // browsers send it a request when a link is followed
	KindHint       = place.KindHint       // names a host to connect to
	KindService    = place.KindService    // is an endpoint for programs
	KindIdentifier = place.KindIdentifier // names something
	KindFrame      = place.KindFrame      // is shown in a frame
	KindPlugin     = place.KindPlugin     // is for a plug-in
	KindScript     = place.KindScript     // is a script, or stands in one
)
