package record

import (
	"errors"
	"fmt"

	"absolink/resolve"
)

// ErrorText returns the text of an error about a reference, without the reference itself. It is the
// value of the key error.
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
