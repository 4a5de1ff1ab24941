package authority_test

import (
	"testing"

	"absolink/cmd/absolink/internal/authority"
)

// The host is the same with each kind of userinfo and port.
func TestHost(t *testing.T) {
	for _, host := range []string{"", "a.test", "x.www.a.co.uk.", "WWW.A.Com", "[::1]", "127.0.0.1", "localhost",
		"a..b"} {
		for _, user := range []string{"", "u@", "u:p@", "u@v:p@", "@"} {
			for _, port := range []string{"", ":", ":80"} {
				for _, rest := range []string{"", "/", "/x@y:1", "?q@r:2", "#f]:3"} {
					uri := "http://" + user + host + port + rest
					if got := authority.Of(uri); got != host+port {
						t.Errorf("Of(%q): got %q, want %q", uri, got, host+port)
					}
					if got := authority.Host(uri); got != host {
						t.Errorf("Host(%q): got %q, want %q", uri, got, host)
					}
				}
			}
		}
	}
	for _, uri := range []string{"mailto:a@b.test", "/x", ""} {
		if got := authority.Host(uri); got != "" {
			t.Errorf("Host(%q): got %q, want none", uri, got)
		}
	}
}
