package report

import (
	"slices"

	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// maxProblems is the maximum number of problems in an entry, without those marked Kept.
const maxProblems = 100

// Problems are the problems of an input. It stores the first hundred problems, and all that are
// marked Kept. Later problems are dropped, but a later defect takes the place of a minor problem,
// if there is one.
type Problems struct {
	list           []Problem // the stored problems
	leftReferences []Problem // see LeftReferences
	dropped        int       // number of dropped problems
	defects        int       // number of defects, stored or dropped
	kept           int       // number of problems in list that are marked Kept
}

// Add adds problems, or drops them.
func (p *Problems) Add(problems ...Problem) {
	for i := range problems {
		problem := &problems[i]
		if !problem.Minor {
			p.defects++
		}
		switch {
		case problem.Kept:
			p.list = append(p.list, *problem)
			p.kept++
		case len(p.list)-p.kept < maxProblems:
			p.list = append(p.list, *problem)
		default:
			p.dropped++
			if !problem.Minor {
				p.displaceMinor(*problem)
			}
		}
	}
}

// displaceMinor replaces a minor problem by a defect. The minor problem is the last one that is not
// marked Kept. If there is none, displaceMinor does nothing.
func (p *Problems) displaceMinor(defect Problem) {
	for i := len(p.list) - 1; i >= 0; i-- {
		if p.list[i].Minor && !p.list[i].Kept {
			p.list = append(slices.Delete(p.list, i, i+1), defect)
			return
		}
	}
}

// Note adds a minor problem without an offset. part is the section number of a part, or "".
func (p *Problems) Note(part, text string) {
	p.Add(Problem{Part: part, Offset: -1, Text: text, Minor: true})
}

// NoteAt adds a minor problem with the position of span in d.
func (p *Problems) NoteAt(d *document.Document, span extract.Span, text string) {
	problem := d.Problem(span, Remark, text)
	problem.Minor = true
	p.AddFound(problem)
}

// AddFound adds problems that were found in documents. A problem of the kind [rewrite.Left] is
// added to LeftReferences instead.
func (p *Problems) AddFound(found ...document.Problem) {
	for _, problem := range found {
		if problem.Kind == rewrite.Left {
			p.leftReferences = append(p.leftReferences, FromDocument(problem))
			continue
		}
		p.Add(FromDocument(problem))
	}
}

// Join adds the stored problems of o, without the dropped ones and without its LeftReferences.
func (p *Problems) Join(o *Problems) { p.Add(o.list...) }

// RemovePositions removes the offsets and lines of the problems and of LeftReferences. Call it if
// they count decoded bytes, and so mean nothing in the file.
func (p *Problems) RemovePositions() {
	for _, list := range [][]Problem{p.list, p.leftReferences} {
		for i := range list {
			list[i].Offset = -1
			list[i].Line = 0
		}
	}
}

// All returns the stored problems.
func (p *Problems) All() []Problem { return p.list }

// LeftReferences describes the references that absolink only lists and never edits, and that lead
// elsewhere in the output. They do not count as problems, and their number has no limit.
func (p *Problems) LeftReferences() []Problem { return p.leftReferences }

// Dropped returns the number of dropped problems.
func (p *Problems) Dropped() int { return p.dropped }

// Len returns the number of problems, including the dropped ones.
func (p *Problems) Len() int { return len(p.list) + p.dropped }

// Defects returns the number of defects, including the dropped ones.
func (p *Problems) Defects() int { return p.defects }

// FirstDefect returns the text of the first stored defect, or "".
func (p *Problems) FirstDefect() string {
	for i := range p.list {
		if !p.list[i].Minor {
			return p.list[i].Text
		}
	}
	return ""
}

// appendMembers appends the member "problems" to an object of JSON: the problems and
// LeftReferences.
func (p *Problems) appendMembers(o record.Object) record.Object {
	list := []byte{'['}
	for i, problem := range slices.Concat(p.list, p.leftReferences) {
		if i > 0 {
			list = append(list, ',')
		}
		row := record.Object(append(list, '{')).String("part", problem.Part)
		if problem.Offset >= 0 {
			row = row.Int("offset", problem.Offset)
		}
		if problem.Line > 0 {
			row = row.Int("line", problem.Line).Int("column", problem.Column)
		}
		list = append(row.String("text", problem.Text), '}')
	}
	return o.Raw("problems", append(list, ']'))
}
