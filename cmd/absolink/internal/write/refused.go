package write

import (
	"io"
	"strings"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime/document"
)

// Browsers refuse some features, such as fetch() and workers, in pages that are opened from a disk.

// noteRefused adds one problem to e that names all features of the page d that browsers refuse.
func noteRefused(d *document.Document, e *report.Entry) {
	if d.Entity != nil || d.Format != extract.HTML && d.Format != extract.XHTML {
		return
	}
	if names, at := site.RefusedInPage(d.Data); len(names) > 0 {
		e.Problems.NoteAt(d, extract.Span{Start: at, End: at}, describeRefused(names))
	}
}

// describeRefused returns the text of the problem about features with these names.
func describeRefused(names []string) string {
	return "a browser will not do this in pages from a disk, only in pages from a server: " + strings.Join(names, ", ")
}

// maxSearched is the number of bytes at the start of a script that are searched for features.
const maxSearched = 16 << 20

// noteRefusedScript adds the same problem as noteRefused if in is a script. It does nothing for any
// other input.
func noteRefusedScript(in *input.Document, e *report.Entry) {
	if in.At == nil || extract.Detect(nil, in.Rel) != extract.Script {
		return
	}
	data, err := io.ReadAll(io.NewSectionReader(in.At, 0, min(in.Size, maxSearched)))
	if err != nil {
		return // if a copy is written, copying reports the error
	}
	if names, at := site.RefusedInScript(data); len(names) > 0 {
		before := string(data[:at])
		e.Problems.Add(report.Problem{Offset: int64(at), Line: int64(1 + strings.Count(before, "\n")),
			Column: int64(at - strings.LastIndexByte(before, '\n')), Text: describeRefused(names), Minor: true})
	}
}
