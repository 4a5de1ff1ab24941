package sheet

import (
	"io"
	"net/url"

	"absolink/cmd/absolink/internal/hypertext"
)

// page writes pages of HTML, part by part.
type page struct{ *hypertext.Writer }

// options writes the form fields of the options, with the values of a query.
func (w *page) options(q url.Values) {
	w.Put("\n"+`<div class="fields">`+"\n"+
		`<label>Retrieved from <small>5.1.3, --base</small><input name="base" type="url" value="%s" `+
		`placeholder="http://example.com/dir/page.html"></label>`+"\n"+
		`<label>Default base <small>5.1.4, --default-base</small><input name="default-base" type="url" `+
		`value="%s" placeholder="http://example.com/"></label>`+"\n"+
		`<label>Rules <small>--rules</small><select name="rules">`,
		q.Get("base"), q.Get("default-base"))
	w.choices(ruleNames, q.Get("rules"))
	w.Put(`</select></label>
<label>Headers of messages, by <small>--mime-base</small><select name="mime-base">`)
	w.choices(mimeNames, q.Get("mime-base"))
	w.Put(`</select></label>
<label>Whose base counts <small>--trust-base</small><select name="trust-base">`)
	w.choices(trustNames, q.Get("trust-base"))
	w.Put(`</select></label>
<label>Links within the site <small>--to</small><select name="to">`)
	w.Put(`<option value="">absolute</option>`)
	w.choices([]string{"root-relative", "relative"}, q.Get("to"))
	w.Put("</select></label>\n"+
		`<label class="wide">Move a prefix <small>--map OLD=NEW</small><input name="map" value="%s" `+
		`placeholder="http://old.example/=http://new.example/"></label>`+"\n"+"</div>\n"+
		`<fieldset class="checks"><legend>Also read</legend>`+"\n"+
		`<label><input type="checkbox" name="lazy" value="true"%s> lazy attributes</label>`+"\n"+
		`<label><input type="checkbox" name="scripts" value="true"%s> scripts</label>`+"\n"+
		`<label><input type="checkbox" name="comments" value="true"%s> comments</label>`+"\n"+
		"</fieldset>\n",
		q.Get("map"), when(q.Get("lazy") != "", " checked"), when(q.Get("scripts") != "", " checked"),
		when(q.Get("comments") != "", " checked"))
}

// choices writes the values of a list to choose from. chosen is the selected value.
func (w *page) choices(list []string, chosen string) {
	for _, value := range list {
		w.Put("<option%s>%s</option>", when(value == chosen, " selected"), value)
	}
}

// when returns source if the condition is true, and "" otherwise.
func when(condition bool, source hypertext.Source) hypertext.Source {
	if condition {
		return source
	}
	return ""
}

// WriteStart writes the main element of the first page.
func WriteStart(out io.Writer, s *Start) error {
	w := &page{hypertext.NewWriter(out)}
	w.Put("\n"+`<main class="start">`+"\n"+"<div>\n"+"<h1>Every link of a document, absolute</h1>\n"+
		`<p class="lead">Give a page, a message or an archive. You see which base each of its documents has and `+
		"why, where every link leads, and what rewriting would change. Nothing leaves this %s, and "+
		"nothing is retrieved.</p>\n", s.Where)
	if s.Error != "" {
		w.Put(`<p class="error" role="alert">%s</p>`, s.Error)
	}
	w.Put("\n"+`<form method="post" action="%s" enctype="multipart/form-data">`+"\n"+
		`<div class="drop" id="drop"><label for="file">Choose a file<span class="script"> or drop one here</span>`+
		`</label><input type="file" name="file" id="file"></div>`+"\n"+
		`<label class="paste">or paste its text<textarea name="text" rows="6" spellcheck="false"></textarea>`+
		"</label>\n"+"<details><summary>Options</summary>", s.Action)
	w.options(nil)
	w.Put("</details>\n"+"<p><button>Show the links</button></p>\n"+"</form>\n"+
		`<form class="samples" method="post" action="%s" enctype="multipart/form-data">`+
		"<p>No file at hand? Show a sample:</p>", s.Action)
	for _, each := range samples {
		w.Put(`<button name="sample" value="%s">%s</button>`, each.File, each.title)
	}
	w.Put("</form>\n" + "</div>\n" +
		`<section aria-labelledby="boxes"><h2 id="boxes">Where a base comes from</h2>` + "\n" +
		`<p class="lead">RFC 2396 Section 5.1 has four boxes around a document. They are asked from the inside ` +
		"to the outside, and the first that says something counts.</p>\n" + `<div class="figure">`)
	w.box(s.figure())
	w.Put(`</div></section>
</main>
`)
	return w.Err()
}

// layer writes a layer of the figure.
func (w *page) layer(l *Layer) {
	w.Put("<li%s><p><b>%s</b>", when(l.Used, ` class="used"`), l.Source)
	if l.Part != "" {
		w.Put(" of part %s", l.Part)
	}
	w.Put(`</p>
<code>%s</code>`, breaks(l.Value))
	if l.URI != "" && l.URI != l.Value {
		w.Put(`<p class="amounts">that is <code>%s</code></p>`, breaks(l.URI))
	}
	if l.Reason != "" {
		w.Put(`<p class="reason">%s</p>`, l.Reason)
	}
	w.Put("</li>")
}

// box writes a box of the figure, with the boxes inside it.
func (w *page) box(b *Box) {
	w.Put(`<section class="box%s"><h3><span>%s</span> %s</h3>`, when(b.Used, " counting"), b.Section, b.Title)
	if b.Used {
		w.Put(`<p class="counts">gives the base</p>`)
	}
	w.Put("\n")
	if len(b.Layers) > 0 {
		w.Put("<ul>")
		for _, l := range b.Layers {
			w.layer(&l)
		}
		w.Put("</ul>")
	} else {
		w.Put("<p>%s</p>", b.Says)
	}
	w.Put("\n")
	if b.Document != nil {
		w.Put(`<p class="core"><b>%s</b>, `, b.Document.Name())
		if !b.Document.Heading {
			w.Put("%s, ", b.Document.Type)
		}
		w.Put("%s</p>", count(b.Document.Links, "link"))
	}
	if b.Inner != nil {
		w.box(b.Inner)
	}
	w.Put("</section>")
}
