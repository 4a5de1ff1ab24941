package serve

import (
	"io"
	"net/http"
	"os"
	"time"
)

// A client that sends nothing, or reads nothing, for patience loses its connection. A client that
// stays slower than slowest bytes a second loses it too.
const (
	patience = 25 * time.Second
	atWork   = 5 * time.Second // patience with a client that reads slowly while its document is still worked on
	slowest  = 16 << 10
)

// pace limits the time that the server waits for a client. One wait lasts at most patience. All
// waits together last at most patience plus the time of the bytes at the slowest rate. Time in
// which the server itself works does not count.
type pace struct {
	patience time.Duration
	n        int64         // bytes received or sent
	waited   time.Duration // time spent on these bytes
	until    time.Time     // the current deadline
}

// wait returns the deadline of a wait that begins now, and whether it must be set: a nearly equal
// deadline stays.
func (p *pace) wait(now time.Time) (until time.Time, anew bool) {
	left := p.patience + time.Duration(p.n/slowest)*time.Second - p.waited
	until = now.Add(min(left, p.patience))
	if d := until.Sub(p.until); d >= 0 && d <= p.patience/8 {
		return p.until, false
	}
	p.until = until
	return until, true
}

// came adds n bytes that were received or sent since began.
func (p *pace) came(n int, began time.Time) {
	p.n += int64(n)
	p.waited += time.Since(began)
}

// paced reads the body of a request, which must arrive at a minimum pace.
type paced struct {
	pace
	control *http.ResponseController
	in      io.Reader
	ended   bool // the body was read to its end
	err     error
}

// newPaced returns a reader of the body of r. Its deadline applies at once, even if only net/http
// reads the rest of the body.
func newPaced(w http.ResponseWriter, r *http.Request, patience time.Duration) *paced {
	p := &paced{pace: pace{patience: patience}, control: http.NewResponseController(w), in: r.Body}
	p.ended = r.Body == nil || r.Body == http.NoBody
	if p.ended {
		p.in = http.NoBody
		return p
	}
	p.set()
	return p
}

// set sets the deadline of a read that begins now.
func (p *paced) set() (now time.Time) {
	now = time.Now()
	if until, anew := p.wait(now); anew {
		p.control.SetReadDeadline(until)
	}
	return now
}

func (p *paced) Read(b []byte) (int, error) {
	if p.ended {
		return 0, io.EOF
	}
	began := p.set()
	n, err := p.in.Read(b)
	p.came(n, began)
	switch {
	case err == io.EOF:
		p.ended = true
		p.control.SetReadDeadline(time.Time{}) // net/http reads on to notice that the client goes away
	case err != nil:
		p.err = err // the deadline stays: net/http reads on for the next request
	}
	return n, err
}

// Close does nothing: net/http closes the body.
func (p *paced) Close() error { return nil }

// lingering is the time that a refused client may go on sending, so that it can read the answer.
const lingering = time.Second

// end is called after the answer. It does not wait again for a body that came too slowly.
func (p *paced) end() {
	if !p.ended && p.err == nil {
		p.control.SetReadDeadline(time.Now().Add(lingering))
	}
}

// slow reports whether the body ended because it came too slowly.
func (p *paced) slow() bool { return os.IsTimeout(p.err) }
