package place

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var updateListing = flag.Bool("update-listing", false, "write the tables into the help topic places")

// TestListing compares the tables with the list that "absolink help places" prints. After a
// change of a table, update the list:
//
//	go test ./extract/internal/place -run TestListing -update-listing
func TestListing(t *testing.T) {
	const file = "../../../cmd/absolink/help/places.txt"
	got := listing()
	if *updateListing {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != got {
		t.Errorf("%s does not list the tables as they are; run the test with -update-listing", file)
	}
}

// listing returns all tables in Markdown, with a heading and a fence for each.
func listing() string {
	var b strings.Builder
	tables := Tables()
	for i, table := range tables {
		fmt.Fprintf(&b, "## %s\n\n```\n", table.Name)
		for _, row := range table.Rows {
			if i < len(tables)-1 {
				appendRow(&b, row)
				continue
			}
			_, types, _ := strings.Cut(row.If, "=") // the last table has kinds of links
			appendWords(&b, row.Kind.String()+":", strings.Fields(types))
		}
		b.WriteString("```\n")
		if i < len(tables)-1 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// appendRow writes the lines of one row.
func appendRow(b *strings.Builder, r Row) {
	attributes := strings.Fields(r.Attributes)
	if len(attributes) == 0 {
		attributes = []string{"(text)"}
	}
	for _, a := range attributes {
		line := fmt.Sprintf("%-16s %-13s %-10s %-8s %-10s", a, r.Type, r.Kind, r.Base, r.Default)
		appendElements(b, line, strings.Fields(r.Elements))
	}
	if r.If != "" {
		attrs, values, _ := strings.Cut(r.If, "=")
		appendWords(b, "if "+strings.ReplaceAll(attrs, " ", " or ")+" is", strings.Fields(values))
	}
}

// appendElements writes a line and the elements behind it. If they do not fit in the line, they
// follow in lines of their own.
func appendElements(b *strings.Builder, line string, elements []string) {
	all := strings.Join(elements, " ")
	switch {
	case all == "":
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	case len(line)+1+len(all) <= width:
		b.WriteString(line + " " + all + "\n")
	default:
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		appendLines(b, "    of", elements)
	}
}

// width is the number of characters in a line of a topic, without its indentation.
const width = 78

// appendWords writes a list of words with commas in lines of at most 78 characters.
func appendWords(b *strings.Builder, head string, words []string) {
	separated := make([]string, len(words))
	for i, w := range words {
		separated[i] = w
		if i < len(words)-1 {
			separated[i] += ","
		}
	}
	appendLines(b, "    "+head, separated)
}

// appendLines writes words behind a head.
func appendLines(b *strings.Builder, line string, words []string) {
	for _, w := range words {
		if len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line = "       "
		}
		line += " " + w
	}
	b.WriteString(line + "\n")
}
