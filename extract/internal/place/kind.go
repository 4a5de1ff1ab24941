package place

// Kind is the purpose of a reference.
type Kind uint8

const (
	KindNav        Kind = iota // leads to another document
	KindRes                    // is loaded as a part of this document
	KindForm                   // receives the content of a form
	KindMeta                   // describes the document
	KindPing                   // is told of a click
	KindHint                   // names a host to connect to
	KindService                // is an endpoint for programs
	KindIdentifier             // only identifies something
	KindFrame                  // is shown in a frame
	KindPlugin                 // is for a plug-in
	KindScript                 // is a script, or is in a script
)

var kindNames = [...]string{"nav", "res", "form", "meta", "ping",
	"hint", "service", "identifier", "frame", "plugin", "script"}

// String returns the name of k in records, or "" if k is not a Kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}
