package rewrite

import (
	"absolink/extract"
	"absolink/mime/document"
)

// removeAdditions plans the edits that remove the additions of a web archive from the current
// document. No edits are planned for links in the additions. If the marks of the additions are not
// complete, the additions stay, and a problem says why.
func (p *Plan) removeAdditions() {
	d := &p.doc
	if !p.r.RemoveAdditions || d.ReadOnly() {
		return
	}
	list, missing := d.Additions()
	if missing != "" {
		problem := document.Problem{Kind: Additions, Part: d.Section(), Offset: -1, Detail: missing}
		p.Problems = append(p.Problems, minor(problem))
	}
	for _, s := range list {
		d.edits.add(extract.Edit{Span: s})
	}
	d.removed = list
}

// removes reports whether a span of the document is inside an addition that the plan removes.
func (d *current) removes(s extract.Span) bool {
	for _, r := range d.removed {
		if r.Start <= s.Start && s.End <= r.End {
			return true
		}
	}
	return false
}
