package write

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
	"absolink/mime/document"
)

// A plan is carried out in one of four ways: shown, written to standard output,
// to a tree, or in place. What is to be verified is written to a temporary file first,
// and read back from there.

// put carries the plan out in the way that the flags say.
func (w *worker) put(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	e.Result.Set(p.outcome(e))
	switch {
	case w.c.o.shows():
		_, err := out.Write(p.shown)
		return err
	case w.c.in != nil:
		return w.replace(ctx, in, p, e)
	case w.c.tree != nil:
		return w.toTree(ctx, in, p, e)
	}
	return w.toStdout(ctx, in, p, out, e)
}

func (w *worker) replace(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	name, err := w.c.in.MaildirName(in, &p.Plan, e)
	if err != nil || !p.Edited() && name == "" {
		return err
	}
	return w.c.in.Replace(in, name, func(f *os.File, x *inplace.Exchange) error {
		if err := w.writeProven(ctx, in, p, f, e, name == ""); err != nil {
			return err
		}
		return x.Note(0, in.Edits(p.Edits()))
	})
}

// toTree writes the counterpart of in below -o. One that does not verify is
// refused, and the input is copied.
func (w *worker) toTree(ctx context.Context, in *input.Document, p *plan, e *report.Entry) error {
	tree := w.c.tree
	rel, err := tree.Counterpart(in, &p.Plan, e)
	if err != nil {
		return err
	}
	path, err := tree.Place(rel, in, e)
	if err != nil {
		return err
	}
	var unverified error
	err = tree.Create(path, in, func(f *os.File) error {
		unverified = w.writeProven(ctx, in, p, f, e, rel == in.Rel)
		return unverified
	})
	var refusal *output.Refusal
	if !errors.As(unverified, &refusal) {
		return err
	}
	path = filepath.Join(filepath.Dir(path), filepath.Base(in.Rel))
	return errors.Join(err, tree.Create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) }))
}

// toStdout writes to standard output, after it has been verified where it shall be.
func (w *worker) toStdout(ctx context.Context, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	if !w.c.verifies(in) || !p.Edited() {
		return p.write(ctx, out, in)
	}
	f, err := temporary.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = w.writeProven(ctx, in, p, f, e, true)
	var refusal *output.Refusal
	if errors.As(err, &refusal) {
		return errors.Join(err, copyAll(ctx, out, in))
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(output.Interruptible(ctx, out), io.NewSectionReader(f, 0, 1<<62))
	return err
}

// verifies reports whether what is written for in is read back before it counts:
// always what took the place of in, what had to be put into a coding again, and
// what has moved.
func (c *Command) verifies(in *input.Document) bool {
	return c.o.Verify || c.o.InPlace || c.site.Moves() || in.Coding != coding.None
}

// check scans what was written again, if it was edited and is to be verified.
func (w *worker) check(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if !w.c.verifies(in) || !p.Edited() {
		return nil
	}
	again, err := in.Again(ctx, f)
	if err != nil {
		return err
	}
	defer again.Close()
	if again.Decision.Reason == input.Damaged {
		return &output.Refusal{Reason: "verify: " + again.Why + "; it stays as written"}
	}
	if in.Coding != coding.None {
		if err := p.decodes(again); err != nil {
			return err
		}
	}
	return w.compare(ctx, again.DocumentSource(w.c.o.Links.Charset), p)
}

// compare reads the output and compares its links with those of the plan. The error of one that is
// not read back as planned is misread.
func (w *worker) compare(ctx context.Context, out *document.Source, p *plan) error {
	return errors.Join(w.rewriter.Verify(&p.Plan, out), ctx.Err())
}

// staysAsWritten refuses what could not be verified.
func staysAsWritten(err error) *output.Refusal {
	return &output.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}

// copyAll writes in as it is stored, or as it comes.
func copyAll(ctx context.Context, w io.Writer, in *input.Document) error {
	if in.Stored == nil {
		content, err := in.Stream(ctx)
		if err != nil {
			return err
		}
		_, err = io.Copy(output.Interruptible(ctx, w), content)
		return err
	}
	_, err := io.Copy(output.Interruptible(ctx, w), in.StoredReader())
	return err
}

// copyFile is copyAll for a new file, which gets the holes of a sparse one.
func copyFile(ctx context.Context, f *os.File, in *input.Document) error {
	if in.Stored == nil {
		return copyAll(ctx, f, in)
	}
	for start, end := range in.Extents() {
		if _, err := io.Copy(output.Interruptible(ctx, io.NewOffsetWriter(f, start)),
			io.NewSectionReader(in.Stored, start, end-start)); err != nil {
			return err
		}
	}
	return f.Truncate(in.StoredSize)
}
