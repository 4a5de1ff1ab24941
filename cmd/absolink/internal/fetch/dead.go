package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"
)

// A host that cannot be reached costs each of its URLs several tries, and each try may last until
// the time limit. So a Client remembers such a host for a minute, and meanwhile makes no request to
// it. A host that answers, with whatever status, can be reached.

// deadTime is how long a host is remembered.
const deadTime = time.Minute

// unreachable is the error for a host to which no connection could be made.
type unreachable struct {
	origin string // scheme, host and port
	err    error
}

func (u *unreachable) Error() string { return u.err.Error() }

func (u *unreachable) Unwrap() error { return u.err }

// deadHosts remembers hosts that could not be reached. It is safe for concurrent use. The zero
// value is ready for use.
type deadHosts struct {
	now  func() time.Time // for tests; nil is time.Now
	mu   sync.Mutex
	dead map[string]death // by origin
}

// death is the last failure of a host.
type death struct {
	at  time.Time
	err error // for users
}

// add remembers the host that could not be reached, if that is the reason of err.
func (d *deadHosts) add(err error) {
	var u *unreachable
	var private *refusedAddress
	if cause := causeOf(err); !errors.As(cause, &u) || errors.As(cause, &private) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead == nil || len(d.dead) >= maxSites {
		d.dead = make(map[string]death)
	}
	d.dead[u.origin] = death{d.clock(), err}
}

// check returns an error if the host of u could not be reached less than deadTime ago.
func (d *deadHosts) check(u *url.URL) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	last, found := d.dead[originOf(u)]
	if !found {
		return nil
	}
	if d.clock().Sub(last.at) >= deadTime {
		delete(d.dead, originOf(u))
		return nil
	}
	return &Error{URL: u.Redacted(),
		Err: fmt.Errorf("not tried, since the host was out of reach less than a minute ago: %w", last.err)}
}

func (d *deadHosts) clock() time.Time {
	if d.now != nil {
		return d.now()
	}
	return time.Now()
}

// originOf returns the scheme, host and port of a URL from parse.
func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }
