package sheet

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"

	"absolink/cmd/absolink/internal/hypertext"
)

// pages writes the links to the previous and the next page.
func (w *page) pages(s *Page) {
	if s.Last > 0 {
		w.Put(`<nav class="pages" aria-label="Pages">`)
		if s.Page > 0 {
			w.Put(`<a href="%s#views" rel="prev">previous</a>`, s.with("page", strconv.Itoa(s.Page-1)))
		}
		w.Put("<span>page %d of %d</span>", s.Page+1, s.Last+1)
		if s.Page < s.Last {
			w.Put(`<a href="%s#views" rel="next">next</a>`, s.with("page", strconv.Itoa(s.Page+1)))
		}
		w.Put("</nav>")
	}
}

// links writes the links of a document, and its source.
func (w *page) links(s *Page) {
	w.Put(`<div class="above"><h2>%s</h2>`, count(s.Total, "link"))
	w.filter(s)
	w.Put("</div>\n" + `<div class="pair">` + "\n<div>\n")
	if number := s.Dropped(); number != 0 {
		w.Put(`<p class="note">%s more are not listed here; absolink extract lists all.</p>`,
			count(number, "link"))
	}
	if len(s.Rows) > 0 {
		w.rows(s)
	} else {
		w.Put(`<p class="note">There are none to show.</p>`)
	}
	w.Put("\n")
	w.pages(s)
	w.Put("</div>\n<div>\n")
	w.source(s)
	w.Put("</div>\n" + "</div>\n" +
		`<p class="note script">The arrow keys lead from link to link, Enter from the row to the ` +
		"source and back.</p>\n")
}

// filter writes the form that chooses and sorts links. It is folded, unless it chooses some.
func (w *page) filter(s *Page) {
	flags := Flags(s.Query)
	used := false
	for _, name := range []string{"kind", "status", "host", "sort"} {
		used = used || s.Query.Get(name) != ""
	}
	w.Put(`<details class="choice"%s><summary>Choose and sort</summary>
<form class="filter" method="get" action="#views">`, when(used, " open"))
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		for _, text := range flags[name] {
			w.Put(`<input type="hidden" name="%s" value="%s">`, name, text)
		}
	}
	w.Put(`<input type="hidden" name="doc" value="%d">
<label>Kind<select name="kind"><option value="">all</option>`, s.Doc)
	w.facets(s.Kinds, s.Query.Get("kind"))
	w.Put(`</select></label>
<label>Status<select name="status"><option value="">all</option>`)
	w.facets(s.Statuses, s.Query.Get("status"))
	w.Put(`</select></label>
<label>Host<select name="host"><option value="">all</option>`)
	w.facets(s.Hosts, s.Query.Get("host"))
	w.Put(`</select></label>
<label>Sort<select name="sort">`)
	for _, key := range []string{"", "kind", "element", "value", "uri", "status"} {
		name := "by " + key
		if key == "" {
			name = "as in the document"
		}
		w.Put(`<option value="%s"%s>%s</option>`, key, when(s.Query.Get("sort") == key, " selected"), name)
	}
	w.Put(`</select></label>
<button>Choose</button></form></details>`)
}

// rows writes the table of the links.
func (w *page) rows(s *Page) {
	w.Put(`<div class="scroll rows" tabindex="0" role="region" aria-label="Links"><table role="table">` +
		`<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">No.</th>` +
		`<th scope="col" role="columnheader">Link</th><th scope="col" role="columnheader">Status</th>` +
		`<th scope="col" role="columnheader">Place and base</th></tr></thead><tbody role="rowgroup">` + "\n")
	for _, r := range s.Rows {
		w.row(&r)
	}
	w.Put(`
</tbody></table></div>`)
}

// row writes the row of a link.
func (w *page) row(r *Row) {
	w.Put(`<tr id="r%d" role="row"><td role="cell">`, r.N)
	if r.Marked {
		w.Put(`<a href="#m%d" aria-label="Link %d in the source">%d</a>`, r.N, r.N, r.N)
	} else {
		w.Put("%d", r.N)
	}
	w.Put(`</td><td role="cell"><code class="written">%s</code>`, breaks(r.Value))
	if r.URI != "" {
		w.Put(`<code class="uri">%s</code>`, breaks(r.URI))
	} else {
		w.Put("<i>%s</i>", cmp.Or(r.Error, "nothing"))
	}
	for _, text := range r.Warnings {
		w.Put(`<span class="warning">%s</span>`, text)
	}
	w.Put(`</td><td role="cell"><span class="status %s">%s</span></td><td role="cell">%s: %s`,
		r.Status, r.Status, r.Kind, r.Element)
	if r.Attr != "" {
		w.Put(" %s", r.Attr)
	}
	w.Put("<small>")
	if r.Line != 0 {
		w.Put("line %d", r.Line)
	}
	if r.Layer != "" {
		w.Put(" %s", r.Layer)
	}
	w.Put("</small></td></tr>")
}

