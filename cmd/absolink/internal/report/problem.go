package report

import (
	"slices"

	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// maxProblems is the number of problems that an entry keeps.
const maxProblems = 100

// Problems are the problems of an input. It keeps the first hundred problems, and all that are
// marked Kept. Once it has a hundred, a defect takes the place of a minor problem.
type Problems struct {
	list           []Problem // the problems that were kept
	leftReferences []Problem // the result of LeftReferences
	dropped        int       // number of problems that were not kept
	defects        int       // number of defects, kept or dropped
	kept           int       // number of problems in list that are marked Kept
}

// Add adds problems.
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

// displaceMinor removes the last minor problem that is not marked Kept, and adds a defect. Without
// such a problem it does nothing.
func (p *Problems) displaceMinor(defect Problem) {
	for i := len(p.list) - 1; i >= 0; i-- {
		if p.list[i].Minor && !p.list[i].Kept {
			p.list = append(slices.Delete(p.list, i, i+1), defect)
			return
		}
	}
}

// Note adds a minor problem without an offset. part is the number of a section, or "".
func (p *Problems) Note(part, text string) {
	p.Add(Problem{Part: part, Offset: -1, Text: text, Minor: true})
}

// NoteAt adds a minor problem of the reference at span in d.
func (p *Problems) NoteAt(d *document.Document, span extract.Span, text string) {
	problem := d.Problem(span, Remark, text)
	problem.Minor = true
	p.AddFound(problem)
}

// AddFound adds problems that were found in documents. A reference that is only listed and now
// leads elsewhere is added to LeftReferences instead.
func (p *Problems) AddFound(list ...document.Problem) {
	for _, problem := range list {
		if problem.Kind == rewrite.Left {
			p.leftReferences = append(p.leftReferences, FromDocument(problem))
			continue
		}
		p.Add(FromDocument(problem))
	}
}

// Join adds the problems of o, except those that o has dropped.
func (p *Problems) Join(o *Problems) { p.Add(o.list...) }

// RemovePlaces removes the offsets and lines of the problems. Call it if they count decoded bytes.
func (p *Problems) RemovePlaces() {
	for i := range p.list {
		p.list[i].Offset = -1
		p.list[i].Line = 0
	}
}

// All returns the problems, except the dropped ones.
func (p *Problems) All() []Problem { return p.list }

// LeftReferences describes the references that are only listed and now lead elsewhere. They do not
// count as problems.
func (p *Problems) LeftReferences() []Problem { return p.leftReferences }

// Dropped returns the number of problems that were not kept.
func (p *Problems) Dropped() int { return p.dropped }

// Len returns the number of problems, with the dropped ones.
func (p *Problems) Len() int { return len(p.list) + p.dropped }

// Defects returns the number of defects, with the dropped ones.
func (p *Problems) Defects() int { return p.defects }

// FirstDefect returns the text of the first defect, or "".
func (p *Problems) FirstDefect() string {
	for i := range p.list {
		if !p.list[i].Minor {
			return p.list[i].Text
		}
	}
	return ""
}

func (p *Problems) append(o record.Object) record.Object {
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
