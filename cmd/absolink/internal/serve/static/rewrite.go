package static

import (
	"bytes"
	"errors"
	"iter"
	"net/url"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/serve/sheet"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// errMailbox is the error of rewriting a mailbox.
var errMailbox = errors.New("the messages of a mailbox are rewritten one by one here: open a message")

// Rewrite returns d with its links rewritten. query has the parameters of the page. If d cannot be
// rewritten safely, the result is d itself.
func (d *Document) Rewrite(query string) ([]byte, error) {
	q, _ := url.ParseQuery(query)
	o, err := newOptions(sheet.Flags(q))
	if err != nil {
		return nil, err
	}
	p, err := d.plan(o, nil)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return d.Data, nil
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// visit is called for each document of a plan, after its links were planned.
type visit func(p *rewrite.Plan, each *document.Document)

// plan plans the rewriting of d, and verifies it. It returns nil if d cannot be rewritten safely.
func (d *Document) plan(o *options, look visit) (*rewrite.Plan, error) {
	k, err := d.kind(o.kind)
	if err != nil {
		return nil, err
	}
	if k == kinds.Mbox {
		return nil, errMailbox
	}
	r := o.rewriter()
	p, err := r.Visit(d.source(k), o.outer,
		func(p *rewrite.Plan, each *document.Document, links iter.Seq[*rewrite.Link]) error {
			for range links { // plans them
			}
			if look != nil {
				look(p, each)
			}
			return nil
		})
	if err != nil || isVerified(r, p) {
		return p, err
	}
	return p.Mend(func(q *rewrite.Plan) bool { return isVerified(r, q) }), nil
}

// isVerified reports whether the output of p has the links that were planned.
func isVerified(r *rewrite.Rewriter, p *rewrite.Plan) bool {
	if p.WhyUnchanged == rewrite.Unsafe {
		return false
	}
	out, err := p.Output()
	return err == nil && r.Verify(p, out) == nil
}

// showRewriting sets the differences of the page.
func (d *Document) showRewriting(p *sheet.Page, o *options) error {
	var text strings.Builder
	var last *rewrite.Plan
	plan, err := d.plan(o, func(now *rewrite.Plan, each *document.Document) {
		if now != last { // another plan of the same source
			text.Reset()
			last = now
		}
		text.Write(d.difference(now, each))
	})
	if err != nil {
		return err
	}
	if plan == nil {
		p.Unwritten = "the links of the output would not be those that were planned"
		return nil
	}
	for _, problem := range plan.Problems {
		if !problem.Minor && p.Unwritten == "" {
			p.Unwritten = problemText(&problem)
		}
	}
	shown := text.String()
	if len(shown) > sheet.MaxDiff {
		shown = shown[:strings.LastIndexByte(shown[:sheet.MaxDiff], '\n')+1]
		p.Cut = true
	}
	p.SetDiff(shown)
	return nil
}

// difference returns the unified diff of one document.
func (d *Document) difference(p *rewrite.Plan, each *document.Document) []byte {
	var edits []extract.Edit
	for e := range p.DocumentEdits() {
		edits = append(edits, e)
	}
	if len(edits) == 0 {
		return nil
	}
	name := d.Name
	if part := each.Section(); part != "" {
		name += " part " + part
	}
	return diff.Diff(name, each.Data, name+" (absolute)", extract.Apply(nil, each.Data, edits))
}
