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

// Prepare checks the flags of a command (extract, rewrite, base or resolve) that prints in a
// format, and returns what does its work. The error, a *flag.Error, says which flag is wrong.
type Prepare func(command string, format record.Format, flags url.Values) (Prepared, error)

// Call does the work of a command on a body.
type Call interface {
	// Do writes to out what the command prints. The error is that of out or ctx; what is wrong
	// with the body stands in the Result, which is nil after an error.
	Do(ctx context.Context, b *Body, out io.Writer) (*Result, error)
}

// Prepared is a Call for one body after the other, on one goroutine at a time. After an error
// or a panic of Do it is not used again.
type Prepared interface {
	Call
	// Rebase puts a base that is not empty in the place of the one that the flags have given.
	// The error, a *flag.Error, says what is wrong with it; nothing has changed then.
	Rebase(uri string) error
}

// Result is what became of a body.
type Result struct {
	Entry  report.Entry // of the body as a whole
	Totals report.Totals
	// messages of a mailbox that stay as they are though they have links to be edited, or could not
	// be read
	Skipped int
	Reason  string // why the first of them does, or the body
}

// Add adds the account of the body, or of an item of it, which comes before it.
func (r *Result) Add(e *report.Entry) {
	why := e.Result.Reason()
	switch {
	case unread(&e.Result):
	case e.Edits.Signed > 0 && e.Edits.N == 0:
		why = "all parts with links are signed, encrypted or not to be edited; --break-signatures edits what is signed"
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

// unread reports whether nothing could be read of the body.
func (r *Result) unread() bool { return unread(&r.Entry.Result) }

// unread reports whether a result is that of a body, or item, that was not read for links, or not
// rewritten.
func unread(r *report.Result) bool {
	o := r.Outcome()
	return r.Lost() || o == report.Skipped || o == report.Copied
}

// unwritten reports whether no document of the body may be rewritten, though there are some.
func (r *Result) unwritten() bool {
	if n := r.Totals.Messages.N; n > 0 {
		return r.Skipped == n
	}
	return r.unread() || r.Reason != ""
}

// calls keeps calls from request to request: to check flags takes as long as to read a page,
// and what a worker has learnt to hold as much memory. A crawler sends another base with each
// page, so that a call serves all requests that differ in their base only.
type calls struct {
	prepare Prepare
	mu      sync.Mutex
	idle    []idle // the one that was used last stands last
}

type idle struct {
	key  callKey
	call Prepared
}

type callKey struct {
	command string
	format  record.Format
	rest    string // of the query
	based   bool   // it has a base besides
}

// Only so many calls are kept, and none that has held a body of more than heldBody bytes.
const maxIdle = 64

// wanted is the Call that a query asks for.
type wanted struct {
	calls *calls
	key   callKey
	query string
	base  string // where key.based
}

// call returns the call of a command by the parameters of a query.
func (c *calls) call(command string, format record.Format, query string) (*wanted, error) {
	w := &wanted{calls: c, key: callKey{command: command, format: format, rest: query}, query: query}
	if rest, base, ok := cutBase(query); ok {
		w.key.rest, w.key.based, w.base = rest, true, base
	}
	call, err := w.take()
	if err != nil {
		return nil, err
	}
	w.give(call)
	return w, nil
}

// cutBase cuts the one base out of a query; ok reports whether there is one.
func cutBase(query string) (rest, base string, ok bool) {
	if strings.Contains(query, ";") {
		return "", "", false // which is an error
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
func (w *wanted) Do(ctx context.Context, b *Body, out io.Writer) (*Result, error) {
	call, err := w.take()
	if err != nil {
		return nil, err
	}
	result, err := call.Do(ctx, b, out)
	if err == nil && b.Size <= heldBody {
		w.give(call)
	}
	return result, err
}

// take returns a call that no other goroutine uses.
func (w *wanted) take() (Prepared, error) {
	call := w.known()
	if call == nil {
		flags, err := url.ParseQuery(w.query)
		if err != nil {
			return nil, &Problem{Status: 400, Detail: "the query cannot be read: " + err.Error()}
		}
		return w.calls.prepare(w.key.command, w.key.format, flags)
	}
	if !w.key.based {
		return call, nil
	}
	if err := call.Rebase(w.base); err != nil {
		w.give(call)
		return nil, err
	}
	return call, nil
}

// known returns one that is kept, nil if there is none.
func (w *wanted) known() Prepared {
	c := w.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, known := range slices.Backward(c.idle) {
		if known.key == w.key {
			c.idle = slices.Delete(c.idle, i, i+1)
			return known.call
		}
	}
	return nil
}

func (w *wanted) give(call Prepared) {
	c := w.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) == maxIdle {
		c.idle = slices.Delete(c.idle, 0, 1)
	}
	c.idle = append(c.idle, idle{w.key, call})
}
