package record

import (
	"strings"

	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/flag"
)

// NotAbsolute returns a *flag.Error for a flag whose value cannot be a base. err is the reason. If
// the value has no scheme, the error suggests a URI.
func NotAbsolute(flagName, value string, err error) error {
	if probable := WithScheme(value); probable != "" {
		return flag.Errorf("%s %.200q has no scheme; did you mean %.207s?", flagName, value, probable)
	}
	if probable := WithScheme(strings.TrimPrefix(value, "//")); probable != "" && strings.HasPrefix(value, "//") {
		return flag.Errorf("%s %.200q has no scheme; did you mean http:%.200s?", flagName, value, value)
	}
	return flag.Errorf("%s %.200q: not an absolute URI such as http://example.com/dir/page.html (%s)", flagName, value,
		fault.Reason(err))
}
