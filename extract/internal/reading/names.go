package reading

// names keeps strings that come again and again, so that bytes become
// strings without allocation.
type names map[string]string

// What is kept is bounded, for the sake of hostile documents.
const (
	maxNames    = 4096 // strings
	longestKept = 256  // bytes of one; longer ones do not come again
)

// intern returns b as a string.
func (n *names) intern(b []byte) string {
	if len(b) > longestKept {
		return string(b)
	}
	if s, ok := (*n)[string(b)]; ok {
		return s
	}
	if *n == nil || len(*n) >= maxNames {
		*n = make(names)
	}
	s := string(b)
	(*n)[s] = s
	return s
}
