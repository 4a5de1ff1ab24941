package container

import (
	"context"
	"io"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// List runs workers on the items of a container that is only read. It sets the outcome in e to
// Listed, or to Failed if the container cannot be read.
func (rn *Runner) List(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	e.Result.SetOutcome(report.Listed)
	if in.Kind == input.WACZ {
		rn.listWACZ(ctx, in, out, e)
		return
	}
	content, err := in.Stream(ctx)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	defer content.Close()
	if in.Kind == input.WARC {
		err = rn.Each(ctx, in, rn.newRecords(in, content), out, e, nil)
	} else {
		err = rn.Each(ctx, in, rn.Messages(in, content, nil), out, e, nil)
	}
	if err != nil {
		e.Result.Fail(err)
	}
	if in.Kind == input.Mbox {
		e.Problems.NoteChange(in)
	}
}

// listWACZ runs workers on the records of the web archives in a WACZ. Each of these archives has an
// entry of its own.
func (rn *Runner) listWACZ(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	batch.AwaitTurn(out)
	for _, name := range e.ListArchives(in) {
		if ctx.Err() != nil {
			e.Result.AddClass(report.Cancelled)
			return
		}
		rn.Emit(rn.listArchive(ctx, in, name, out), out)
	}
}

// listArchive runs workers on the records of the web archive with this name in a WACZ. It returns
// the entry of the archive.
func (rn *Runner) listArchive(ctx context.Context, in *input.Document, name string, out io.Writer) *report.Entry {
	e := &report.Entry{Subject: report.Subject{Source: in.Source + "/" + name, Kind: input.WARC.String()}}
	reader := &input.Reader{Options: rn.Reading}
	archive, err := reader.OpenArchive(ctx, in, name)
	if err != nil {
		e.Subject.Unit = UnitOf(in.File)
		e.Result.Fail(err)
		return e
	}
	defer archive.Close()
	e.Subject.Unit = UnitOf(archive.File)
	e.Subject.Bytes = max(archive.StoredSize, 0)
	if archive.Empty {
		e.Problems.Note("", "is empty")
	}
	rn.List(ctx, archive, out, e)
	if ctx.Err() != nil {
		e.Result.AddClass(report.Cancelled)
	}
	return e
}
