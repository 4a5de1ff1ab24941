package report

import (
	"slices"

	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// maxProblems is the largest number of problems in an entry. Problems marked NeverDrop do not
// count.
const maxProblems = 100

// Problems stores the problems of an input or item: all that are marked NeverDrop, and the first
// hundred of the others. It drops all further problems. A further defect replaces a stored minor
// problem, if there is one.
type Problems struct {
	list           []Problem // the stored problems
	leftReferences []Problem // see LeftReferences
	dropped        int       // number of dropped problems
	defects        int       // number of defects, stored or dropped
	neverDrop      int       // number of stored problems that are marked NeverDrop
}

// Add adds problems. It drops those for which there is no room.
func (p *Problems) Add(problems ...Problem) {
	for i := range problems {
		problem := &problems[i]
		if !problem.Minor {
			p.defects++
		}
		switch {
		case problem.NeverDrop:
			p.list = append(p.list, *problem)
			p.neverDrop++
		case len(p.list)-p.neverDrop < maxProblems:
			p.list = append(p.list, *problem)
		default:
			p.dropped++
			if !problem.Minor {
				p.displaceMinor(*problem)
			}
		}
	}
}

// displaceMinor removes the last minor problem that is not marked NeverDrop, and stores defect. If
// there is no such minor problem, displaceMinor does nothing.
func (p *Problems) displaceMinor(defect Problem) {
	for i := len(p.list) - 1; i >= 0; i-- {
		if p.list[i].Minor && !p.list[i].NeverDrop {
			p.list = append(slices.Delete(p.list, i, i+1), defect)
			return
		}
	}
}

// Note adds a minor problem without an offset. part is the section number of a part, or "".
func (p *Problems) Note(part, text string) {
	p.Add(Problem{Part: part, Offset: -1, Text: text, Minor: true})
}

// NoteAt adds a minor problem at the position of span in d.
func (p *Problems) NoteAt(d *document.Document, span extract.Span, text string) {
	problem := d.Problem(span, Remark, text)
	problem.Minor = true
	p.AddFound(problem)
}

// AddFound adds problems that were found in documents. It adds problems of the kind [rewrite.Left]
// to LeftReferences instead.
func (p *Problems) AddFound(found ...document.Problem) {
	for _, problem := range found {
		if problem.Kind == rewrite.Left {
			p.leftReferences = append(p.leftReferences, FromDocument(problem))
			continue
		}
		p.Add(FromDocument(problem))
	}
}

// Join adds the stored problems of o. It adds neither the dropped problems nor the LeftReferences
// of o.
func (p *Problems) Join(o *Problems) { p.Add(o.list...) }

// RemovePositions removes the offsets and lines of the problems and of LeftReferences. Call it if
// the positions are in decoded text, because users cannot find them in the file.
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

// LeftReferences returns the references that should change but stay as written. The Text names the
// URI to which the reference should lead. LeftReferences do not count as problems, and their number
// has no limit.
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

// appendMembers appends the member "problems" to an object of JSON. It holds the stored problems
// and LeftReferences.
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
