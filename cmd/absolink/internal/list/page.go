package list

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
)

// A page is a document, together with the header of the response or part that it is the body of. A
// header without a document is a page if it has links, or if its response or part has a defect. The
// record of a page counts its links and comes before their records. Therefore these records are
// held back until all links are found. If a document is larger than heldPage, its links are found
// twice instead.
const maxHeldPage = 1 << 20

// page is the current page. Its zero value means that no page is open.
type page struct {
	open    bool
	heading bool // no document has followed the header yet
	written bool // the record of the page is written
	part    string
	links   report.Statuses
	kinds   [maxKinds]int
	rec     record.Record
}

// maxKinds is an upper bound for the number of kinds of links.
const maxKinds = 32

func (p *page) count(l *extract.Link) {
	p.links[l.Status]++
	p.kinds[l.Kind]++
}

// setPage makes d the current page, or adds it to the current page.
func (w *linkWorker) setPage(d *document.Document, out io.Writer, e *report.Entry) {
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
	p.rec = record.Record{Category: record.Page, Document: w.rec.Document, Layer: "none"}
	uri, from := w.Base(d.Base())
	p.rec.Base = uri
	if from != nil {
		p.rec.Layer = from.Source.Layer()
	}
	if len(d.Data) > maxHeldPage {
		scratch := new(report.Entry)
		for l := range w.Links(d, scratch) {
			if w.Cancelled() {
				break
			}
			if w.Accept(d, &l, scratch) {
				p.count(&l)
			}
		}
		w.setPageRobots()
		w.writePage(out)
	}
}

// setPageRobots records the robots directives of the current page. It is called after the document
// is read. The header and the document both report the directives of the response.
func (w *linkWorker) setPageRobots() {
	if w.c.Pages {
		w.page.rec.Robots = w.Robots()
	}
}

// endPage writes the rest of the current page and counts the page in e.
func (w *linkWorker) endPage(out io.Writer, e *report.Entry) {
	p := &w.page
	if !p.open {
		return
	}
	if w.c.Pages {
		p.rec.Error = w.pageError(e)
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

// writePage writes the record of the current page.
func (w *linkWorker) writePage(out io.Writer) {
	p := &w.page
	p.written = true
	p.rec.Links = namedCounts(p.links[:], func(i int) string { return extract.Status(i).String() })
	p.rec.Kinds = namedCounts(p.kinds[:], func(i int) string { return extract.Kind(i).String() })
	out.Write(w.c.layout.Append(nil, &p.rec))
}

// namedCounts returns the numbers that are not 0, with their names.
func namedCounts(numbers []int, name func(int) string) []record.Count {
	list := []record.Count{}
	for i, n := range numbers {
		if n > 0 {
			list = append(list, record.Count{Name: name(i), N: n})
		}
	}
	return list
}

// pageError describes the first defect of the current page that no earlier page has reported, or
// returns "". The first page also has the defects of the input.
func (w *linkWorker) pageError(e *report.Entry) string {
	list := w.Set.Problems()
	text := ""
	for _, p := range list[w.reported:] {
		if !p.Minor {
			text = report.FromDocument(p).Text
			break
		}
	}
	if w.reported == 0 {
		text = cmp.Or(e.Problems.FirstDefect(), text)
	}
	w.reported = len(list)
	return text
}
