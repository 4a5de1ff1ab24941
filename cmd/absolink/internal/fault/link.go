package fault

import (
	"errors"
	"fmt"

	"absolink/resolve"
)

// ErrorText returns the text of an error about a link, for the key error of records and for pages:
// the rule set, the byte and the reason, without the link.
func ErrorText(err error) string {
	var e *resolve.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.Offset < 0:
		return e.By + ": " + e.Reason
	}
	return fmt.Sprintf("%s: byte %d: %s", e.By, e.Offset, e.Reason)
}

// Reason returns the text of an error about a link, for a message: the reason alone.
func Reason(err error) string {
	var e *resolve.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}
