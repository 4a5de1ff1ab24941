package write

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"math"
	"os"
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
)

// A plan is carried out in one of four ways. The edits are shown, or the output is written to
// standard output, below a directory, or in place of the input. An output that is verified is first
// written to a temporary file and read back from it.

// carryOut carries out p, the plan of the input, as the flags say.
func (w *worker) carryOut(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	e.Result.SetOutcome(p.outcome(e))
	switch {
	case w.c.o.Show.On():
		_, err := out.Write(p.shown)
		return err
	case w.c.inPlace != nil:
		return w.replace(ctx, in, p, e)
	case w.c.copies != nil:
		return w.writeBelowDir(ctx, in, p, e)
	}
	return w.writeToStdout(ctx, in, p, out, e)
}

// replace replaces the input by the output, if p has edits or the file gets a new name. A message
// of a Maildir may get a new name if its name tells its size. replace searches the output for old
// addresses before it replaces the input: the search reads the input, which Windows replaces only
// if it is closed.
func (w *worker) replace(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	name, err := w.c.inPlace.MaildirName(in, p.Plan, e)
	if err != nil || !p.Edited() && name == "" {
		return err
	}
	var unsearched report.Entry // a copy of e before the search
	err = w.c.inPlace.Replace(in, name, func(f *os.File, x *inplace.Exchange) error {
		if err := w.writeVerified(ctx, in, p, f, e, name == ""); err != nil {
			return err
		}
		if err := x.Note(0, in.Edits(p.Edits())); err != nil {
			return err
		}
		unsearched = *e
		w.c.findOld(ctx, in, p, e)
		p.searched = true
		return nil
	})
	if err != nil && p.searched {
		*e = unsearched // the input stays, so its addresses count
		p.searched = false
	}
	return err
}

// writeBelowDir writes the output for the input below the directory of -o. If the verification of
// the output fails, writeBelowDir copies the input instead, and returns the refusal of the output.
func (w *worker) writeBelowDir(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	tree := w.c.copies
	rel, err := tree.RelPathEdited(in, p.Plan, e)
	if err != nil {
		return err
	}
	path, err := tree.Reserve(rel, in, e)
	if err != nil {
		return err
	}
	var writeErr error // the error of writeVerified; err may also be a refusal of tree
	err = tree.Create(path, in, func(f *os.File) error {
		writeErr = w.writeVerified(ctx, in, p, f, e, rel == tree.RelPath(&in.File))
		return writeErr
	})
	var refusal *files.Refusal
	if !errors.As(writeErr, &refusal) {
		return err
	}
	path, reserveErr := tree.ReserveUnedited(path, in, e)
	if reserveErr != nil {
		return errors.Join(err, reserveErr)
	}
	return errors.Join(err, tree.Create(path, in, func(f *os.File) error { return copyToFile(ctx, f, in) }))
}

// writeToStdout writes the output for the input to out. An output that is verified is written to
// out after the verification. If the verification fails, writeToStdout copies the input instead,
// and returns the refusal of the output.
func (w *worker) writeToStdout(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	if !w.c.verifies(in) || !p.Edited() {
		return p.write(ctx, out, in)
	}
	f, err := files.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = w.writeVerified(ctx, in, p, f, e, true)
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		return errors.Join(err, copyInput(ctx, out, in))
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(files.Interruptible(ctx, out), io.NewSectionReader(f, 0, math.MaxInt64))
	return err
}

// writeVerified writes the output of p, the plan of the input, to f and reads it back. If
// references are misread and mayMend is true, it mends p and writes the output again. mayMend must
// be false if the name of the output tells its size. The error is a *files.Refusal if the
// verification failed.
func (w *worker) writeVerified(ctx context.Context, in *input.Document,
	p *plan, f *os.File, e *report.Entry, mayMend bool) error {
	err := w.writeAndReadBack(ctx, in, p, f)
	if mayMend && misread(err) && w.mend(ctx, in, p, e, nil) {
		w.run.Account.NoteUnresolved(e, e.Links.Unresolved())
		if err := empty(f); err != nil {
			return err
		}
		err = w.writeAndReadBack(ctx, in, p, f)
	}
	if misread(err) {
		return refuseOutput(err)
	}
	return err
}

// empty removes the content of f. The next write begins at the start of f.
func empty(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return f.Truncate(0)
}

// writeAndReadBack writes the output of p to f and reads it back.
func (w *worker) writeAndReadBack(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if err := p.write(ctx, f, in); err != nil {
		return err
	}
	return w.readBack(ctx, in, p, f)
}

