package reportpage

import (
	_ "embed"

	"absolink/cmd/absolink/internal/hypertext"
)

//go:embed style.css
var style hypertext.Source

// page writes the parts of the page.
type page struct{ *hypertext.Writer }

// write writes the whole page.
func (w *page) write(f *figures) {
	w.Put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>absolink: report</title>
<style>%s</style>
</head>
<body>
<main>
<header>
<p class="name">absolink</p>
<h1>What was done</h1>
<dl class="facts">
<div><dt>inputs</dt><dd>%s</dd></div>
<div><dt>bytes</dt><dd>%s</dd></div>
`, style, formatNumber(f.Inputs), formatSize(f.Bytes))
	if f.Messages != 0 {
		w.Put("<div><dt>messages in mailboxes</dt><dd>%s</dd></div>", formatNumber(f.Messages))
	}
	w.Put("\n")
	if f.Records != 0 {
		w.Put("<div><dt>records in web archives</dt><dd>%s</dd></div>", formatNumber(f.Records))
	}
	w.Put(`
<div><dt>documents</dt><dd>%s</dd></div>
<div><dt>links</dt><dd>%s</dd></div>
<div><dt>edits</dt><dd>%s</dd></div>
<div><dt>problems</dt><dd>%s</dd></div>
<div><dt>time of all inputs</dt><dd>%s</dd></div>
`,
		formatNumber(f.Documents), formatNumber(f.References), formatNumber(f.Edits), formatNumber(f.Problems),
		formatSeconds(f.Seconds))
	if f.Signed != 0 {
		w.Put("<div><dt>signed or encrypted parts left alone</dt><dd>%s</dd></div>", formatNumber(f.Signed))
	}
	w.Put("\n")
	if f.Wrapped != 0 {
		w.Put("<div><dt>links that stay wrapped</dt><dd>%s</dd></div>", formatNumber(f.Wrapped))
	}
	if f.Broken != 0 {
		w.Put("<div><dt>signed parts edited</dt><dd>%s</dd></div>", formatNumber(f.Broken))
	}
	w.Put("\n")
	if f.DKIM != 0 {
		w.Put("<div><dt>messages whose DKIM signature edits break</dt><dd>%s</dd></div>", formatNumber(f.DKIM))
	}
	w.Put(`
</dl>
`)
	if f.Bad != 0 {
		w.Put(`<p class="note"><strong>%s</strong> lines were left out: they are no lines of a report.</p>`,
			formatNumber(f.Bad))
	}
	w.Put(`
</header>

<section><h2>Outcomes</h2>
`)
	w.writeChart(outcomeChart("inputs", "By inputs", "inputs", f.Outcomes))
	w.Put("\n")
	w.writeChart(outcomeChart("bytes", "By bytes of the inputs", "bytes", f.Outcomes))
	w.Put("\n")
	if f.Messages != 0 || f.Records != 0 {
		w.writeChart(outcomeChart("items", "By messages and records inside them", "items", f.Outcomes))
	}
	w.Put(`
</section>

<section><h2>References</h2>
`)
	w.writeChart(countChart("status", "By status", f.Statuses))
	w.Put("\n")
	w.writeChart(countChart("kind", "By kind", f.Kinds))
	w.Put("\n")
	w.writeChart(countChart("layer", "By the layer that gave the base", f.Layers))
	w.Put(`
</section>

<section><h2>Hosts</h2>
`)
	w.writeChart(hostChart("bases", "That bases came from", "inputs and items", f.BaseHosts))
	w.Put("\n")
	if f.LinkRecords != 0 {
		w.writeChart(hostChart("links", "That links lead to", "links", f.LinkHosts))
	}
	w.Put(`
</section>

<section><h2>What is wrong</h2>
`)
	w.writeGroups(&f.Wrong)
	w.Put(`
</section>

<section><h2>Skipped, refused and failed</h2>
`)
	w.writeGroups(&f.Reasons)
	w.Put(`
</section>

<section><h2>Sizes and times</h2>
`)
	w.writeChart(histogram("sizes", "Sizes, from", f.Sizes))
	w.Put("\n")
	w.writeChart(histogram("times", "Seconds, from", f.Times))
	w.Put("\n" + `<div class="pair halves">` + "\n" +
		`<div class="scroll"><table><caption>The slowest inputs</caption><thead><tr><th scope="col">input</th>` +
		`<th scope="col" class="number">time</th><th scope="col" class="number">size</th></tr></thead>` + "\n" +
		"<tbody>")
	for _, i := range f.Slowest {
		w.Put(`<tr><th scope="row">%s</th><td class="number">%s</td><td class="number">%s</td></tr>
`, i.Name, formatSeconds(i.Seconds), formatSize(i.Bytes))
	}
	w.Put("</tbody></table></div>\n" +
		`<div class="scroll"><table><caption>The largest inputs</caption><thead><tr><th scope="col">input</th>` +
		`<th scope="col" class="number">size</th><th scope="col" class="number">time</th></tr></thead>` + "\n" +
		"<tbody>")
	for _, i := range f.Largest {
		w.Put(`<tr><th scope="row">%s</th><td class="number">%s</td><td class="number">%s</td></tr>
`, i.Name, formatSize(i.Bytes), formatSeconds(i.Seconds))
	}
	w.Put(`</tbody></table></div>
</div>
</section>
</main>
</body>
</html>


`)
}

// writeChart writes a bar chart with its table.
func (w *page) writeChart(c *chart) {
	w.Put(`
<div class="chart">
<h3 id="%s">%s</h3>
`, c.ID, c.Title)
	if len(c.Rows) > 0 {
		w.Put(`<div class="pair">
<div class="`)
		if c.Vertical {
			w.Put("columns")
		} else {
			w.Put("bars")
		}
		w.Put(`" aria-hidden="true">
`)
		for _, r := range c.Rows {
			if c.Vertical {
				w.Put(`<span class="column"><i style="height: %v%%"></i></span>`, r.Width)
			} else {
				w.Put(`<span class="label">%s</span><span class="track"><i`, r.Label)
				if r.Bad {
					w.Put(` class="bad"`)
				}
				w.Put(` style="width: %v%%"></i></span>`, r.Width)
			}
			w.Put("\n")
		}
		if c.Vertical {
			w.Put(`<span class="axis"><span>%s</span><span>%s</span></span>`, c.First(), c.Last())
		}
		w.Put(`</div>
<div class="scroll"><table aria-labelledby="%s"><thead><tr><th scope="col">`, c.ID)
		if c.Vertical {
			w.Put("from")
		} else {
			w.Put("name")
		}
		w.Put(`</th><th scope="col" class="number">%s</th></tr></thead>
<tbody>`, c.Unit)
		for _, r := range c.Rows {
			w.Put(`<tr><th scope="row">%s</th><td class="number">%s</td></tr>
`, r.Label, formatNumber(r.N))
		}
		if c.Others != 0 {
			w.Put(`<tr><th scope="row">all others</th><td class="number">%s</td></tr>`, formatNumber(c.Others))
		}
		w.Put(`</tbody></table></div>
</div>
`)
		if c.Approximate {
			w.Put(`<p class="note">There were so many that the rarest were not counted: numbers may be somewhat ` +
				"too small.</p>")
		}
		w.Put("\n")
	} else {
		w.Put(`<p class="note">None.</p>`)
	}
	w.Put(`
</div>
`)
}

// writeGroups writes a table of texts with their numbers.
func (w *page) writeGroups(l *List) {
	w.Put("\n")
	if len(l.Groups) > 0 {
		w.Put(`<div class="scroll"><table class="groups"><thead><tr><th scope="col" class="number">number</th>` +
			`<th scope="col">what</th><th scope="col">first in</th></tr></thead>` + "\n" + "<tbody>")
		for _, g := range l.Groups {
			w.Put(`<tr><td class="number">%s</td><th scope="row">%s</th><td><ul>`, formatNumber(g.N), g.Text)
			for _, text := range g.Places {
				w.Put("<li>%s</li>", text)
			}
			w.Put(`</ul></td></tr>
`)
		}
		if l.Others != 0 {
			w.Put(`<tr><td class="number">%s</td><th scope="row">all others</th><td></td></tr>`,
				formatNumber(l.Others))
		}
		w.Put(`</tbody></table></div>
`)
		if l.Approximate {
			w.Put(`<p class="note">There were so many that the rarest were not counted: numbers may be somewhat ` +
				"too small.</p>")
		}
		w.Put("\n")
	} else {
		w.Put(`<p class="note">Nothing.</p>`)
	}
	w.Put("\n")
}
