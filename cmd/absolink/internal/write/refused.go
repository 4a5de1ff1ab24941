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

// noteRefused records in e, once, the features of the page d that browsers refuse for pages from a
// disk.
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

// longestScript is the number of bytes of a script that are searched.
const longestScript = 16 << 20

// noteRefusedScript records in e, once, the features of the script in that browsers refuse for
// pages from a disk. It ignores inputs that are not scripts.
func noteRefusedScript(in *input.Document, e *report.Entry) {
	if in.At == nil || extract.Detect(nil, in.Rel) != extract.Script {
		return
	}
	data, err := io.ReadAll(io.NewSectionReader(in.At, 0, min(in.Size, longestScript)))
	if err != nil {
		return // the copying reports the error
	}
	if names, at := site.RefusedInScript(data); len(names) > 0 {
		before := string(data[:at])
		e.Problems.Add(report.Problem{Offset: int64(at), Line: int64(1 + strings.Count(before, "\n")),
			Column: int64(at - strings.LastIndexByte(before, '\n')), Text: sayRefused(names), Minor: true})
	}
}
