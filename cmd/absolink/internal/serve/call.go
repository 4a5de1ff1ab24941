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

// Prepare checks the flags of a command (extract, rewrite, base or resolve) with an output format,
// and returns the prepared work. The error, a *flag.Error, says which flag is wrong.
type Prepare func(command string, format record.Format, flags url.Values) (Prepared, error)

// Call does the work of a command on a body.
type Call interface {
	// Do writes the output of the command to out. The error is an error of out or ctx. Problems of
	// the body are in the Result, which is nil after an error.
	Do(ctx context.Context, b *Body, out io.Writer) (*Result, error)
}

// Prepared is a Call for many bodies, on one goroutine at a time. After an error or a panic of Do
// it must not be used again.
type Prepared interface {
	Call
	// Rebase replaces the base of the flags by uri, which is not empty. After an error, a
	// *flag.Error, nothing has changed.
	Rebase(uri string) error
}

// Result is the outcome of a body.
type Result struct {
	Entry  report.Entry // of the body as a whole
	Totals report.Totals
	// number of messages of a mailbox that could not be read, or that stay as they are although
	// they have links to edit
	Skipped int
	Reason  string // reason of the first of them, or of the body
}

// Add adds the account of the body, or of an item of the body. Items come before the body.
func (r *Result) Add(e *report.Entry) {
	why := e.Result.Reason()
	switch {
	case unread(&e.Result):
	case e.Edits.Signed > 0 && e.Edits.Links == 0:
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

// unread reports whether nothing of the body could be read.
func (r *Result) unread() bool { return unread(&r.Entry.Result) }

// unread reports whether a body or an item was not read for links, or not rewritten.
func unread(r *report.Result) bool {
	o := r.Outcome()
	return r.Lost() || o == report.Skipped || o == report.Copied
}

// unwritten reports whether the body has documents, but none may be rewritten.
func (r *Result) unwritten() bool {
	if n := r.Totals.Messages.N; n > 0 {
		return r.Skipped == n
	}
	return r.unread() || r.Reason != ""
}

// calls keeps prepared calls between requests: checking flags takes as long as reading a page, and
// making a worker's data takes as much memory. A crawler sends another base with each page, so
// requests that differ only in their base share a call.
type calls struct {
	prepare Prepare
	mu      sync.Mutex
	idle    []idle // the last used is at the end
}

type idle struct {
	key  callKey
	call Prepared
}

type callKey struct {
	command string
	format  record.Format
	rest    string // of the query
	based   bool   // the query also has a base
}

// maxIdle is the number of calls that are kept. A call that has read a body of more than heldBody
// bytes is not kept.
const maxIdle = 64

// wanted is the Call of a query.
type wanted struct {
	calls *calls
	key   callKey
	query string
	base  string // if key.based
}

// call returns the call of a command for a query.
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

// cutBase cuts the base out of a query. ok is false unless there is exactly one base.
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

// known returns a kept call, or nil.
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
