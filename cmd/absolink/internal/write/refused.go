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

// noteRefused records in e the features of the page d that browsers refuse for pages from a disk.
// It records all of them in one problem.
func noteRefused(d *document.Document, e *report.Entry) {
	if d.Entity != nil || d.Format != extract.HTML && d.Format != extract.XHTML {
		return
	}
	if names, at := site.RefusedInPage(d.Data); len(names) > 0 {
		e.Problems.NoteAt(d, extract.Span{Start: at, End: at}, describeRefused(names))
	}
}

// describeRefused returns the text of the problem.
func describeRefused(names []string) string {
	return "a browser will not do this from a disk, but from a server: " + strings.Join(names, ", ")
}

// searchedOfScript is the number of bytes at the start of a script that are searched.
const searchedOfScript = 16 << 20

// noteRefusedScript records in e the features of the script in that browsers refuse for pages from
// a disk. It does nothing for an input that is not a script.
func noteRefusedScript(in *input.Document, e *report.Entry) {
	if in.At == nil || extract.Detect(nil, in.Rel) != extract.Script {
		return
	}
	data, err := io.ReadAll(io.NewSectionReader(in.At, 0, min(in.Size, searchedOfScript)))
	if err != nil {
		return // the copying reports the error
	}
	if names, at := site.RefusedInScript(data); len(names) > 0 {
		before := string(data[:at])
		e.Problems.Add(report.Problem{Offset: int64(at), Line: int64(1 + strings.Count(before, "\n")),
			Column: int64(at - strings.LastIndexByte(before, '\n')), Text: describeRefused(names), Minor: true})
	}
}
