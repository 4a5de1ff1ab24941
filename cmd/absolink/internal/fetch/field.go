package fetch

import (
	"errors"
	"net/http"
	"strings"
)

// AddField adds a header field, NAME: VALUE, to those of requests. The error says why line is
// none that may be sent.
func (o *Options) AddField(line string) error {
	name, value, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !ok || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
		return errors.New("'NAME: VALUE' is needed, such as 'Accept-Language: de'")
	}
	switch name = http.CanonicalHeaderKey(name); name {
	case "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Te", "Trailer":
		return errors.New("is not for you to send")
	}
	if o.Header == nil {
		o.Header = make(http.Header)
	}
	o.Header.Add(name, strings.TrimSpace(value))
	return nil
}

// isToken reports whether s can be the name of a field (RFC 9110 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