// source writes the source of a document, with marks for its links.
func (w *page) source(s *Page) {
	if s.Part != "" {
		w.Put(`<p class="note">Part %s of the message, its transfer encoding undone; lines are those of the `+
			"message.</p>", s.Part)
	}
	w.Put(`
<pre class="source" tabindex="0" role="region" aria-label="Source">`)
	for _, p := range s.Source {
		if p.Row != 0 {
			w.Put(`<a class="mark %s" id="m%d" href="#r%d">%s</a>`, p.Class, p.Row, p.Row, p.Text)
		} else if p.Left != 0 {
			w.Put(`<span class="left">
… %s …
</span>`, count(p.Left, "byte"))
		} else {
			w.Put("%s", p.Text)
		}
	}
	w.Put(`</pre>`)
}

// facets writes the values of a filter to choose from. chosen is the selected value.
func (w *page) facets(list []Facet, chosen string) {
	for _, f := range list {
		w.Put(`<option value="%s"%s>%s (%d)</option>`, f.Value, when(f.Value == chosen, " selected"), f.Value, f.N)
	}
}

// rules writes the differences between the rule sets.
func (w *page) rules(s *Page) {
	w.Put(`
<h2>Where the rule sets differ</h2>
`)
	if len(s.Differ) > 0 {
		w.Put(`<div class="scroll rules" tabindex="0" role="region" aria-label="Rule sets"><table role="table">` +
			`<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">As written</th>`)
		for _, text := range ruleNames {
			w.Put(`<th scope="col" role="columnheader">%s</th>`, text)
		}
		w.Put(`</tr></thead><tbody role="rowgroup">
`)
		for _, d := range s.Differ {
			w.Put(`<tr role="row"><th scope="row" role="rowheader"><code>%s</code>`,
				cmp.Or(d.Value, "(empty)"))
			if d.Line != 0 {
				w.Put(" <small>line %d</small>", d.Line)
			}
			w.Put("</th>")
			for i, c := range d.Cells {
				w.Put(`<td role="cell"%s><small class="rule" aria-hidden="true">%s</small>`,
					when(!c.Same, ` class="other"`), ruleNames[i])
				if c.URI != "" {
					w.Put("<code>%s</code>", breaks(c.URI))
				} else {
					w.Put("<i>%s</i>", c.Status)
				}
				w.Put("</td>")
			}
			w.Put("</tr>")
		}
		w.Put(`
</tbody></table></div>
<p class="note">A thick bar marks what differs from the first rule set.</p>`)
	} else {
		w.Put("<p>All five rule sets say the same of every link.</p>")
	}
}

// rewriting writes the changes of a rewrite.
func (w *page) rewriting(s *Page) {
	w.Put(`
<h2>What rewriting changes</h2>
`)
	if s.Unwritten != "" {
		w.Put(`<p class="error">Not everything may be rewritten: %s.</p>`, Clip(s.Unwritten))
	}
	w.Put(`
<p><a class="button" href="download%s" download>Download the rewritten document</a></p>
`, s.with("view", "", "doc", "", "page", ""))
	if len(s.Diff) > 0 {
		w.Put(`<pre class="diff" tabindex="0" role="region" aria-label="Differences">`)
		for _, d := range s.Diff {
			w.Put("<span")
			if d.Class != "" {
				w.Put(` class="%s"`, d.Class)
			}
			w.Put(">%s", d.Before)
			if d.Changed != "" {
				w.Put("<b>%s</b>", d.Changed)
			}
			w.Put(`%s
</span>`, d.After)
		}
		w.Put("</pre>")
		if s.Cut {
			w.Put("<p>More follows; the download has all of it.</p>")
		}
	} else if s.Unwritten == "" {
		w.Put("<p>Nothing: the document stays as it is.</p>")
	}
}

// WriteDocument writes the main element of the page of a document.
func WriteDocument(out io.Writer, s *Page) error {
	w := &page{hypertext.NewWriter(out)}
	w.Put("\n<main>")
	w.title(s)
	switch {
	case s.Container:
		w.items(s)
	case s.Read:
		w.parts(s)
		if s.Drawn {
			w.base(s)
			w.view(s)
		}
		w.remarks(s)
	}
	w.Put("\n</main>\n")
	return w.Err()
}

// title writes the name of the document, the links to the remarks below, and the options.
func (w *page) title(s *Page) {
	w.Put(`
<div class="title"><h1>%s</h1><p>`, s.Name)
	if s.Kind != "" {
		w.Put("%s, ", s.Kind)
	}
	w.Put("%s", Size(s.Size))
	if n := len(s.Problems); n > 0 {
		w.Put(`, <a href="#problems">%s</a>`, count(n, "problem"))
	}
	if n := len(s.Notes); n > 0 {
		w.Put(`, <a href="#notes">%s</a>`, count(n, "note"))
	}
	w.Put("</p></div>\n")
	if s.Error != "" {
		w.Put(`<p class="error" role="alert">%s</p>`, s.Error)
	}
	w.Put(`
<details class="settings"%s><summary>Options</summary><form method="get">`, when(s.Error != "", " open"))
	if text := s.Query.Get("type"); text != "" {
		w.Put(`<input type="hidden" name="type" value="%s">`, text)
	}
	w.options(s.Query)
	w.Put(`<p><button>Show again</button></p></form></details>
`)
}

