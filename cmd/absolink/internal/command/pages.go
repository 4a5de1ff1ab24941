package command

import (
	"context"
	"errors"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve"
	"absolink/cmd/absolink/internal/serve/viewer"
)

// Server is the part of a [serve.Server] that the pages need.
type Server interface {
	WithWorker(ctx context.Context, f func(ctx context.Context) error) error
	Count(result *serve.Result)
}

// Pages returns the pages that show documents of at most size bytes to people. At most keep bytes
// of uploads are kept.
func Pages(size, keep flag.Size, server Server) *viewer.Pages {
	return viewer.New(&viewer.Options{MaxSize: int64(size), KeepSize: int64(keep),
		WithWorker: func(ctx context.Context, f func(context.Context) error) error {
			err := server.WithWorker(ctx, f)
			if errors.Is(err, serve.ErrFull) {
				return viewer.ErrBusy
			}
			return err
		},
		View: func(ctx context.Context, flags url.Values, b *input.Given,
			command func(*links.Options) run.Command) error {
			x, c := new(Extract), &cobra.Command{Use: "extract"}
			x.Register(c)
			if err := serve.SetFlags(c, serve.AcceptedFlags("extract", flags)); err != nil {
				return err
			}
			x.bound(size)
			if x.List.Format == record.Text {
				x.List.Format = record.JSONL
			}
			if err := x.ready(); err != nil {
				return err
			}
			work := command(&x.Links)
			result, err := x.again(func(*run.Run) (run.Command, error) { return work, nil }).Do(ctx,
				&serve.Body{Given: *b}, io.Discard)
			if err == nil {
				server.Count(result)
			}
			return err
		},
		Rewrite: func(ctx context.Context, flags url.Values, b *input.Given, diff int, out io.Writer) (string, error) {
			x, c := new(Rewrite), &cobra.Command{Use: "rewrite"}
			x.Register(c)
			if err := serve.SetFlags(c, serve.AcceptedFlags("rewrite", flags)); err != nil {
				return "", err
			}
			x.bound(size)
			x.Write.Show.Diff = diff > 0
			x.Write.Show.DiffSize = diff
			x.Write.Form.MaxNewBytes = growth*b.Size + roomToGrow
			call, err := x.call(record.Text)
			if err != nil {
				return "", err
			}
			result, err := call.Do(ctx, &serve.Body{Given: *b}, out)
			if err != nil {
				return "", err
			}
			server.Count(result)
			return result.Reason, nil
		}})
}

// On a page, the new references of a document may take growth bytes for each byte of the document,
// plus roomToGrow. So the memory is limited by the size of the upload.
const (
	growth     = 4
	roomToGrow = 8 << 20
)
