package record

import (
	"errors"
	"fmt"

	"absolink/cmd/absolink/internal/flag"
	"absolink/resolve"
)

// ErrorText returns the text of an error about a reference, for the key error. The text does not
// repeat the reference.
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

// Reason returns the text of an error about a link, for a message: without the rule set and the
// byte, which the key error has.
func Reason(err error) string {
	var e *resolve.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}

// NotAbsolute returns a *flag.Error for a flag whose value cannot be a base. err is the reason. If
// the value has no scheme, the error suggests a URI.
func NotAbsolute(flagName, value string, err error) error {
	if probable := WithScheme(value); probable != "" {
		return flag.Errorf("%s %.200q has no scheme; did you mean %.207s?", flagName, value, probable)
	}
	return flag.Errorf("%s %.200q: not an absolute URI such as http://example.com/dir/page.html (%s)", flagName, value,
		Reason(err))
}
