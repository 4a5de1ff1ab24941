package write

import (
	"bufio"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
)

// A plan is carried out in one of four ways: shown, written to standard output, to a tree, or in
// place. If the output is verified, it is first written to a temporary file and read back from
// there.

// put carries out the plan as the flags say.
func (w *worker) put(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	e.Result.SetOutcome(p.outcome(e))
	switch {
	case w.c.o.Show.On():
		_, err := out.Write(p.shown)
		return err
	case w.c.inPlace != nil:
		return w.replace(ctx, in, p, e)
	case w.c.copies != nil:
		return w.toTree(ctx, in, p, e)
	}
	return w.toStdout(ctx, in, p, out, e)
}

func (w *worker) replace(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	name, err := w.c.inPlace.MaildirName(in, p.Plan, e)
	if err != nil || !p.Edited() && name == "" {
		return err
	}
	return w.c.inPlace.Replace(in, name, func(f *os.File, x *inplace.Exchange) error {
		if err := w.writeProven(ctx, in, p, f, e, name == ""); err != nil {
			return err
		}
		return x.Note(0, in.Edits(p.Edits()))
	})
}

// toTree writes the output for in below the directory of -o. If the output does not verify, it is
// refused, and the input is copied instead.
func (w *worker) toTree(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	tree := w.c.copies
	rel, err := tree.Counterpart(in, p.Plan, e)
	if err != nil {
		return err
	}
	path, err := tree.Place(rel, in, e)
	if err != nil {
		return err
	}
	var unverified error
	err = tree.Create(path, in, func(f *os.File) error {
		unverified = w.writeProven(ctx, in, p, f, e, rel == tree.Rel(&in.File))
		return unverified
	})
	var refusal *files.Refusal
	if !errors.As(unverified, &refusal) {
		return err
	}
	path = filepath.Join(filepath.Dir(path), filepath.Base(tree.Rel(&in.File)))
	return errors.Join(err, tree.Create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) }))
}

// toStdout writes to standard output. If the output is verified, it writes nothing before that.
func (w *worker) toStdout(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	if !w.c.verifies(in) || !p.Edited() {
		return p.write(ctx, out, in)
	}
	f, err := files.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = w.writeProven(ctx, in, p, f, e, true)
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		return errors.Join(err, copyAll(ctx, out, in))
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(files.Interruptible(ctx, out), io.NewSectionReader(f, 0, 1<<62))
	return err
}

// writeProven writes p, the plan of in, to f and reads the output back. If the output is not as
// planned and mends is set, it looks for a plan that is read back, sets p to it and writes it
// instead.
func (w *worker) writeProven(ctx context.Context, in *input.Document,
	p *plan, f *os.File, e *report.Entry, mends bool) error {
	err := w.writeChecked(ctx, in, p, f)
	if mends && misread(err) && w.mend(ctx, in, p, e, nil) {
		w.c.run.Account.NoteUnresolved(e, e.Links.Unresolved())
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			err = f.Truncate(0)
		}
		if err == nil {
			err = w.writeChecked(ctx, in, p, f)
		}
	}
	if misread(err) {
		return staysAsWritten(err)
	}
	return err
}

// writeChecked writes p to f and reads the output back.
func (w *worker) writeChecked(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if err := p.write(ctx, f, in); err != nil {
		return err
	}
	return w.check(ctx, in, p, f)
}

// check reads the output back from f if it was edited and is to be verified.
func (w *worker) check(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if !w.c.verifies(in) || !p.Edited() {
		return nil
	}
	again, err := in.Reopen(ctx, f)
	if err != nil {
		return err
	}
	defer again.Close()
	if again.Decision.Reason == input.Damaged {
		return &files.Refusal{Reason: "verify: " + again.Why + "; it stays as written"}
	}
	if in.Coding != coding.None {
		if err := p.decodes(again); err != nil {
			return err
		}
	}
	return w.compare(ctx, again.DocumentSource(w.c.o.Links.Reading.Charset), p.Plan)
}

// copyAll copies the stored bytes of in, or its stream if it comes from a pipe.
func copyAll(ctx context.Context, w io.Writer, in *input.Document) error {
	if in.Stored == nil {
		content, err := in.Stream(ctx)
		if err != nil {
			return err
		}
		_, err = io.Copy(files.Interruptible(ctx, w), content)
		return err
	}
	_, err := io.Copy(files.Interruptible(ctx, w), in.StoredReader())
	return err
}

// copyFile is like copyAll for a new file. If in is sparse, the copy has the same holes.
func copyFile(ctx context.Context, f *os.File, in *input.Document) error {
	if in.Stored == nil {
		return copyAll(ctx, f, in)
	}
	for start, end := range in.Extents() {
		if _, err := io.Copy(files.Interruptible(ctx, io.NewOffsetWriter(f, start)),
			io.NewSectionReader(in.Stored, start, end-start)); err != nil {
			return err
		}
	}
	return f.Truncate(in.StoredSize)
}

// write writes in with the edits, in the coding of the input.
func (p *plan) write(ctx context.Context, w io.Writer, in *input.Document) error {
	if !p.Edited() {
		return copyAll(ctx, w, in)
	}
	out, err := in.Coding.Writer(files.Interruptible(ctx, w))
	if err != nil {
		return err
	}
	buf := buffers.Get().(*bufio.Writer)
	defer buffers.Put(buf)
	buf.Reset(out)
	if in.Coding != coding.None {
		p.sum.SetSeed(seed)
		buf.Reset(io.MultiWriter(out, &p.sum))
	}
	if err := p.writeWhole(buf, in); err != nil {
		return err
	}
	if err := errors.Join(buf.Flush(), out.Close()); err != nil {
		return err
	}
	return copyTail(ctx, w, in)
}

// copyTail copies the bytes behind the end of the coding of in.
func copyTail(ctx context.Context, w io.Writer, in *input.Document) error {
	if in.TrailingSize == 0 {
		return nil
	}
	_, err := io.Copy(files.Interruptible(ctx, w), in.Tail())
	return err
}

// writeWhole writes the edited content, for a file of Apple Mail with the parts around the message.
func (p *plan) writeWhole(w io.Writer, in *input.Document) error {
	if in.Kind != input.Emlx {
		return p.Write(w)
	}
	whole, size := in.Whole()
	return mime.Write(w, whole, size, slices.Collect(in.Edits(p.Edits())))
}

// buffers collect the many small pieces between edits.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

var seed = maphash.MakeSeed()

// decodes compares the decoded output with the bytes that were encoded.
func (p *plan) decodes(again *input.Document) error {
	var sum maphash.Hash
	sum.SetSeed(seed)
	whole, size := again.Whole()
	if _, err := io.Copy(&sum, io.NewSectionReader(whole, 0, size)); err != nil {
		return err
	}
	if sum.Sum64() != p.sum.Sum64() {
		return &files.Refusal{Reason: "verify: the output does not decode to what was written; it stays as written"}
	}
	return nil
}

// copy copies an input that is not edited, if the run makes copies.
func (c *Command) copy(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if c.o.Show.On() || c.o.To.InPlace {
		return // skipped: the input stays as it is
	}
	e.Result.SetOutcome(report.Copied)
	if err := c.pass(ctx, in, out, e); err != nil {
		e.FailWrite(err)
	}
}

// pass writes in as it is to the destination.
func (c *Command) pass(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) error {
	if c.copies == nil {
		return copyAll(ctx, out, in)
	}
	path, err := c.copies.Place(c.copies.Rel(&in.File), in, e)
	if err != nil {
		return err
	}
	return c.copies.Create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) })
}
