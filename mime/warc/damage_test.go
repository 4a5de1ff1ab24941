package warc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// damages are ways to damage a text at an offset.
var damages = []struct {
	name   string
	damage func(s string, at int) string
}{
	{"a changed byte", func(s string, at int) string { return s[:at] + string([]byte{s[at] ^ 0x15}) + s[at+1:] }},
	{"a lost byte", func(s string, at int) string { return s[:at] + s[at+1:] }},
	{"many lost bytes", func(s string, at int) string { return s[:at] + s[min(at+30, len(s)):] }},
	{"a NUL more", func(s string, at int) string { return s[:at] + "\x00" + s[at:] }},
	{"a line more", func(s string, at int) string { return s[:at] + "\r\njunk\r\n" + s[at:] }},
	{"bytes twice", func(s string, at int) string { return s[:at] + s[max(0, at-9):] }},
	{"the rest lost", func(s string, at int) string { return s[:at] }},
}

// Damage in one record costs only that record, and the end of the record before it. All others stay
// as they are, without a defect, whether their blocks are above the limit or not. The exception is
// a plain record that is cut in the middle of a line. TestMixed has cases where the next one is
// found.
func TestDamageIsLocal(t *testing.T) {
	const records, k = 6, 3 // record k is damaged
	var warcs []string
	for i := range records {
		page := strings.Repeat(fmt.Sprintf("<a href=%d>", i), 2+i*i%7*9)
		warcs = append(warcs, numbered(i, page))
	}
	each := func(pack func(...string) string, texts []string) (parts []string) {
		for _, text := range texts {
			parts = append(parts, pack(text))
		}
		return parts
	}
	mixed := slices.Clone(warcs)
	inTurn := slices.Clone(warcs)
	for i := range records {
		if i != k {
			mixed[i] = gz(warcs[i])
		}
		if i%2 > 0 {
			inTurn[i] = gz(warcs[i])
		}
	}
	for name, parts := range map[string][]string{
		"plain": warcs, "gzip": each(gz, warcs), "stored": each(gzStored, warcs), "zstd": each(zst, warcs),
		"plain among members": mixed, "in turn": inTurn,
	} {
		for _, limit := range []int{0, 100} {
			want := damageOutline(t, joined(parts...), limit)
			if len(want) != records {
				t.Fatalf("%s: %d records, want %d", name, len(want), records)
			}
			step := max(1, len(parts[k])/effort.Pick(100, 7))
			for _, d := range damages {
				for at := 0; at < len(parts[k]); at += step {
					damaged := slices.Clone(parts)
					damaged[k] = d.damage(parts[k], at)
					isCut := d.name == "the rest lost" || d.name == "many lost bytes" && limit > 0
					if isCut && parts[k] == warcs[k] {
						continue // it ends in the middle of a line
					}
					got := damageOutline(t, joined(damaged...), limit)
					for i := range records {
						if i != k && i != k-1 && !slices.Contains(got, want[i]) {
							t.Errorf("%s, limit %d, %s at %d: record %d is lost or changed:\n%s",
								name, limit, d.name, at, i, strings.Join(got, "\n"))
						}
					}
				}
			}
		}
	}
}

// damageOutline describes each record by its target, block and defects, without offsets.
func damageOutline(t *testing.T, data string, limit int) (list []string) {
	t.Helper()
	last := int64(0)
	for rec, err := range recordsOf(strings.NewReader(data), Options{Limit: limit}) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Offset != last && rec.Number > 1 {
			t.Errorf("record %d begins at %d, the one before ends at %d", rec.Number, rec.Offset, last)
		}
		last = rec.End
		list = append(list, fmt.Sprintf("%s %q %d %d", rec.TargetURI, rec.block(), rec.Skipped, len(rec.Defects)))
		rec.Release()
	}
	if last != int64(len(data)) && len(list) > 0 {
		t.Errorf("the records end at %d, want %d", last, len(data))
	}
	return list
}
