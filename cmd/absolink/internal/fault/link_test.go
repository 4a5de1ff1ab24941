package fault

import (
	"errors"
	"fmt"
	"testing"

	"absolink/resolve"
)

// The texts do not repeat the link.
func TestErrorText(t *testing.T) {
	at := &resolve.Error{Input: "x y", By: "whatwg", Offset: 7, Reason: "why"}
	first := &resolve.Error{Input: "x y", By: "whatwg", Reason: "why"}
	nowhere := &resolve.Error{Input: "x y", By: "whatwg", Offset: -1, Reason: "why"}
	for _, tt := range []struct {
		err          error
		text, reason string
	}{
		{at, "whatwg: byte 7: why", "why"},
		{first, "whatwg: byte 0: why", "why"},
		{nowhere, "whatwg: why", "why"},
		{fmt.Errorf("link: %w", at), "whatwg: byte 7: why", "why"},
		{errors.New("other"), "other", "other"},
	} {
		if got := ErrorText(tt.err); got != tt.text {
			t.Errorf("ErrorText of %v: got %q, want %q", tt.err, got, tt.text)
		}
		if got := Reason(tt.err); got != tt.reason {
			t.Errorf("Reason of %v: got %q, want %q", tt.err, got, tt.reason)
		}
	}
}
