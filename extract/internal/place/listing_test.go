package place

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var updateListing = flag.Bool("update-listing", false, "write the tables into the help topic constructs")

// TestListing compares the tables with the list that "absolink help constructs" prints. After a
// change of a table, update the list:
//
//	go test ./extract/internal/place -run TestListing -update-listing
func TestListing(t *testing.T) {
	const file = "../../../cmd/absolink/help/constructs.txt"
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
		line := fmt.Sprintf("%-22s %-20s %-11s %-9s %-14s %s", a, r.Type, r.Kind, r.Base, r.Default, r.Elements)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if r.If != "" {
		attrs, values, _ := strings.Cut(r.If, "=")
		appendWords(b, "if "+strings.ReplaceAll(attrs, " ", " or ")+" is", strings.Fields(values))
	}
}

// appendWords writes a list of words in lines of at most 100 characters.
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
