package report

import (
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/fault"
	"absolink/mime/document"
)

// Problem is something that a user should know about an input.
type Problem struct {
	Part   string // section number of a part of a message, or ""
	Offset int64  // offset in the source; -1 if the problem has no single position
	Line   int64  // number of the line, from 1; 0 if it is unknown
	Column int64  // number of the byte in the line, from 1
	Text   string
	Minor  bool // nothing was lost; all other problems are defects

	NeverDrop bool // Problems never drops this problem
	Common    bool // many files of a directory may have this problem: without -v only the first ones are printed
	Asked     bool // a flag asks for this problem: it is printed even with --quiet
}

// Remark is the kind of a [document.Problem] whose Detail is the whole text for the user.
const Remark = fault.Remark

// FromDocument returns the Problem that describes p, a problem of a document, to the user.
func FromDocument(p document.Problem) Problem {
	return Problem{Part: p.Part, Offset: p.Offset, Line: p.Line, Column: p.Column,
		Text: fault.Text(&p, console.Printable), Minor: p.Minor}
}
