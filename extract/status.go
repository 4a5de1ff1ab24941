package extract

// Status is the result of a reference. [Link].Err is nil unless it is Unresolved or Invalid.
type Status uint8

const (
	Resolved      Status = iota // was relative, now absolute: by default only these links are rewritten
	AbsoluteRef                 // has a scheme and takes nothing from the base
	SameDocument                // empty or only a fragment
	InMessage                   // names a part of the same message
	Unresolved                  // relative without a usable base, or in an unknown charset
	Invalid                     // cannot be parsed under the rules
	Suspect                     // relative by its syntax, but certainly not meant as a reference
	IdentifierRef               // names something, and is not a link
)

var statusNames = [...]string{"resolved", "absolute", "same-document",
	"in-message", "unresolved", "invalid", "suspect", "identifier"}

// String returns the name of s in records, or "" if s is not a Status.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return ""
}
