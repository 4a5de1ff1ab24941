package run

import (
	"bytes"
	"context"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/document"
)

// retrieve opens the document that a URL leads to. It returns nil if that fails, and settles e.
// A URL of --urls that robots.txt forbids is skipped. A unit that is not retrieved, or not to its
// end, has failed: its links are missing.
func (r *Run) retrieve(ctx context.Context, h *hand, file input.File,
	turn <-chan struct{}, e *report.Entry) (in *input.Document, release func()) {
	got, err := r.client(file.Listed).Get(ctx, file.URL, turn)
	var known *fetch.Error
	switch {
	case errors.As(err, &known) && known.Forbidden && !r.hasUnits():
		e.Result.Skip(err.Error())
		e.Problems.Note("", err.Error())
		return nil, nil
	case err != nil:
		e.Result.Fail(err)
		return nil, nil
	case got.Problem != "":
		e.Problems.Add(report.Problem{Offset: -1, Text: got.Problem, Minor: got.Minor})
		if got.Broken && r.hasUnits() {
			e.Result.CutShort(got.Problem)
		}
	}
	answer := &input.Retrieved{URL: got.URL, Type: got.Type, Body: got.Body, Coded: got.Coded}
	for _, h := range got.Headings {
		answer.Headings = append(answer.Headings, document.Answer(h))
	}
	made := r.madeOf(got.Body)
	err = got.Grow(ctx, made)
	if err == nil {
		in, err = h.reader.OpenRetrieved(ctx, file, answer)
	}
	if err != nil {
		got.Release()
		e.Result.Fail(err)
		return nil, nil
	}
	h.full = made > largeBody
	return in, got.Release
}

// perByte is how many bytes the work on a document takes for each byte of it, if it is full of
// links.
const perByte = 3

// largeBody is how many bytes are made of a body whose worker is not used again.
const largeBody = 4 << 20

// madeOf returns how many bytes are made of a body, which may be a compressed file itself.
func (r *Run) madeOf(body []byte) int64 {
	c := coding.Detect(body, "")
	if c == coding.None {
		return perByte * int64(len(body))
	}
	in, err := c.Reader(bytes.NewReader(body))
	if err != nil {
		return 0
	}
	defer in.Close()
	n, _ := io.Copy(io.Discard, io.LimitReader(in, int64(r.o.MaxSize)))
	return (2 + perByte) * n // its buffer is copied as it grows
}

// retrieveRange opens a range of the file that a URL leads to. It returns nil if that fails, and
// settles e. A document that is no container is retrieved as a whole, with its headings. robots.txt
// is not asked: whoever names a range crawls nothing.
func (r *Run) retrieveRange(ctx context.Context, h *hand, file input.File,
	turn <-chan struct{}, e *report.Entry) (in *input.Document, release func()) {
	u := file.Unit
	wanted := fetch.Range{Offset: u.Offset, Length: u.Length, Exact: u.Exact, Turn: turn, Spool: input.Spool}
	if u.Open {
		wanted.Length = likelyRecord
	}
	content, err := r.client(false).Open(ctx, file.URL, wanted)
	if err != nil {
		e.Result.Fail(err)
		return nil, nil
	}
	e.Subject.Whole = content.Whole()
	in, err = h.reader.OpenRemote(ctx, file, content)
	switch {
	case err != nil:
		e.Result.Fail(err)
		return nil, nil
	case u.Offset == 0 && !u.Exact && in.Kind != input.Other && !in.Kind.Container():
		in.Close()
		file.Listed = false
		return r.retrieve(ctx, h, file, turn, e)
	}
	return in, func() {}
}

// likelyRecord is how much is retrieved at first of a record whose length is not known, in bytes.
const likelyRecord = 64 << 10

// client returns the one for a URL that is named, or for one of a list.
func (r *Run) client(listed bool) *fetch.Client {
	r.clients.Do(func() {
		o := r.o.Fetch
		o.MaxSize = int64(r.o.MaxSize)
		r.named = fetch.New(o)
		o.Robots = !r.o.IgnoreRobots
		r.listed = fetch.New(o)
		r.listed.Share(r.named)
		r.retrieving.Store(boundMemory(r.o.jobs(), fetch.DefaultHeld))
	})
	if listed {
		return r.listed
	}
	return r.named
}
