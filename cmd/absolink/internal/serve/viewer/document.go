package viewer

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"absolink/cmd/absolink/internal/hypertext"
)

// pages writes the links to the previous and the next page.
func (w *page) pages(s *shown) {
	if s.Last > 0 {
		w.Put(`<nav class="pages" aria-label="Pages">`)
		if s.Page > 0 {
			w.Put(`<a href="%s#views" rel="prev">previous</a>`, s.With("page", strconv.Itoa(s.Page-1)))
		}
		w.Put("<span>page %d of %d</span>", s.Page+1, s.Last+1)
		if s.Page < s.Last {
			w.Put(`<a href="%s#views" rel="next">next</a>`, s.With("page", strconv.Itoa(s.Page+1)))
		}
		w.Put("</nav>")
	}
}

// links writes the source and the references of a document.
func (w *page) links(s *shown) {
	flags := chosen(s.Query)
	w.Put(`
<form class="filter" method="get" action="#views">`)
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
<button>Choose</button></form>
<div class="pair">
<div>`)
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
	w.Put(`</pre></div>
<div>`)
	if number := s.Dropped(); number != 0 {
		w.Put(`<p class="note">%s more are not listed here; absolink extract lists all.</p>`,
			count(number, "reference"))
	}
	w.Put("\n")
	if len(s.Rows) > 0 {
		w.Put(`<div class="scroll rows" tabindex="0" role="region" aria-label="References"><table role="table">` +
			`<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">No.</th>` +
			`<th scope="col" role="columnheader">Reference</th><th scope="col" role="columnheader">Status</th>` +
			`<th scope="col" role="columnheader">Place and base</th></tr></thead><tbody role="rowgroup">` + "\n")
		for _, r := range s.Rows {
			w.Put(`<tr id="r%d" role="row"><td role="cell">`, r.N)
			if r.Marked {
				w.Put(`<a href="#m%d" aria-label="Reference %d in the source">%d</a>`, r.N, r.N, r.N)
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
		w.Put(`
</tbody></table></div>`)
	} else {
		w.Put(`<p class="note">There are none to show.</p>`)
	}
	w.Put("</div>\n" + "</div>\n" +
		`<p class="note script">The arrow keys lead from reference to reference, Enter from the source to the ` +
		"row and back.</p>\n")
	w.pages(s)
}

// facets writes the values of a filter to choose from. chosen is the selected value.
func (w *page) facets(list []Facet, chosen string) {
	for _, f := range list {
		w.Put(`<option value="%s"%s>%s (%d)</option>`, f.Value, when(f.Value == chosen, " selected"), f.Value, f.N)
	}
}

// rules writes the differences between the rule sets.
func (w *page) rules(s *shown) {
	w.Put(`
<h2>Where the rule sets differ</h2>
`)
	if len(s.Differ) > 0 {
		w.Put(`<div class="scroll rules" tabindex="0" role="region" aria-label="Rule sets"><table role="table">` +
			`<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">As written</th>`)
		for _, text := range s.Rules {
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
					when(!c.Same, ` class="other"`), s.Rules[i])
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
		w.Put("<p>All five rule sets say the same of every reference.</p>")
	}
}

// rewriting writes the changes of a rewrite.
func (w *page) rewriting(s *shown) {
	w.Put(`
<h2>What rewriting changes</h2>
`)
	if s.Unwritten != "" {
		w.Put(`<p class="error">Not everything may be rewritten: %s.</p>`, s.Unwritten)
	}
	w.Put(`
<p><a class="button" href="download%s" download>Download the rewritten document</a></p>
`, s.With("view", "", "doc", "", "page", ""))
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

// document writes the page of a document.
func (w *page) document(s *shown) {
	w.head(s.Name)
	w.Put(`
<main>
<div class="title"><h1>%s</h1><p>`, s.Name)
	if s.Kind != "" {
		w.Put("%s, ", s.Kind)
	}
	w.Put(`%s</p></div>
`, s.Size)
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
	if s.Container {
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
					i.N, i.N, s.With("page", ""), i.Title, i.From, i.Date, i.Links)
			}
			w.Put(`
</tbody></table></div>`)
		}
		w.Put("\n")
		w.pages(s)
		w.Put("\n")
	} else if s.Read {
		w.Put("\n")
		if list := s.Parts(); len(list) > 0 {
			if len(list) > 1 {
				w.Put(`<nav class="parts" aria-label="Documents"><ul>`)
				for _, d := range list {
					w.Put(`<li><a href="%s"%s>%s<small>`,
						s.With("doc", strconv.Itoa(d.N), "page", "", "kind", "", "status", "", "host", ""),
						when(d.N == s.Doc, ` aria-current="true"`), d.Name())
					if !d.Heading {
						w.Put("%s, ", d.Type)
					}
					w.Put("%s</small></a></li>", count(d.Links, "link"))
				}
				w.Put("</ul></nav>")
			}
		}
		w.Put("\n")
		if len(s.Problems) > 0 {
			w.Put(`<section class="problems" aria-labelledby="problems"><h2 id="problems">Problems</h2><ul>`)
			for _, text := range s.Problems {
				w.Put("<li>%s</li>", text)
			}
			w.Put("</ul></section>")
		}
		w.Put("\n")
		if s.Figure != nil {
			w.Put(`<section aria-labelledby="figure"><h2 id="figure">Where the base comes from</h2>
<div class="both"><div class="figure">`)
			w.box(s.Figure)
			w.Put(`</div>
<div class="result"><h3>Base</h3><p class="base">`)
			if s.BaseURI != "" {
				w.Put("<code>%s</code>", breaks(s.BaseURI))
			} else {
				w.Put("none")
			}
			w.Put(`</p>
`)
			if s.Forced != nil {
				w.Put(`<ul class="forced">`)
				w.layer(s.Forced)
				w.Put("</ul>")
			} else {
				w.Put("<p>")
				if s.BaseURI != "" {
					w.Put("The boxes are those of RFC 2396 Section 5.1. They are asked from the inside to the " +
						"outside: the first with a usable base counts.")
				} else {
					w.Put("No box gives a usable one, so relative references stay as they are. Open the options to " +
						"say where the document was retrieved from.")
				}
				w.Put("</p>")
			}
			w.Put(`
</div></div></section>
<nav class="views" id="views" aria-label="Views"><a href="%s#views"%s>Links</a>`,
				s.With("view", ""), s.current("links"))
			w.Put(`<a href="%s#views"%s>Rule sets</a>`, s.With("view", "rules", "page", ""), s.current("rules"))
			w.Put(`<a href="%s#views"%s>Rewriting</a></nav>
`, s.With("view", "rewrite", "page", ""), s.current("rewrite"))
			switch s.View {
			case "rules":
				w.rules(s)
			case "rewrite":
				w.rewriting(s)
			default:
				w.Put(`<h2>%s</h2>
`, count(s.Total, "reference"))
				w.links(s)
			}
			w.Put("\n")
		}
	}
	w.Put(`
</main>
</body></html>
`)
}

// current returns the attribute that marks a link to the current view, or "" for another view.
func (s *shown) current(view string) hypertext.Source {
	return when(s.View == view, ` aria-current="page"`)
}
