package command

import (
	"context"
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

// Worker does a call on the workers of a server, as [serve.Server.Work] does.
type Worker = func(context.Context, serve.Call, *serve.Body, io.Writer) (*serve.Result, error)

// Pages returns what shows documents of at most size bytes to people. At most keep bytes of
// what they upload are kept.
func Pages(size, keep flag.Size, work Worker) *viewer.Pages {
	return viewer.New(&viewer.Options{MaxSize: int64(size), KeepSize: int64(keep),
		View: func(ctx context.Context, flags url.Values, b *input.Given, make func(*links.Options) run.Command) error {
			x, c := new(Extract), &cobra.Command{Use: "extract"}
			x.Register(c)
			if err := serve.SetFlags(c, serve.Taken("extract", flags)); err != nil {
				return err
			}
			if x.bound(size); x.List.Format == record.Text {
				x.List.Format = record.JSONL
			}
			if err := x.ready(); err != nil {
				return err
			}
			command := make(&x.Links)
			_, err := work(ctx, x.again(func(*run.Run) (run.Command, error) { return command, nil }), &serve.Body{Given: *b}, io.Discard)
			return err
		},
		Rewrite: func(ctx context.Context, flags url.Values, b *input.Given, diff bool, out io.Writer) (string, error) {
			x, c := new(Rewrite), &cobra.Command{Use: "rewrite"}
			x.Register(c)
			if err := serve.SetFlags(c, serve.Taken("rewrite", flags)); err != nil {
				return "", err
			}
			x.bound(size)
			x.Write.Diff = diff
			call, err := x.call(record.Text)
			if err != nil {
				return "", err
			}
			result, err := work(ctx, call, &serve.Body{Given: *b}, out)
			if err != nil {
				return "", err
			}
			return result.Reason, nil
		}})
}
