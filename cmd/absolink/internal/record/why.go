package record

import (
	"errors"
	"fmt"

	"absolink/resolve"
)

// Why says what is wrong with a reference, without the reference: the error of a record.
func Why(err error) string {
	var e *resolve.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.Offset < 0:
		return e.By + ": " + e.Reason
	}
	return fmt.Sprintf("%s: byte %d: %s", e.By, e.Offset, e.Reason)
}
