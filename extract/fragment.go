package extract

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Fragments of pages, and templates, begin in ways that MIME Sniffing does not have: with
// text, an instruction of a template, a tag of HTML 5. They are told by a tag.

// tagsWithin is how many bytes are searched for a tag.
const tagsWithin = 1024

// elementNames are the elements of HTML, those of old too, and the roots of SVG and MathML.
var elementNames = lazySet(`a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big
	blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog
	dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup
	hr html i iframe img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu meta
	meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext
	pre progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span strike strong style
	sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`)

// otherExtensions are those of programs, data and prose in which tags may be quoted.
var otherExtensions = lazySet(`.js .mjs .cjs .jsx .ts .tsx .json .jsonl .ndjson .map .md .markdown .mdx .rst .adoc .tex .py .rb
	.pl .pm .go .c .h .cc .cpp .hpp .cs .java .kt .swift .rs .scala .lua .sh .bash .zsh .ps1 .bat .sql .yml .yaml .toml .ini
	.cfg .conf .properties .csv .tsv .log .diff .patch .po .pot .r .ipynb .scss .sass .less .ics .vcf .emlx`)

// lazySet returns the set of words, which is made when it is first asked for.
func lazySet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for w := range strings.FieldsSeq(words) {
			set[w] = true
		}
		return set
	})
}

// otherKind reports whether name, a file name or a media type, is that of a file which is
// no page, whatever it quotes.
func otherKind(name string) bool {
	switch top, _, _ := strings.Cut(name, "/"); strings.ToLower(top) {
	case "application", "audio", "font", "image", "message", "model", "multipart", "text", "video":
		return true
	}
	return otherExtensions()[strings.ToLower(path.Ext(name))]
}

// hasTag reports whether the first bytes of head hold a tag of HTML before anything that no
// text holds. Scripts and JSON have none.
func hasTag(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) || looksJSON(head) {
		return false
	}
	for i, c := range head[:min(len(head), tagsWithin)] {
		switch {
		case c < ' ' && !text.IsBlank(c) && c != 0x1b:
			return false
		case c == '<' && isTag(head[i+1:]):
			return true
		}
	}
	return false
}

// isTag reports whether b begins with the rest of a tag of HTML, or of a custom element.
func isTag(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("/"))
	n := 0
	for n < len(b) && (ascii.IsAlnum(b[n]) || b[n] == '-') {
		n++
	}
	if n == len(b) || !tagEnd(b[n]) {
		return false
	}
	if end := bytes.IndexAny(b[n:], "<>"); end < 0 || b[n+end] == '<' {
		return false
	}
	name := strings.ToLower(string(b[:n]))
	return elementNames()[name] || strings.IndexByte(name, '-') > 0
}

// looksJSON reports whether head begins as an object or an array of JSON does.
func looksJSON(head []byte) bool {
	head = bytes.TrimLeft(head, "\t\n\r ")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(head[1:], "\t\n\r ")
	return len(next) > 0 && (next[0] == '"' || head[0] == '[' && (next[0] == '{' || next[0] == '['))
}

// tagEnd reports whether c can follow a tag name.
func tagEnd(c byte) bool { return c == '>' || c == '/' || text.IsBlank(c) }
