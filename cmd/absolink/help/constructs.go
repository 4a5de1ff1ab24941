package help

import (
	"fmt"
	"strings"

	"absolink/extract"
)

// constructs returns the tables that the finder reads, a fence for each.
func constructs() string {
	var b strings.Builder
	rows := extract.Tables()
	links := rows[len(rows)-1].Table // the last table is printed in another way
	table := ""
	for _, row := range rows {
		if row.Table != table {
			if table != "" {
				b.WriteString("```\n\n")
			}
			table = row.Table
			fmt.Fprintf(&b, "## %s\n\n```\n", table)
		}
		if table == links {
			_, types, _ := strings.Cut(row.If, "=")
			appendWords(&b, row.Kind.String()+":", strings.Fields(types))
		} else {
			appendPlace(&b, row)
		}
	}
	return b.String() + "```\n"
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
