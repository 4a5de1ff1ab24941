package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/httpmsg"
)

// intended is the error of a file that is not there, with what its name may stand for.
func intended(f *input.File, err error) error {
	if !f.Named || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	scheme, address, isAddress := strings.Cut(f.Source, "://")
	switch {
	case isAddress && strings.EqualFold(scheme, "file"):
		return fmt.Errorf("%w; give the path of a file: %s", err, address)
	case isAddress && !strings.ContainsAny(scheme, "/."):
		return fmt.Errorf("%w; %s: is not retrieved, only http: and https: are", err, scheme)
	case strings.HasPrefix(strings.ToLower(f.Source), "www."):
		return fmt.Errorf("%w; a URL begins with its scheme: https://%s", err, f.Source)
	}
	return err
}

// skip settles an entry of a directory that is no input, and names it where that may not
// be what was meant.
func (r *Run) skip(f input.File, e *report.Entry) {
	why := f.Skip.Why
	e.Result.Skip(why)
	switch cause := f.Skip.Cause; {
	case cause == input.Temporary:
		passTemporary(f, e)
	case cause == input.ToUnchosen:
		e.Problems.Note("", why+
			", which --include or --exclude leaves out: left out too; choose that file, or name the link as an input")
	case cause == input.Outside:
		e.Problems.Note("", why+": left out; "+r.o.OutHint)
	case cause == input.Again && f.Named && !r.o.Verbose:
		e.Problems.Note("", why)
	case (f.Link || cause == input.Special) && r.o.Copies:
		e.Problems.Note("", why+": it is not in the output")
	}
}

// passTemporary names a file that is left out for its name, which is that of a temporary file
// of this program: but not what this run makes itself, or has removed.
func passTemporary(f input.File, e *report.Entry) {
	if files.InUse(filepath.Base(f.Path)) || input.IsGone(f.Path) {
		return
	}
	e.Problems.Note("", "is named like a temporary file of absolink, of a run that is under way or was killed: left "+
		"out; give it another name if it is yours")
}

// open opens a file and gives it to a worker.
func (r *Run) open(ctx context.Context, file input.File, out io.Writer, e *report.Entry) {
	h := r.hand()
	h.reader.Given = r.streams.Given
	r.work(ctx, h, file, out, e)
	if !h.full {
		r.done(h)
	}
}

// work has h open a file and do the work on it.
func (r *Run) work(ctx context.Context, h *hand, file input.File, out io.Writer, e *report.Entry) {
	in, release := r.opened(ctx, h, file, batch.Turned(out), e)
	if in == nil {
		return
	}
	defer release()
	defer in.Close()
	e.Subject.Kind = in.Kind.String()
	e.Subject.Bytes = max(in.StoredSize, 0)
	if in.Empty {
		e.Problems.Note("", "is empty")
	}
	if in.Decision.Reason == input.Misnamed && in.Kind != input.Other {
		e.Problems.NoteMisnamed(in)
	}
	if outside(in, e) {
		return
	}
	if in.TooLarge && r.hasUnits() {
		e.Result.Fail(errors.New(report.TooLarge(in)))
		return
	}
	if in.Kind == input.HTTP {
		in.Response = new(httpmsg.Message)
		in.Response.Reset(in.Data, r.o.http())
	}
	h.Work(ctx, in, out, e)
	if in.Stray {
		e.Problems.Note("",
			fmt.Sprintf("%d bytes behind the end of the %v data, at byte %d, are no such data: not read",
				in.Behind, in.Coding, in.StoredSize-in.Behind))
	}
	if !in.Placed() {
		e.Problems.Unplace()
	}
}

// opened opens a file, or retrieves it, and returns what gives back the memory of the document. It
// returns nil if that fails, and settles e.
func (r *Run) opened(ctx context.Context, h *hand, file input.File,
	turn <-chan struct{}, e *report.Entry) (in *input.Document, release func()) {
	switch {
	case file.URL != "" && file.Unit != nil:
		return r.retrieveRange(ctx, h, file, turn, e)
	case file.URL != "":
		return r.retrieve(ctx, h, file, turn, e)
	}
	in, err := h.reader.Open(ctx, file)
	if err != nil {
		e.NotOpened(file, err)
		return nil, nil
	}
	return in, func() {}
}
