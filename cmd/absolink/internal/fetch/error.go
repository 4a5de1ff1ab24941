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

// Error is the reason why a URL was not retrieved. Its text does not contain the URL.
type Error struct {
	URL       string // the requested URL, without its password
	Err       error
	Forbidden bool // robots.txt forbids the URL

	cause error // what Err explains
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// causeOf returns the error that err explains, or err.
func causeOf(err error) error {
	var e *Error
	if errors.As(err, &e) && e.cause != nil {
		return e.cause
	}
	return err
}

var (
	errTooLarge  = errors.New("is larger than --max-size")
	errLoop      = errors.New("redirects in a loop")
	errNoURL     = errors.New("is not a URL")
	errScheme    = errors.New("is neither http nor https")
	errPart      = errors.New("the server sends only a part of it (206 Partial Content), although all was requested")
	errForbidden = errors.New("robots.txt forbids it; --ignore-robots retrieves it nevertheless")
)

// tooManyRedirects is the error for a URL that redirects more often than allowed.
type tooManyRedirects struct{ limit int }

func (t *tooManyRedirects) Error() string {
	return fmt.Sprintf("redirects more than %d times; --max-redirects allows more", t.limit)
}

// badTarget is the error for a redirect to a URL that cannot be retrieved.
type badTarget struct{ uri string }

func (b *badTarget) Error() string {
	return fmt.Sprintf("redirects to %q, which is not an http URL", secret.URL(b.uri))
}

// badStatus is the error for an answer without a document, such as 404.
type badStatus struct{ code int }

func (b *badStatus) Error() string {
	if text := http.StatusText(b.code); text != "" {
		return fmt.Sprintf("the server says %d %s", b.code, text)
	}
	return fmt.Sprintf("the server says %d", b.code)
}

// timedOut is the error for a URL that takes longer than its time limit.
type timedOut struct{ limit time.Duration }

func (t *timedOut) Error() string {
	return fmt.Sprintf("takes longer than %v; --timeout allows more", t.limit)
}

// explain returns an *Error with a text for users. err is the error of the retrieval of u, and ctx
// the context of the retrieval.
func (c *Client) explain(ctx context.Context, u *url.URL, err error) error {
	e := &Error{URL: u.Redacted(), Err: err, Forbidden: errors.Is(err, errForbidden), cause: err}
	var (
		private *refusedAddress
		dns     *net.DNSError
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		op      *net.OpError
	)
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		e.Err = &timedOut{c.o.Timeout}
	case errors.As(err, &private):
		e.Err = private
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Err = fmt.Errorf("there is no host %q", dns.Name)
	case errors.As(err, &dns):
		e.Err = fmt.Errorf("the host %q cannot be looked up: %s", dns.Name, dns.Err)
	case errors.As(err, &cert):
		e.Err = fmt.Errorf("its certificate is not valid: %s", explainCertificate(cert.Err))
	case errors.As(err, &record):
		e.Err = errors.New("the server does not speak TLS there")
	case errors.As(err, &op):
		e.Err = fmt.Errorf("%s: %w", op.Op, withoutSystemCall(op.Err))
	case errors.Is(err, io.EOF):
		e.Err = errors.New("the server closed the connection without an answer")
	default:
		e.Err = withoutPackages(err)
	}
	return e
}

// withoutSystemCall returns err without the name of the system call.
func withoutSystemCall(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

// explainCertificate returns the reason why a certificate is not valid, for users.
func explainCertificate(err error) string {
	var unknown x509.UnknownAuthorityError
	if errors.As(err, &unknown) {
		return "signed by an unknown authority"
	}
	return withoutPackages(err).Error()
}

// withoutPackages returns err without the names of packages at the start of its text.
func withoutPackages(err error) error {
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

// describeBreak returns the text of the problem for a body that ended early. n is the number of
// bytes before the end, and err the error of reading. describeBreak returns "" if err is a time
// limit or a cancellation.
func describeBreak(h *http.Response, n int, err error) string {
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
