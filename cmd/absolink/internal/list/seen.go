package list

import (
	"context"
	"errors"
	"io"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/seen"
)

// OpenSeen opens the list of --seen, if the flag is given. Call it before Output, and CloseSeen
// after the run. stdin is the standard input of r. The error is a [*flag.Error], or the error of
// ctx.
func (c *Links) OpenSeen(ctx context.Context, r *run.Run, o *run.Options, stdin io.Reader) error {
	if c.Seen == "" {
		return nil
	}
	if err := c.checkSeen(o, stdin); err != nil {
		return err
	}
	l, err := seen.Open(ctx, c.Seen)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return flag.Errorf("--seen %s: %v", c.Seen, err)
	}
	if err := r.Account.ClaimOutput("--seen "+c.Seen, "the list of --seen", l.Stat); err != nil {
		l.Close()
		return err
	}
	if l.Cut != nil && !o.Account.Quiet {
		r.Account.Console.Printf("--seen %s: the last line was not complete and is cut off: %.200q", c.Seen, l.Cut)
	}
	c.seen = &seenWriter{list: l}
	return nil
}

// checkSeen refuses a list that is also an input.
func (c *Links) checkSeen(o *run.Options, stdin io.Reader) error {
	if c.Seen == input.Stdin {
		return flag.Errorf("--seen -: the list is read and written, so give a file (./- for a file named -)")
	}
	in := &o.Inputs
	args := append([]string{in.URLs, in.FilesFrom, in.Units}, in.Args()...)
	if len(in.Args()) == 0 && in.Units == "" {
		args = append(args, input.Stdin)
	}
	for _, arg := range args {
		switch {
		case arg == "":
		case input.IsDir(arg) && files.Within(c.Seen, arg):
			return flag.Errorf("--seen %s is a file of the input %s; give a name outside of it", c.Seen, arg)
		case arg == input.Stdin && isOpen(c.Seen, stdin), arg != input.Stdin && files.Same(c.Seen, arg):
			return flag.Errorf("--seen %s is the input %s; give another name", c.Seen, arg)
		}
	}
	return nil
}

// isOpen reports whether stream is the open file at path.
func isOpen(path string, stream io.Reader) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(info, named)
}

// CloseSeen adds the URIs of the written lines to the list, and closes the list. Call it once,
// after the run.
func (c *Links) CloseSeen() error {
	if c.seen == nil {
		return nil
	}
	err := c.seen.commit()
	return errors.Join(err, c.seen.list.Close())
}

// seenWriter passes frames on to lines. It adds URIs to the list of --seen after their lines were
// written.
type seenWriter struct {
	list    *seen.List
	lines   io.Writer  // takes frames, and writes new lines to out
	waiting func() int // returns the number of records that lines holds back
	out     io.Writer  // the output of the run
	err     error      // the first error of a commit
}

func (w *seenWriter) Write(p []byte) (int, error) {
	n, err := w.lines.Write(p)
	if err != nil {
		w.list.Forget() // it is unknown how many lines were written
		return n, err
	}
	if w.list.Due() {
		w.commit()
	}
	return n, nil
}

// forgetAfterError returns a function that calls end. If end fails, it forgets the URIs of the
// lines that end should have written.
func (w *seenWriter) forgetAfterError(end func() error) func() error {
	return func() error {
		err := end()
		if err != nil {
			w.list.Forget()
		}
		return err
	}
}

// commit flushes the output to the disk, and then adds the URIs to the list file. It returns the
// first error of any commit. After an error the run goes on, but adds nothing more to the file.
func (w *seenWriter) commit() error {
	if f, ok := w.out.(*os.File); ok && w.err == nil {
		info, err := f.Stat()
		w.err = err
		if err == nil && info.Mode().IsRegular() {
			w.err = f.Sync()
		}
	}
	if w.err != nil {
		w.list.Forget()
		return w.err
	}
	w.err = w.list.Commit(w.waiting())
	return w.err
}
