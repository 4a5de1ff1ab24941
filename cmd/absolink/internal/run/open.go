package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/httpmsg"
)

// missingError returns err. If the user has named the file, the file is missing and its name looks
// like a URL, missingError adds a hint.
func missingError(f *input.File, err error) error {
	if !f.Named || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	scheme, address, isAddress := strings.Cut(f.Source, "://")
	switch {
	case isAddress && strings.EqualFold(scheme, "file"):
		return fmt.Errorf("%w; write the path instead of the URL: %s", err, address)
	case isAddress && !strings.ContainsAny(scheme, "/."):
		return fmt.Errorf("%w; absolink retrieves http: and https: URLs, and no %s: URLs", err, scheme)
	case strings.HasPrefix(strings.ToLower(f.Source), "www."), looksLikeHost(f.Source):
		return fmt.Errorf("%w; a URL begins with its scheme: use https://%s", err, f.Source)
	}
	return err
}

// looksLikeHost reports whether name is a host or an address without its scheme, such as
// example.com/a. It returns false for usual names of files such as page.html and run.sh, although
// .sh is a top-level domain.
func looksLikeHost(name string) bool {
	host, _, hasPath := strings.Cut(name, "/")
	ending := strings.ToLower(filepath.Ext(host))
	if !hasPath && slices.Contains([]string{".sh", ".md", ".py", ".pl", ".zip", ".mov", ".rs", ".ps", ".cc"}, ending) {
		return false
	}
	return record.WithScheme(name) != ""
}

// leaveOut sets the outcome of f, a file that is left out. It adds a note if the user may expect
// that f is an input.
func (r *Run) leaveOut(f input.File, e *report.Entry) {
	why := f.Skip.Why
	e.Result.Skip(why)
	switch cause := f.Skip.Cause; {
	case cause == input.Temporary:
		noteTemporary(f, e)
	case cause == input.ToUnchosen:
		e.Problems.Note("", why+", which --include or --exclude leaves out, so the link is left out too; to read it, "+
			"choose that file or name the link as an input")
	case cause == input.Outside:
		e.Problems.Note("", why+", so it is left out; "+r.o.Account.OutsideHint)
	case cause == input.Duplicate && f.Named && !r.o.Account.Verbose:
		e.Problems.Note("", why)
	case (f.Link || cause == input.Special) && r.o.Account.WritesCopies:
		e.Problems.Note("", why+", so it is not in the output")
	}
}

// noteTemporary adds a note that f is left out because it has the name of a temporary file of this
// program. It adds no note if this run is writing f, or if f is gone.
func noteTemporary(f input.File, e *report.Entry) {
	if files.InUse(filepath.Base(f.Path)) || input.IsGone(f.Path) {
		return
	}
	e.Problems.Note("", "has the name of a temporary file of a running or killed absolink, so it is left out; if "+
		"the file is yours, rename it")
}

// opened is an open input.
type opened struct {
	*input.Document
	release func() // frees the memory of a retrieved document; nil if the document is not retrieved
	large   bool   // after the work, the worker and the reader hold too much memory to be used again
}

// work opens a file and runs a worker of the command on it. The worker and the reader can be used
// again, except after a large document or a panic. A reader that holds much memory is not used
// again either.
func (r *Run) work(ctx context.Context, file input.File, out io.Writer, e *report.Entry) {
	reader := r.readers.Take()
	reader.Options = r.readerOptions()
	worker := r.workers.Take()
	in, ok := r.open(ctx, reader, file, batch.TurnOf(out), e)
	if ok {
		r.workOn(ctx, worker, in, out, e)
	}
	if !in.large {
		r.workers.Put(worker)
	}
	if !in.large && reader.Held() <= largeLocal {
		r.readers.Put(reader)
	}
}

// workOn runs w on an open input, and closes the input. It does not run w if refuseUnit refuses the
// unit of the input. In a run with units, it also does not run w if the input is too large: the
// outcome is then a failure.
func (r *Run) workOn(ctx context.Context, w container.Worker, in opened, out io.Writer, e *report.Entry) {
	if in.release != nil {
		defer in.release()
	}
	defer in.Close()
	e.Subject.Kind = in.Kind.String()
	e.Subject.Bytes = max(in.StoredSize, 0)
	if in.Empty {
		e.Problems.Note("", "is empty")
	}
	if in.Decision.Reason == input.Misnamed && in.Kind != input.Other {
		e.Problems.NoteMisnamed(in.Document)
	}
	if refuseUnit(in.Document, e) {
		return
	}
	if in.TooLarge && r.o.hasUnits() {
		e.Result.Fail(errors.New(report.TooLargeText(in.Document)))
		return
	}
	if in.Kind == input.HTTP {
		in.Response = new(httpmsg.Message)
		in.Response.Reset(in.Data, r.Containers.HTTP())
	}
	w.Work(ctx, in.Document, out, e)
	if in.TrailingData {
		e.Problems.Note("",
			fmt.Sprintf("%d bytes after the end of the %v data, from byte %d on, are of another kind and were not read",
				in.TrailingSize, in.Coding, in.StoredSize-in.TrailingSize))
	}
	if !in.HasFileOffsets() {
		e.Problems.RemovePositions()
	}
}

// open opens a file, or retrieves a URL. turn is closed when all earlier inputs are done. A
// retrieval waits for that if other retrievals hold too many bytes. If open fails, it sets the
// outcome in e and returns false.
func (r *Run) open(ctx context.Context, reader *input.Reader, file input.File,
	turn <-chan struct{}, e *report.Entry) (in opened, ok bool) {
	switch {
	case r.streams.Given != nil: // the client has sent the content, even if file has a URL
	case file.URL != "" && r.o.Reading.Peek:
		return r.measure(ctx, reader, file, e)
	case file.URL != "" && file.Unit != nil:
		return r.retrieveRange(ctx, reader, file, turn, e)
	case file.URL != "":
		return r.retrieve(ctx, reader, file, turn, e)
	}
	var err error
	if in.Document, err = reader.Open(ctx, file); err != nil {
		e.FailOpen(file, err)
		return opened{}, false
	}
	in.large = len(in.Data) > largeLocal
	return in, true
}

// largeLocal is the size in bytes of a large document that is not retrieved. If the workers kept
// their memory after large documents, a run would hold the memory of as many large documents as it
// has workers. New memory for each document of a few MB would take a tenth of the time.
const largeLocal = 16 << 20
