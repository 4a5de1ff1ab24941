package serve

import (
	"context"
	"io"
	"net/url"
	"sync"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
)

// Prepare checks the flags of a command (extract, rewrite, base or resolve) that prints in a
// format, and returns what does its work. The error, a *flag.Error, says which flag is wrong.
type Prepare func(command string, format record.Format, flags url.Values) (Call, error)

// Call does the work of a command on one body, and writes to out what the command prints. It
// is safe for concurrent use. The error is that of out or ctx; what is wrong with the body
// stands in the Result, which is nil after an error.
type Call func(ctx context.Context, b *Body, out io.Writer) (*Result, error)

// Result is what became of a body.
type Result struct {
	Entry   report.Entry // of the body as a whole
	Totals  report.Totals
	Skipped int    // messages of a mailbox that stay as they are though they have links to be edited, or could not be read
	Reason  string // why the first of them does, or the body
}

// Add adds the account of the body, or of an item of it, which comes before it.
func (r *Result) Add(e *report.Entry) {
	why := e.Reason
	switch {
	case e.Outcome == report.Skipped || e.Outcome == report.Refused || e.Outcome == report.Failed || e.Outcome == report.Copied:
	case e.Signed > 0 && e.Edits == 0:
		why = "all parts with links are signed, encrypted or not to be edited; --break-signatures edits what is signed"
	default:
		why = ""
	}
	if e.Inner == "" {
		r.Entry = *e
	} else if why != "" {
		r.Skipped++
	}
	if r.Reason == "" {
		r.Reason = why
	}
}

// unread reports whether nothing could be read of the body.
func (r *Result) unread() bool {
	o := r.Entry.Outcome
	return o == report.Failed || o == report.Refused || o == report.Skipped || o == report.Copied
}

// unwritten reports whether no document of the body may be rewritten, though there are some.
func (r *Result) unwritten() bool {
	if n := r.Totals.Messages; n > 0 {
		return r.Skipped == n
	}
	return r.unread() || r.Reason != ""
}

// calls keeps what was prepared: to check flags takes as long as to read a small page.
type calls struct {
	prepare Prepare
	mu      sync.RWMutex
	known   map[callKey]Call
}

type callKey struct {
	command string
	format  record.Format
	query   string
}

const maxCalls = 256

// call returns the call of a command by the parameters of a query.
func (c *calls) call(command string, format record.Format, query string) (Call, error) {
	key := callKey{command, format, query}
	c.mu.RLock()
	call := c.known[key]
	c.mu.RUnlock()
	if call != nil {
		return call, nil
	}
	flags, err := url.ParseQuery(query)
	if err != nil {
		return nil, &Problem{Status: 400, Detail: "the query cannot be read: " + err.Error()}
	}
	if call, err = c.prepare(command, format, flags); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxCalls {
		c.known = make(map[callKey]Call)
	}
	c.known[key] = call
	return call, nil
}
