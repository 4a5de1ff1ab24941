package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A host without a server costs its first URLs their tries. For a minute its other URLs fail at
// once, whichever way they are asked for. Other hosts are not affected.
func TestDeadHost(t *testing.T) {
	data := content(1000)
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ranged(w, r, data) }), nil)
	c := w.trusted(t, Options{Timeout: 5 * time.Second})
	c.isExempt = nil
	c.o.AllowPrivate = true
	var waits atomic.Int64
	c.sleep = func(context.Context, time.Duration) error { waits.Add(1); return nil }
	now := time.Now()
	c.dead.now = func() time.Time { return now }
	dead := "http://a.test:1/"
	open := func(url string) error {
		f, err := c.Open(t.Context(), url, Range{Length: 10})
		if err == nil {
			f.Close()
		}
		return err
	}
	get := func(url string) error { _, err := c.Get(t.Context(), url, nil); return err }
	measure := func(url string) error { _, err := c.Measure(t.Context(), url); return err }
	const remembered = "not tried, since the host was out of reach less than a minute ago: "
	for i, ask := range []func(string) error{open, get, measure} {
		waits.Store(0)
		now = now.Add(deadTime)
		var first error
		for n := 0; n == 0 || i == 1 && n < maxTries; n++ { // Get makes one try for a URL
			first = ask(dead + "1")
		}
		if first == nil || strings.Contains(first.Error(), remembered) || !strings.Contains(first.Error(), "refused") {
			t.Fatalf("way %d, first URL: got error %v, want that the connection is refused", i, first)
		}
		if got := waits.Load(); i != 1 && got != maxTries-1 {
			t.Errorf("way %d, first URL: got %d waits, want %d", i, got, maxTries-1)
		}
		waits.Store(0)
		now = now.Add(deadTime - 1)
		for k, ask := range []func(string) error{open, get, measure} {
			if err := ask(dead + "2"); err == nil || err.Error() != remembered+first.Error() {
				t.Errorf("way %d, then way %d: got error %v, want %s", i, k, err, remembered)
			}
		}
		if waits.Load() != 0 {
			t.Errorf("way %d: got %d waits for a host that is remembered, want none", i, waits.Load())
		}
		if err := open(w.url("a.test", "/file")); err != nil {
			t.Errorf("way %d, another port: got error %v", i, err)
		}
		now = now.Add(1)
		if err := get(dead + "3"); err == nil || strings.Contains(err.Error(), remembered) {
			t.Errorf("way %d, after a minute: got error %v, want that of another try", i, err)
		}
	}
}

// A host that answers is not dead, even if it is busy or breaks off. Nor is a refused address.
func TestLivingHost(t *testing.T) {
	c, url, _ := patientClient(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/broken":
			panic(http.ErrAbortHandler)
		default:
			ranged(w, r, badData)
		}
	})
	for _, bad := range []string{"/busy", "/broken"} {
		if _, err := c.Open(t.Context(), strings.Replace(url, "/file", bad, 1), Range{Length: 10}); err == nil {
			t.Errorf("Open of %s: got no error", bad)
		}
		f, err := c.Open(t.Context(), url, Range{Length: 10})
		if err != nil {
			t.Fatalf("Open after %s: %v", bad, err)
		}
		f.Close()
	}
	for range 2 {
		if _, err := c.Open(t.Context(), "http://127.0.0.1:1/", Range{Length: 10}); err == nil ||
			!strings.HasPrefix(err.Error(), "127.0.0.1 is a loopback address") {
			t.Errorf("Open of a private address: got error %v, want a refusal", err)
		}
	}
}

// Only connections that fail one after the other make a host dead, within a minute of each other.
func TestDeadHosts(t *testing.T) {
	now := time.Now()
	d := deadHosts{now: func() time.Time { return now }}
	u := &url.URL{Scheme: "http", Host: "a.test"}
	other := &url.URL{Scheme: "https", Host: "a.test"}
	fail := func(n int) {
		for range n {
			d.fail(u, errors.New("refused"))
		}
	}
	isDead := func(want bool, when string) {
		t.Helper()
		if err := d.check(u); (err != nil) != want {
			t.Errorf("%s: got error %v, want one: %v", when, err, want)
		}
		if err := d.check(other); err != nil {
			t.Errorf("%s: another scheme: got error %v", when, err)
		}
	}
	isDead(false, "at first")
	fail(maxTries - 1)
	isDead(false, "after one failure less")
	d.forget(u)
	fail(maxTries - 1)
	isDead(false, "after an answer in between")
	fail(1)
	isDead(true, "after all failures")
	now = now.Add(deadTime)
	isDead(false, "after a minute")
	fail(1)
	isDead(false, "after a minute and a failure")
	fail(maxTries - 2)
	now = now.Add(deadTime)
	fail(1)
	isDead(false, "after failures of two minutes")
}

// Errors of this machine say nothing about a host.
func TestOurFault(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}, true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.ENFILE)}, true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EADDRNOTAVAIL)}, true},
		{&net.OpError{Op: "dial", Err: &refusedAddress{}}, true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, false},
		{&net.DNSError{IsNotFound: true}, false},
	} {
		if got := isOurFault(tt.err); got != tt.want {
			t.Errorf("isOurFault(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}

// A redirect to a dead host is not followed. If the time is over while the target of a redirect is
// dialled, the target is not blamed: an earlier host may have used up the time.
func TestDeadTarget(t *testing.T) {
	w := newWorld(t, http.RedirectHandler("http://a.test:1/", http.StatusFound), nil)
	for _, hangs := range []bool{false, true} {
		c := w.trusted(t, Options{Timeout: 5 * time.Second, MaxRedirects: 1})
		c.isExempt = nil
		c.o.AllowPrivate = true
		if hangs {
			c.o.Timeout = 100 * time.Millisecond
			dial := c.transport.DialContext
			c.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address == "a.test:1" {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return dial(ctx, network, address)
			}
		}
		for range maxTries {
			if _, err := c.Get(t.Context(), w.url("a.test", "/"), nil); err == nil {
				t.Fatal("got no error of a redirect to a dead host")
			}
		}
		for _, address := range []string{"http://a.test:1/", w.url("a.test", "/")} {
			var dead *deadHost
			_, err := c.Get(t.Context(), address, nil)
			if got := errors.As(causeOf(err), &dead); got == hangs {
				t.Errorf("after redirects to a host that hangs: %v: got error %v of %s", hangs, err, address)
			}
		}
	}
}
