package markup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Of several attributes of one name only the first counts, in small and large tags in any order.
func TestDuplicates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var page strings.Builder
	var want []string
	sizes := []int{1, few - 1, few, few + 1, 16, 17, 32, 33, 100, few, 3000, few, few + 1, 200, 2}
	for _, names := range sizes {
		page.WriteString("<p")
		seen := make(map[string]bool)
		var kept []string
		for range 3 * names {
			name := fmt.Sprintf("n%d", random.IntN(names))
			if random.IntN(2) == 0 {
				name = strings.ToUpper(name)
			}
			page.WriteString(" " + name)
			if !seen[strings.ToLower(name)] {
				seen[strings.ToLower(name)] = true
				kept = append(kept, name)
			}
		}
		page.WriteString(">")
		want = append(want, strings.Join(kept, " "))
	}
	data := []byte(page.String())
	var s Scanner
	s.Reset(data)
	n := 0
	for k := s.Next(); k != EOF; k = s.Next() {
		if k != StartTag {
			continue
		}
		var got []string
		for _, a := range s.Attrs {
			got = append(got, string(data[a.NameStart:a.NameEnd]))
		}
		if strings.Join(got, " ") != want[n] {
			t.Errorf("tag %d with %d names: got %d attributes, want %d", n, sizes[n], len(got),
				len(strings.Fields(want[n])))
		}
		n++
	}
	if n != len(sizes) {
		t.Errorf("got %d tags, want %d", n, len(sizes))
	}
}

// The table of a tag has room for its own attributes only, whatever the tags before it had.
func TestDuplicatesAfterLargeTag(t *testing.T) {
	var page strings.Builder
	page.WriteString("<p")
	for i := range 10000 {
		fmt.Fprintf(&page, " n%d", i)
	}
	page.WriteString("><p")
	for i := range 2 * few {
		fmt.Fprintf(&page, " n%d", i)
	}
	page.WriteString(">")
	var s Scanner
	s.Reset([]byte(page.String()))
	for k := s.Next(); k != EOF; k = s.Next() {
	}
	if len(s.seen) > 8*few {
		t.Errorf("the table of a tag with %d attributes has %d slots", 2*few, len(s.seen))
	}
}
