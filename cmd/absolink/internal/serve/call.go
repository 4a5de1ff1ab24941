package serve

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
)

// Prepare prepares the Call of a command (extract, rewrite, base or resolve) with an output format
// and flags. The error is a *flag.Error that names the wrong flag.
type Prepare func(command string, format record.Format, flags url.Values) (Prepared, error)

// Call does the work of a command on a body.
type Call interface {
	// Do writes the output of the command for b to out. The Result reports problems of the body. An
	// error comes from out or ctx; then the Result is nil.
	Do(ctx context.Context, b *Body, out io.Writer) (*Result, error)
}

// Prepared is a Call that can do the work for many bodies, one after the other. It must not be used
// again after an error or a panic of Do.
type Prepared interface {
	Call
	// SetBase replaces the value of --base by uri, which must not be empty. If uri cannot be a
	// base, it returns a *flag.Error, and the base stays unchanged.
	SetBase(uri string) error
}

// Result is the outcome of a body.
type Result struct {
	Entry  report.Entry // the entry of the whole body
	Totals report.Totals
	// Skipped is the number of messages in a mailbox that could not be read, or that stay unchanged
	// although they have links to edit.
	Skipped int
	Reason  string // why the first skipped message, or the body itself, was skipped
}

// Add adds an entry to the result. The items in the body must come first, and the body itself last.
func (r *Result) Add(e *report.Entry) {
	why := e.Result.Reason()
	switch {
	case unread(&e.Result):
	case e.Edits.Signed > 0 && e.Edits.Links == 0:
		why = "all parts with links are signed, encrypted or not editable; --break-signatures edits signed parts"
	default:
		why = ""
	}
	if e.Subject.Inner == "" {
		r.Entry = *e
	} else if why != "" {
		r.Skipped++
	}
	if r.Reason == "" {
		r.Reason = why
	}
}

// hasInternalError reports whether a panic ended the work on the body.
func (r *Result) hasInternalError() bool {
	return strings.HasPrefix(r.Entry.Result.Reason(), "internal error")
}

// unread reports whether the body was not read for links, or not rewritten.
func (r *Result) unread() bool { return unread(&r.Entry.Result) }

// unread reports whether a body or an item was not read for links, or not rewritten.
func unread(r *report.Result) bool {
	o := r.Outcome()
	return r.Lost() || o == report.Skipped || o == report.Copied
}

// unwritten reports whether no document of the body was rewritten, because none can be read or
// edited.
func (r *Result) unwritten() bool {
	if n := r.Totals.Messages.N; n > 0 {
		return r.Skipped == n
	}
	return r.unread() || r.Reason != ""
}

// calls keeps prepared calls between requests, because preparing a call takes as much time and
// memory as reading a page. Requests that differ only in the parameter base share calls, because a
// crawler sends another base with each page.
type calls struct {
	prepare Prepare
	mu      sync.Mutex
	idle    []idleCall // the most recently used call is the last
}

// idleCall is a call that no request uses.
type idleCall struct {
	key  callKey
	call Prepared
}

// callKey identifies the requests that can use the same call.
type callKey struct {
	command    string
	format     record.Format
	otherQuery string // the query without the parameter base
	hasBase    bool   // the query has the parameter base
}

// maxIdle is the number of idle calls that are kept. A call that has read a body of more than
// maxHeldBody bytes is not kept, because it holds much memory.
const maxIdle = 64

// queryCall is the Call of a query. For each body it uses an idle call, or prepares one.
type queryCall struct {
	calls *calls
	key   callKey
	query string
	base  string // the base of the query, if key.hasBase
}

// callFor returns the Call of a command for a query. It prepares a call at once, to report wrong
// flags.
func (c *calls) callFor(command string, format record.Format, query string) (*queryCall, error) {
	w := &queryCall{calls: c, key: callKey{command: command, format: format, otherQuery: query}, query: query}
	if rest, base, ok := cutBase(query); ok {
		w.key.otherQuery, w.key.hasBase, w.base = rest, true, base
	}
	call, err := w.acquire()
	if err != nil {
		return nil, err
	}
	w.putIdle(call)
	return w, nil
}

// cutBase cuts the parameter base out of a query. ok is false if the query has no such parameter,
// or several, or if its value is empty or malformed.
func cutBase(query string) (rest, base string, ok bool) {
	if strings.Contains(query, ";") {
		return "", "", false // ParseQuery reports the error
	}
	for part := range strings.SplitSeq(query, "&") {
		value, found := strings.CutPrefix(part, "base=")
		if !found {
			rest += "&" + part
			continue
		}
		var err error
		if base, err = url.QueryUnescape(value); err != nil || base == "" || ok {
			return "", "", false
		}
		ok = true
	}
	return rest, base, ok
}

// Do implements Call.
func (w *queryCall) Do(ctx context.Context, b *Body, out io.Writer) (*Result, error) {
	call, err := w.acquire()
	if err != nil {
		return nil, err
	}
	result, err := call.Do(ctx, b, out)
	if err == nil && b.Size <= maxHeldBody {
		w.putIdle(call)
	}
	return result, err
}

// acquire returns a call for the query. No other goroutine uses the call until putIdle.
func (w *queryCall) acquire() (Prepared, error) {
	call := w.removeIdle()
	if call == nil {
		flags, err := url.ParseQuery(w.query)
		if err != nil {
			return nil, &Problem{Status: 400, Detail: "the query cannot be read: " + err.Error()}
		}
		return w.calls.prepare(w.key.command, w.key.format, flags)
	}
	if !w.key.hasBase {
		return call, nil
	}
	if err := call.SetBase(w.base); err != nil {
		w.putIdle(call)
		return nil, err
	}
	return call, nil
}

// removeIdle removes an idle call with the key of w, and returns it. It returns nil if there is
// none.
func (w *queryCall) removeIdle() Prepared {
	c := w.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, idle := range slices.Backward(c.idle) {
		if idle.key == w.key {
			c.idle = slices.Delete(c.idle, i, i+1)
			return idle.call
		}
	}
	return nil
}

// putIdle keeps a call for later requests.
func (w *queryCall) putIdle(call Prepared) {
	c := w.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) == maxIdle {
		c.idle = slices.Delete(c.idle, 0, 1)
	}
	c.idle = append(c.idle, idleCall{w.key, call})
}
