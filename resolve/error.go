package resolve

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoBase is the error of a relative reference without a base that can complete it. The base is
// missing or opaque, such as mailto: (RFC 2396 5; RFC3986 accepts any base).
var ErrNoBase = errors.New("relative link without a usable base URI")

// Error reports a base or a reference that cannot be parsed or resolved, or that does not fit a
// grammar.
type Error struct {
	By     string // the rule set or grammar that refuses the input
	Input  string // as given, cut after 200 bytes
	Offset int    // of the wrong byte in the uncut Input, in bytes; -1 if no single byte is wrong
	Reason string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %q: %s", e.By, e.Input, e.Reason)
	}
	return fmt.Sprintf("%s: %q: byte %d: %s", e.By, e.Input, e.Offset, e.Reason)
}

// clip copies the part of an input that an error shows.
func clip(input string) string {
	const limit = 200
	return strings.Clone(input[:min(len(input), limit)])
}
