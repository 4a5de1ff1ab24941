package resolve

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoBase says that a reference is relative and that there is no base that
// could complete it: none at all, or under WHATWG an opaque one such as mailto:.
var ErrNoBase = errors.New("relative reference without a usable base URI")

// Error says why a reference or a base has no result.
type Error struct {
	Rules  Rules
	Input  string // as given, cut after 200 bytes
	Offset int    // of the byte in the input at fault, -1 if no single one is
	Reason string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %q: %s", e.Rules, e.Input, e.Reason)
	}
	return fmt.Sprintf("%s: %q: byte %d: %s", e.Rules, e.Input, e.Offset, e.Reason)
}

// fail builds an Error with a copy of what is worth showing of input.
func (b *Base) fail(input string, offset int, reason string) *Error {
	const most = 200
	return &Error{b.o.Rules, strings.Clone(input[:min(len(input), most)]), offset, reason}
}
