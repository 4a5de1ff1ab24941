package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
)

// A plan is carried out in one of four ways: shown, written to standard output,
// to a tree, or in place. What is to be verified is written to a file first that
// nobody sees yet, and read back from there.

// put carries the plan out in the way that the flags say.
func (x *rewriting) put(ctx context.Context, w *worker, in *input.Document, p *plan, out io.Writer, e *report.Entry) error {
	e.Outcome = p.outcome(e)
	switch {
	case x.shows():
		_, err := out.Write(p.shown)
		return err
	case x.inPlace:
		return x.replace(ctx, w, in, p, e)
	case x.tree != nil:
		return x.toTree(ctx, w, in, p, e)
	}
	return x.toStdout(ctx, w, in, p, out)
}

func (x *rewriting) replace(ctx context.Context, w *worker, in *input.Document, p *plan, e *report.Entry) error {
	name, err := x.newName(in, p, e)
	if err != nil || len(p.edits) == 0 && name == "" {
		return err
	}
	return x.exchange(in, nil, name, func(f *os.File, c *exchange) error {
		err := c.edits(0, p.edits)
		if err == nil {
			err = p.write(ctx, f, in)
		}
		if err == nil {
			err = x.check(ctx, w, in, p, f)
		}
		return err
	})
}

// toTree writes the counterpart of in below -o. One that does not verify is
// refused, and the input is copied.
func (x *rewriting) toTree(ctx context.Context, w *worker, in *input.Document, p *plan, e *report.Entry) error {
	rel, err := x.counterpart(in, p, e)
	if err != nil {
		return err
	}
	path, err := x.place(rel, in, e)
	if err != nil {
		return err
	}
	var unverified error
	err = x.create(path, in, func(f *os.File) error {
		if err := p.write(ctx, f, in); err != nil {
			return err
		}
		unverified = x.check(ctx, w, in, p, f)
		return unverified
	})
	var refusal *output.Refusal
	if !errors.As(unverified, &refusal) {
		return err
	}
	path = filepath.Join(filepath.Dir(path), filepath.Base(in.Rel))
	return errors.Join(err, x.create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) }))
}

// toStdout writes to standard output, after it has been verified where it shall be.
func (x *rewriting) toStdout(ctx context.Context, w *worker, in *input.Document, p *plan, out io.Writer) error {
	if !x.verifies(in) || len(p.edits) == 0 {
		return p.write(ctx, out, in)
	}
	f, err := temporary.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.write(ctx, f, in); err != nil {
		return err
	}
	if err := x.check(ctx, w, in, p, f); err != nil {
		return errors.Join(err, copyAll(ctx, out, in))
	}
	_, err = io.Copy(&stopping{ctx, out}, io.NewSectionReader(f, 0, 1<<62))
	return err
}

// verifies reports whether what is written for in is read back before it counts:
// always what took the place of in, what had to be put into a coding again, and
// what has moved.
func (x *rewriting) verifies(in *input.Document) bool {
	return x.verify || x.inPlace || x.moves() || in.Coding != coding.None
}

// check scans what was written again, if it was edited and is to be verified.
func (x *rewriting) check(ctx context.Context, w *worker, in *input.Document, p *plan, f *os.File) error {
	if !x.verifies(in) || len(p.edits) == 0 {
		return nil
	}
	again, err := in.Again(ctx, f)
	if err != nil {
		return err
	}
	defer again.Close()
	if again.Damaged {
		return &output.Refusal{Reason: "verify: " + again.Why + "; it stays as written"}
	}
	if in.Coding != coding.None {
		if err := p.decodes(again); err != nil {
			return err
		}
	}
	return x.compare(ctx, w, again, p)
}

// compare scans the output and compares its links with those of the plan.
func (x *rewriting) compare(ctx context.Context, w *worker, out *input.Document, p *plan) error {
	set, err := x.r.within(x.moved(x.r.o.outer(out.File)), w, out)
	if err != nil {
		return err
	}
	n, e := 0, &report.Entry{}
	for d := range set.All() {
		for l := range w.links(d, e) {
			if n >= len(p.prints) || p.prints[n] != printOf(&l, p.prints[n]&writtenPrint != 0) {
				return &output.Refusal{Reason: fmt.Sprintf("verify: reference %d of the output is not that of the input; it stays as written", n+1)}
			}
			n++
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if n != len(p.prints) {
		return &output.Refusal{Reason: fmt.Sprintf("verify: the output has %d references, the input %d; it stays as written", n, len(p.prints))}
	}
	return nil
}

// copyAll writes in as it is stored, or as it comes.
func copyAll(ctx context.Context, w io.Writer, in *input.Document) error {
	if in.Stored == nil {
		content, err := in.Mailbox(ctx)
		if err != nil {
			return err
		}
		_, err = io.Copy(&stopping{ctx, w}, content)
		return err
	}
	_, err := io.Copy(&stopping{ctx, w}, io.NewSectionReader(in.Stored, 0, in.StoredSize))
	return err
}

// copyFile is copyAll for a new file, which gets the holes of a sparse one.
func copyFile(ctx context.Context, f *os.File, in *input.Document) error {
	if in.Stored == nil {
		return copyAll(ctx, f, in)
	}
	for start, end := range in.Extents() {
		if _, err := io.Copy(&stopping{ctx, io.NewOffsetWriter(f, start)}, io.NewSectionReader(in.Stored, start, end-start)); err != nil {
			return err
		}
	}
	return f.Truncate(in.StoredSize)
}

// stopping is a writer that ends when ctx does.
type stopping struct {
	ctx context.Context
	w   io.Writer
}

func (s *stopping) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}
