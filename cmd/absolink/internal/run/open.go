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

// missingError returns err. It adds a hint if the user has named the file, the file is missing, and
// its name looks like a URL.
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

// looksLikeHost reports whether name looks like a URL without its scheme: a host such as
// example.com, or a host and a path. It returns false for names such as run.sh and page.md,
// although .sh and .md are top-level domains.
func looksLikeHost(name string) bool {
	host, _, hasPath := strings.Cut(name, "/")
	ending := strings.ToLower(filepath.Ext(host))
	if !hasPath && slices.Contains([]string{".sh", ".md", ".py", ".pl", ".zip", ".mov", ".rs", ".ps", ".cc"}, ending) {
		return false
	}
	return record.WithScheme(name) != ""
}

// leaveOut sets the outcome of f, a file that the run leaves out. It adds a note if the user may
// expect f to be an input.
func (r *Run) leaveOut(f input.File, e *report.Entry) {
	why := f.Skip.Why
	e.Result.Skip(why)
	switch cause := f.Skip.Cause; {
	case cause == input.Temporary:
		noteTemporary(f, e)
	case cause == input.ToUnchosen:
		e.Problems.Note("", why+", which --include or --exclude leaves out, so the link is left out too; to read the "+
			"target, let --include and --exclude choose it, or name the link as an input")
	case cause == input.Outside:
		e.Problems.Note("", why+", so it is left out; "+r.o.Account.OutsideHint)
	case cause == input.Duplicate && f.Named && !r.o.Account.Verbose:
		e.Problems.Note("", why)
	case (f.Link || cause == input.Special) && r.o.Account.WritesCopies:
		e.Problems.Note("", why+", so it is not in the output")
	}
}

// noteTemporary adds a note that the run leaves f out because f has the name of a temporary file of
// this program. It adds no note if this process is writing f, or if f is gone.
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
	release func() // frees the memory of a retrieved document; nil for any other document
	large   bool   // the worker and the reader will hold too much memory, so they are not used again
}

// work opens a file and runs a worker of the command on it. Then it keeps the worker and the reader
// for other inputs. After a large document or a panic it drops both. It also drops a reader that
// holds much memory.
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

// workOn runs w on an open input, and closes the input. If refuseUnit refuses the unit of the
// input, workOn does not run w. In a run with units, an input that is too large fails, and workOn
// does not run w either.
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
			fmt.Sprintf("the %v data end at byte %d: the %d bytes after that are of another kind and were not read",
				in.Coding, in.StoredSize-in.TrailingSize, in.TrailingSize))
	}
	if !in.HasFileOffsets() {
		e.Problems.RemovePositions()
	}
}

// open opens a file, or retrieves a URL. If that fails, it sets the outcome in e and returns false.
// turn is closed when all earlier inputs are done. If other retrievals hold too many bytes, a
// retrieval waits until they hold fewer bytes, or until turn is closed.
func (r *Run) open(ctx context.Context, reader *input.Reader, file input.File,
	turn <-chan struct{}, e *report.Entry) (in opened, ok bool) {
	switch {
	case r.streams.Given != nil: // the caller passes the content, so nothing is retrieved even if file has a URL
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

// largeLocal is a limit in bytes. A document that was not retrieved is large if it has more bytes.
// A reader is dropped if it holds more bytes. If workers and readers kept the memory of large
// documents, a run could hold the memory of one large document for each worker. The limit is not
// lower, because new memory for each document of a few MB would take a tenth of the run time.
const largeLocal = 16 << 20
