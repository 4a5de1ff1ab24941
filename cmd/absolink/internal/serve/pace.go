package serve

import (
	"io"
	"net/http"
	"os"
	"time"
)

// pace is how long the other side is waited for: at most for patience at once, and in all for
// patience and the time that its bytes take at the slowest rate. Time in which the server
// itself works does not count.
type pace struct {
	patience time.Duration
	n        int64         // bytes that came, or went
	waited   time.Duration // for these
	until    time.Time     // the deadline that is set
}

// wait returns the deadline of a wait that begins now, and whether it is to be set: one that is
// nearly the same stays.
func (p *pace) wait(now time.Time) (until time.Time, anew bool) {
	left := p.patience + time.Duration(p.n/slowest)*time.Second - p.waited
	until = now.Add(min(left, p.patience))
	if d := until.Sub(p.until); d >= 0 && d <= p.patience/8 {
		return p.until, false
	}
	p.until = until
	return until, true
}

// came notes that n bytes came, or went, in the time since began.
func (p *pace) came(n int, began time.Time) {
	p.n += int64(n)
	p.waited += time.Since(began)
}

// paced reads the body of a request, which must come at a pace.
type paced struct {
	pace
	control *http.ResponseController
	in      io.Reader
	ended   bool // the body was read to its end
	err     error
}

// newPaced returns a reader of the body of r. Its deadline holds from now on, also for what
// net/http reads of a body that nobody wants.
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
		p.control.SetReadDeadline(time.Time{}) // net/http reads on meanwhile: the client may go away
	case err != nil:
		p.err = err // the deadline stays: net/http reads on for the next request
	}
	return n, err
}

// Close does nothing: net/http closes the body.
func (p *paced) Close() error { return nil }

// lingering is how long a client that was refused may go on sending, so that it reads why.
const lingering = time.Second

// end is called when the request is answered. One that came too slowly is not waited for again.
func (p *paced) end() {
	if !p.ended && p.err == nil {
		p.control.SetReadDeadline(time.Now().Add(lingering))
	}
}

// slow reports whether the body ended because it came too slowly.
func (p *paced) slow() bool { return os.IsTimeout(p.err) }
