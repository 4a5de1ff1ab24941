package reading

// names keeps repeated strings, so that bytes become strings without allocation.
type names map[string]string

// The number and length of the strings are limited, because documents can be hostile.
const (
	maxNames    = 4096 // strings
	longestKept = 256  // bytes of a string; longer ones are rarely repeated
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
