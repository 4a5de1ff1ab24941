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

// noteRefused names once in e what a browser does not load from a disk, whatever the links of
// d say.
func noteRefused(d *document.Document, e *report.Entry) {
	if d.Entity != nil || d.Format != extract.HTML && d.Format != extract.XHTML {
		return
	}
	if names, at := site.RefusedInPage(d.Data); len(names) > 0 {
		e.Problems.NoteAt(d, extract.Span{Start: at, End: at}, sayRefused(names))
	}
}

func sayRefused(names []string) string {
	return "a browser will not do this from a disk, but from a server: " + strings.Join(names, ", ")
}

// longestScript is how much of a script is looked at.
const longestScript = 16 << 20

// noteRefusedScript names once in e what in, a script, would do that a browser does not do from a
// disk. Any other input has nothing to name.
func noteRefusedScript(in *input.Document, e *report.Entry) {
	if in.At == nil || extract.Detect(nil, in.Rel) != extract.Script {
		return
	}
	data, err := io.ReadAll(io.NewSectionReader(in.At, 0, min(in.Size, longestScript)))
	if err != nil {
		return // copying it says so
	}
	if names, at := site.RefusedInScript(data); len(names) > 0 {
		before := string(data[:at])
		e.Problems.Add(report.Problem{Offset: int64(at), Line: int64(1 + strings.Count(before, "\n")),
			Column: int64(at - strings.LastIndexByte(before, '\n')), Text: sayRefused(names), Minor: true})
	}
}
