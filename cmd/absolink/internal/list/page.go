package list

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
)

// A page is a document with the heading of the response or part that it is the body of. A
// heading that no document follows is a page if it has links, or if something is wrong with
// what it is the heading of. The record of a page stands before those of its links, which it
// counts: they are held back until all are found. Those of a document that is larger than
// heldPage are found twice instead.
const heldPage = 1 << 20

// page is the page at hand. Its zero value is none.
type page struct {
	open    bool
	heading bool // no document has followed its heading yet
	written bool // its record is
	part    string
	links   report.Statuses
	kinds   [maxKinds]int
	rec     record.Record
}

// maxKinds is more than there are kinds of links.
const maxKinds = 32

func (p *page) count(l *extract.Link) {
	p.links[l.Status]++
	p.kinds[l.Kind]++
}

// turn makes d the page at hand or the rest of it.
func (w *linkWorker) turn(d *document.Document, out io.Writer, e *report.Entry) {
	p, heading := &w.page, d.Format == extract.Heading
	if !p.open || !p.heading || heading || p.part != d.Section() {
		w.endPage(out, e)
		p.open = true
		p.part = d.Section()
	}
	p.heading = heading
	if !w.c.Pages {
		return
	}
	p.rec = record.Record{Sort: record.Page, Document: w.rec.Document, Layer: "none"}
	uri, from := w.Base(d.Base())
	p.rec.Base = uri
	if from != nil {
		p.rec.Layer = from.Source.Layer()
	}
	if len(d.Data) > heldPage {
		own := new(report.Entry)
		for l := range w.Links(d, own) {
			if w.Ended() {
				break
			}
			if w.Takes(d, &l, own) {
				p.count(&l)
			}
		}
		w.robots()
		w.writePage(out)
	}
}

// robots notes the directives for robots of the page at hand, once its document is read. Those of
// the answer stand in both, the heading and the document.
func (w *linkWorker) robots() {
	if w.c.Pages {
		w.page.rec.Robots = w.Robots()
	}
}

// endPage writes the page at hand as far as it is not written, and counts it in e.
func (w *linkWorker) endPage(out io.Writer, e *report.Entry) {
	p := &w.page
	if !p.open {
		return
	}
	if w.c.Pages {
		p.rec.Error = w.wrong(e)
	}
	if !p.heading || p.links.Sum() > 0 || p.rec.Error != "" {
		e.Links.Pages++
		if w.c.Pages && !p.written {
			w.writePage(out)
		}
	}
	w.flush(out)
	w.page = page{}
}

// writePage writes the record of the page at hand.
func (w *linkWorker) writePage(out io.Writer) {
	p := &w.page
	p.written = true
	p.rec.Links = counts(p.links[:], func(i int) string { return extract.Status(i).String() })
	p.rec.Kinds = counts(p.kinds[:], func(i int) string { return extract.Kind(i).String() })
	out.Write(w.c.layout.Append(nil, &p.rec))
}

// counts returns the numbers that are not 0, with their names.
func counts(numbers []int, name func(int) string) []record.Count {
	list := []record.Count{}
	for i, n := range numbers {
		if n > 0 {
			list = append(list, record.Count{Name: name(i), N: n})
		}
	}
	return list
}

// wrong returns in words what is wrong with the page at hand, "" if nothing is: the first
// defect that no page before has. The first page has those of the input, too.
func (w *linkWorker) wrong(e *report.Entry) string {
	list := w.Set.Problems()
	text := ""
	for _, p := range list[w.told:] {
		if !p.Minor {
			text = report.Of(p).Text
			break
		}
	}
	if w.told == 0 {
		text = cmp.Or(e.Problems.FirstDefect(), text)
	}
	w.told = len(list)
	return text
}
