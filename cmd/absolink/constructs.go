package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"absolink/extract"
)

// constructsTopic is "absolink help constructs": the tables that the finder reads.
func (p *program) constructsTopic() *cobra.Command {
	c := &cobra.Command{
		Use:   "constructs",
		Short: "Where references are found, and what becomes of them",
	}
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = constructs() // a long text, which takes a while to make
		c.Parent().HelpFunc()(c, args)
	})
	return c
}

const constructsHelp = `Where references are found, as the program itself reads it. A row is a line for each
attribute: attribute, how the value holds URLs, kind, base, what is done by default, elements; below
it, on what other attribute that depends. Elements: * is any, - any with a
hyphen in its name, svg: and math: those of SVG and MathML.

Base: document = BASE, then what is around the document; codebase = the codebase of
the element first; around = what is around the document; so far = BASE if it
stands before; entity = what is around the part; none = never resolved.
By default: rewritten = listed and made absolute; listed = listed only; identifier =
listed, never changed; --lazy, --scripts = with that option only.

Style sheets: url(), src(), @import, and the strings of image-set() and image();
@namespace and @document are identifiers. With --scripts also the src of
AlphaImageLoader(). The comment that ends a sheet or a script and names its source map
is listed. Plain text: URIs with a scheme, between blanks or delimiters, listed only,
and with --bare-hosts www.example.org; in enriched text, a body of messages, commands
are passed over first. Letters outside of ASCII belong to a URI in scripts that put
blanks between words. In Chinese, Japanese, Thai, Lao, Khmer and Myanmar the URI ends
before them, but for those of its host; that and an end in Korean has the warning
unclear-end, since prose may follow or the URI go on. Angle brackets keep all together.

Feeds: a guid of RSS that does not say whether it is a link is one if it holds "://".

Calendars and cards, as bodies of messages: each line is unfolded and its escapes are
undone. With VALUE=uri a URL needs no scheme to be listed; data in base64 is none.

Markup in comments is read with --comments; in messages that of conditional comments
([if ...]) always. Templates, noscript and srcdoc are read; what stands in textarea,
title, xmp, noembed, noframes, iframe and plaintext is text.
`

// constructs returns the text of the topic.
func constructs() string {
	var b strings.Builder
	b.WriteString(constructsHelp)
	rows := extract.Tables()
	links := rows[len(rows)-1].Table // the last table is printed in another way
	table := ""
	for _, row := range rows {
		if row.Table != table {
			table = row.Table
			fmt.Fprintf(&b, "\n%s\n\n", table)
		}
		if table == links {
			_, types, _ := strings.Cut(row.If, "=")
			appendWords(&b, row.Kind.String()+":", strings.Fields(types))
		} else {
			appendPlace(&b, row)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// appendPlace writes the lines of one row.
func appendPlace(b *strings.Builder, p extract.Place) {
	attributes := strings.Fields(p.Attributes)
	if len(attributes) == 0 {
		attributes = []string{"(text)"}
	}
	for _, a := range attributes {
		line := fmt.Sprintf("%-22s %-20s %-11s %-9s %-14s %s", a, p.Type, p.Kind, p.Base, p.Default, p.Elements)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if p.If != "" {
		attrs, values, _ := strings.Cut(p.If, "=")
		appendWords(b, "if "+strings.ReplaceAll(attrs, " ", " or ")+" is", strings.Fields(values))
	}
}

// appendWords writes a list of words in lines that are not too long.
func appendWords(b *strings.Builder, head string, words []string) {
	line := "    " + head
	for i, w := range words {
		if i < len(words)-1 {
			w += ","
		}
		if len(line)+len(w) > 100 {
			b.WriteString(line + "\n")
			line = "       "
		}
		line += " " + w
	}
	b.WriteString(line + "\n")
}
