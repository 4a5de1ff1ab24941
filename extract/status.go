package extract

// Status says what becomes of a reference. [Link].Err is nil unless it
// is Unresolved or Invalid.
type Status uint8

const (
	Resolved      Status = iota // was relative, now absolute: the only one that is rewritten
	AbsoluteRef                 // has a scheme and takes nothing from the base
	SameDocument                // empty or only a fragment
	InMessage                   // names a part of the same message
	Unresolved                  // relative, and there is no usable base; or in a charset that is not known
	Invalid                     // cannot be parsed under the rules
	Suspect                     // relative by its syntax, but certainly not meant as a reference
	IdentifierRef               // names something, is not a link
)

var statusNames = [...]string{"resolved", "absolute", "same-document",
	"in-message", "unresolved", "invalid", "suspect", "identifier"}

// String returns the name of s in records, "" if s is not a Status.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return ""
}
