package files

import (
	"context"
	"io"
)

// Interruptible returns a writer to w whose Write fails with ctx.Err() once ctx is done.
func Interruptible(ctx context.Context, w io.Writer) io.Writer { return &interruptible{ctx, w} }

// interruptible is the writer of Interruptible.
type interruptible struct {
	ctx context.Context
	w   io.Writer
}

func (i *interruptible) Write(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}
