package input_test

import (
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
)

// The line of an ARC record begins a record as the version line of a WARC does.
func TestIsPlainRecordAt(t *testing.T) {
	for text, want := range map[string]bool{
		"WARC/1.0\r\n": true,
		"warc/1.0\r\n": true,
		"http://a/ 1.2.3.4 20050102030405 text/html 0\n":                                 true,
		"http://a/ - 200501020304 text/html 0\r\nx":                                      true,
		"http://a/ b ::1 20050102030405 text/html 200 - - 7 a.arc 0\n":                   true,
		"http://a/ 1.2.3.4 20050102030405 text/html 0":                                   false,
		"http://a/ 1.2.3.4 20050102030405 text/html\n":                                   false,
		"http://a/ 1.2.3.4 20050102030405 text/html x\n":                                 false,
		"http://a/ 1.2.3.4 2005 text/html 0\n":                                           false,
		"http://a/ host 20050102030405 text/html 0\n":                                    false,
		"1.2.3.4 20050102030405 text/html 0\n":                                           false,
		"http://" + strings.Repeat("a", 8<<10) + " 1.2.3.4 20050102030405 text/html 0\n": false,
		"<html>\nhttp://a/ 1.2.3.4 20050102030405 text/html 0\n":                         false,
		"": false,
	} {
		for _, before := range []string{"", "some bytes\n"} {
			if got := input.IsPlainRecordAt(strings.NewReader(before+text), int64(len(before))); got != want {
				t.Errorf("%.60q after %q: got %v, want %v", text, before, got, want)
			}
		}
	}
}
