package run

import (
	"bytes"
	"context"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/document"
)

// retrieve retrieves a document. If that fails, it sets the outcome in e and returns false. If
// robots.txt forbids a URL of a list, retrieve skips the URL. In a run with units, the URL fails
// instead.
//
// If the connection breaks before the end of the document, the worker still reads the bytes that
// came. In a run with units, retrieve also adds the class Unavailable to the outcome. It says that
// links may be missing, and that the unit must be tried again.
func (r *Run) retrieve(ctx context.Context, reader *input.Reader, file input.File,
	turn <-chan struct{}, e *report.Entry) (in opened, ok bool) {
	response, err := r.client(file.Listed).Get(ctx, file.URL, turn)
	var fetchErr *fetch.Error
	switch {
	case errors.As(err, &fetchErr) && fetchErr.Forbidden && !r.o.hasUnits():
		e.Result.Skip(err.Error())
		e.Problems.Note("", err.Error())
		return opened{}, false
	case err != nil:
		e.Result.Fail(err)
		return opened{}, false
	case response.Problem != "":
		e.Problems.Add(report.Problem{Offset: -1, Text: response.Problem, Minor: response.Minor})
		if response.Broken && r.o.hasUnits() {
			e.Result.CutShort(response.Problem)
		}
	}
	answer := &input.Retrieved{URL: response.URL, Type: response.Type, Body: response.Body, Decoded: response.Coded}
	for _, heading := range response.Headings {
		answer.Headings = append(answer.Headings, document.Answer(heading))
	}
	expected := r.memoryOf(response.Body)
	err = response.Grow(ctx, expected)
	if err == nil {
		in.Document, err = reader.OpenRetrieved(ctx, file, answer)
	}
	if err != nil {
		response.Release()
		e.Result.Fail(err)
		return opened{}, false
	}
	in.release = response.Release
	in.large = expected > largeRetrieved
	return in, true
}

// memoryPerByte is the number of bytes of memory that the work on a document takes for each byte of
// the document. This was measured with a document full of links.
const memoryPerByte = 3

// largeRetrieved is a limit in bytes for the result of memoryOf. A retrieved document is large if
// the work on it takes more memory. The limit is low, because far more documents are retrieved at
// once than there are processors.
const largeRetrieved = 4 << 20

// memoryOf estimates the memory in bytes that the work on a body takes. If the body is a compressed
// file, memoryOf decompresses it to find its size.
func (r *Run) memoryOf(body []byte) int64 {
	c := coding.Detect(body, "")
	if c == coding.None {
		return memoryPerByte * int64(len(body))
	}
	in, err := c.Reader(bytes.NewReader(body))
	if err != nil {
		return 0
	}
	defer in.Close()
	n, _ := io.Copy(io.Discard, io.LimitReader(in, int64(r.o.Reading.MaxSize)))
	return (2 + memoryPerByte) * n // while the buffer of the content grows, there are two copies of the content
}

// retrieveRange retrieves a range of a file. If that fails, it sets the outcome in e and returns
// false. It does not ask robots.txt, because a user who names a range does not crawl.
//
// If the range begins at offset 0 and the file is a document, retrieveRange retrieves the whole
// document again. So the document also has the header of the response. If the range comes from an
// index, retrieveRange keeps to the range.
func (r *Run) retrieveRange(ctx context.Context, reader *input.Reader, file input.File,
	turn <-chan struct{}, e *report.Entry) (in opened, ok bool) {
	u := file.Unit
	wanted := fetch.Range{Offset: u.Offset, Length: u.Length, Turn: turn, Spool: input.Spool}
	if u.OpenEnded {
		wanted.Length = firstRequest
	}
	content, err := r.client(false).Open(ctx, file.URL, wanted)
	if err != nil {
		e.Result.Fail(err)
		return opened{}, false
	}
	e.Subject.Whole = content.Whole()
	in.Document, err = reader.OpenRemote(ctx, file, content)
	switch {
	case err != nil:
		e.Result.Fail(err)
		return opened{}, false
	case u.Offset == 0 && !u.Indexed && in.Kind != input.Other && !in.Kind.Container():
		in.Close()
		file.Listed = false
		return r.retrieve(ctx, reader, file, turn, e)
	}
	return in, true
}

// measure asks a server for the size and the kind of a file. It retrieves no content, so the
// document has none. If measure fails, it sets the outcome in e and returns false.
//
// The size of the document is -1 if the server does not tell it. It is also -1 if the file is a
// mailbox or a WARC and the server does not send ranges, because the file cannot be cut into units.
func (r *Run) measure(ctx context.Context, reader *input.Reader, file input.File,
	e *report.Entry) (in opened, ok bool) {
	facts, err := r.client(false).Measure(ctx, file.URL)
	if err != nil {
		e.Result.Fail(err)
		return opened{}, false
	}
	in.Document = reader.Unread(file, facts.Type, facts.Size)
	if (in.Kind == input.WARC || in.Kind == input.Mbox) && !facts.Ranges {
		e.Problems.Note("", "the server does not say that it sends ranges, so the file is one unit")
		in.StoredSize = -1
	}
	return in, true
}

// firstRequest is the length in bytes of the first range that is requested for a record of unknown
// length.
const firstRequest = 64 << 10

// client returns a client, and makes both clients at the first call. If listed is true, it returns
// the client for the URLs of a list. Otherwise it returns the client for ranges, and for the URLs
// on the command line.
func (r *Run) client(listed bool) *fetch.Client {
	r.clients.Do(func() {
		o := r.o.Retrieval.Options
		o.MaxSize = int64(r.o.Reading.MaxSize)
		r.named = fetch.New(o)
		o.Robots = !r.o.Retrieval.IgnoreRobots
		r.listed = fetch.New(o)
		r.listed.Share(r.named)
		r.memory.Store(batch.BoundMemory(r.o.itemsAtOnce(), fetch.DefaultHeld))
	})
	if listed {
		return r.listed
	}
	return r.named
}