// items writes the list of the items of a container.
func (w *page) items(s *Page) {
	w.Put(`
<h2 id="views">%s</h2>
`, count(s.ItemCount, "item"))
	if len(s.Items) > 0 {
		w.Put(`<div class="scroll items" tabindex="0" role="region" aria-label="Items"><table role="table">` +
			`<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">No.</th>` +
			`<th scope="col" role="columnheader">Item</th><th scope="col" role="columnheader">From</th>` +
			`<th scope="col" role="columnheader">Date</th><th scope="col" role="columnheader">Links</th></tr>` +
			`</thead><tbody role="rowgroup">` + "\n")
		for _, i := range s.Items {
			w.Put(`<tr role="row"><td role="cell">%d</td><td role="cell"><a href="item/%d%s">%s</a></td>`+
				`<td role="cell">%s</td><td role="cell">%s</td><td role="cell">%d</td></tr>`,
				i.N, i.N, s.with("page", ""), i.Title, i.From, i.Date, i.Links)
		}
		w.Put(`
</tbody></table></div>`)
	}
	w.Put("\n")
	w.pages(s)
	w.Put("\n")
}

// parts writes the list of the documents in a message.
func (w *page) parts(s *Page) {
	list := s.Parts()
	if len(list) < 2 {
		return
	}
	w.Put(`<nav class="parts" aria-label="Documents" tabindex="0"><ul>`)
	for _, d := range list {
		w.Put(`<li><a href="%s"%s>%s<small>`,
			s.with("doc", strconv.Itoa(d.N), "page", "", "kind", "", "status", "", "host", ""),
			when(d.N == s.Doc, ` aria-current="true"`), d.Name())
		if !d.Heading {
			w.Put("%s, ", d.Type)
		}
		w.Put("%s</small></a></li>", count(d.Links, "link"))
	}
	w.Put("</ul></nav>\n")
}

// base writes the base of the document and its layer in one line, with the figure of Section 5.1
// folded into it.
func (w *page) base(s *Page) {
	w.Put(`<details class="basis"><summary>base: `)
	if s.BaseURI != "" {
		w.Put("<code>%s</code>", breaks(s.BaseURI))
	} else {
		w.Put("none")
	}
	if s.From != nil {
		w.Put(" from %s", s.From.name())
		if s.From.Part != "" {
			w.Put(" of part %s", s.From.Part)
		}
	}
	w.Put(`</summary>
<section class="figure" aria-labelledby="figure"><h2 id="figure">Where the base comes from</h2>`)
	switch {
	case s.Forced != nil:
		w.Put(`<ul class="forced">`)
		w.layer(s.Forced)
		w.Put("</ul>")
	case s.BaseURI != "":
		w.Put(`<p class="lead">The boxes are those of RFC 2396 Section 5.1. They are asked from the inside to the ` +
			"outside: the first with a usable base counts.</p>")
	default:
		w.Put(`<p class="lead">No box of RFC 2396 Section 5.1 gives a usable base, so relative links stay as they ` +
			"are. Open the options to say where the document was retrieved from.</p>")
	}
	if s.Figure != nil {
		w.box(s.Figure)
	}
	w.Put("</section></details>\n")
}

// view writes the links to the views, and the current view.
func (w *page) view(s *Page) {
	w.Put(`<nav class="views" id="views" aria-label="Views"><a href="%s#views"%s>Links</a>`,
		s.with("view", ""), s.current("links"))
	w.Put(`<a href="%s#views"%s>Rule sets</a>`, s.with("view", "rules", "page", ""), s.current("rules"))
	w.Put(`<a href="%s#views"%s>Rewriting</a></nav>
`, s.with("view", "rewrite", "page", ""), s.current("rewrite"))
	switch s.view() {
	case "rules":
		w.rules(s)
	case "rewrite":
		w.rewriting(s)
	default:
		w.links(s)
	}
	w.Put("\n")
}

// remarks writes the problems and the notes about the document.
func (w *page) remarks(s *Page) {
	if len(s.Problems) > 0 {
		w.Put(`<section class="problems" aria-labelledby="problems"><h2 id="problems">Problems</h2><ul>`)
		for _, text := range s.Problems {
			w.Put("<li>%s</li>", text)
		}
		w.Put("</ul></section>\n")
	}
	if len(s.Notes) > 0 {
		w.Put(`<section class="notes" aria-labelledby="notes"><h2 id="notes">Notes</h2><ul>`)
		for _, text := range s.Notes {
			w.Put("<li>%s</li>", text)
		}
		w.Put("</ul></section>\n")
	}
}

// current returns the attribute that marks a link to the current view, or "" for another view.
func (s *Page) current(view string) hypertext.Source {
	return when(s.view() == view, ` aria-current="page"`)
}
