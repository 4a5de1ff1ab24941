package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/secret"
)

// Error says why a URL was not retrieved. The text does not contain the URL.
type Error struct {
	URL       string // the requested URL, without its password
	Err       error
	Forbidden bool // robots.txt forbids the URL
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

var (
	errTooLarge  = errors.New("is larger than --max-size")
	errLoop      = errors.New("redirects in a loop")
	errNoURL     = errors.New("is not a URL")
	errScheme    = errors.New("is neither http nor https")
	errPart      = errors.New("the server sends a part of it (206 Partial Content) that nobody asked for")
	errForbidden = errors.New("robots.txt forbids it; --ignore-robots retrieves it all the same")
)

// tooMany reports that a URL redirects more often than allowed.
type tooMany struct{ limit int }

func (t *tooMany) Error() string {
	return fmt.Sprintf("redirects more than %d times; --max-redirects allows more", t.limit)
}

// badTarget reports a redirect to a URL that cannot be retrieved.
type badTarget struct{ uri string }

func (b *badTarget) Error() string {
	return fmt.Sprintf("redirects to %q, which is not an http URL", secret.URL(b.uri))
}

// badStatus reports a status without a document.
type badStatus struct{ code int }

func (b *badStatus) Error() string {
	if text := http.StatusText(b.code); text != "" {
		return fmt.Sprintf("the server says %d %s", b.code, text)
	}
	return fmt.Sprintf("the server says %d", b.code)
}

// slow reports that the time is up.
type slow struct{ after time.Duration }

func (s *slow) Error() string {
	return fmt.Sprintf("takes longer than %v; --timeout allows more", s.after)
}

// explain turns an error of retrieving u into an error that users understand.
func (c *Client) explain(ctx context.Context, u *url.URL, err error) error {
	e := &Error{URL: u.Redacted(), Err: err, Forbidden: errors.Is(err, errForbidden)}
	var (
		private *refusedAddress
		dns     *net.DNSError
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		op      *net.OpError
	)
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		e.Err = &slow{c.o.Timeout}
	case errors.As(err, &private):
		e.Err = private
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Err = fmt.Errorf("there is no host %q", dns.Name)
	case errors.As(err, &dns):
		e.Err = fmt.Errorf("the host %q cannot be looked up: %s", dns.Name, dns.Err)
	case errors.As(err, &cert):
		e.Err = fmt.Errorf("its certificate is not valid: %s", certificate(cert.Err))
	case errors.As(err, &record):
		e.Err = errors.New("the server does not speak TLS there")
	case errors.As(err, &op):
		e.Err = fmt.Errorf("%s: %w", op.Op, withoutCall(op.Err))
	case errors.Is(err, io.EOF):
		e.Err = errors.New("the server closed the connection without an answer")
	default:
		e.Err = plain(err)
	}
	return e
}

// withoutCall drops the name of the system call from an error.
func withoutCall(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

// certificate explains an error of a certificate.
func certificate(err error) string {
	var unknown x509.UnknownAuthorityError
	if errors.As(err, &unknown) {
		return "signed by an unknown authority"
	}
	return plain(err).Error()
}

// plain drops the names of the packages that an error comes through.
func plain(err error) error {
	text := err.Error()
	for _, name := range []string{"net/http: HTTP/1.x transport connection broken: ",
		"net/http: ", "http: ", "http2: ", "x509: "} {
		text = strings.TrimPrefix(text, name)
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// brokenOff returns the message for a body that ended early, after n bytes. It is "" if the time
// was up.
func brokenOff(h *http.Response, n int, err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.As(err, &timeout) && timeout.Timeout():
		return ""
	case h.ContentLength >= 0:
		return fmt.Sprintf("ends after %d of %d bytes", n, h.ContentLength)
	}
	return fmt.Sprintf("breaks off after %d bytes", n)
}
