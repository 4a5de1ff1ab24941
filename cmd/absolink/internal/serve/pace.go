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
	patience       = 25 * time.Second
	workerPatience = 5 * time.Second // patience with a client whose request still occupies a worker
	minRate        = 16 << 10        // bytes a second
)

// pace limits the time that the server waits for a client. One wait lasts at most patience. All
// waits together last at most patience plus the time that the bytes need at minRate. Time in which
// the server itself works does not count.
type pace struct {
	patience time.Duration
	bytes    int64         // bytes received or sent
	waited   time.Duration // sum of the waits for these bytes
	deadline time.Time     // the deadline that was set last
}

// nextDeadline returns the deadline of a wait that begins now. If the deadline that was set last is
// earlier by at most an eighth of patience, it stays, and changed is false.
func (p *pace) nextDeadline(now time.Time) (deadline time.Time, changed bool) {
	left := p.patience + time.Duration(p.bytes/minRate)*time.Second - p.waited
	deadline = now.Add(min(left, p.patience))
	if d := deadline.Sub(p.deadline); d >= 0 && d <= p.patience/8 {
		return p.deadline, false
	}
	p.deadline = deadline
	return deadline, true
}

// add counts n bytes that were received or sent, and the time since began as waiting time.
func (p *pace) add(n int, began time.Time) {
	p.bytes += int64(n)
	p.waited += time.Since(began)
}

// pacedBody reads the body of a request, with the limits of pace.
type pacedBody struct {
	pace
	control *http.ResponseController
	src     io.Reader
	ended   bool  // the body was read to its end
	err     error // the error that ended reading, other than io.EOF
}

// newPacedBody returns a reader of the body of r. It sets the first deadline at once: if the
// request is answered without a call of Read, net/http reads the body itself.
func newPacedBody(w http.ResponseWriter, r *http.Request, patience time.Duration) *pacedBody {
	p := &pacedBody{pace: pace{patience: patience}, control: http.NewResponseController(w), src: r.Body}
	p.ended = r.Body == nil || r.Body == http.NoBody
	if p.ended {
		p.src = http.NoBody
		return p
	}
	p.setDeadline()
	return p
}

// setDeadline sets the deadline of a read that begins now.
func (p *pacedBody) setDeadline() (now time.Time) {
	now = time.Now()
	if deadline, changed := p.nextDeadline(now); changed {
		p.control.SetReadDeadline(deadline)
	}
	return now
}

func (p *pacedBody) Read(b []byte) (int, error) {
	if p.ended {
		return 0, io.EOF
	}
	began := p.setDeadline()
	n, err := p.src.Read(b)
	p.add(n, began)
	switch {
	case err == io.EOF:
		p.ended = true
		p.control.SetReadDeadline(time.Time{}) // net/http continues to read, to notice that the client has gone
	case err != nil:
		p.err = err // the deadline stays: net/http may read the rest, to reach the next request
	}
	return n, err
}

// Close does nothing: net/http closes the body.
func (p *pacedBody) Close() error { return nil }

// lingerTime is the time that a client may continue to send after the answer. If the connection
// were closed at once, the client might not read the answer.
const lingerTime = time.Second

// limitRest sets the deadline for the rest of the body, unless reading has failed. It is called
// after the answer.
func (p *pacedBody) limitRest() {
	if !p.ended && p.err == nil {
		p.control.SetReadDeadline(time.Now().Add(lingerTime))
	}
}

// slow reports whether reading failed because the body came too slowly.
func (p *pacedBody) slow() bool { return os.IsTimeout(p.err) }