// readBack reads f, the output of p, and compares it with p. It does nothing if p has no edits, or
// if the output for in is not verified.
func (w *worker) readBack(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if !w.c.verifies(in) || !p.Edited() {
		return nil
	}
	output, err := in.Reopen(ctx, f)
	if err != nil {
		return err
	}
	defer output.Close()
	if output.Decision.Reason == input.Damaged {
		return &files.Refusal{Reason: "verify: " + output.Why + "; it stays as written"}
	}
	if in.Coding != coding.None {
		if err := p.checkDecoded(output); err != nil {
			return err
		}
	}
	return w.compare(ctx, output.DocumentSource(w.c.o.Links.Reading.Charset), p.Plan)
}

// copyInput copies the input to w. It copies the bytes as they are stored, without decompression.
// An input from a pipe has no stored bytes: copyInput copies its stream.
func copyInput(ctx context.Context, w io.Writer, in *input.Document) error {
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

// copyToFile copies the input to the new file f, as copyInput does. If the input is a sparse file,
// f gets the same holes.
func copyToFile(ctx context.Context, f *os.File, in *input.Document) error {
	if in.Stored == nil {
		return copyInput(ctx, f, in)
	}
	for start, end := range in.Extents() {
		if _, err := io.Copy(files.Interruptible(ctx, io.NewOffsetWriter(f, start)),
			io.NewSectionReader(in.Stored, start, end-start)); err != nil {
			return err
		}
	}
	return f.Truncate(in.StoredSize)
}

// write writes the output of p, the plan of the input, to w, in the coding of the input. If p has
// no edits, the output is a copy of the input.
func (p *plan) write(ctx context.Context, w io.Writer, in *input.Document) error {
	if !p.Edited() {
		return copyInput(ctx, w, in)
	}
	out, err := in.Coding.Writer(files.Interruptible(ctx, w))
	if err != nil {
		return err
	}
	buf := buffers.Get().(*bufio.Writer)
	defer buffers.Put(buf)
	buf.Reset(out)
	if in.Coding != coding.None {
		p.decoded.SetSeed(seed)
		buf.Reset(io.MultiWriter(out, &p.decoded))
	}
	if err := p.writeContent(buf, in); err != nil {
		return err
	}
	if err := cmp.Or(buf.Flush(), out.Close()); err != nil { // the second error repeats the first
		return err
	}
	return copyTail(ctx, w, in)
}

// copyTail copies to w the bytes of the input that follow the compressed data.
func copyTail(ctx context.Context, w io.Writer, in *input.Document) error {
	if in.TrailingSize == 0 {
		return nil
	}
	_, err := io.Copy(files.Interruptible(ctx, w), in.Tail())
	return err
}

// writeContent writes the edited content of the input to w, without compression. In a file of Apple
// Mail the content includes the bytes around the message.
func (p *plan) writeContent(w io.Writer, in *input.Document) error {
	if in.Kind != input.Emlx {
		return p.Write(w)
	}
	whole, size := in.Whole()
	return mime.Write(w, whole, size, slices.Collect(in.Edits(p.Edits())))
}

// bufferSize is the size in bytes of the writers that collect small writes.
const bufferSize = 64 << 10

// buffers holds writers for reuse. They collect the many small writes of [rewrite.Plan.Write].
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, bufferSize) }}

// seed is the seed of all hashes of decoded bytes.
var seed = maphash.MakeSeed()

// checkDecoded refuses a compressed output if its decompressed bytes are not the bytes that were
// compressed.
func (p *plan) checkDecoded(output *input.Document) error {
	var sum maphash.Hash
	sum.SetSeed(seed)
	whole, size := output.Whole()
	if _, err := io.Copy(&sum, io.NewSectionReader(whole, 0, size)); err != nil {
		return err
	}
	if sum.Sum64() != p.decoded.Sum64() {
		return &files.Refusal{Reason: "verify: the output does not decode to the same bytes; it stays as written"}
	}
	return nil
}

// writeUnedited copies an input that is not edited to the destination, and sets the outcome in e.
// It does nothing if the run shows edits or replaces inputs in place.
func (c *Command) writeUnedited(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if c.o.Show.On() || c.o.To.InPlace {
		return
	}
	e.Result.SetOutcome(report.Copied)
	if err := c.copyUnedited(ctx, in, out, e); err != nil {
		e.FailWrite(err)
	}
}

// copyUnedited copies the input to the destination.
func (c *Command) copyUnedited(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) error {
	if c.copies == nil {
		return copyInput(ctx, out, in)
	}
	path, err := c.copies.Reserve(c.copies.RelPath(&in.File), in, e)
	if err != nil {
		return err
	}
	return c.copies.Create(path, in, func(f *os.File) error { return copyToFile(ctx, f, in) })
}
