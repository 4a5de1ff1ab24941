package list

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
)

// A page is a document, together with the header of its response or part. A header without a
// document is a page if it has links, or, with --pages, if its response or part has a defect. The
// record of a page counts the links of the page, and comes before their records. So the records of
// links are held back until all links of the page are found.

// maxHeld is the number of bytes of records that are held back. The links that come after them are
// only counted, and found a second time after the record of the page.
const maxHeld = 8 << 20

// page is the current page. The zero value is no page.
type page struct {
	open    bool
	heading bool // the page has only a header, without a document, so far
	written bool // the record of the page is written
	part    string
	links   report.Statuses
	kinds   [maxKinds]int
	hosts   hosts // only if withHosts is true
	rec     record.Record
}

// maxKinds is a number that is not smaller than the number of kinds of links.
const maxKinds = 32

// count counts a link of the current page.
func (w *linkWorker) count(l *extract.Link) {
	p := &w.page
	p.links[l.Status]++
	p.kinds[l.Kind]++
	if w.withHosts {
		p.hosts.add(l, &w.memo)
	}
}

// setPage makes d the current page. If the current page has only the header of d, setPage adds d to
// it.
func (w *linkWorker) setPage(d *document.Document, out io.Writer, e *report.Entry) {
	p := &w.page
	heading := d.Format == extract.Heading
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
}

// completePage sets the base and the directives for robots of the current page. Call it after the
// links of d are found: an earlier call would read d a second time. If it is called for the header
// and then for the document, the second call replaces the values of the first. It loses nothing:
// both have the directives of the response.
func (w *linkWorker) completePage(d *document.Document) {
	if !w.c.Pages {
		return
	}
	rec := &w.page.rec
	rec.Robots = w.Robots()
	uri, from := w.Base(d.Base())
	rec.Base = uri
	if from != nil {
		rec.Layer = from.Source.Box()
	}
}

// endPage writes the record and the links of the current page, and counts the page in e. Then there
// is no current page.
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
		if w.c.Edges {
			host := record.PageHost(p.rec.Page)
			e.Links.Edges = append(e.Links.Edges, report.Edges{Host: host, Domain: w.domains.Domain(host),
				Hosts: p.hosts.counts, Domains: p.hosts.domains(&w.domains)})
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
	if w.c.layout.Has("hosts") {
		p.rec.Hosts = append([]record.Count{}, p.hosts.counts...)
	}
	if w.c.layout.Has("domains") {
		p.rec.Domains = p.hosts.domains(&w.domains)
	}
	out.Write(w.c.layout.Append(nil, &p.rec))
}

// namedCounts returns the numbers that are not 0, with their names. name returns the name for an
// index of numbers.
func namedCounts(numbers []int, name func(int) string) []record.Count {
	list := []record.Count{}
	for i, n := range numbers {
		if n > 0 {
			list = append(list, record.Count{Name: name(i), N: n})
		}
	}
	return list
}

// pageError returns the first defect of the current page, or "". It ignores problems of earlier
// pages. Defects of the input count for the first page.
func (w *linkWorker) pageError(e *report.Entry) string {
	list := w.Docs.Problems()
	text := ""
	for _, p := range list[w.reported:] {
		if !p.Minor {
			text = report.FromDocument(p).Text
			break
		}
	}
	if e.Links.Pages == 0 {
		text = cmp.Or(e.Problems.FirstDefect(), text)
	}
	w.reported = len(list)
	return text
}
