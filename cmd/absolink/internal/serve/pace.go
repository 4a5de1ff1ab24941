package serve

import (
	"io"
	"net/http"
	"os"
	"time"
)

// The server closes the connection of a client that sends nothing, or reads nothing, for the time
// patience. It also closes the connection of a client that stays slower than minRate.
const (
	patience = 25 * time.Second
	atWork   = 5 * time.Second // patience while the client's document still occupies a worker
	minRate  = 16 << 10        // bytes a second
)

// pace limits the time that the server waits for a client. One wait lasts at most patience. All
// waits together last at most patience, and the time that the bytes take at minRate. Time in which
// the server itself works does not count.
type pace struct {
	patience time.Duration
	bytes    int64         // bytes received or sent
	waited   time.Duration // time spent on these bytes
	deadline time.Time     // the current deadline
}

// nextDeadline returns the deadline of a wait that begins now. anew says that it must be set. It is
// false if the current deadline is nearly the same, and stays.
func (p *pace) nextDeadline(now time.Time) (until time.Time, anew bool) {
	left := p.patience + time.Duration(p.bytes/minRate)*time.Second - p.waited
	until = now.Add(min(left, p.patience))
	if d := until.Sub(p.deadline); d >= 0 && d <= p.patience/8 {
		return p.deadline, false
	}
	p.deadline = until
	return until, true
}

// add adds n bytes that were received or sent, and the time since began.
func (p *pace) add(n int, began time.Time) {
	p.bytes += int64(n)
	p.waited += time.Since(began)
}

// pacedBody reads the body of a request, with the limits of pace.
type pacedBody struct {
	pace
	control *http.ResponseController
	in      io.Reader
	ended   bool // the body was read to its end
	err     error
}

// newPacedBody returns a reader of the body of r. It sets the first deadline, which also counts if
// only net/http reads the body.
func newPacedBody(w http.ResponseWriter, r *http.Request, patience time.Duration) *pacedBody {
	p := &pacedBody{pace: pace{patience: patience}, control: http.NewResponseController(w), in: r.Body}
	p.ended = r.Body == nil || r.Body == http.NoBody
	if p.ended {
		p.in = http.NoBody
		return p
	}
	p.set()
	return p
}

// set sets the deadline of a read that begins now.
func (p *pacedBody) set() (now time.Time) {
	now = time.Now()
	if until, anew := p.nextDeadline(now); anew {
		p.control.SetReadDeadline(until)
	}
	return now
}

func (p *pacedBody) Read(b []byte) (int, error) {
	if p.ended {
		return 0, io.EOF
	}
	began := p.set()
	n, err := p.in.Read(b)
	p.add(n, began)
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
func (p *pacedBody) Close() error { return nil }

// lingerTime is how long a client may go on sending after the answer. Otherwise it might not read
// the answer.
const lingerTime = time.Second

// end sets the deadline for the rest of the body, after the answer. After an error the old deadline
// stays.
func (p *pacedBody) end() {
	if !p.ended && p.err == nil {
		p.control.SetReadDeadline(time.Now().Add(lingerTime))
	}
}

// slow reports whether the body ended because it came too slowly.
func (p *pacedBody) slow() bool { return os.IsTimeout(p.err) }
