package fetch

import (
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/resolve/ascii"
)

// Check adds header fields of the form NAME: VALUE to o.Header. It returns a *flag.Error if one of
// them or an option of o cannot be used.
func (o *Options) Check(fields []string) error {
	for _, line := range fields {
		if err := o.addField(line); err != nil {
			return flag.Errorf("--header %q: %v", line, err)
		}
	}
	switch {
	case o.Proxy && !hasProxy():
		return flag.Errorf("--proxy: neither HTTP_PROXY nor HTTPS_PROXY is set in the environment: set one, or leave " +
			"--proxy out")
	case o.MaxRedirects < 0:
		return flag.Errorf("--max-redirects %d: 0 or more are needed", o.MaxRedirects)
	case strings.ContainsAny(o.UserAgent, "\r\n\x00"):
		return flag.Errorf("--user-agent %q: it holds a line end, which cannot be sent: leave it out", o.UserAgent)
	}
	return nil
}

// hasProxy reports whether the environment names a proxy.
func hasProxy() bool {
	return slices.ContainsFunc([]string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"},
		func(name string) bool { return os.Getenv(name) != "" })
}

// addField adds a header field of the form NAME: VALUE to o.Header. The error says why the field
// must not be sent.
func (o *Options) addField(line string) error {
	name, value, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !ok || !ascii.Token.HasAll(name) || strings.ContainsAny(value, "\r\n\x00") {
		return errors.New("'NAME: VALUE' is needed, such as 'Accept-Language: de'")
	}
	name = http.CanonicalHeaderKey(name)
	switch name {
	case "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Te", "Trailer":
		return errors.New("is a field that absolink sets itself, or never sends")
	}
	if o.Header == nil {
		o.Header = make(http.Header)
	}
	o.Header.Add(name, strings.TrimSpace(value))
	return nil
}
