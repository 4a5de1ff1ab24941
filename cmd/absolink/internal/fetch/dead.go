package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// A host that cannot be reached costs each of its URLs several tries, and each try may last until
// the time limit. So a Client counts the connections to a host that failed one after the other.
// After maxTries of them it makes no request to the host for a minute, not even after a redirect. A
// host that answers, with any status, can be reached.

// deadTime is the time for which no request is made to a dead host.
const deadTime = time.Minute

// deadHost is the error for a request that was not made. It does not wrap reason, which is the
// error of an earlier request.
type deadHost struct{ reason error }

func (d *deadHost) Error() string {
	return fmt.Sprintf("not tried, since the host was out of reach less than a minute ago: %v", d.reason)
}

// deadHosts counts failed connections. It is safe for concurrent use. The zero value is ready for
// use.
type deadHosts struct {
	now    func() time.Time // for tests; nil is time.Now
	mu     sync.Mutex
	failed map[string]failures // by origin
}

// failures are the failed connections to a host since the last one that did not fail.
type failures struct {
	n      int
	at     time.Time // of the last failure
	reason error     // of the last failure, for users
}

// fail counts a failed connection to the host of u.
func (d *deadHosts) fail(u *url.URL, reason error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed == nil || len(d.failed) >= maxSites {
		d.failed = make(map[string]failures)
	}
	last := d.failed[originOf(u)]
	if d.isOver(last) {
		last.n = 0
	}
	d.failed[originOf(u)] = failures{last.n + 1, d.clock(), reason}
}

// forget forgets the failures of the host of u, which has answered.
func (d *deadHosts) forget(u *url.URL) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.failed, originOf(u))
}

// check returns a *deadHost if no request may be made to the host of u.
func (d *deadHosts) check(u *url.URL) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.failed[originOf(u)]
	if last.n < maxTries || d.isOver(last) {
		return nil
	}
	return &deadHost{last.reason}
}

// isOver reports whether failures are too old to count.
func (d *deadHosts) isOver(last failures) bool { return d.clock().Sub(last.at) >= deadTime }

func (d *deadHosts) clock() time.Time {
	if d.now != nil {
		return d.now()
	}
	return time.Now()
}

// originOf returns the scheme, host and port of a URL from parse.
func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }

// isOurFault reports whether a connection failed because of this machine or its user.
func isOurFault(err error) bool {
	var private *refusedAddress
	return errors.As(err, &private) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) ||
		errors.Is(err, syscall.EADDRNOTAVAIL)
}
