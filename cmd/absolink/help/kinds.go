package help

import (
	"strings"

	"absolink/cmd/absolink/internal/record"
)

// kinds returns a table of the kinds of links: name, meaning and an example.
func kinds() string {
	var b strings.Builder
	b.WriteString("| | |\n|---|---|\n")
	for _, v := range record.Values()["kind"] {
		meaning := strings.TrimSuffix(v.Meaning, ".")
		meaning = strings.ToLower(meaning[:1]) + meaning[1:]
		b.WriteString("| `" + v.Name + "` | " + meaning + ": `" + v.Example + "` |\n")
	}
	return b.String()
}
